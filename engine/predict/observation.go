package predict

import (
	"iter"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// A Relation is the relation of a comparison.
type Relation uint8

// The relations, for the goal to be reached.
const (
	Equal Relation = iota
	Less
	LessEqual
	Greater
	GreaterEqual
)

// A Comparison is a comparison that decided a condition, with its operands. The
// goal is reached if Left and Right are in Relation.
type Comparison struct {
	Goal        cover.Metric
	Relation    Relation
	Left, Right uint256.Int
}

// A Recovery is one signature check.
type Recovery struct {
	Digest  common.Hash
	V, R, S uint256.Int
	Signer  common.Address // the result; zero: no valid signature
}

// An Observation is the input of the Extensions: the comparisons, hashes and
// signature checks of one execution.
type Observation struct {
	Sequence    input.Sequence
	Comparisons []Comparison
	Recoveries  []Recovery
	Preimage    func(common.Hash) ([]byte, bool) // preimages of hashes, also of earlier runs; may be nil
	Stop        func() bool                      // reports that time is up; may be nil

	located []located // words of Sequence
	size    int       // words in a digest of Sequence
	work    int       // work so far
}

// A located is a Parameter of a Tx with its word.
type located struct {
	tx    int
	param *input.Parameter
	word  uint256.Int
}

// maxWork bounds the work for one execution: Parameters, words of compared
// Sequences and searched bytes. Ordinary executions take about ten thousand.
const maxWork = 1 << 24

// MaxHashed bounds the inputs of hashes to solve, in bytes.
const MaxHashed = 1 << 13

// begin prepares o for the Extensions.
func (o *Observation) begin() {
	o.located, o.size, o.work = o.located[:0], 0, 0
	for i := len(o.Sequence.Txs) - 1; i >= 0; i-- {
		tx := &o.Sequence.Txs[i]
		params := input.Parameters(tx)
		for k := range params {
			o.located = append(o.located, located{i, &params[k], input.Get(tx, &params[k])})
		}
		o.size += 8 + input.Words(tx.Args) + len(tx.Data)/32
	}
}

// spend reports whether there is that much work left, and counts it.
func (o *Observation) spend(work int) bool {
	o.work += work
	return o.work <= maxWork && (o.Stop == nil || !o.Stop())
}

// hashed returns the preimage of a hash.
func (o *Observation) hashed(hash common.Hash) ([]byte, bool) {
	if !o.spend(1) {
		return nil, false
	}
	in, ok := o.Preimage(hash)
	return in, ok && len(in) <= MaxHashed && o.spend(len(in)/32)
}

// A Proposal is a Sequence by which an Extension expects to reach a goal.
type Proposal struct {
	Extension string
	Goal      cover.Metric
	Moves     []Move
}

// An Extension computes an input directly instead of searching for it (beyond
// the papers; see docs/engine.md, "Input prediction").
type Extension struct {
	Name    string
	propose func(o *Observation, c *Comparison) [][]Move
}

// Extensions lists the extensions. Measured alone on the conditions of
// TestExtensions, against the inputs that the rows of a LineSearch need:
// operand 1 input instead of 1-4, and on constants that no second point
// reveals; xor 1 instead of about 100; preimage and signature 1 instead of
// never.
var Extensions = []Extension{
	{"operand", operands},
	{"xor", xors},
	{"preimage", preimages},
	{"signature", signatures},
}

// mostProposals bounds the proposals of one Extension for one comparison.
const mostProposals = 16

// Extend yields the proposals of the Extensions for an execution without
// duplicates. It skips comparisons that take too much work.
func (p *Predictor) Extend(o *Observation) iter.Seq[Proposal] {
	return func(yield func(Proposal) bool) {
		o.begin()
		known := map[uint64]bool{}
		for i := range o.Comparisons {
			c := &o.Comparisons[i]
			for _, e := range Extensions {
				if p.Off[e.Name] {
					continue
				}
				made := 0
				for _, moves := range e.propose(o, c) {
					if made == mostProposals || !o.spend(o.size) {
						break
					}
					key := input.Digest(Apply(o.Sequence, moves))
					if known[key] {
						continue
					}
					known[key] = true
					made++
					if !yield(Proposal{e.Name, c.Goal, moves}) {
						return
					}
				}
			}
		}
	}
}

// sides calls visit for both operands with the operand's value and the value it
// needs, given the other.
func (c *Comparison) sides(visit func(is, want *uint256.Int)) {
	one := uint256.NewInt(1)
	var more, less uint256.Int
	switch c.Relation {
	case Less:
		visit(&c.Left, less.Sub(&c.Right, one))
		visit(&c.Right, more.Add(&c.Left, one))
	case Greater:
		visit(&c.Left, more.Add(&c.Right, one))
		visit(&c.Right, less.Sub(&c.Left, one))
	default:
		visit(&c.Left, &c.Right)
		visit(&c.Right, &c.Left)
	}
}

// each visits the Parameters of all Txs, starting with the last Tx. Visitors
// must not change the word.
func (o *Observation) each(visit func(tx int, p *input.Parameter, w *uint256.Int)) {
	if !o.spend(len(o.located)) {
		return
	}
	for i := range o.located {
		l := &o.located[i]
		visit(l.tx, l.param, &l.word)
	}
}

// one returns the moves that set a single Parameter; none if w is not in its
// range.
func one(tx int, p *input.Parameter, w uint256.Int) [][]Move {
	if p.Word.Wrap(&w) != w {
		return nil
	}
	return [][]Move{{{Tx: tx, Param: *p, Word: w}}}
}
