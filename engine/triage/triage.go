package triage

import (
	"slices"
	"time"

	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/solve"
	"leveret/solc"
)

// A Triage looks at the results of a campaign and reports its findings.
type Triage struct {
	checker  *Checker
	writer   *writer
	options  Options
	wraps    *solve.Wraps
	progress *search.Progress

	known        map[key]bool // findings, reported or dropped
	checked      map[suspicion]int
	reentries    map[reentry]int
	provisional  []provisional
	suppressions map[*solc.Source][]*suppression
	unconfirmed  int
	effort       finding.Effort
}

// Options of a triage.
type Options struct {
	Suppress bool // drop findings that a comment suppresses
	Now      func() time.Time
	Over     func() bool // the campaign has to end at once
	Shrinks  func() bool // there is time to shrink

	// Found gets each finding with the origin of its input.
	Found func(*finding.Finding, *search.Origin)
	// Escalate gets sequences whose severity other amounts may raise; it may be nil.
	Escalate func(input.Sequence)
	// Replayed is the origin of inputs of earlier campaigns.
	Replayed *search.Origin
}

// New returns the triage of a campaign.
func New(c *Checker, w *solve.Wraps, p *search.Progress, o Options) *Triage {
	t := &Triage{
		checker: c, options: o, wraps: w, progress: p,
		known: map[key]bool{}, checked: map[suspicion]int{}, reentries: map[reentry]int{},
		suppressions: map[*solc.Source][]*suppression{},
	}
	t.writer = &writer{checker: c, ids: map[string]bool{}, shrinks: o.Shrinks, over: o.Over}
	return t
}

// Unconfirmed returns how many verdicts did not show again.
func (t *Triage) Unconfirmed() int { return t.unconfirmed }

// Effort returns the time spent on results.
func (t *Triage) Effort() finding.Effort { return t.effort }

// ShrinkBudget bounds the executions to shrink one witness.
const ShrinkBudget = 600

// A suspicion is triaged once, unless a report was not confirmed: the same signs
// on the same path have the same cause. The senders matter too, as the deployer
// may do what others may not.
type suspicion struct {
	path       cover.PathID
	signs      cover.Suspicion
	wraps      uint64 // which arithmetic wrapped
	profit     profitSignature
	noDeployer bool // the deployer sent no transaction
}

// maxRetries is how often the same suspicion is triaged while another input on
// the same path may confirm a report.
const maxRetries = 8

// Learn checks a result that looks suspicious, and reports what is confirmed.
func (t *Triage) Learn(r *search.Result) {
	if !r.Fast() || !t.checker.hinted(r) && !t.violates(r) {
		return
	}
	deployed := slices.ContainsFunc(r.Sequence.Txs, func(tx input.Tx) bool { return tx.From == input.Deployer })
	s := suspicion{r.Run.Path, r.Run.Suspicion, t.wraps.Set(&r.Run), t.profitSignature(r), !deployed}
	if t.checked[s] >= maxRetries && !t.violates(r) {
		return
	}
	defer exec.Stopwatch(t.options.Now, &t.effort)()
	t.checked[s]++
	t.wraps.Triaged(&r.Run)
	t.checker.retry = false
	verdicts := t.checker.Check(r.Sequence)
	if !t.checker.retry {
		t.checked[s] = maxRetries
	}
	t.Report(r.Sequence, verdicts, ShrinkBudget, r.Origin)
}

// Check executes s from the deployment and returns what the oracles report.
func (t *Triage) Check(s input.Sequence) []Verdict { return t.checker.Check(s) }

// Report reports the verdicts on s that are new. budget bounds the executions to
// shrink each witness.
func (t *Triage) Report(s input.Sequence, verdicts []Verdict, budget int, from *search.Origin) {
	for _, v := range verdicts {
		if t.known[v.key] {
			continue
		}
		if v.report.Provisional && t.hold(s, v, from) {
			continue
		}
		t.known[v.key] = true
		f, ok := t.writer.write(s, v, budget)
		if !ok {
			t.unconfirmed++
			continue
		}
		if t.options.Suppress && t.suppressed(&f) {
			continue
		}
		t.options.Found(&f, from)
	}
}

// violates reports whether a property does not hold after r. The path does not
// show that: it depends on values.
func (t *Triage) violates(r *search.Result) bool {
	if !r.Succeeded() || len(t.checker.properties) == 0 || !t.changes(r) {
		return false
	}
	last := len(r.States) - 1
	after := exec.State{World: r.After, Block: r.States[last].Block.After(r.Sequence.Last().Delay)}
	for _, p := range t.checker.properties {
		reported := p.node == nil || t.known[t.checker.brokenProperty(p).key]
		if !reported && !t.checker.holds(after, p) {
			return true
		}
	}
	return false
}

// changes reports whether r changed what a property may depend on: storage, the
// contract's wei or the time.
func (t *Triage) changes(r *search.Result) bool {
	under := t.checker.subject.Deployment.UnderTest().Address
	return len(r.Run.Writes) > 0 || r.Sequence.Last().Delay != (input.Delay{}) || r.After.Balance(under) != r.Before().Balance(under)
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

// Release reports the provisional verdicts that waited long enough.
func (t *Triage) Release() { t.release(maxWait) }

// ReleaseAll reports all provisional verdicts.
func (t *Triage) ReleaseAll() { t.release(0) }

func (t *Triage) release(wait int) {
	for len(t.provisional) > 0 && t.provisional[0].since+wait <= t.progress.Inputs {
		p := t.provisional[0]
		t.provisional = t.provisional[1:]
		p.verdict.report.Provisional = false
		t.Report(p.sequence, []Verdict{p.verdict}, ShrinkBudget, p.from)
	}
}
