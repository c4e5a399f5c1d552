package engine

import (
	"slices"
	"time"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
)

// A suspicion is looked into once, unless doubts remain: the same signs on the
// same path have the same cause. It matters who walks the path: what the deployer may do, a
// stranger may not.
type suspicion struct {
	path      cover.PathID
	signs     cover.Suspicion
	wraps     uint64 // which arithmetic did not fit its type
	loot      loot
	strangers bool // no Tx is the deployer's
}

func strangers(s *input.Sequence) bool {
	return !slices.ContainsFunc(s.Txs, func(tx input.Tx) bool { return tx.From == input.Deployer })
}

// suspect has the oracles look at a result that is new and shows signs of
// something wrong, and reports what they confirm.
func (c *campaign) suspect(r *result) {
	if !c.hinted(r) && !c.violates(r) {
		return
	}
	s := suspicion{r.Run.Path, r.Run.Suspicion, c.wrapSet(&r.Run), c.lootOf(r), strangers(&r.Sequence)}
	if c.judged[s] >= maxDoubts && !c.violates(r) {
		return
	}
	defer exec.Stopwatch(c.options.Now, &c.result.Stats.Triage)()
	c.judged[s]++
	c.examinedWraps(&r.Run)
	c.judge.doubted = false
	verdicts := c.judge.examine(r.Sequence)
	if !c.judge.doubted {
		c.judged[s] = maxDoubts
	}
	c.report(r.Sequence, verdicts, shrinkBudget, r.source)
}

// hinted reports whether an oracle may have something to say about r.
func (c *campaign) hinted(r *result) bool {
	o := c.observation(r)
	return slices.ContainsFunc(c.judge.oracles, func(row *oracle.Oracle) bool { return row.Hint(&o) })
}

// learnSources collects the traits of the deployed contracts' sources.
func (c *campaign) learnSources() {
	for _, d := range c.base.Contracts {
		c.traits = c.traits.Or(program.TraitsOf(d.Contract.Build))
	}
}

// observation is what the oracles' hints decide by.
func (c *campaign) observation(r *result) oracle.Observation {
	return oracle.Observation{
		Tx: r.Sequence.Last(), Before: r.States[len(r.States)-1].World, After: r.After,
		Status: r.Outcome.Status, Suspicion: r.Run.Suspicion, Sources: c.traits, Locks: c.judge.locks,
	}
}

// maxDoubts is how often the same suspicion is looked into while something is
// reported that another input on the same path may confirm.
const maxDoubts = 8

// report writes up the verdicts on s that are news.
func (c *campaign) report(s input.Sequence, verdicts []verdict, budget int, from *source) {
	for _, v := range verdicts {
		if c.known[v.key] {
			continue
		}
		if v.report.Provisional && c.hold(s, v, from) {
			continue
		}
		c.known[v.key] = true
		f, ok := c.judge.finding(s, v, budget)
		if !ok {
			c.result.Stats.Unconfirmed++
			continue
		}
		if c.options.Suppress && c.suppressed(&f) {
			continue
		}
		f.Inputs, f.Seconds = c.result.Stats.Inputs, c.elapsed().Seconds()
		from.stat.Findings++
		c.result.Findings = append(c.result.Findings, f)
		c.observe(Event{Kind: EventFound, Finding: &f})
	}
}

// violates reports whether a property of the contract is broken after r. The
// path does not tell: it is a matter of values.
func (c *campaign) violates(r *result) bool {
	if r.Outcome.Status != evm.Success || len(c.judge.propertyFunctions) == 0 || !c.changes(r) {
		return false
	}
	last := len(r.States) - 1
	after := exec.State{World: r.After, Block: r.States[last].Block.After(r.Sequence.Last().Delay)}
	for _, p := range c.judge.propertyFunctions {
		if !c.reported(p) && !c.judge.holds(after, p) {
			return true
		}
	}
	return false
}

// changes reports whether a property may hold no more after r: storage, the
// contract's wei or the time is another.
func (c *campaign) changes(r *result) bool {
	before, under := r.States[len(r.States)-1].World, c.base.UnderTest().Address
	return len(r.Run.Writes) > 0 || r.Sequence.Last().Delay != (input.Delay{}) || r.After.Balance(under) != before.Balance(under)
}

// progressEvery is how often an observer hears of a running campaign.
const progressEvery = 200 * time.Millisecond

// progress tells the observer how it goes, now and then.
func (c *campaign) progress() {
	now := c.options.Now()
	if now.Sub(c.told) < progressEvery {
		return
	}
	c.told = now
	c.saveDue(now)
	c.observe(Event{Kind: EventProgress, Explored: c.exploration(now)})
}

// exploreEvery is how often an observer gets a new Exploration.
const exploreEvery = time.Second

// exploration returns the Exploration if it is due, nil otherwise.
func (c *campaign) exploration(now time.Time) *finding.CoverageReport {
	if now.Sub(c.exploredAt) < exploreEvery {
		return nil
	}
	c.exploredAt = now
	return c.coverage.Exploration(c.functionsUnderTest())
}

// functionsUnderTest returns the functions of the contract under test that
// transactions call.
func (c *campaign) functionsUnderTest() []*input.Function {
	var list []*input.Function
	for i := range c.callees {
		if c.callees[i].Contract == c.program.UnderTest {
			list = append(list, c.callees[i].Function)
		}
	}
	return list
}

// observe fills in what every event has and hands it over.
func (c *campaign) observe(e Event) {
	c.measure()
	e.Contract, e.Stats = c.program.UnderTest, c.result.Stats
	if c.options.Time > 0 {
		e.Left = max(0, c.options.Time-c.elapsed())
	}
	c.options.Observe(e)
}

// measure brings the figures up to date that are not counted as they happen.
func (c *campaign) measure() {
	s := &c.result.Stats
	s.Seconds = c.elapsed().Seconds()
	s.Paths = len(c.corpus.Entries)
	s.Branches = c.branches()
	s.Scripted = c.agentEffort()
	if c.ahead != nil {
		s.Lookahead = c.ahead.stats()
	}
	p := &c.predictor.Stats
	s.Predicted = finding.Predicted{Tried: p.Tried, OneShot: p.OneShot, Succeeded: p.Succeeded, Searches: p.Searches, Found: p.Found}
	s.Sources = map[string]finding.SourceStat{}
	for _, source := range c.strategy.sources() {
		s.Sources[source.name] = source.stat
	}
}

// branches counts outcomes in the code of the contract under test.
func (c *campaign) branches() (b finding.Branches) {
	first, end := c.cover.Branches(c.underCode)
	for at := first; at < end; at += 2 {
		jump, fall := c.corpus.Covered(at+1), c.corpus.Covered(at)
		if jump || fall {
			b.Seen += 2
		}
		if jump {
			b.Covered++
		}
		if fall {
			b.Covered++
		}
	}
	return b
}

// finish closes the campaign.
func (c *campaign) finish() *finding.Result {
	if c.result.Note != "" {
		c.result.Stats.Seconds = c.elapsed().Seconds()
		return c.result
	}
	c.result.Coverage = c.coverage.Exploration(c.functionsUnderTest())
	if c.options.Suppress {
		c.result.Suppressions = c.listSuppressions()
	}
	c.observe(Event{Kind: EventDone, Explored: c.result.Coverage})
	return c.result
}
