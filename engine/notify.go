package engine

import (
	"slices"
	"sync"
	"time"

	"leveret/engine/bounded"
	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
)

// A notifier collects what the workers report, and tells the observer how a
// campaign goes, never concurrently.
type notifier struct {
	mu       sync.Mutex // of everything below, of the saver and of the result
	observe  func(Event)
	clock    *clock
	budget   *budget
	first    *firstRuns
	saver    *saver
	subject  *search.Subject
	lines    *coverage.Lines
	result   *finding.Result
	stop     func(*finding.Finding) bool // the campaign ends with a finding
	tallies  []*tally                    // the newest of each worker; nil: none
	paths    *bounded.Map                // digests of the paths so far
	distinct int                         // how many those are
	progress time.Time                   // of the last event
	explored time.Time                   // of the last event with new coverage
	explores bool                        // coverage is reported; of tests, nobody asks
}

// The intervals of progress events and of new coverage reports in them.
const (
	progressInterval = 200 * time.Millisecond
	coverageInterval = time.Second
)

// due reports whether an interval has passed since last, and resets it.
func due(last *time.Time, now time.Time, interval time.Duration) bool {
	if now.Sub(*last) < interval {
		return false
	}
	*last = now
	return true
}

// add takes a worker's tally over.
func (n *notifier) add(t *tally) {
	if was := n.tallies[t.worker]; was != nil && t.inputs == nil {
		t.inputs = was.inputs
	}
	n.tallies[t.worker] = t
	for _, path := range t.paths {
		if _, known := n.paths.Get(uint64(path)); !known {
			n.paths.Put(uint64(path), 1)
			n.distinct++
		}
	}
}

// maxPaths bounds the paths that are known. Of more, some that several workers take count
// for each, and some count again when a corpus has forgotten them.
const maxPaths = 1 << 18

// report takes a worker's tally over. It sends a progress event when it is due,
// and saves the corpus when that is.
func (n *notifier) report(t *tally) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(t)
	now := n.clock.now()
	if !due(&n.progress, now, progressInterval) {
		return
	}
	n.saver.saveDue(now, n.inputs)
	e := Event{Kind: EventProgress}
	if n.explores && due(&n.explored, now, coverageInterval) {
		e.Explored = n.coverageReport()
	}
	n.notify(e)
}

// stats takes a worker's tally over and returns what the workers did.
func (n *notifier) stats(t *tally) *finding.Stats {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(t)
	n.measure()
	s := n.result.Stats
	return &s
}

// notify fills in what every event has and sends it.
func (n *notifier) notify(e Event) {
	n.measure()
	e.Contract, e.Stats, e.Left = n.subject.Program.UnderTest, n.result.Stats, n.clock.left()
	n.observe(e)
}

// found adds a finding of a worker to the result.
func (n *notifier) found(f *finding.Finding, t *tally) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(t)
	f.Inputs, f.Seconds = n.budget.executed(), n.clock.elapsed().Seconds()
	n.result.Findings = append(n.result.Findings, *f)
	if n.stop(f) {
		n.budget.end()
	}
	n.notify(Event{Kind: EventFound, Finding: f})
}

// gone says that a known finding no longer fails.
func (n *notifier) gone(index int, t *tally) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(t)
	n.notify(Event{Kind: EventGone, Index: index})
}

// executed calls f with an input that was executed.
func (n *notifier) executed(f func(input.Sequence), s input.Sequence) {
	n.mu.Lock()
	defer n.mu.Unlock()
	f(s)
}

// shrunk replaces a finding in the result by its shrunk form.
func (n *notifier) shrunk(f *finding.Finding, t *tally) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.add(t)
	n.notify(Event{Kind: EventShrunk, Finding: replaceFinding(n.result.Findings, f)})
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
func (n *notifier) measure() {
	s := finding.Stats{Sources: map[string]finding.SourceStat{}}
	for _, t := range n.tallies {
		if t != nil {
			s.Add(&t.stats)
		}
	}
	s.Paths = n.distinct
	s.Instructions, s.Firsts = n.first.report()
	merged := n.coverage()
	s.Branches = n.lines.Branches(n.subject.Code, &merged)
	s.Jumps = merged.Jumps(n.subject.Cover.Branches(n.subject.Code))
	s.Seconds = n.clock.elapsed().Seconds()
	n.result.Stats = s
}

// coverage returns what the workers covered.
func (n *notifier) coverage() coverage.Tally {
	var list []coverage.Tally
	for _, t := range n.tallies {
		if t != nil {
			list = append(list, t.coverage)
		}
	}
	return coverage.Merge(list)
}

func (n *notifier) coverageReport() *finding.CoverageReport {
	merged := n.coverage()
	return n.lines.Exploration(&merged, n.subject.Functions())
}

// inputs returns the corpus of all workers as it is saved: one input for each
// path, then the other ones. If they are too many, some that covered nothing first are
// left out.
func (n *notifier) inputs() (list [][]byte) {
	saved, room := map[cover.PathID]bool{}, n.room()
	for _, t := range n.tallies {
		if t == nil {
			continue
		}
		for _, text := range t.inputs {
			if text.path != 0 && saved[text.path] {
				continue
			}
			saved[text.path] = true
			if !text.first {
				if room -= len(text.bytes); room < 0 {
					continue
				}
			}
			list = append(list, text.bytes)
		}
	}
	return list
}

// room returns the bytes that are left for inputs that covered nothing first.
func (n *notifier) room() int {
	room := maxSaved
	for _, t := range n.tallies {
		if t == nil {
			continue
		}
		for _, text := range t.inputs {
			if text.first {
				room -= len(text.bytes)
			}
		}
	}
	return room
}

// tally returns what all workers did, once they are done.
func (c *campaign) tally() {
	c.notifier.mu.Lock()
	defer c.notifier.mu.Unlock()
	for _, w := range c.workers {
		c.notifier.add(w.tally(true))
	}
}

// finish completes the result and sends the last event.
func (c *campaign) finish() *finding.Result {
	if c.result.Note != "" {
		c.result.Stats.Seconds = c.clock.elapsed().Seconds()
		return c.result
	}
	c.tally()
	if c.budget.executed() > 0 && c.notifier.explores {
		c.result.Coverage = c.notifier.coverageReport()
	}
	if c.options.Suppress {
		c.result.Suppressions = c.workers[0].triage.Suppressions()
	}
	c.notifier.notify(Event{Kind: EventDone, Explored: c.result.Coverage})
	return c.result
}
