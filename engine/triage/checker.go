// Package triage turns suspicious executions into findings: it executes them
// again under the oracles, confirms what they report, removes duplicates,
// shrinks the witness, and writes the finding up.
package triage

import (
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/engine/shadow"
	"leveret/solc/srcmap"
)

// A Checker decides what a sequence shows. It always starts from the deployment,
// on a fresh world: what it reports was executed again.
type Checker struct {
	subject    *search.Subject
	run        *runner
	observer   *shadow.Observer
	oracles    []*oracle.Oracle
	severities severities
	env        oracle.Env
	hints      hints
	properties *properties
	owners     *owners
	rules      []rule
	retry      bool // a report was not confirmed; another input may do that
}

// NewChecker returns a checker with some of the oracles, by name; none means
// all. executor executes what is checked.
func NewChecker(s *search.Subject, executor *exec.Executor, oracles []string, severities map[string]finding.Severity) (*Checker, error) {
	selected, err := oracle.Select(oracles)
	if err != nil {
		return nil, err
	}
	run := newRunner(s, executor)
	c := &Checker{
		subject: s, run: run, observer: shadow.New(shadow.NewState()), severities: severities,
		properties: newProperties(s, run), owners: &owners{s, run, s.Privileged()},
		hints: hints{locks: locksOf(s.Cover)},
	}
	if s.Suite != nil {
		selected = nil // only the tests count
	} else {
		for _, d := range s.Deployment.Contracts {
			c.hints.traits = c.hints.traits.Or(program.TraitsOf(d.Contract.Build))
		}
	}
	for _, o := range selected {
		if s, ok := severities[o.Name]; !ok || s != finding.Off {
			c.oracles = append(c.oracles, o)
		}
	}
	c.hints.oracles = c.oracles
	c.env = newEnv(s, run, c.owners, c.hints.locks, func() { c.retry = true })
	c.rules = newRules(s, run, c.observer, c.owners)
	return c, nil
}

// taints reports whether an oracle needs taint tracking.
func (c *Checker) taints(o *oracle.Oracle) bool { return o.Watch(&c.env).Flows != nil }

// Check executes s from the deployment and returns what the oracles report.
func (c *Checker) Check(s input.Sequence) []Verdict {
	c.properties.addCreated(s.Txs)
	return c.check(s, c.oracles, c.properties.list, searching)
}

// A mode says what a check is for.
type mode int

const (
	searching mode = iota // a similar sequence may show what the sequence does not
	repeating             // only the sequence counts
	supposing             // as repeating; its transactions take the place of those of a claim, and rules ask nothing
)

// check is Check with some of the oracles and properties.
func (c *Checker) check(s input.Sequence, oracles []*oracle.Oracle, properties []property, m mode) []Verdict {
	monitor := oracle.NewMonitor(oracles, &c.env, c.observer)
	hooks := monitor.Hooks()
	if len(oracles) == 0 {
		hooks = nil
	}
	at, run := c.subject.Start, search.Reached{}
	var verdicts []Verdict
	for i := range s.Txs {
		tx := &s.Txs[i]
		steps := monitor.Steps
		monitor.Begin(tx, at.World)
		next, outcome := c.run.executor.Transact(at, tx, nil, hooks)
		c.run.count(&outcome, monitor.Taints(), monitor.Steps-steps)
		if reports := monitor.End(&outcome, next.World); !program.IsProperty(tx.Function) { // else only its result counts
			verdicts = append(verdicts, c.confirmed(s, at, reports, i, m)...)
		}
		run = c.properties.next(run, tx, &outcome, next.World)
		verdicts = append(verdicts, c.properties.broken(properties, &call{tx, &outcome, at, next, run}, i)...)
		at = c.run.executor.Then(at, next, tx, &outcome)
	}
	c.observer.Lend()
	return verdicts
}

// confirmed returns verdicts of the reports about a transaction of s. at is the state
// before it. Where it calls itself, each of the calls may be reported: of reports that
// are alike one counts, as to confirm each takes further executions of all the calls.
func (c *Checker) confirmed(s input.Sequence, at exec.State, reports []oracle.Report, tx int, m mode) (verdicts []Verdict) {
	attempts := map[alike]int{}
	for i := range reports {
		r := &reports[i]
		b, ok := c.subject.Program.LocateReport(r)
		if !ok || c.subject.Program.OnlyOfHelper(r, &b) {
			continue
		}
		v := Verdict{key: keyOf(r, &b), Location: b, report: *r, tx: tx}
		this := alike{v.key, b.Place.Span, c.severities.of(r), r.Provisional, r.Unprivileged, len(r.Variants) > 0}
		if attempts[this] >= maxAlike {
			continue
		}
		attempts[this]++
		if v, ok := c.checkPreconditions(s, at, v, m); ok {
			if m != supposing {
				c.excuse(s, &v)
			}
			verdicts = append(verdicts, v)
			attempts[this] = maxAlike
		}
		if !this.varies { // the sequence alone decides
			attempts[this] = maxAlike
		}
	}
	return verdicts
}

// maxAlike is how many reports about one transaction that are alike are checked with
// their variants.
const maxAlike = 8

// An alike is what reports about one transaction have in common where one verdict
// stands for all.
type alike struct {
	key
	place        srcmap.Span
	severity     finding.Severity
	provisional  bool
	unprivileged bool
	varies       bool // has variants
}

// of returns the oracle or the property that a key comes from.
func (c *Checker) of(k key) (oracles []*oracle.Oracle, properties []property) {
	if properties = c.properties.with(k); properties != nil {
		return nil, properties
	}
	for _, o := range c.oracles {
		if o.Name == k.oracle {
			oracles = append(oracles, o)
		}
	}
	return oracles, nil
}

// shows reports whether s still leads to a verdict with a key at a place.
func (c *Checker) shows(s input.Sequence, k key, place srcmap.Span, m mode) (Verdict, bool) {
	oracles, properties := c.of(k)
	for _, v := range c.check(s, oracles, properties, m) {
		if v.key == k && v.Place.Span == place {
			return v, true
		}
	}
	return Verdict{}, false
}

// claim returns what rules ask about a verdict of s. What they ask is no reason to check
// s again.
func (c *Checker) claim(s input.Sequence, v *Verdict) *claim {
	shows := func(txs []input.Tx) bool {
		defer func(retry bool) { c.retry = retry }(c.retry)
		_, ok := c.shows(input.Sequence{Deployment: s.Deployment, Txs: txs}, v.key, v.Place.Span, supposing)
		return ok
	}
	return &claim{Verdict: v, txs: s.Txs[:v.tx+1], shows: shows}
}

// excuse makes a verdict a note if a rule says so.
func (c *Checker) excuse(s input.Sequence, v *Verdict) {
	if v.instead != nil || c.severities.of(&v.report) <= finding.Information {
		return
	}
	claim := c.claim(s, v)
	claim.initializer = c.owners.preempted(claim)
	for i := range c.rules {
		if r := &c.rules[i]; r.holds(claim) {
			r.lower(claim)
			c.retry = c.retry || r.retry
			return
		}
	}
}
