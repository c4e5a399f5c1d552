package triage

import (
	"slices"

	"leveret/engine/cover"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
)

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

// A suspect is a result that looks suspicious, until it is checked.
type suspect struct {
	suspicion
	sequence    input.Sequence
	from        *search.Origin
	tries       int              // of its suspicion before
	oracles     []*oracle.Oracle // that may have something new to report
	broken      bool             // a property does not hold
	failures    []cover.Failure
	allFailures bool
	wraps       []cover.Metric
}

// suspect returns a result as a suspect; nil if it is not suspicious or there is
// nothing new about it.
func (t *Triage) suspect(r *search.Result) *suspect {
	s := suspect{
		sequence: r.Sequence, from: r.Origin, oracles: t.checker.hints.of(r),
		failures: r.Run.Failures, allFailures: r.Run.AllFailures(), wraps: r.Run.Wraps,
	}
	if program.IsProperty(r.Sequence.Last().Function) { // only its result counts
		suspicious := len(s.oracles) > 0 || t.subject.Suite != nil && !r.Succeeded()
		s.broken = suspicious && t.checker.properties.fails(exec.State{World: r.Before(), Block: r.At.Block}, reached(r.Sequence.Txs), t.known.has)
		s.oracles = nil
	}
	t.dropSettled(&s)
	if s.broken = s.broken || t.checker.properties.violates(r, t.known.has); len(s.oracles) == 0 && !s.broken {
		return nil
	}
	deployed := slices.ContainsFunc(r.Sequence.Txs, func(tx input.Tx) bool { return tx.From == input.Deployer })
	s.suspicion = suspicion{r.Run.Path, r.Run.Suspicion, t.wraps.Set(&r.Run), t.profitSignature(r), !deployed}
	s.tries = t.checked[s.suspicion] + 1
	if s.tries > maxRetries && !s.broken {
		return nil
	}
	if len(t.checked) >= maxChecked {
		clear(t.checked)
	}
	t.checked[s.suspicion] = maxRetries // until it is checked
	if slices.Contains(s.oracles, &oracle.Overflow) {
		t.wraps.Triaged(&r.Run)
	}
	s.failures, s.wraps = slices.Clone(s.failures), slices.Clone(s.wraps)
	return new(s)
}

// dropSettled drops the oracles that have nothing new to report about a suspect.
func (t *Triage) dropSettled(s *suspect) {
	if len(s.oracles) > 0 {
		s.oracles = t.known.unsettled(s)
	}
}

// A rank says how urgent a suspect is.
type rank int

const (
	certain rank = iota // almost certainly the first finding of an oracle, or a broken property
	rare                // maybe the first finding of an oracle
	usual
)

// unseen returns the rank of a suspect.
func (t *Triage) unseen(s *suspect) rank {
	r := usual
	for _, o := range s.oracles {
		switch {
		case t.known.isShown(o.Name):
		case o.FailedCheck:
			r = certain
		default:
			r = min(r, rare)
		}
	}
	if s.broken {
		r = certain
	}
	return r
}

// maxChecked bounds the suspicions, and the profits of re-entries, that are remembered.
// Then they are checked once more.
const maxChecked = 1 << 17

// maxSuspects bounds the suspects of one rank that wait.
const maxSuspects = 256

// suspects wait to be checked, by rank and in the order of their results.
type suspects [usual + 1][]*suspect

// add adds a suspect, unless too many wait.
func (all *suspects) add(s *suspect, r rank) bool {
	if len(all[r]) >= maxSuspects {
		return false
	}
	all[r] = append(all[r], s)
	return true
}

// sort ranks all suspects again.
func (all *suspects) sort(rankOf func(*suspect) rank) {
	waiting := slices.Concat(all[:]...)
	*all = suspects{}
	for _, s := range waiting {
		r := rankOf(s)
		all[r] = append(all[r], s)
	}
}

// first returns the rank of the first suspect; usual and false if there is none.
func (all *suspects) first() (rank, bool) {
	for r := range all {
		if len(all[r]) > 0 {
			return rank(r), true
		}
	}
	return usual, false
}

// take removes the oldest suspect of a rank whose oracles report the severest
// findings.
func (all *suspects) take(r rank) *suspect {
	list := all[r]
	at := 0
	for i, s := range list {
		if severest(s.oracles) > severest(list[at].oracles) {
			at = i
		}
	}
	s := list[at]
	all[r] = slices.Delete(list, at, at+1)
	return s
}

// severest returns the severity of the severest oracle.
func severest(list []*oracle.Oracle) (s finding.Severity) {
	for _, o := range list {
		s = max(s, o.Severity)
	}
	return s
}
