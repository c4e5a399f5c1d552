package triage

import (
	"slices"
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/solve"
)

// A Triage looks at the results of a campaign and reports its findings. It works
// on a budget: what it has not confirmed or shrunk yet waits.
type Triage struct {
	subject  *search.Subject
	run      *runner
	checker  *Checker
	writer   *writer
	options  Options
	wraps    *solve.Wraps
	progress *search.Progress

	known       *Known
	checked     map[suspicion]int
	reentries   map[reentry]int
	suspects    suspects
	provisional []provisional
	open        []*openFinding // shown, and still to be shrunk
	budget      budget
	unconfirmed int
	effort      finding.Effort
}

// Options of a triage.
type Options struct {
	Suppress bool // drop findings that a comment suppresses
	Now      func() time.Time
	Over     func() bool // the campaign has to end at once
	Shrinks  func() bool // there is time to confirm and shrink

	// Found gets each finding once it is confirmed, with the origin of its input.
	Found func(*finding.Finding, *search.Origin)
	// Shrunk gets it again, with the same ID, once its witness is shrunk.
	Shrunk func(*finding.Finding)
	// Escalate gets sequences whose severity other amounts may raise; it may be nil.
	Escalate func(input.Sequence)
	// Replayed is the origin of inputs of earlier campaigns.
	Replayed *search.Origin
	// Known is shared with the triages of other workers; nil: there are none.
	Known *Known
}

// New returns the triage of a campaign.
func New(c *Checker, w *solve.Wraps, p *search.Progress, o Options) *Triage {
	if o.Known == nil {
		o.Known = NewKnown()
	}
	return &Triage{
		subject: c.subject, run: c.run, checker: c, options: o, wraps: w, progress: p, writer: newWriter(c, o.Known),
		known: o.Known, checked: map[suspicion]int{}, reentries: map[reentry]int{}, budget: newBudget(),
	}
}

// Unconfirmed returns how many verdicts did not show again.
func (t *Triage) Unconfirmed() int { return t.unconfirmed }

// Effort returns the number of checked results and the time spent on results.
func (t *Triage) Effort() finding.Effort { return t.effort }

// Suppressions returns the suppression comments in the contract under test and in its
// base contracts, with how many findings each suppressed.
func (t *Triage) Suppressions() []finding.Suppression {
	return t.known.suppressionsOf(t.subject.Program)
}

// ShrinkBudget bounds the executions to shrink one witness.
const ShrinkBudget = 600

// Learn queues a result that looks suspicious, and works on the queue as far as
// the budget allows.
func (t *Triage) Learn(r *search.Result) {
	if !r.Fast() {
		return
	}
	if s := t.suspect(r); s != nil {
		if !t.suspects.add(s, t.rank(s)) {
			t.checked[s.suspicion] = s.tries - 1 // the next one may find a place
		}
		t.work(false)
	}
}

// Check executes s from the deployment and returns what the oracles report.
func (t *Triage) Check(s input.Sequence) []Verdict { return t.checker.Check(s) }

// Report shows the verdicts on s that are new. budget bounds the executions to
// shrink each witness later.
func (t *Triage) Report(s input.Sequence, verdicts []Verdict, budget int, from *search.Origin) {
	for _, v := range verdicts {
		if t.known.has(v.key) || v.report.Provisional && t.hold(s, v, from) {
			continue
		}
		if t.known.claim(v.key) { // else another worker was faster
			t.show(s, v, budget, from)
		}
	}
}

// An openFinding was shown, but its witness may become shorter.
type openFinding struct {
	finding    finding.Finding
	witness    *witness
	incomplete bool // there was no time to describe it
}

// show shows a finding unless its oracle does not report it again.
func (t *Triage) show(s input.Sequence, v Verdict, budget int, from *search.Origin) {
	if v.instead != nil {
		s = *v.instead
	}
	s.Txs = s.Txs[:v.tx+1]
	t.run.cancelled = false
	if again, ok := t.checker.shows(s, v.key, v.Place.Span, repeating); ok {
		v = again
		s.Txs = s.Txs[:v.tx+1]
	} else if !t.options.Over() { // else there may have been no time to execute it once more
		t.unconfirmed++
		return
	}
	f := t.writer.write(s, v)
	f.ID = t.writer.identify(&v, &f)
	if t.options.Suppress && t.known.suppressed(t.subject.Program, &f) {
		return
	}
	if t.known.show(v.oracle) {
		t.suspects.sort(t.rank)
	}
	t.known.settleWrap(t.subject.Program.Sources, &v)
	t.options.Found(&f, from)
	t.open = append(t.open, &openFinding{f, newWitness(t.checker, s, v, budget), t.run.cancelled})
}

// Shrinks reports whether a finding that was shown may become shorter.
func (t *Triage) Shrinks(id string) bool {
	return slices.ContainsFunc(t.open, func(o *openFinding) bool { return o.finding.ID == id })
}

// shrink executes one attempt to shrink an open finding. Once there is none left,
// the finding is shown again.
func (t *Triage) shrink(o *openFinding) {
	if o.witness.step() {
		return
	}
	if o.incomplete || o.witness.changed() {
		s, v, done := o.witness.best()
		if !done || t.run.cancelled {
			return
		}
		f := t.writer.write(s, v)
		if t.run.cancelled {
			return
		}
		f.ID = o.finding.ID
		o.finding = f
	}
	t.open = slices.DeleteFunc(t.open, func(other *openFinding) bool { return other == o })
	t.options.Shrunk(&o.finding)
}

// maxWait is how many inputs a provisional verdict waits for a more severe one.
const maxWait = 1500

// A provisional verdict is held back because the same place may show something
// more severe.
type provisional struct {
	sequence input.Sequence
	verdict  Verdict
	from     *search.Origin
	since    int // inputs
}

// hold holds a provisional verdict back. It returns false for inputs of earlier
// campaigns.
func (t *Triage) hold(s input.Sequence, v Verdict, from *search.Origin) bool {
	if from == t.options.Replayed {
		return false
	}
	if !slices.ContainsFunc(t.provisional, func(p provisional) bool { return p.verdict.key == v.key }) {
		if t.options.Escalate != nil {
			t.options.Escalate(s)
		}
		t.provisional = append(t.provisional, provisional{s, v, from, t.progress.Inputs})
	}
	return true
}

// Release shows the provisional verdicts that waited long enough, and works on
// the queue as far as the budget allows.
func (t *Triage) Release() {
	t.release(maxWait)
	t.work(false)
}

// Finish confirms and shrinks everything that waits, and shows all provisional
// verdicts, as long as there is time.
func (t *Triage) Finish() {
	t.options.Shrinks()
	t.release(0)
	t.work(true)
	t.release(0)
	t.work(true)
}

func (t *Triage) release(wait int) {
	for len(t.provisional) > 0 && t.provisional[0].since+wait <= t.progress.Inputs {
		p := t.provisional[0]
		t.provisional = t.provisional[1:]
		p.verdict.report.Provisional = false
		t.spend(&t.budget.confirming, func() { t.Report(p.sequence, []Verdict{p.verdict}, ShrinkBudget, p.from) })
	}
}
