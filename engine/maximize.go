package engine

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/program"
	"leveret/engine/replay"
	"leveret/engine/search"
)

// maximize looks for the sequences after which functions of the test contract
// return the most: Echidna's mode optimization, Medusa's functions optimize_…,
// Foundry's invariants that return an int256. It varies the best sequence of each,
// at random and, in turn, its numbers one by one.
type maximize struct {
	search   *search.Search
	executor *exec.Executor
	walk     *walk // draws further calls
	origin   *search.Origin
	goals    []*goal
	turn     int
	inputs   int // counts the inputs that might have been of a climb
	climbing int // counts the turns of climbs
}

// A goal is a function to maximize.
type goal struct {
	function *input.Function
	best     uint256.Int // two's complement
	known    bool        // the function returned something
	sequence input.Sequence
	entry    *corpus.Entry // of the sequence; nil: it is empty
	climb    climb         // from the sequence
}

func newMaximize(s *search.Search, x *exec.Executor, w *walk) *maximize {
	m := &maximize{search: s, executor: x, walk: w, origin: named("maximize")}
	if suite := s.Subject.Suite; suite != nil {
		for _, f := range suite.Maximized {
			g := &goal{function: f, sequence: input.Sequence{Deployment: s.Subject.Deployment.Record}}
			m.goals = append(m.goals, g)
			if v, ok := valueOf(x, s.Subject, f, s.Subject.Start); ok {
				g.best, g.known = v, true
			}
		}
	}
	return m
}

// valueOf returns what a function to maximize returns in a state; false if it fails.
func valueOf(x *exec.Executor, s *search.Subject, f *input.Function, at exec.State) (v uint256.Int, ok bool) {
	_, o := x.Ask(at, &input.Tx{From: s.Suite.Sender, To: s.Deployment.UnderTest().Address, Function: f})
	if o.Status != evm.Success || len(o.Return) < 32 {
		return v, false
	}
	return *v.SetBytes32(o.Return[:32]), true
}

// Learn keeps a result after which a function returns more than before.
func (m *maximize) Learn(r *search.Result) {
	if len(m.goals) == 0 || !r.Fast() || !r.Succeeded() || program.IsProperty(r.Sequence.Last().Function) {
		return
	}
	at := exec.State{World: r.After, Block: r.At.Block.After(r.Sequence.Last().Delay)}
	for _, g := range m.goals {
		if v, ok := valueOf(m.executor, m.search.Subject, g.function, at); ok && (!g.known || v.Sgt(&g.best)) {
			g.best, g.known, g.sequence, g.entry = v, true, r.Sequence, m.search.Corpus.EntryOf(r)
			g.climb.learn(r)
		}
	}
}

// Next varies the best sequence of a function: its last call, another one, or with
// a call more.
func (m *maximize) Next() *search.Candidate {
	if len(m.goals) == 0 {
		return nil
	}
	m.turn++
	g, generator := m.goals[m.turn%len(m.goals)], m.search.Generator
	if g.entry == nil {
		return nil
	}
	txs := g.sequence.Txs
	switch generator.Random.IntN(4) {
	case 0:
		i := generator.Random.IntN(len(txs))
		return m.search.Corpus.Child(g.entry, g.sequence.WithTx(i, generator.Varied(txs[i])), mutate.Diff{First: i, Shape: true})
	case 1:
		if len(m.walk.handler) == 0 {
			return nil
		}
		tx := generator.Varied(generator.Example(m.walk.callee()))
		return m.search.Corpus.Child(g.entry, g.sequence.Insert(len(txs), tx), mutate.Diff{First: len(txs), Shape: true})
	}
	return generator.Vary(g.entry)
}

// A Best is the most that a function returned, and the shortest sequence after
// which it did.
type Best struct {
	Value    uint256.Int // two's complement
	Sequence input.Sequence
}

// best returns the best value that any worker found for a function; nil if the
// function always fails.
func (c *campaign) best(f *input.Function) *Best {
	var best *goal
	for _, w := range c.workers {
		i := slices.IndexFunc(w.sources.maximize.goals, func(g *goal) bool { return g.function == f })
		if g := w.sources.maximize.goals[i]; g.known && (best == nil || g.best.Sgt(&best.best)) {
			best = g
		}
	}
	if best == nil {
		return nil
	}
	if len(best.sequence.Txs) == 0 {
		return &Best{best.best, best.sequence}
	}
	x, s := c.deployed.replayer, c.deployed.subject
	reaches := func(q input.Sequence) bool {
		at := s.Start
		for i := range q.Txs {
			next, o := x.Transact(at, &q.Txs[i], nil, nil)
			at = x.Then(at, next, &q.Txs[i], &o)
		}
		v, ok := valueOf(x, s, f, at)
		return ok && !v.Slt(&best.best)
	}
	return &Best{best.best, replay.Shrink(best.sequence, reaches, maxBestShrinks)}
}

// maxBestShrinks bounds the executions to shrink a best sequence.
const maxBestShrinks = 400

// SignedText writes a two's complement number in decimal.
func SignedText(v *uint256.Int) string {
	if v.Sign() >= 0 {
		return v.Dec()
	}
	return "-" + new(uint256.Int).Neg(v).Dec()
}
