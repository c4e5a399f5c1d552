package triage

import (
	"context"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/debug"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/engine/search"
)

// A Preparation is a transaction before those of a sequence: the set-up of a test.
type Preparation struct {
	At   exec.State // before it
	Tx   input.Tx
	Text string // "setUp() prepares the test"
}

// A Tracer shows what sequences do.
type Tracer struct {
	subject    *search.Subject
	run        *runner
	properties *properties
	resolver   *resolver
}

// NewTracer returns a Tracer whose sequences executor executes.
func NewTracer(s *search.Subject, executor *exec.Executor) *Tracer {
	run := newRunner(s, executor)
	return &Tracer{subject: s, run: run, properties: newProperties(s, run), resolver: newResolver(s)}
}

// Trace executes s from the deployment and records the tree of calls and the
// statements, those of preparations first. The step at the place of blamed is
// marked; if blamed is a property, its check follows the last transaction.
func (t *Tracer) Trace(s input.Sequence, blamed finding.Finding, first ...Preparation) *replay.Trace {
	t.resolver.labels = t.labels(s)
	r := replay.NewRecorder(t.resolver.source(), blamed)
	r.Deployed(t.subject.Deployment.Record.Describe()...)
	t.walk(s, blamed, first, func(at exec.State, tx *input.Tx, opening replay.Opening) (exec.State, evm.Outcome) {
		r.Begin(opening, blockOf(at, tx, opening), at.World)
		next, outcome := t.run.transact(at, tx, r.Hooks())
		r.End()
		return next, outcome
	})
	return r.Trace()
}

// Debug executes the same transactions as Trace and indexes them for a debugger. The
// Recording executes them again, by the Machine of the Tracer, which nobody else may use
// meanwhile.
func (t *Tracer) Debug(ctx context.Context, s input.Sequence, blamed finding.Finding, first ...Preparation) (*debug.Recording, error) {
	t.resolver.labels = t.labels(s)
	subject := debug.Subject{
		Program: t.subject.Program, Resolver: t.resolver.source(), Machine: t.run.executor.Machine, Blamed: blamed,
	}
	return debug.Record(ctx, subject, func(execute func(debug.Transaction) evm.Outcome) {
		t.walk(s, blamed, first, func(at exec.State, tx *input.Tx, opening replay.Opening) (next exec.State, outcome evm.Outcome) {
			outcome = execute(debug.Transaction{
				Opening: opening, Block: blockOf(at, tx, opening), Tx: tx,
				Run: func(hooks *evm.Hooks) (outcome evm.Outcome) {
					next, outcome = t.run.executor.Transact(at, tx, nil, hooks)
					return outcome
				},
			})
			return next, outcome
		})
	})
}

// blockOf returns the block of a transaction. Checks run in that of the one before.
func blockOf(at exec.State, tx *input.Tx, opening replay.Opening) input.BlockTime {
	if opening.Check {
		return timeOf(at.Block)
	}
	return timeOf(at.Block.After(tx.Delay))
}

// walk passes to visit the transactions of preparations, of s, and of the property that
// blamed is about, with the states before them. visit executes them.
func (t *Tracer) walk(s input.Sequence, blamed finding.Finding, first []Preparation, visit func(exec.State, *input.Tx, replay.Opening) (exec.State, evm.Outcome)) {
	n := t.resolver
	for i := range first {
		visit(first[i].At, &first[i].Tx, replay.Opening{Call: first[i].Text, Check: true})
	}
	at := t.subject.Start
	for i, sentence := range s.DescribeAs(n.labels, n.abiAt) {
		tx := &s.Txs[i]
		plain := *tx
		plain.Delay, plain.Script = input.Delay{}, nil
		plainSequence := input.Sequence{Deployment: s.Deployment, Txs: []input.Tx{plain}}
		call := plainSequence.DescribeAs(n.labels, nil)[0]
		next, outcome := visit(at, tx, replay.Opening{Call: call, More: strings.TrimPrefix(sentence, call), Number: i + 1})
		at = t.run.executor.Then(at, next, tx, &outcome)
	}
	number := len(s.Txs)
	for _, p := range t.properties.list {
		if p.node == nil || p.itself || !t.blames(blamed, p) {
			continue
		}
		tx := t.properties.asking(p)
		number++
		visit(at, &tx, replay.Opening{Call: "Then " + p.function.Name + "() is checked", Check: true, Number: number})
	}
}

// blames reports whether a finding is about a property. One about a test is at the
// assertion that fails, and names the test.
func (t *Tracer) blames(f finding.Finding, p property) bool {
	if t.subject.Suite != nil && f.Function != "" {
		return f.Function == p.function.Signature
	}
	return t.properties.verdict(p).Place.Span == f.Place.Span
}

// labels returns the names that the contracts of tests give to addresses. It executes
// s, because a name holds for earlier calls, too.
func (t *Tracer) labels(s input.Sequence) (names map[common.Address]string) {
	if t.subject.Suite == nil {
		return nil
	}
	for at, i := t.subject.Start, 0; i < len(s.Txs); i++ {
		at, _ = t.run.advance(at, &s.Txs[i], nil)
		names = t.subject.Suite.Labels(t.run.executor.Machine)
	}
	return names
}

func timeOf(b evm.BlockContext) input.BlockTime {
	return input.BlockTime{Number: b.Number, Timestamp: b.Timestamp}
}
