package engine

import (
	"context"
	"errors"
	"iter"
	"slices"
	"time"
)

// A turn is how long a campaign over tests goes on before others have their turns: with
// neither limit, until it is over.
type turn struct {
	work uint64        // of each worker, see worker.effort; 0: any
	time time.Duration // 0: any
}

// The work of the first turn of a campaign, and of the longest, or the time in
// nanoseconds: turns double, so that what fails at once shows at once, and what is learned
// about long searches lasts.
const (
	firstTurn   = 10_000_000
	longestTurn = 32 * firstTurn
)

// minTestTime is the least time of the first turn: every test runs, whatever the
// budget, so that none that failed is forgotten.
const minTestTime = 10 * time.Millisecond

// maxOpen bounds the campaigns over tests that are open at the same time, each of which
// keeps a corpus, translated code and the inputs that it executed.
const maxOpen = 32

// turns run campaigns over tests in turns.
type turns struct {
	now  func() time.Time
	left time.Duration // of the time that the open ones share
	each func(*TestResult)
	errs []error
}

// run runs campaigns to their ends, maxOpen at a time. Those that are timed share a time.
func (t *turns) run(ctx context.Context, groups []*testGroup, all time.Duration) error {
	if n := len(groups); n > maxOpen && (all == 0 || all/time.Duration(n) >= leastScouted) {
		t.left = all
		groups = append(groups[:maxOpen:maxOpen], t.scout(ctx, groups[maxOpen:])...)
		all = t.left
	}
	for batch := range slices.Chunk(groups, maxOpen) {
		if n := timed(groups); n > 0 {
			t.left = all * time.Duration(timed(batch)) / time.Duration(n)
			all -= t.left
		}
		groups = groups[len(batch):]
		share(batch)
		for len(batch) > 0 {
			batch = t.round(ctx, batch)
		}
	}
	return errors.Join(t.errs...)
}

// leastScouted is the share of the time that makes scouting worth it.
const leastScouted = 100 * time.Millisecond

// scout gives campaigns that have to wait for others a first turn, and returns those that
// are not over. They begin again later and repeat it.
func (t *turns) scout(ctx context.Context, waiting []*testGroup) (rest []*testGroup) {
	for i, g := range waiting {
		unbegun, trial := *g, *g.trial
		unbegun.trial = &trial
		if ctx.Err() == nil && !t.turn(ctx, g, timed(waiting[i:])) {
			t.report(g)
			continue
		}
		if g.turns > 0 {
			g.stop()
		}
		rest = append(rest, &unbegun)
	}
	return rest
}

// share has campaigns share the memory with those of their kind.
func share(groups []*testGroup) {
	open := map[bool]int{}
	for _, g := range groups {
		open[g.trial.fuzzes()]++
	}
	for _, g := range groups {
		g.trial.open = open[g.trial.fuzzes()]
	}
}

// timed counts the campaigns that share the time.
func timed(groups []*testGroup) (n int) {
	for _, g := range groups {
		if g.timed {
			n++
		}
	}
	return n
}

// round gives each campaign a turn and returns those that go on. What is over is
// reported.
func (t *turns) round(ctx context.Context, groups []*testGroup) (open []*testGroup) {
	for i, g := range groups {
		if ctx.Err() != nil && g.turns == 0 {
			continue
		}
		if ctx.Err() != nil || g.turns > 0 && g.timed && t.left <= 0 {
			g.stop()
		} else if t.turn(ctx, g, timed(groups[i:])) {
			t.reportEarly(g)
			open = append(open, g)
			continue
		}
		t.report(g)
	}
	return open
}

// report reports a campaign that is over.
func (t *turns) report(g *testGroup) {
	t.errs = append(t.errs, g.err)
	for n := range g.results {
		t.each(&g.results[n])
	}
}

// reportEarly reports the tests of a campaign that goes on which have failed, and whose
// counterexamples will not become shorter.
func (t *turns) reportEarly(g *testGroup) {
	for _, r := range g.trial.failed {
		g.trial.reported[r.id()] = true
		t.each(&r)
	}
	g.trial.failed = nil
}

// turn gives a campaign its turn. waiting is how many have to share the time that is
// left, this one included. It returns whether the campaign goes on.
func (t *turns) turn(ctx context.Context, g *testGroup, waiting int) (more bool) {
	work := g.work()
	g.trial.turn = turn{work: work}
	least := time.Duration(0)
	if g.turns == 0 {
		least = minTestTime
		g.next, g.stop = iter.Pull(g.search(ctx))
	}
	if g.timed {
		g.trial.turn.time = max(t.left/time.Duration(waiting), least, time.Millisecond)
		if g.options.MaxInputs == 0 { // equal parts of the time count, and nothing else
			g.trial.turn = turn{time: max(min(time.Duration(work), g.trial.turn.time), least)}
		}
	}
	g.turns++
	began := t.now()
	g.news, more = g.next()
	if g.timed {
		t.left -= t.now().Sub(began)
	}
	return more
}

// search returns the campaign, which tells after each turn whether that showed
// anything new.
func (g *testGroup) search(ctx context.Context) iter.Seq[bool] {
	return func(yield func(news bool) bool) {
		g.trial.pause = yield
		g.results, g.err = g.trial.search(ctx, g.options)
	}
}

// work returns the work of the next turn: half of it if the last one showed nothing
// new.
func (g *testGroup) work() uint64 {
	work := min(uint64(firstTurn)<<min(g.turns, 16), longestTurn)
	if g.turns > 0 && !g.news {
		work /= 2
	}
	return work
}

// begin begins a turn of a campaign over tests.
func (c *campaign) begin() {
	t := c.options.trial
	if t == nil || t.pause == nil {
		return
	}
	c.clock.begin(t.turn)
	for _, w := range c.workers {
		w.begun = w.search.Progress.Inputs
		if w.turn = 0; t.turn.work > 0 {
			w.turn = w.effort() + t.turn.work
		}
	}
}

// pause ends the turn and waits for the next one. It returns false if there is none.
func (c *campaign) pause() (more bool) {
	t := c.options.trial
	if t == nil || t.pause == nil {
		return false
	}
	news := slices.ContainsFunc(c.workers, func(w *worker) bool {
		return max(w.search.Progress.LastNew, w.search.Progress.LastNear) > w.begun
	})
	for _, w := range c.workers {
		w.sources.solving.Solver.Rest()
	}
	c.clock.skip(func() {
		t.failed = t.failures(c)
		more = t.pause(news)
	})
	return more
}

// over reports whether the campaign, and not only its turn, is over.
func (c *campaign) over(ctx context.Context) bool {
	return ctx.Err() != nil || c.budget.spent() || c.clock.late()
}
