package triage

import (
	"cmp"
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
	reasons     []*oracle.Oracle // those of oracles that decide its rank; see rank
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

// rank sets the reasons of a suspect and returns its rank.
func (t *Triage) rank(s *suspect) rank {
	r := usual
	s.reasons = s.oracles
	for _, o := range s.oracles {
		of := rare
		switch {
		case t.known.isShown(o.Name):
			continue
		case o.FailedCheck:
			of = certain
		}
		if of < r {
			r, s.reasons = of, nil
		}
		if of == r {
			s.reasons = append(s.reasons, o)
		}
	}
	if s.broken {
		return certain
	}
	return r
}

// maxChecked bounds the suspicions, and the profits of re-entries, that are remembered.
// Then they are checked once more.
const maxChecked = 1 << 17

// maxSuspects bounds the suspects of a queue.
const maxSuspects = 256

// suspects wait to be checked: by rank, then by oracle, so that no oracle whose reports are
// rarely confirmed keeps others waiting, then in the order of their results.
type suspects [usual + 1]struct {
	queues  []*queue
	waiting int
	turn    uint64 // of the queue that had the last turn, when it had it
}

// A queue holds suspects that wait because of one oracle, whose last sender has gained
// something since the deployment, or not. The queue with the lowest turn is next. The
// turn grows with the work of confirming, by more for a queue with fewer shares; a queue
// that was empty does not make up for turns that it had no use for.
type queue struct {
	oracle  *oracle.Oracle // nil: because of a property
	gained  bool
	turn    uint64
	waiting []*suspect
}

// of returns the queue of an oracle.
func (all *suspects) of(r rank, o *oracle.Oracle, gained bool) *queue {
	for _, q := range all[r].queues {
		if q.oracle == o && q.gained == gained {
			return q
		}
	}
	q := &queue{oracle: o, gained: gained}
	all[r].queues = append(all[r].queues, q)
	return q
}

// queues returns the queues of a suspect's reasons.
func (all *suspects) queues(s *suspect, r rank) (list []*queue) {
	for _, o := range s.reasons {
		list = append(list, all.of(r, o, s.profit.gained()))
	}
	if len(list) == 0 {
		list = append(list, all.of(r, nil, s.profit.gained()))
	}
	return list
}

// add adds a suspect, unless too many wait for the same reasons.
func (all *suspects) add(s *suspect, r rank) bool {
	if len(all.shortest(s, r).waiting) >= maxSuspects {
		return false
	}
	all.put(s, r)
	return true
}

// put adds a suspect that was added before.
func (all *suspects) put(s *suspect, r rank) {
	q := all.shortest(s, r)
	if len(q.waiting) == 0 {
		q.turn = max(q.turn, all[r].turn)
	}
	q.waiting = append(q.waiting, s)
	all[r].waiting++
}

// shortest returns the shortest queue of a suspect's reasons.
func (all *suspects) shortest(s *suspect, r rank) *queue {
	return slices.MinFunc(all.queues(s, r), func(a, b *queue) int { return len(a.waiting) - len(b.waiting) })
}

// sort ranks all suspects again.
func (all *suspects) sort(rankOf func(*suspect) rank) {
	var waiting []*suspect
	for r := range all {
		for _, q := range all[r].queues {
			waiting, q.waiting = append(waiting, q.waiting...), nil
		}
		all[r].waiting = 0
	}
	for _, s := range waiting {
		all.put(s, rankOf(s))
	}
}

// first returns the rank of the first suspect; usual and false if there is none.
func (all *suspects) first() (rank, bool) {
	for r := range all {
		if all[r].waiting > 0 {
			return rank(r), true
		}
	}
	return usual, false
}

// take removes the oldest suspect of the queue that is next. There must be one.
func (all *suspects) take(r rank) *suspect {
	var next *queue
	for _, q := range all[r].queues {
		if len(q.waiting) > 0 && (next == nil || q.before(next)) {
			next = q
		}
	}
	s := next.waiting[0]
	next.waiting = slices.Delete(next.waiting, 0, 1)
	all[r].waiting--
	all[r].turn = next.turn
	return s
}

// charge adds the work of confirming a suspect to the turns of all its reasons.
func (all *suspects) charge(s *suspect, r rank, work uint64) {
	for _, q := range all.queues(s, r) {
		q.turn += work / q.shares()
	}
}

// before reports whether a queue is next rather than another one.
func (q *queue) before(other *queue) bool {
	return cmp.Or(cmp.Compare(q.turn, other.turn), cmp.Compare(other.shares(), q.shares())) < 0
}

// shares returns the queue's shares of the work. A failed assertion has more than other errors,
// because almost all of them are confirmed, each place once.
func (q *queue) shares() uint64 {
	switch {
	case q.oracle == nil:
		return uint64(finding.Error)
	case q.oracle.FailedCheck && !q.oracle.ByPath:
		return sharesOfCheck * uint64(q.oracle.Severity)
	}
	return uint64(q.oracle.Severity)
}

// sharesOfCheck is how many times the shares of other oracles a failed check has.
const sharesOfCheck = 8
