package engine

import (
	"slices"
	"time"

	"leveret/engine/finding"
	"leveret/engine/search"
)

// A notifier tells the observer how a campaign goes.
type notifier struct {
	observe      func(Event)
	clock        *clock
	lastProgress time.Time
	lastCoverage time.Time
}

// The intervals of progress events and of new coverage reports in them.
const (
	progressInterval = 200 * time.Millisecond
	coverageInterval = time.Second
)

// due reports whether an interval has passed since last, and resets it.
func (n *notifier) due(last *time.Time, interval time.Duration) bool {
	now := n.clock.now()
	if now.Sub(*last) < interval {
		return false
	}
	*last = now
	return true
}

// notifyProgress sends a progress event when it is due, and saves the corpus
// when that is.
func (c *campaign) notifyProgress() {
	if !c.notifier.due(&c.notifier.lastProgress, progressInterval) {
		return
	}
	c.saver.saveDue(c.notifier.lastProgress, c.corpusTexts)
	e := Event{Kind: EventProgress}
	if c.notifier.due(&c.notifier.lastCoverage, coverageInterval) {
		e.Explored = c.coverageReport()
	}
	c.notify(e)
}

// notify fills in what every event has and sends it.
func (c *campaign) notify(e Event) {
	c.measure()
	e.Contract, e.Stats, e.Left = c.search.Subject.Program.UnderTest, c.result.Stats, c.clock.left()
	c.notifier.observe(e)
}

// found adds a finding to the result.
func (c *campaign) found(f *finding.Finding, from *search.Origin) {
	f.Inputs, f.Seconds = c.search.Progress.Inputs, c.clock.elapsed().Seconds()
	from.Stat.Findings++
	c.result.Findings = append(c.result.Findings, *f)
	c.notify(Event{Kind: EventFound, Finding: f})
}

// shrunk replaces a finding in the result by its shrunk form.
func (c *campaign) shrunk(f *finding.Finding) {
	c.notify(Event{Kind: EventShrunk, Finding: replaceFinding(c.result.Findings, f)})
}

// replaceFinding replaces the finding with the ID of f, which keeps its first
// occurrence, and returns it.
func replaceFinding(list []finding.Finding, f *finding.Finding) *finding.Finding {
	at := slices.IndexFunc(list, func(old finding.Finding) bool { return old.ID == f.ID })
	replaced := *f
	replaced.Inputs, replaced.Seconds = list[at].Inputs, list[at].Seconds
	list[at] = replaced
	return &replaced
}

// measure updates the statistics.
func (c *campaign) measure() {
	c.result.Stats = finding.Stats{
		Inputs:       c.search.Progress.Inputs,
		Transactions: c.recorder.transactions,
		Paths:        len(c.search.Corpus.Entries),
		Instructions: c.recorder.instructions,
		Branches:     c.recorder.branches(),
		Seconds:      c.clock.elapsed().Seconds(),
		Predicted:    c.sources.solving.Predictions.Stats(),
		Lookahead:    c.recorder.lookahead.Stats(),
		Shadow:       c.sources.solving.Solver.Effort(),
		Triage:       c.triage.Effort(),
		Scripted:     c.deployed.scriptedEffort(),
		Sources:      map[string]finding.SourceStat{},
		Firsts:       c.recorder.firsts,
		Unconfirmed:  c.triage.Unconfirmed(),
	}
	for _, r := range c.strategy.rows {
		c.result.Stats.Sources[r.Name] = r.Stat
	}
}

// scriptedEffort returns the time of inputs with a scripted attacker contract.
func (d *deployed) scriptedEffort() (all finding.Effort) {
	for _, x := range d.executors {
		all.Runs += x.Scripted.Runs
		all.Seconds += x.Scripted.Seconds
	}
	return all
}

func (c *campaign) coverageReport() *finding.CoverageReport {
	return c.recorder.coverage.Exploration(c.search.Subject.Functions())
}

// finish completes the result and sends the last event.
func (c *campaign) finish() *finding.Result {
	if c.result.Note != "" {
		c.result.Stats.Seconds = c.clock.elapsed().Seconds()
		return c.result
	}
	if c.search.Progress.Inputs > 0 {
		c.result.Coverage = c.coverageReport()
	}
	if c.options.Suppress {
		c.result.Suppressions = c.triage.Suppressions()
	}
	c.notify(Event{Kind: EventDone, Explored: c.result.Coverage})
	return c.result
}
