package triage

import (
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// recorded returns the Recording of a sequence.
func recorded(t testing.TB, tracer *Tracer, s input.Sequence, blamed finding.Finding) *debug.Recording {
	t.Helper()
	r, err := tracer.Debug(t.Context(), s, blamed)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// walked returns the positions of a walk in one direction, the first one included.
func walked(t testing.TB, s *debug.Session, step func(debug.Granularity) (bool, error), g debug.Granularity, most int) []debug.Position {
	t.Helper()
	list := []debug.Position{s.Position()}
	for len(list) < most {
		moved, err := step(g)
		if err != nil {
			t.Fatal(err)
		}
		if !moved {
			break
		}
		list = append(list, s.Position())
	}
	return list
}

// Walks forwards and backwards pass the same positions, with every granularity, into
// calls and over them; and the state at a position is the same from both sides.
func TestDebugBackwards(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Stepped.sol")
	all := newTriagingOf(t, b, "Stepped")
	random := rand.New(rand.NewPCG(1, 23))
	const runs = 1000
	steps := 0
	for range runs {
		s := input.Sequence{Deployment: all.Subject.Deployment.Record}
		for range 1 + random.IntN(3) {
			callee := all.Subject.Callees[random.IntN(len(all.Subject.Callees))]
			tx := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
			for i := range tx.Args {
				tx.Args[i].Word.SetUint64(random.Uint64N(40))
			}
			s.Txs = append(s.Txs, tx)
		}
		r := recorded(t, all.tracer(), s, finding.Finding{})
		steps += bothWays(t, r)
	}
	t.Logf("%d recordings, %d steps", runs, steps)
}

// A session through known transactions stops where a reader of the source expects.
func TestDebugStory(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Stepped.sol")
	all := newTriagingOf(t, b, "Stepped")
	s := all.call(t, "push", 13)
	s.Txs = append(s.Txs, all.call(t, "push", 1013).Txs[0], all.call(t, "sort").Txs[0], all.call(t, "check").Txs[0])
	r := recorded(t, all.tracer(), s, finding.Finding{})
	session := r.NewSession(t.Context())
	defer session.Close()
	path := b.Sources[0].Path

	at := func(when string, lines ...int) []debug.StackFrame {
		t.Helper()
		stack, err := session.Stack()
		if err != nil {
			t.Fatalf("%s: %v", when, err)
		}
		var have []int
		for i := range stack {
			have = append(have, stack[i].Place.Start.Line)
		}
		if !slices.Equal(have, lines) {
			t.Fatalf("%s: on lines %v of the stack, want %v", when, have, lines)
		}
		return stack
	}
	move := func(moved bool, err error) {
		t.Helper()
		if err != nil || !moved {
			t.Fatalf("moved: %v, %v", moved, err)
		}
	}
	value := func(expression, want string) {
		t.Helper()
		if v, err := session.Evaluate(expression, 0); err != nil || v.Value != want {
			t.Errorf("%s is %q, %v; want %q", expression, v.Value, err, want)
		}
	}

	at("the beginning is in the modifier", 40)
	move(session.Next(debug.ByStatement))
	move(session.StepIn(debug.ByStatement))
	at("in half", 82, 46)
	move(session.StepOut())
	at("back in the call of half", 46)
	move(session.Next(debug.ByLine))
	at("after it", 47)
	move(session.Back(debug.ByLine))
	at("and back over half", 46)

	line := debug.AtOrAfter(r.Lines(path), 19)
	hits := r.Line(path, line)
	if line != 20 || len(hits) != 2 {
		t.Fatalf("line 19 stops at line %d, %d times", line, len(hits))
	}
	stop := &debug.Breakpoint{Hits: hits, HitCount: "2"}
	if err := session.Resolve(stop); err != nil {
		t.Fatal(err)
	}
	if stopped, _, err := session.Continue([]*debug.Breakpoint{stop}); err != nil || len(stopped) != 1 {
		t.Fatal(stopped, err)
	}
	stack := at("in the second call of add", 20, 52)
	value("count", "13")
	value("count + 2 == 0xf && msg.value < 1", "true")
	value("address(this)", stack[0].Frame.Self.Hex()+" (Counter)")
	if _, err := session.Evaluate("nothing[", 0); err == nil {
		t.Error("nothing[ is an expression")
	}
	if err := session.RestartFrame(&stack[1]); err != nil {
		t.Fatal(err)
	}
	at("at the beginning of the second push", 40)

	list, err := session.Evaluate("list.length", 0)
	if err != nil || list.Slot == nil || list.Value != "1" {
		t.Fatal(list, err)
	}
	changes, err := session.Changes(*list.Slot, list.Path)
	if err != nil || len(changes) != 2 {
		t.Fatalf("the length changes %d times, %v", len(changes), err)
	}
	pushes := &debug.Breakpoint{Hits: changes}
	if stopped, err := session.ReverseContinue([]*debug.Breakpoint{pushes}); err != nil || len(stopped) != 1 {
		t.Fatal(stopped, err)
	}
	at("where the first element is pushed", 50)
	value("list.length", "0")

	conditional := &debug.Breakpoint{Condition: "count > 5"}
	conditional.Hits, _ = r.Function("Counter.add")
	said := &debug.Breakpoint{Log: "sum {count}, {nothing}"}
	said.Hits, _ = r.Function("add")
	for _, b := range []*debug.Breakpoint{conditional, said} {
		if err := session.Resolve(b); err != nil {
			t.Fatal(err)
		}
	}
	stopped, messages, err := session.Continue([]*debug.Breakpoint{conditional, said})
	if err != nil || len(stopped) != 1 || !slices.Equal(messages, []string{"sum 0, {nothing}", "sum 13, {nothing}"}) {
		t.Fatal(stopped, messages, err)
	}
	at("where the counter is 13", 20, 52)

	failures := r.Failures()
	if len(failures) != 2 || failures[0].Kind != debug.Reverted || failures[1].Kind != debug.Panicked {
		t.Fatalf("failures: %+v", failures)
	}
	if err := session.Goto(failures[1].At); err != nil {
		t.Fatal(err)
	}
	at("at the assertion", 66)
	value("list[1]", "506")
	value("last[msg.sender]", "1")
	if f := r.FailureAt(session.Position()); f == nil || r.Explain(f) != "Panic(0x01): an assertion does not hold" {
		t.Errorf("failure: %+v", f)
	}
	if err := session.GotoTransaction(2); err != nil {
		t.Fatal(err)
	}
	at("at the beginning of sort", 70)
	if session.GotoTransaction(4) == nil || session.Goto(debug.Position(r.Len())) == nil {
		t.Error("moved behind the end")
	}
}

// BenchmarkDebug records 100 transactions with 10^7 instructions, and one with as many as
// its gas allows. It reports the bytes that the Recording keeps and that the process has,
// and the times of a step back with the stack at its end, and of an instruction
// breakpoint. The time of a step back is that of the last statements of a transaction,
// which are the farthest from the state that is kept.
func BenchmarkDebug(b *testing.B) {
	build := searchtest.Compile(b, "testdata/Long.sol")
	for _, c := range []struct {
		name         string
		transactions int
		rounds       uint64
	}{{"transactions=100", 100, 2700}, {"transactions=1", 1, 150_000}} {
		b.Run(c.name, func(b *testing.B) {
			d := searchtest.New(b, build, "Long", 1)
			tracer := NewTracer(d.Subject, d.Replayer)
			callee := d.Callee(b, "work")
			s := input.Sequence{Deployment: d.Subject.Deployment.Record}
			for range c.transactions {
				tx := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
				tx.Args[0].Word.SetUint64(c.rounds)
				s.Txs = append(s.Txs, tx)
			}
			for range b.N {
				benchmarkDebug(b, tracer, s)
			}
		})
	}
}

func benchmarkDebug(b *testing.B, tracer *Tracer, s input.Sequence) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	began := time.Now()
	r := recorded(b, tracer, s, finding.Finding{})
	b.ReportMetric(time.Since(began).Seconds(), "s/recording")
	runtime.GC()
	runtime.ReadMemStats(&after)
	b.ReportMetric(float64(r.Len()), "instructions")
	b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/1e6, "MB")
	b.ReportMetric(float64(after.Sys)/1e6, "MB-process")
	session := r.NewSession(b.Context())
	defer session.Close()
	if err := session.Goto(debug.Position(r.Len() - 1)); err != nil {
		b.Fatal(err)
	}
	const steps = 50
	began = time.Now()
	for range steps {
		if moved, err := session.BackIn(debug.ByStatement); err != nil || !moved {
			b.Fatal(moved, err)
		}
		if _, err := session.Stack(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(time.Since(began).Seconds()*1000/steps, "ms/step-back")
	began = time.Now()
	stack, err := session.Stack()
	if err != nil {
		b.Fatal(err)
	}
	if _, err := session.Executions([]debug.Instruction{{Code: stack[0].Frame.Code, PC: stack[0].PC}}); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(time.Since(began).Seconds()*1000, "ms/instruction-breakpoint")
	runtime.KeepAlive(r)
}
