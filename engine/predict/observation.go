package predict

import (
	"iter"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// A Relation is what a comparison asks of its operands.
type Relation uint8

// The relations, as the goal wants them to hold.
const (
	Equal Relation = iota
	Less
	LessEqual
	Greater
	GreaterEqual
)

// A Comparison is one that decided a condition, with the operands it had. The
// goal is reached if Left and Right stand in Relation.
type Comparison struct {
	Goal        cover.Metric
	Relation    Relation
	Left, Right uint256.Int
}

// A Recovery is a signature check that was made.
type Recovery struct {
	Digest  common.Hash
	V, R, S uint256.Int
	Signer  common.Address // what came out; zero: no valid signature
}

// An Observation is one execution seen from the side of its comparisons: what
// the Extensions need.
type Observation struct {
	Sequence    input.Sequence
	Comparisons []Comparison
	Recoveries  []Recovery
	Preimage    func(common.Hash) ([]byte, bool) // what was hashed in this run or an earlier one; may be nil
	Stop        func() bool                      // whether there is no time for more; nil: there is

	located []located // words of Sequence
	size    int       // words that a digest of Sequence takes
	work    int       // what was looked at so far
}

// located is a Parameter of a Tx with its word.
type located struct {
	tx    int
	param *input.Parameter
	word  uint256.Int
}

// maxWork bounds what is looked at for one execution: Parameters, words of
// Sequences that are compared and bytes that are searched. Ordinary executions
// take some ten thousand.
const maxWork = 1 << 24

// MaxHashed bounds the input of a hash that is taken apart, in bytes.
const MaxHashed = 1 << 13

// begin readies o for the Extensions.
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

// spend reports whether there is work left for so much.
func (o *Observation) spend(work int) bool {
	o.work += work
	return o.work <= maxWork && (o.Stop == nil || !o.Stop())
}

// hashed returns what was hashed to a hash.
func (o *Observation) hashed(hash common.Hash) ([]byte, bool) {
	if !o.spend(1) {
		return nil, false
	}
	in, ok := o.Preimage(hash)
	return in, ok && len(in) <= MaxHashed && o.spend(len(in)/32)
}

// A Proposal is a Sequence worth running because an Extension says that it
// reaches a goal.
type Proposal struct {
	Extension string
	Goal      cover.Metric
	Moves     []Move
}

// An Extension is a way to write an input directly instead of approaching it
// step by step [ENGINE.md section 5, beyond the papers].
type Extension struct {
	Name    string
	propose func(o *Observation, c *Comparison) [][]Move
}

// Extensions lists the ways. Each was measured alone on the conditions of
// TestExtensions, where the rows of a Session need the inputs given: operand
// 1 input instead of 1-4 and on constants that no second point reveals; xor 1
// instead of about 100; preimage and signature 1 instead of never.
var Extensions = []Extension{
	{"operand", operands},
	{"xor", xors},
	{"preimage", preimages},
	{"signature", signatures},
}

// mostProposals bounds what one Extension proposes for one comparison.
const mostProposals = 16

// Extend calls yield with what the Extensions propose for an execution, each
// thing once. What takes too much work is left out.
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

// sides calls visit for both operands: what one is, and what it should be,
// given the other.
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

// each visits the Parameters of all Txs, those of the last Tx first. The word is
// not to be changed.
func (o *Observation) each(visit func(tx int, p *input.Parameter, w *uint256.Int)) {
	if !o.spend(len(o.located)) {
		return
	}
	for i := range o.located {
		l := &o.located[i]
		visit(l.tx, l.param, &l.word)
	}
}

// one makes the moves that set a single Parameter, none if w is not in its
// range.
func one(tx int, p *input.Parameter, w uint256.Int) [][]Move {
	if p.Word.Wrap(&w) != w {
		return nil
	}
	return [][]Move{{{Tx: tx, Param: *p, Word: w}}}
}
