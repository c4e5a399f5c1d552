package triage

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/replay"
	"leveret/engine/search"
)

// A writer shrinks witnesses and writes findings up.
type writer struct {
	checker *Checker
	ids     map[string]bool // given so far
	shrinks func() bool
	over    func() bool
}

// write shrinks s to the shortest witness of v, with at most budget executions,
// and writes the finding up. It returns false if the witness does not show v
// again.
func (w *writer) write(s input.Sequence, v Verdict, budget int) (finding.Finding, bool) {
	s, v, ok := w.shrink(s, v, budget)
	if !ok {
		return finding.Finding{}, false
	}
	c, o := w.checker, v.report.Oracle
	f := finding.Finding{
		Oracle: o.Name, SWC: o.SWC, Severity: c.severity(&v.report),
		Message:    w.message(s, &v.report),
		Contract:   c.subject.Program.UnderTest.Name,
		Function:   s.Last().Function.Signature,
		Place:      v.Place,
		Evidence:   v.report.Evidence,
		Witness:    s,
		Observable: c.observable(s, &v),
	}
	for _, related := range v.report.Related {
		if b, ok := c.subject.Program.Locate(related.Trail); ok {
			f.Related = append(f.Related, finding.Related{Place: b.Place, Message: related.Message})
		}
	}
	f.Reads = c.reads(s, f)
	f.ID = w.identify(&v, &f)
	return f, true
}

// shrink returns the shortest witness and what it shows.
func (w *writer) shrink(s input.Sequence, v Verdict, budget int) (input.Sequence, Verdict, bool) {
	c := w.checker
	if v.instead != nil {
		s = *v.instead
	} else {
		s.Txs = s.Txs[:v.tx+1]
	}
	oracles, _ := c.of(v.key)
	last := v // of the shortest so far
	s = replay.Shrink(s, func(shorter input.Sequence) bool {
		if !w.shrinks() || len(oracles) > 0 && !w.hintedBy(oracles[0], shorter) {
			return false
		}
		shown, ok := c.shows(shorter, v.key)
		if ok = ok && c.severity(&shown.report) >= c.severity(&v.report); ok {
			last = shown
		}
		return ok
	}, budget)
	if again, ok := c.shows(s, v.key); ok {
		v = again
	} else if v = last; !w.over() { // else there was no time to execute it once more
		return s, v, false
	}
	s.Txs = s.Txs[:v.tx+1]
	return s, v, true
}

// hintedBy reports whether an oracle may have something to report about the last
// transaction of s.
func (w *writer) hintedBy(o *oracle.Oracle, s input.Sequence) bool {
	next := &search.Candidate{Job: exec.Job{Sequence: s, States: []exec.State{w.checker.subject.Start}}}
	next.Change.Shape = true
	r := search.Execute(w.checker.executor, next)
	if r.PrefixFailed {
		return false
	}
	seen := w.checker.observation(r)
	return o.Hint(&seen)
}

// message returns the oracle's sentence and the last call of the witness.
func (w *writer) message(s input.Sequence, r *oracle.Report) string {
	calls := s.Describe(w.checker.subject.ABIAt)
	if len(calls) == 1 {
		return fmt.Sprintf("%s, when %s", r.Message, calls[0])
	}
	return fmt.Sprintf("%s, after %d transactions, when %s", r.Message, len(calls), calls[len(calls)-1])
}

// identify returns an ID that survives edits elsewhere. It depends on the
// oracle, the contract, the blamed text, the function around it, and the name of
// its file without the folder, as paths may start at several roots.
func (w *writer) identify(v *Verdict, f *finding.Finding) string {
	around := ""
	if v.Node != nil {
		if d := v.Node.Enclosing("FunctionDefinition", "ModifierDefinition"); d != nil {
			around = d.Attr("name")
		}
	}
	name := f.SWC
	if name == "" {
		name = strings.ToUpper(f.Oracle)
	}
	seed := strings.Join([]string{f.Oracle, f.Contract, path.Base(f.Place.File), around, v.Text}, "\x00")
	for n := 0; ; n++ {
		hash := crypto.Keccak256(fmt.Appendf(nil, "%s\x00%d", seed, n))
		id := name + ":" + f.Contract + ":" + hex.EncodeToString(hash[:2])
		if !w.ids[id] {
			w.ids[id] = true
			return id
		}
	}
}
