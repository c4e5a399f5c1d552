package engine

import (
	"encoding/hex"
	"fmt"
	"path"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/replay"
	"leveret/engine/shadow"
	"leveret/solc/srcmap"
)

// A judge decides which inputs show a weakness. It always starts from the
// deployment, on a fresh World: what it reports has been re-executed.
type judge struct {
	*campaign
	executor *exec.Executor
	observer *shadow.Observer
	oracles  []*oracle.Oracle
	scene    oracle.Env

	propertyFunctions []property
	sources           map[oracle.Site]sourced
	privileged        [input.ActorCount]bool
	locking           map[*evm.Code]bool // see locks
	doubted           bool               // something was reported that was not confirmed
}

// shrinkBudget bounds the executions spent on one witness.
const shrinkBudget = 600

// key tells findings apart: one per oracle and place.
type key struct {
	oracle string
	file   string
	span   srcmap.Span
}

// keyOf returns a report's key. For some oracles all reports in one statement
// are one finding, because one edit fixes them together.
func keyOf(r *oracle.Report, b *program.Location) key {
	k := key{r.Oracle.Name, b.Place.File, b.Place.Span}
	if r.Oracle.ByStatement && b.Node != nil {
		if statement := b.Node.Statement(); statement != nil {
			k.span = statement.Span
		}
	}
	return k
}

// hintedBy reports whether an oracle may have something to say about the last
// Tx of s.
func (j *judge) hintedBy(o *oracle.Oracle, s input.Sequence) bool {
	r := execute(j.executor, &candidate{Job: exec.Job{Sequence: s, States: []exec.State{j.start}}, change: mutate.Diff{Shape: true}})
	if r.PrefixFailed {
		return false
	}
	seen := j.observation(&r)
	return o.Hint(&seen)
}

// verdict is a report with its place.
type verdict struct {
	key
	program.Location
	report  oracle.Report
	tx      int             // which Tx it happened in
	instead *input.Sequence // shows it where the Sequence that was examined does not; its last Tx is the one
}

func (c *campaign) newJudge() (*judge, error) {
	oracles, err := oracle.Select(c.options.Oracles)
	if err != nil {
		return nil, err
	}
	j := &judge{
		campaign: c, executor: c.newExecutor(), observer: shadow.New(shadow.NewState()),
		sources: map[oracle.Site]sourced{}, privileged: privilegedActors(c.base.Record),
		locking: map[*evm.Code]bool{},
	}
	for _, o := range oracles {
		if s, ok := c.options.Severities[o.Name]; !ok || s != finding.Off {
			j.oracles = append(j.oracles, o)
		}
	}
	j.propertyFunctions = c.findProperties()
	names := input.NewNames(c.base.Record)
	j.scene = oracle.Env{
		Project: c.program.IsProject,
		Topics:  c.topicNames,
		Blame:   c.program.Blame,
		Name:    names.Address,
		Source:  j.source,
		Watched: func(s oracle.Site) bool { return c.cover.MayWrap(s.Code, s.PC) },
		Text:    c.program.NodeText,
		Probes:  [2]common.Hash{c.probe, crypto.Keccak256Hash(c.probe[:])},
		WhatIf:  j.stage(),
	}
	return j, nil
}

// examine runs s from the deployment and returns what the oracles say.
func (j *judge) examine(s input.Sequence) []verdict {
	return j.examineFor(s, j.oracles, j.propertyFunctions, true)
}

// examineFor is examine with some of the oracles and properties; if
// substitutes is set, what s does not show may be shown by a Sequence like it.
func (j *judge) examineFor(s input.Sequence, oracles []*oracle.Oracle, properties []property, substitutes bool) []verdict {
	panel := oracle.NewMonitor(oracles, &j.scene, j.observer)
	hooks := panel.Hooks()
	if len(oracles) == 0 {
		hooks = nil
	}
	at := j.start
	var verdicts []verdict
	for i := range s.Txs {
		tx := &s.Txs[i]
		panel.Begin(tx, at.World)
		next, outcome := j.executor.Transact(at, tx, nil, hooks)
		for _, r := range panel.End(&outcome, next.World) {
			if program.IsProperty(tx.Function) {
				continue // whether it holds is all there is to tell
			}
			b, ok := j.program.LocateReport(&r)
			if !ok {
				continue
			}
			v := verdict{key: keyOf(&r, &b), Location: b, report: r, tx: i}
			if v, ok := j.believe(s, at, v, substitutes); ok {
				verdicts = append(verdicts, v)
			}
		}
		verdicts = append(verdicts, j.broken(properties, next, i)...)
		if outcome.Status == evm.Success {
			at = next
		}
	}
	return verdicts
}

// concerned returns the oracle or the property that k comes from.
func (j *judge) concerned(k key) (oracles []*oracle.Oracle, properties []property) {
	for _, p := range j.propertyFunctions {
		if p.node != nil && j.brokenProperty(p).key == k {
			return nil, []property{p}
		}
	}
	for _, o := range j.oracles {
		if o.Name == k.oracle {
			oracles = append(oracles, o)
		}
	}
	return oracles, nil
}

// shows reports whether s still leads to a verdict with key k.
func (j *judge) shows(s input.Sequence, k key) (verdict, bool) {
	oracles, properties := j.concerned(k)
	for _, v := range j.examineFor(s, oracles, properties, false) {
		if v.key == k {
			return v, true
		}
	}
	return verdict{}, false
}

// finding shrinks s to the shortest witness for v, with at most budget
// executions, and writes it up.
func (j *judge) finding(s input.Sequence, v verdict, budget int) (finding.Finding, bool) {
	if v.instead != nil {
		s = *v.instead
	} else {
		s.Txs = s.Txs[:v.tx+1]
	}
	oracles, _ := j.concerned(v.key)
	last := v // of the plainest that shows it
	s = replay.Shrink(s, func(shorter input.Sequence) bool {
		if !j.judging() || len(oracles) > 0 && !j.hintedBy(oracles[0], shorter) {
			return false
		}
		w, ok := j.shows(shorter, v.key)
		if ok = ok && j.severity(&w.report) >= j.severity(&v.report); ok {
			last = w
		}
		return ok
	}, budget)
	if again, ok := j.shows(s, v.key); ok {
		v = again
	} else if v = last; !j.over() { // else there was no time to execute it once more
		return finding.Finding{}, false
	}
	s.Txs = s.Txs[:v.tx+1]
	o := v.report.Oracle
	f := finding.Finding{
		Oracle: o.Name, SWC: o.SWC, Severity: j.severity(&v.report),
		Message:    j.message(s, &v.report),
		Contract:   j.program.UnderTest.Name,
		Function:   s.Last().Function.Signature,
		Place:      v.Place,
		Evidence:   v.report.Evidence,
		Witness:    s,
		Observable: j.symptom(s, &v),
	}
	for _, related := range v.report.Related {
		if b, ok := j.program.Locate(related.Trail); ok {
			f.Related = append(f.Related, finding.Related{Place: b.Place, Message: related.Message})
		}
	}
	f.Reads = j.reads(s, f)
	f.ID = j.identify(&v, &f)
	return f, true
}

func (j *judge) severity(r *oracle.Report) finding.Severity {
	if s, ok := j.options.Severities[r.Oracle.Name]; ok {
		return s
	}
	if r.Severity != finding.Off {
		return r.Severity
	}
	return r.Oracle.Severity
}

// message is the oracle's sentence and the last call that leads there.
func (j *judge) message(s input.Sequence, r *oracle.Report) string {
	calls := s.Describe(j.abiAt)
	if len(calls) == 1 {
		return fmt.Sprintf("%s, when %s", r.Message, calls[0])
	}
	return fmt.Sprintf("%s, after %d transactions, when %s", r.Message, len(calls), calls[len(calls)-1])
}

// identify makes an ID that survives edits elsewhere: it depends on the
// oracle, the contract, the name of the blamed file without its folder, which
// may be told from several roots, the function around the blamed text and the
// text.
func (j *judge) identify(v *verdict, f *finding.Finding) string {
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
		if !j.ids[id] {
			j.ids[id] = true
			return id
		}
	}
}

// reported reports whether it is known already that p can fail.
func (c *campaign) reported(p property) bool {
	return p.node == nil || c.known[c.judge.brokenProperty(p).key]
}
