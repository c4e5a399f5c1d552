package triage

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/deploy"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/replay"
	"leveret/engine/search"
)

// A writer writes findings up.
type writer struct {
	subject    *search.Subject
	run        *runner
	properties *properties
	severities severities
	resolver   *resolver
	claim      func(input.Sequence, *Verdict) *claim
	known      *Known // IDs given so far
}

func newWriter(c *Checker, known *Known) *writer {
	return &writer{
		subject: c.subject, run: c.run, properties: c.properties, severities: c.severities,
		resolver: newResolver(c.subject), claim: c.claim, known: known,
	}
}

// write writes up what a sequence shows in its last transaction, without an ID.
func (w *writer) write(s input.Sequence, v Verdict) finding.Finding {
	o := v.report.Oracle
	f := finding.Finding{
		Oracle: o.Name, Cause: o.CauseName(), Anchor: anchor(&v), SWC: o.SWC, Severity: w.severities.of(&v.report),
		Message:    w.message(s, &v.report),
		Contract:   w.subject.Program.UnderTest.Name,
		Function:   s.Last().Function.Signature,
		Place:      v.Place,
		Evidence:   v.report.Evidence,
		Witness:    w.withoutIdle(s),
		Observable: w.observable(s, &v),
	}
	for i := range v.report.Related {
		related := &v.report.Related[i]
		if b, ok := w.subject.Program.LocateRelated(related); ok {
			f.Related = append(f.Related, finding.Related{Place: b.Place, Message: related.Message, Asserts: related.Asserts})
		}
	}
	f.Related = append(f.Related, w.senders(w.claim(s, &v))...)
	f.Reads = w.reads(s, f)
	return f
}

// withoutIdle returns s with the record of a deployment without mocks at addresses of the
// code that s does not need.
func (w *writer) withoutIdle(s input.Sequence) input.Sequence {
	d := w.subject.Deployment
	if !slices.ContainsFunc(d.Record.Creations, func(c input.Creation) bool { return c.Named }) {
		return s
	}
	asked := map[common.Address]bool{}
	hooks := deploy.Asking(func(a common.Address) { asked[a] = true })
	at := w.run.start
	for i := range s.Txs {
		asked[s.Txs[i].From.Address()], asked[s.Txs[i].To] = true, true
		next, outcome := w.run.advance(at, &s.Txs[i], &hooks)
		if outcome.Unfinished() {
			return s
		}
		at = next
	}
	s.Deployment = d.RecordFor(asked)
	return s
}

// reads executes s and returns what the lines that f blames read in the last
// transaction.
func (w *writer) reads(s input.Sequence, f finding.Finding) []finding.VariableRead {
	at, ok := w.run.prefix(s.Txs)
	if !ok {
		return nil
	}
	r := replay.NewRecorder(w.resolver.source(), f)
	r.Begin(replay.Opening{}, timeOf(at.Block), at.World)
	w.run.transact(at, s.Last(), r.Hooks())
	return r.Reads()
}

// message returns the oracle's sentence and the last call of the witness.
func (w *writer) message(s input.Sequence, r *oracle.Report) string {
	calls := s.Describe(w.subject.ABIAt)
	if len(calls) == 1 {
		return fmt.Sprintf("%s, when %s", r.Message, calls[0])
	}
	return fmt.Sprintf("%s, after %d transactions, when %s", r.Message, len(calls), calls[len(calls)-1])
}

// anchor returns the Anchor of a verdict's place.
func anchor(v *Verdict) finding.Anchor {
	a := finding.Anchor{Text: v.Text}
	if v.Node == nil {
		return a
	}
	if c := v.Node.Contract(); c != nil {
		a.Around = c.Name()
	}
	if f := v.Node.Function(); f != nil {
		a.Around += " " + f.Name()
		for _, p := range f.Parameters() {
			a.Around += " " + p.TypeString()
		}
		if from, to := f.Span.Start, v.Place.Span.Start; from <= to {
			text := v.Source.Text
			a.Nth = bytes.Count(text[from:to], text[to:v.Place.Span.End()])
		}
	}
	return a
}

// identify returns an ID that survives edits elsewhere. It depends on the
// oracle, the contract, the blamed text, the function around it, and the name of
// its file without the folder, as paths may start at several roots.
func (w *writer) identify(v *Verdict, f *finding.Finding) string {
	around := v.function
	if v.Node != nil {
		if d := v.Node.Enclosing("FunctionDefinition", "ModifierDefinition"); d != nil {
			around += d.Attr("name")
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
		if w.known.give(id) {
			return id
		}
	}
}
