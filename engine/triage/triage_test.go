package triage

import (
	"bytes"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
	"leveret/engine/solve"
	"leveret/solc"
	"leveret/solc/ast"
)

// A triaging is the triage of a search and what it reported.
type triaging struct {
	*searchtest.Driver
	*Triage
	found     []finding.Finding
	origins   []*search.Origin
	escalated []input.Sequence
	replayed  *search.Origin
}

func newTriaging(t *testing.T, file, name string) *triaging {
	t.Helper()
	return newTriagingOf(t, searchtest.Compile(t, file), name)
}

func newTriagingOf(t *testing.T, b *solc.Build, name string) *triaging {
	t.Helper()
	d := searchtest.New(t, b, name, 1)
	checker, err := NewChecker(d.Subject, d.Replayer, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	all := &triaging{Driver: d, replayed: &search.Origin{Name: "replayed"}}
	all.Triage = New(checker, solve.NewWraps(), d.Progress, Options{
		Now: time.Now, Over: d.Over, Shrinks: func() bool { return true }, Replayed: all.replayed,
		Found: func(f *finding.Finding, from *search.Origin) {
			all.found, all.origins = append(all.found, *f), append(all.origins, from)
		},
		Shrunk: func(f *finding.Finding) {
			at := slices.IndexFunc(all.found, func(old finding.Finding) bool { return old.ID == f.ID })
			all.found[at] = *f
		},
		Escalate: func(s input.Sequence) { all.escalated = append(all.escalated, s) },
	})
	return all
}

// tracer returns a Tracer of the search's inputs.
func (all *triaging) tracer() *Tracer { return NewTracer(all.Subject, all.Replayer) }

// call returns the sequence of one call with number arguments.
func (all *triaging) call(t *testing.T, name string, args ...uint64) input.Sequence {
	t.Helper()
	callee := all.Callee(t, name)
	tx := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
	for i, arg := range args {
		tx.Args[i].Word.SetUint64(arg)
	}
	return input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: []input.Tx{tx}}
}

// reports checks a sequence and reports its verdicts. It returns how many
// verdicts there are.
func (all *triaging) reports(s input.Sequence, from *search.Origin) int {
	verdicts := all.Check(s)
	all.Report(s, verdicts, ShrinkBudget, from)
	return len(verdicts)
}

// expect checks how many findings were reported so far.
func (all *triaging) expect(t *testing.T, findings int, when string) {
	t.Helper()
	if len(all.found) != findings {
		t.Fatalf("%s: %d findings, want %d: %+v", when, len(all.found), findings, all.found)
	}
}

// A key has an oracle, a file and a span: that of the statement for oracles that
// report by statement, else that of the blamed node.
func TestKeys(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Sums.sol")
	store := searchtest.Contract(t, b, "Sums").Node.Find(ast.FunctionDefinition)[0]
	sums := store.Find("BinaryOperation")
	if len(sums) != 3 {
		t.Fatalf("%d operations", len(sums))
	}
	keyAt := func(o *oracle.Oracle, file string, n *ast.Node) key {
		return keyOf(&oracle.Report{Oracle: o}, &program.Location{Place: finding.Place{File: file, Span: n.Span}, Node: n})
	}
	if keyAt(&oracle.Overflow, "a", sums[0]) != keyAt(&oracle.Overflow, "a", sums[1]) {
		t.Error("two reports in one statement have two keys")
	}
	if got := keyAt(&oracle.Overflow, "a", sums[0]).span; got != sums[0].Statement().Span {
		t.Errorf("the span is %v", got)
	}
	different := map[key]bool{
		keyAt(&oracle.Overflow, "a", sums[0]): true, keyAt(&oracle.Overflow, "b", sums[0]): true, keyAt(&oracle.Overflow, "a", sums[2]): true,
		keyAt(&oracle.Panic, "a", sums[0]): true, keyAt(&oracle.Panic, "a", sums[1]): true, keyAt(&oracle.Assertion, "a", sums[0]): true,
	}
	if len(different) != 6 {
		t.Errorf("6 findings have %d keys", len(different))
	}
	if got := keyAt(&oracle.Panic, "a", sums[0]); got != (key{oracle: "panic", file: "a", span: sums[0].Span}) {
		t.Errorf("the key is %v", got)
	}
	outside := searchtest.Contract(t, b, "Sums").Node
	if got := keyAt(&oracle.Overflow, "a", outside).span; got != outside.Span {
		t.Errorf("outside of statements the span is %v", got)
	}
	if got := keyOf(&oracle.Report{Oracle: &oracle.Overflow}, &program.Location{Place: finding.Place{Span: sums[0].Span}}).span; got != sums[0].Span {
		t.Errorf("without a tree the span is %v", got)
	}
}

// Verdicts with one key are reported once, by the source that found them first.
func TestFindingsAreReportedOnce(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	first, second := &search.Origin{Name: "first"}, &search.Origin{Name: "second"}
	if n := all.reports(all.call(t, "store", 20, 250), first); n != 3 {
		t.Fatalf("%d verdicts", n)
	}
	all.expect(t, 2, "three operations in two statements wrapped")
	if all.found[0].Place.Start.Line == all.found[1].Place.Start.Line {
		t.Errorf("both are in line %d", all.found[0].Place.Start.Line)
	}
	all.reports(all.call(t, "store", 30, 240), second)
	all.expect(t, 2, "the same operations wrapped again")
	if !slices.Equal(all.origins, []*search.Origin{first, first}) {
		t.Errorf("the origins are %v", all.origins)
	}
}

// A provisional verdict waits for a more severe one, and variants of its input
// are asked for once. Release reports it when it waited long enough.
func TestProvisionalVerdictsWait(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	from := &search.Origin{Name: "test"}
	all.Progress.Inputs = 10
	show := all.call(t, "show", 200, 100)
	if n := all.reports(show, from); n != 1 {
		t.Fatalf("%d verdicts", n)
	}
	all.Progress.Inputs = 20
	all.reports(all.call(t, "show", 201, 100), from)
	all.reports(all.call(t, "keep", 200, 100, 0), from)
	if len(all.escalated) != 2 || input.Digest(all.escalated[0]) != input.Digest(show) {
		t.Errorf("variants of %d inputs are asked for", len(all.escalated))
	}
	for _, row := range []struct{ inputs, findings int }{
		{20, 0}, {10 + maxWait - 1, 0}, {10 + maxWait, 1}, {20 + maxWait - 1, 1}, {20 + maxWait, 2}, {30 + maxWait, 2},
	} {
		all.Progress.Inputs = row.inputs
		all.Release()
		all.expect(t, row.findings, "after some inputs")
	}
	for i, name := range []string{"show", "keep"} {
		if got := all.found[i].Witness.Last().Function.Name; got != name || all.found[i].Severity != finding.Warning || all.origins[i] != from {
			t.Errorf("finding %d is in %s: %+v", i, got, all.found[i])
		}
	}
	all.reports(show, from)
	all.Finish()
	all.expect(t, 2, "the same verdict after its report")
	if len(all.escalated) != 2 {
		t.Error("variants of a known finding are asked for")
	}
}

// Finish reports what waits at once.
func TestProvisionalVerdictsAreReleasedAtTheEnd(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	all.reports(all.call(t, "show", 200, 100), nil)
	all.reports(all.call(t, "keep", 200, 100, 0), nil)
	all.expect(t, 0, "before the end")
	all.Finish()
	all.expect(t, 2, "at the end")
	all.Finish()
	all.expect(t, 2, "after the end")
}

// A more severe verdict at the place of a provisional one is reported at once,
// and in its stead.
func TestSevereVerdictsReplaceProvisionalOnes(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	all.reports(all.call(t, "keep", 200, 100, 0), nil)
	all.expect(t, 0, "before the more severe one")
	all.reports(all.call(t, "keep", 200, 100, 1), nil)
	all.expect(t, 1, "after the more severe one")
	all.Finish()
	all.expect(t, 1, "at the end")
	if all.found[0].Severity != finding.Error {
		t.Errorf("the severity is %s", all.found[0].Severity)
	}
}

// Provisional verdicts on inputs of earlier campaigns do not wait.
func TestReplayedInputsAreReportedAtOnce(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	all.reports(all.call(t, "show", 200, 100), all.replayed)
	all.expect(t, 1, "at once")
	if len(all.escalated) > 0 {
		t.Error("variants of it are asked for")
	}
}

// learn executes a sequence and lets the triage learn from it. It reports whether
// the result was a suspicion that was not checked before.
func (all *triaging) learn(s input.Sequence) bool {
	before := len(all.checked)
	all.Triage.Learn(all.Execute(all.Generator.FromStart(s)))
	return len(all.checked) > before
}

// Learn checks results that look suspicious. Another path or another kind of
// sender is another suspicion.
func TestSuspicionsAreChecked(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	all.Execute(all.Generator.FromStart(all.call(t, "show", 1, 1))) // the first run of code is not watched for wraps
	if all.learn(all.call(t, "show", 1, 2)) {
		t.Error("a result that is not suspicious is checked")
	}
	if !all.learn(all.call(t, "show", 200, 100)) || len(all.provisional) != 1 {
		t.Errorf("%d verdicts wait", len(all.provisional))
	}
	if !all.learn(all.call(t, "keep", 200, 100, 0)) || !all.learn(all.call(t, "keep", 200, 100, 1)) {
		t.Error("another path is not checked")
	}
	privileged := all.call(t, "show", 200, 100)
	privileged.Txs[0].From = input.Deployer
	if !all.learn(privileged) {
		t.Error("the deployer's transaction is not checked")
	}
}

// A suspicion is checked once, and the places that wrapped are counted then.
func TestSuspicionsAreCheckedOnce(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	show := all.call(t, "show", 200, 100)
	all.Execute(all.Generator.FromStart(show)) // the first run of code is not watched for wraps
	r := all.Execute(all.Generator.FromStart(show))
	r.Run.Keep()
	if len(r.Run.Wraps) != 1 {
		t.Fatalf("%d places wrapped", len(r.Run.Wraps))
	}
	for range 3 {
		all.Triage.Learn(r)
		if n := all.wraps.Count(r.Run.Wraps[0]); n != 1 {
			t.Fatalf("checked %d times", n)
		}
	}
}

// A result after which a property does not hold is checked even on a known path.
// A failing property is reported once, at its name.
func TestBrokenPropertiesAreReported(t *testing.T) {
	all := newTriaging(t, "testdata/Kept.sol", "Kept")
	all.learn(all.call(t, "set", 5))
	all.expect(t, 0, "the property holds")
	all.learn(all.call(t, "set", 50))
	all.expect(t, 1, "the property does not hold")
	f := all.found[0]
	if f.Oracle != oracle.Assertion.Name || f.Place.Span.Length != len("invariant_small") || f.Observable.Property != "invariant_small()" {
		t.Errorf("the finding is %+v", f)
	}
	all.learn(all.call(t, "set", 60))
	all.expect(t, 1, "the property still does not hold")
	all.learn(all.call(t, "check", 7))
	all.expect(t, 2, "an assertion fails")
	if all.found[1].Observable.Property != "" || all.found[1].Place == f.Place {
		t.Errorf("the finding is %+v", all.found[1])
	}
}

// An event AssertionFailed and an assert in one line are one failure; in other lines
// and alone each is its own.
func TestEventAndAssertAreOneFailure(t *testing.T) {
	all := newTriaging(t, "testdata/Twice.sol", "Twice")
	for i, row := range []struct {
		name     string
		argument uint64
		findings int
	}{{"inLine", 7, 1}, {"inLine", 8, 1}, {"inLines", 7, 3}, {"alone", 7, 5}, {"alone", 8, 6}} {
		all.reports(all.call(t, row.name, row.argument), nil)
		all.expect(t, row.findings, fmt.Sprint("call ", i))
	}
}

// Transactions that are executed again lead to what they lead to alone.
func TestRerun(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	random := rand.New(rand.NewPCG(1, 1))
	var pool []input.Tx
	for i := range uint64(6) {
		pool = append(pool, all.call(t, "keep", 200*(i%2), 100, i%3%2).Txs...)
	}
	var txs []input.Tx
	for range 300 {
		txs = append(slices.Clone(txs[:random.IntN(len(txs)+1)]), pool[random.IntN(len(pool))])
		known := all.run.rerun(txs)
		all.run.last = nil
		alone := all.run.rerun(txs)
		for i := range txs {
			if a, b := known.Outcomes[i], alone.Outcomes[i]; a.Status != b.Status || a.GasUsed != b.GasUsed || !bytes.Equal(a.Return, b.Return) {
				t.Fatalf("transaction %d of %d: %+v, alone %+v", i, len(txs), a, b)
			}
		}
		if len(known.Outcomes) != len(txs) || !maps.Equal(maps.Collect(known.World.Slots(txs[0].To)), maps.Collect(alone.World.Slots(txs[0].To))) {
			t.Fatalf("%d transactions lead to another state", len(txs))
		}
		if len(txs) > 12 {
			txs = txs[:6]
		}
	}
}
