package engine

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/lookahead"
	"leveret/engine/mutate"
	"leveret/engine/predict"
)

// attachment is what the engine keeps with an Entry.
type attachment struct {
	states  []exec.State     // before each Tx; nil if memory was short
	learned int              // what cover had learned when the costs were measured
	size    int              // bytes that states hold
	used    int              // when, counted in uses
	effects mutate.EffectMap // which words ever mattered
	ahead   lookahead.Member // what the lookahead analysis found
	trials  []predict.Trial  // changes of one word that left the path
}

func attached(e *corpus.Entry) *attachment { return e.Attached.(*attachment) }

// batchPerWorker is how many inputs each of several executors gets at once: so
// many that handing them out costs little, so few that the loop decides on
// fresh knowledge.
const batchPerWorker = 16

func (c *campaign) batchSize() int {
	size := 1
	if len(c.executors) > 1 {
		size = len(c.executors) * batchPerWorker
	}
	if c.options.MaxInputs > 0 {
		size = min(size, c.options.MaxInputs-c.result.Stats.Inputs)
	}
	return size
}

// execute runs a batch and returns the results in the batch's order, so that
// what is learned does not depend on which executor was faster.
func (c *campaign) execute(batch []*candidate) []*result {
	results := make([]*result, len(batch))
	if len(c.executors) == 1 {
		for i, b := range batch {
			r := execute(c.executors[0], b)
			results[i] = &r
		}
		return results
	}
	var wait sync.WaitGroup
	caught := make([]workerPanic, len(c.executors))
	for n, x := range c.executors {
		wait.Go(func() {
			defer caught[n].catch()
			for i := n; i < len(batch); i += len(c.executors) {
				r := execute(x, batch[i])
				r.Run.Keep()
				results[i] = &r
			}
		})
	}
	wait.Wait()
	rethrow(caught)
	return results
}

// spent reports whether the campaign is over.
func (c *campaign) spent(ctx context.Context) bool {
	switch s := &c.result.Stats; {
	case ctx.Err() != nil:
		return true
	case c.options.MaxInputs > 0 && s.Inputs >= c.options.MaxInputs:
		return true
	case len(c.options.Targets) > 0 && len(c.goals) == 0:
		return true
	case c.options.StopOnFirst && slices.ContainsFunc(c.result.Findings, func(f finding.Finding) bool { return f.Severity >= finding.Warning }):
		return true
	}
	return c.late()
}

// late reports whether the time budget is spent.
func (c *campaign) late() bool { return c.options.Time > 0 && c.elapsed() >= c.options.Time }

func (c *campaign) elapsed() time.Duration { return c.options.Now().Sub(c.began) }

func (c *campaign) count(r *result) {
	if c.options.Executed != nil {
		c.options.Executed(r.Sequence)
	}
	c.result.Stats.Inputs++
	c.result.Stats.Transactions += r.Ran
	if exec.Scripted(r.Sequence.Last()) {
		purse := &c.agents.arming
		if r.source == c.attacking {
			purse = &c.agents.attacks
		}
		purse.Spent += exec.Cost(&r.Outcome)
	}
	c.work += uint64(r.Ran-1)*exec.CallCost + exec.Cost(&r.Outcome)
	r.source.stat.Tried++
	r.source.dry++
	if r.parent != nil {
		r.parent.Usage.Fuzzed++
	}
}

// add makes a result with a new path a member of the corpus.
func (c *campaign) add(r *result) *corpus.Entry {
	e := c.entry(r)
	c.corpus.Add(e)
	c.joined(e)
	c.practise(e)
	callee := demand.CalleeOf(e.Sequence.Last())
	c.byCallee[callee] = append(c.byCallee[callee], e)
	r.source.stat.NewPaths++
	if c.corpus.Cover(e.Branches) > 0 {
		c.news = c.result.Stats.Inputs
	}
	c.coverBlocks(r.Run.Blocks)
	if c.news == c.result.Stats.Inputs {
		r.source.dry = 0
	}
	for _, h := range r.Run.Hashed {
		c.demand.Preimages.Add(h)
	}
	c.pool(r)
	c.noted(r)
	return e
}

// entry makes a corpus Entry of a result.
func (c *campaign) entry(r *result) *corpus.Entry {
	r.Run.Keep()
	costs := slices.Clone(r.Run.Costs)
	sortCosts(costs)
	a := &attachment{states: r.States, used: c.uses, learned: c.cover.Learned()}
	c.keep(a)
	return &corpus.Entry{
		Sequence: r.Sequence,
		Path:     r.Run.Path,
		Costs:    costs,
		Branches: r.Run.Branches,
		Reads:    r.Run.Reads,
		Writes:   r.Run.Writes,
		Success:  r.Outcome.Status == evm.Success,
		Source:   r.source.name,
		Gas:      r.Outcome.GasUsed,
		Attached: a,
	}
}

// refresh measures the costs of e again if more is known by now about where
// its conditions come from: two costs can only be compared if they were
// measured alike.
func (c *campaign) refresh(e *corpus.Entry) {
	a := attached(e)
	if a.learned == c.cover.Learned() {
		return
	}
	a.learned = c.cover.Learned()
	last := len(e.Sequence.Txs) - 1
	_, _, run := c.executors[0].Watch(c.statesOf(e)[last], &e.Sequence.Txs[last], nil)
	if run.Path != e.Path {
		return // cancelled
	}
	e.Costs = slices.Clone(run.Costs)
	sortCosts(e.Costs)
}

func sortCosts(costs []cover.Cost) {
	slices.SortFunc(costs, func(a, b cover.Cost) int { return cmp.Compare(a.Metric, b.Metric) })
}

// pool offers a Tx that succeeded and wrote storage to the demand pools.
func (c *campaign) pool(r *result) {
	last := r.Sequence.Last()
	if r.Outcome.Status != evm.Success || len(r.Run.Writes) == 0 || last.Function.Constant() {
		return
	}
	at := len(r.Sequence.Txs) - 1
	c.demand.AddSample(c.random, r.Sequence.Txs[:at], *last, r.Run.Reads, r.Run.Writes,
		words(r.States[at].World, r.Run.Writes), words(r.After, r.Run.Writes))
}

// poolEvery is how rarely a Tx on a path that is known is pooled: other values
// may change more.
const poolEvery = 64

// poolAgain pools a Tx on a path that is known, now and then, and always while
// none of its function is known that changed anything: the first on a path
// often adds nothing to what was there.
func (c *campaign) poolAgain(r *result) {
	last := len(r.States) - 1
	if r.Outcome.Status == evm.Success && (c.demand.LacksSample(demand.CalleeOf(r.Sequence.Last())) || c.random.IntN(poolEvery) == 0) &&
		!slices.Equal(words(r.States[last].World, r.Run.Writes), words(r.After, r.Run.Writes)) {
		c.pool(r)
	}
}

// words reads storage.
func words(w *evm.World, slots []evm.Slot) []uint256.Int {
	out := make([]uint256.Int, len(slots))
	for i, s := range slots {
		word := w.Storage(s.Address, s.Key)
		out[i].SetBytes32(word[:])
	}
	return out
}

// coverBlocks counts the instructions of the contract under test.
func (c *campaign) coverBlocks(blocks []cover.BlockID) {
	for _, b := range blocks {
		if int(b) >= len(c.covered) {
			c.covered = append(c.covered, make([]bool, int(b)+1-len(c.covered))...)
		}
		if c.covered[b] {
			continue
		}
		c.covered[b] = true
		c.news = c.result.Stats.Inputs
		site := c.cover.BlockSite(b)
		if site.Code == c.underCode {
			c.result.Stats.Instructions.Covered += site.Instructions
			c.firstRun(b, site)
		}
		c.ahead.reached(site)
	}
}

// approach keeps a result that comes nearer than any before, or than any on its
// path, to an outcome that was never seen [sFuzz 3.2]. e is its Entry if it has one already; the Entry
// that it has now is returned, nil if none.
func (c *campaign) approach(r *result, e *corpus.Entry) *corpus.Entry {
	if c.options.NoAdaptive {
		return e
	}
	nearer := func(cost *cover.Cost) (cover.Branch, bool) {
		b, ok := cost.Metric.Branch()
		return b, ok && c.corpus.Nearer(b, r.Run.Path, &cost.Value) && c.worthwhile(b)
	}
	if !slices.ContainsFunc(r.Run.Costs, func(cost cover.Cost) bool { _, ok := nearer(&cost); return ok }) {
		return e
	}
	if e == nil {
		e = c.entry(r)
	}
	for i := range e.Costs {
		if b, ok := nearer(&e.Costs[i]); ok {
			c.corpus.Approach(b, e, &e.Costs[i].Value)
		}
	}
	return e
}
