package engine

import (
	"context"
	"errors"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/foreign"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/solc"
)

// A Measured is what an input of a corpus does on a contract as it is compiled now.
// Only its last transaction counts, as in campaigns.
type Measured struct {
	Sequence input.Sequence // bound to the contract; empty if it does not fit
	Unfit    string         // why it cannot be executed; empty if it was
	Success  bool           // of the last transaction
	Features []uint64       // what it covers: blocks, outcomes of branches and signs of weaknesses, as numbers of this Measurement
}

// A Measurement is what the inputs of a corpus do.
type Measurement struct {
	Inputs []Measured
	Note   string // why the contract cannot be deployed

	instructions map[uint64]int // of the contract under test, by block feature
	total        int
}

// Covered counts the instructions of the contract under test that some of the inputs
// cover.
func (m *Measurement) Covered(inputs ...int) finding.Coverage {
	seen, c := map[uint64]bool{}, finding.Coverage{Total: m.total}
	for _, i := range inputs {
		for _, f := range m.Inputs[i].Features {
			if !seen[f] {
				seen[f] = true
				c.Covered += m.instructions[f]
			}
		}
	}
	return c
}

// News counts the features of each input that none before it has.
func (m *Measurement) News() (list []int) {
	seen := map[uint64]bool{}
	for _, in := range m.Inputs {
		before := len(seen)
		for _, f := range in.Features {
			seen[f] = true
		}
		list = append(list, len(seen)-before)
	}
	return list
}

// Measure executes inputs on contract, each on a state of its own, and returns what
// they cover: those of a corpus, then those of other fuzzers. Accounts of the latter
// become actors, and calls those of the functions with their selectors. The options say
// how the contract is deployed.
func Measure(ctx context.Context, contract *solc.Contract, project []*solc.Contract, own []input.Sequence, others []foreign.Sequence, options Options) (*Measurement, error) {
	m := &Measurement{instructions: map[uint64]int{}, Inputs: make([]Measured, len(own)+len(others))}
	options.MaxInputs, options.Workers = 1, 1
	result, err := runGuarded(ctx, contract, project, options, func(ctx context.Context, c *campaign) error {
		defer c.shutdown.endWith(ctx)()
		w := c.workers[0]
		s := w.search.Subject
		m.total = s.Cover.Bytecode(s.Code).Count
		for i := range m.Inputs {
			var bound input.Sequence
			var err error
			if i < len(own) {
				bound, err = bind(s, own[i], options.Fork)
			} else {
				bound, err = s.Translate(others[i-len(own)].Calls)
			}
			if err != nil {
				m.Inputs[i].Unfit = err.Error()
				continue
			}
			m.Inputs[i] = m.execute(w, bound)
			if c.shutdown.isOver() {
				return errors.New("interrupted")
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	m.Note = result.Note
	return m, nil
}

// bind binds an input of a corpus to a contract. An error says why it does not fit.
func bind(s *search.Subject, q input.Sequence, fork *Fork) (input.Sequence, error) {
	if err := (Outside{Fork: fork}).suits(q); err != nil {
		return q, err
	}
	bound, ok := s.Bind(q)
	if !ok {
		return q, errGone(s.Program.UnderTest)
	}
	return bound, nil
}

// The kinds of features, in their highest bits.
const (
	branchFeature = 1 << 62
	signFeature   = 2 << 62
	featureBits   = 1<<62 - 1
)

// execute executes an input without the transactions that fail before its last one.
func (m *Measurement) execute(w *worker, s input.Sequence) (out Measured) {
	r := search.Execute(w.executor, w.search.Generator.Combined(s))
	out.Sequence, out.Success = r.Sequence, r.Succeeded()
	subject := w.search.Subject
	for _, b := range r.Run.Blocks {
		out.Features = append(out.Features, uint64(b))
		if site := subject.Cover.BlockSite(b); site.Code == subject.Code {
			m.instructions[uint64(b)] = site.Instructions
		}
	}
	for _, b := range r.Run.Branches {
		out.Features = append(out.Features, branchFeature|uint64(b))
	}
	last := r.Sequence.Last()
	sign := input.DigestWords(uint64(r.Run.Suspicion), common.BytesToHash(last.Function.Selector[:]))
	if program.IsProperty(last.Function) && r.Outcome.Status == evm.Success {
		sign = input.DigestWords(sign, common.BytesToHash(r.Outcome.Return[:min(len(r.Outcome.Return), 32)]))
	}
	out.Features = append(out.Features, signFeature|sign&featureBits)
	slices.Sort(out.Features)
	return out
}
