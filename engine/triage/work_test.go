package triage

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"leveret/engine/cover"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/engine/search/searchtest"
	"leveret/solc/compiler"
)

// explore executes inputs and lets the triage learn from each.
func (all *triaging) explore(inputs int, after func(*search.Result)) {
	all.Seed()
	all.Run(inputs, all.Driver.Next, func(r *search.Result) {
		all.Triage.Learn(r)
		all.Triage.Release()
		if after != nil {
			after(r)
		}
	})
}

// Triage begins a step only within its share of the work, but for what is almost
// certainly the first finding of an oracle.
func TestTriageKeepsToItsBudget(t *testing.T) {
	all := newTriagingOf(t, mazeOf(t, 1, 12, 3), "Maze")
	all.budget.usual.Initial, all.budget.rare.Initial = 0, 0
	steps, waited, last := 0, 0, uint64(0)
	first, waits := rank(0), false
	all.options.Over = func() bool { // is asked before each step
		spent := all.budget.confirming + all.budget.shrinking
		if steps++; spent > last && (!waits || first != certain) {
			share := all.budget.usual.Share
			if waits && first == rare {
				share = all.budget.rare.Share
			}
			if allowed := share * float64(all.Progress.Work); float64(last) > allowed {
				t.Fatalf("input %d: a step began after work of %d, when %.0f were allowed", all.Progress.Inputs, last, allowed)
			}
		}
		first, waits = all.suspects.first()
		last = spent
		return false
	}
	all.explore(4000, func(*search.Result) {
		if len(all.open) > 0 {
			waited++
		}
	})
	t.Logf("%d findings, %d steps; work of %d for inputs, %d to confirm, %d to shrink", len(all.found), steps, all.Progress.Work, all.budget.confirming, all.budget.shrinking)
	if len(all.found) < 4 || waited == 0 || all.budget.shrinking == 0 {
		t.Errorf("%d findings, and work waited %d times", len(all.found), waited)
	}
	if shares := float64(all.budget.confirming+all.budget.shrinking) / float64(all.Progress.Work); shares > 0.15 {
		t.Errorf("triage took a share of %.3f", shares)
	}
}

// The budget limits ranks by the work for inputs.
func TestBudgetOfRanks(t *testing.T) {
	b := newBudget()
	b.usual.Initial, b.usual.Share, b.rare.Initial, b.rare.Share = 100, 0.1, 200, 0.2
	for _, row := range []struct {
		confirming, shrinking, work uint64
		usual, rare                 bool
	}{
		{0, 0, 0, true, true}, {60, 40, 0, true, true}, {61, 40, 0, false, true}, {101, 0, 10, true, true},
		{101, 100, 0, false, false}, {101, 101, 1000, false, true}, {301, 100, 1000, false, false},
	} {
		b.confirming, b.shrinking = row.confirming, row.shrinking
		if got := [3]bool{b.allows(usual, row.work), b.allows(rare, row.work), b.allows(certain, row.work)}; got != [3]bool{row.usual, row.rare, true} {
			t.Errorf("%+v: %v", row, got)
		}
	}
}

// What may be the first finding of an oracle is confirmed before other suspects; of each rank,
// what may be an error comes first, and then the other oracles have a turn; findings are
// shrunk by severity and age.
func TestOrderOfWork(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	suspectOf := func(list ...*oracle.Oracle) *suspect { return &suspect{oracles: list} }
	note, warning, panics := suspectOf(&oracle.Requirement), suspectOf(&oracle.Overflow), suspectOf(&oracle.Panic)
	leak, broken := suspectOf(&oracle.EtherLeak), &suspect{broken: true}
	all.known.shown = map[string]bool{oracle.Requirement.Name: true, oracle.Overflow.Name: true}
	another := suspectOf(&oracle.Overflow)
	for _, s := range []*suspect{note, warning, another, panics, leak, broken} {
		all.suspects.add(s, all.rank(s))
	}
	var order []*suspect
	for r, waits := all.suspects.first(); waits; r, waits = all.suspects.first() {
		s := all.suspects.take(r)
		all.suspects.charge(s, r, 12)
		order = append(order, s)
	}
	if !slices.Equal(order, []*suspect{broken, panics, leak, warning, note, another}) {
		t.Errorf("the order is %v", order)
	}
	for _, s := range []*suspect{panics, leak, warning} {
		all.suspects.add(s, all.rank(s))
	}
	all.known.shown[oracle.Panic.Name], all.known.shown[oracle.EtherLeak.Name] = true, true
	if all.suspects.sort(all.rank); all.suspects[usual].waiting != 3 {
		t.Errorf("after the first findings the ranks are %v", all.suspects)
	}
	for i, s := range []finding.Severity{finding.Warning, finding.Error, finding.Information, finding.Error} {
		all.open = append(all.open, &openFinding{finding: finding.Finding{Severity: s, Inputs: i}})
	}
	if got := all.severest().finding; got.Severity != finding.Error || got.Inputs != 1 {
		t.Errorf("the first to be shrunk is %+v", got)
	}
}

// Findings are shrunk although many suspects wait that may be the first finding of an
// oracle, during the campaign and at its end.
func TestSuspectsLeaveTimeToShrink(t *testing.T) {
	for _, ends := range []bool{false, true} {
		all := newTriaging(t, "testdata/Sums.sol", "Sums")
		store := all.call(t, "store", 200, 250)
		all.reports(store, nil)
		all.expect(t, 2, "two statements wrap")
		for range maxSuspects {
			all.suspects.add(&suspect{sequence: store, oracles: []*oracle.Oracle{&oracle.EtherLeak}}, rare)
		}
		for len(all.open) > 0 && all.next(ends) {
		}
		t.Logf("%d suspects wait; work of %d to confirm, %d to shrink", all.suspects[rare].waiting, all.budget.confirming, all.budget.shrinking)
		if len(all.open) > 0 || all.suspects[rare].waiting == 0 {
			t.Errorf("at the end: %v; %d findings are to be shrunk, and %d suspects wait", ends, len(all.open), all.suspects[rare].waiting)
		}
	}
}

// At the end, confirming suspects takes no more than its budget. A suspect that is almost certainly the
// first finding of an oracle is confirmed, and what was found is shrunk.
func TestBudgetAtTheEnd(t *testing.T) {
	all := newTriaging(t, "testdata/Sums.sol", "Sums")
	store := all.call(t, "store", 200, 250)
	all.reports(store, nil)
	for range maxSuspects {
		all.suspects.add(&suspect{sequence: store, oracles: []*oracle.Oracle{&oracle.EtherLeak}}, rare)
	}
	all.budget.last.Share, all.budget.last.Initial = 0, 1e6
	all.work(true)
	left := all.suspects[rare].waiting
	if spent := all.budget.last.Spent; left < maxSuspects/2 || left == maxSuspects || len(all.open) > 0 || spent < 1e6 || spent > 2e6 {
		t.Errorf("after work of %d, %d suspects and %d findings wait", spent, left, len(all.open))
	}
	all.suspects.add(&suspect{sequence: store, oracles: []*oracle.Oracle{&oracle.Panic}}, certain)
	if all.work(true); all.suspects[certain].waiting > 0 || all.suspects[rare].waiting != left {
		t.Errorf("without budget, %d and %d suspects wait", all.suspects[certain].waiting, all.suspects[rare].waiting)
	}
}

// An oracle with many suspects, none of which is confirmed, neither keeps the suspects of other
// oracles out nor waiting, nor do those without a gain keep out one with a gain. For four units of work
// of an error, a warning has three, but does not make up for those before it had a suspect; warnings that
// take half the work have twice as many turns. Assertions have eight shares of other errors.
func TestEachOracleHasATurn(t *testing.T) {
	var list suspects
	hidden := &suspect{reasons: []*oracle.Oracle{&oracle.EtherLeak, &oracle.GaslessSend}}
	var leaks []*suspect
	for range maxSuspects + 9 {
		leaks = append(leaks, &suspect{reasons: []*oracle.Oracle{&oracle.EtherLeak}})
		list.add(leaks[len(leaks)-1], rare)
	}
	take := func() *suspect {
		s := list.take(rare)
		work := uint64(1200)
		if slices.Contains(s.reasons, &oracle.Overflow) {
			work /= 2
		}
		list.charge(s, rare, work)
		return s
	}
	for _, s := range leaks[:5] {
		if take() != s {
			t.Fatal("not in the order of their results")
		}
	}
	if !list.add(hidden, rare) || take() != hidden {
		t.Error("it does not come next")
	}
	rich := &suspect{reasons: []*oracle.Oracle{&oracle.EtherLeak}}
	rich.profit.enriched = true
	if !list.add(rich, rare) || take() != rich {
		t.Error("one with a gain does not come next")
	}
	for range 70 {
		take()
	}
	turns := map[*oracle.Oracle]int{}
	for range maxSuspects {
		list.add(&suspect{reasons: []*oracle.Oracle{&oracle.UncheckedCall}}, rare)
		list.add(&suspect{reasons: []*oracle.Oracle{&oracle.Overflow}}, rare)
	}
	for range 140 {
		turns[take().reasons[0]]++
	}
	if leaks, warnings, cheap := turns[&oracle.EtherLeak], turns[&oracle.UncheckedCall], turns[&oracle.Overflow]; leaks < 41 || leaks > 45 || warnings < 30 || warnings > 34 || cheap < 63 || cheap > 67 {
		t.Errorf("%d, %d and %d of 140 turns", leaks, warnings, cheap)
	}
	for range maxSuspects {
		list.add(&suspect{reasons: []*oracle.Oracle{&oracle.Assertion}}, rare)
	}
	clear(turns)
	for range 100 {
		turns[take().reasons[0]]++
	}
	if got := turns[&oracle.Assertion]; got < 68 || got > 74 {
		t.Errorf("%d of 100 turns of assertions", got)
	}
}

// What waits is not lost when it gets another rank.
func TestRankedAgain(t *testing.T) {
	var list suspects
	for _, r := range []rank{rare, usual} {
		for range maxSuspects {
			list.add(&suspect{reasons: []*oracle.Oracle{&oracle.EtherLeak}}, r)
		}
	}
	if list.sort(func(*suspect) rank { return usual }); list[rare].waiting != 0 || list[usual].waiting != 2*maxSuspects {
		t.Errorf("%d and %d wait", list[rare].waiting, list[usual].waiting)
	}
}

// Too many suspects of an oracle are dropped.
func TestSuspectsAreBounded(t *testing.T) {
	var list suspects
	for i := range 2 * maxSuspects {
		if added := list.add(&suspect{}, usual); added != (i < maxSuspects) {
			t.Fatalf("suspect %d is added: %v", i, added)
		}
	}
	if !list.add(&suspect{}, rare) {
		t.Error("another rank has no place")
	}
}

// Witnesses that are shrunk one attempt at a time, between inputs, are those of a
// triage without interruption, with the same IDs.
func TestInterruptedShrinkingGivesTheSame(t *testing.T) {
	b := mazeOf(t, 3, 8, 3)
	at, steps := newTriagingOf(t, b, "Maze"), newTriagingOf(t, b, "Maze")
	var sequences []input.Sequence
	at.explore(1500, func(r *search.Result) {
		if len(r.Run.Failures) > 0 || len(r.Run.Wraps) > 0 {
			sequences = append(sequences, r.Sequence)
		}
	})
	whole := newTriagingOf(t, b, "Maze")
	shrunk := map[string]int{}
	steps.options.Shrunk = func(f *finding.Finding) {
		shrunk[f.ID]++
		i := slices.IndexFunc(steps.found, func(old finding.Finding) bool { return old.ID == f.ID })
		steps.found[i] = *f
	}
	for _, s := range sequences {
		whole.reports(s, nil)
		whole.Finish()
		steps.reports(s, nil)
		steps.release(0)
		steps.next(true)
	}
	long := slices.Clone(steps.found)
	steps.Finish()
	shorter := 0
	if len(whole.found) < 8 || len(whole.found) != len(steps.found) {
		t.Fatalf("%d findings, and %d in steps", len(whole.found), len(steps.found))
	}
	for i, want := range whole.found {
		got := steps.found[i]
		if got.ID != want.ID || got.ID != long[i].ID || got.Witness.String() != want.Witness.String() || got.Message != want.Message || got.Place != want.Place {
			t.Errorf("%s: %s\n%s\nnot %s: %s\n%s", got.ID, got.Message, got.Witness, want.ID, want.Message, want.Witness)
		}
		if shrunk[got.ID] != 1 {
			t.Errorf("%s was shrunk %d times", got.ID, shrunk[got.ID])
		}
		if got.Witness.String() != long[i].Witness.String() {
			shorter++
		}
	}
	if shorter == 0 {
		t.Error("no witness was shrunk at the end")
	}
}

// A failure that is known at its place costs no execution, on whatever path.
func TestKnownFailuresCostNothing(t *testing.T) {
	all := newTriagingOf(t, mazeOf(t, 5, 6, 2), "Maze")
	known, free := map[uint64]bool{}, 0
	all.explore(3000, nil)
	all.Finish()
	found, work, runs := len(all.found), all.run.work, all.effort.Runs
	all.Run(3000, all.Driver.Next, func(r *search.Result) {
		if !r.Fast() || len(r.Run.Failures) == 0 || slices.ContainsFunc(r.Run.Failures, func(f cover.Failure) bool { return !all.known.settled.failures[f] }) {
			return
		}
		if s := all.suspect(r); s != nil {
			t.Fatalf("input %d is a suspect: %+v", all.Progress.Inputs, s)
		}
		known[uint64(r.Run.Path)] = true
		free++
	})
	t.Logf("%d findings after %d checks; then %d inputs on %d paths with known failures", found, runs, free, len(known))
	if all.run.work != work || free == 0 || len(known) < 3 {
		t.Errorf("work of %d for %d inputs on %d paths", all.run.work-work, free, len(known))
	}
}

// Failures with equal keys have one place in the source, in code with and without
// optimiser and via IR: the place that the oracles report.
func TestFailuresHaveOnePlace(t *testing.T) {
	tools := compiler.NewToolchain(searchtest.Env(t))
	defer tools.Close()
	places, failures := 0, 0
	check := func(file string) {
		b := searchtest.CompileWith(t, tools, file)
		for _, c := range b.Contracts {
			if c.Unfuzzable() == "" {
				p, f := onePlace(t, newTriagingOf(t, b, c.Name))
				places, failures = places+p, failures+f
			}
		}
	}
	root := t.TempDir()
	for _, name := range []string{oracle.Assertion.Name, oracle.Panic.Name} {
		files, err := filepath.Glob("../oracle/testdata/" + name + "/*.sol")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			check(file)
			if copied, ok := viaIR(t, root, file); ok {
				check(copied)
			}
		}
	}
	t.Logf("%d failures at %d places", failures, places)
	if places < 20 {
		t.Errorf("only %d places", places)
	}
}

// viaIR copies a source to a project that is optimised and compiled via IR; false
// for compilers without it.
func viaIR(t *testing.T, root, file string) (copied string, ok bool) {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	recent := regexp.MustCompile(`pragma solidity \^0\.8\.\d+;`)
	if !recent.Match(text) {
		return "", false
	}
	settings := "[profile.default]\nsrc = \".\"\noptimizer = true\nvia_ir = true\n"
	copied = filepath.Join(root, filepath.Base(filepath.Dir(file))+"_"+filepath.Base(file))
	for name, content := range map[string]string{filepath.Join(root, "foundry.toml"): settings, copied: string(recent.ReplaceAll(text, []byte("pragma solidity ^0.8.20;")))} {
		if err := os.WriteFile(name, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return copied, true
}

// onePlace explores a contract and compares the failures of its inputs with what
// the oracles report about them. It returns how many places and failures there
// are.
func onePlace(t *testing.T, all *triaging) (places, failures int) {
	placeOf := map[cover.Failure]string{}
	distinct := map[string]bool{}
	all.Seed()
	all.Run(400, all.Driver.Next, func(r *search.Result) {
		if len(r.Run.Failures) != 1 || !r.Fast() || program.IsProperty(r.Sequence.Last().Function) {
			return
		}
		f := r.Run.Failures[0]
		last := len(r.Sequence.Txs) - 1
		var at string
		for _, v := range all.checker.check(r.Sequence, []*oracle.Oracle{&oracle.Assertion, &oracle.Panic}, nil, repeating) {
			if v.tx == last && v.report.Trail[0] == (oracle.Site{Code: f.Code, PC: f.PC}) {
				at += fmt.Sprint(v.key)
			}
		}
		if known, ok := placeOf[f]; ok && known != at {
			t.Errorf("%s: %+v is at %s and at %s", all.Subject.Program.UnderTest.Name, f, known, at)
		}
		placeOf[f], distinct[at] = at, true
	})
	return len(distinct), len(placeOf)
}

// What decides an attempt without the oracle agrees with the oracle: for the
// oracles that say so, the failed check or the path decides.
func TestCheapDecisionsAgreeWithOracles(t *testing.T) {
	tools := compiler.NewToolchain(searchtest.Env(t))
	defer tools.Close()
	attempts, shown := map[string]int{}, map[string]int{}
	for _, o := range oracle.All {
		if !o.ByPath && !o.FailedCheck {
			continue
		}
		files, err := filepath.Glob("../oracle/testdata/" + o.Name + "/hit_*.sol")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			b := searchtest.CompileWith(t, tools, file)
			for _, c := range b.Contracts {
				if c.Unfuzzable() == "" {
					agrees(t, newTriagingOf(t, b, c.Name), o, attempts, shown)
				}
			}
		}
	}
	t.Logf("attempts: %v; that show the finding: %v", attempts, shown)
	if len(shown) < 4 {
		t.Errorf("findings of %d oracles", len(shown))
	}
}

// agrees explores a contract and shrinks its findings of an oracle, with two
// answers to each attempt.
func agrees(t *testing.T, all *triaging, o *oracle.Oracle, attempts, shown map[string]int) {
	all.budget.usual.Share, all.budget.usual.Initial = 0, 1 // shrinks nothing by itself
	all.Seed()
	all.Run(400, all.Driver.Next, func(r *search.Result) {
		if len(all.checker.hints.of(r)) > 0 && r.Fast() {
			all.reports(r.Sequence, all.replayed)
		}
	})
	for _, open := range all.open {
		w := open.witness
		if w.verdict.Oracle() != o || len(w.properties) > 0 {
			continue
		}
		w.start()
		for attempt, ok := w.shrinking.Next(); ok; attempt, ok = w.shrinking.Next() {
			got, want := w.shows(attempt), w.confirm(attempt.Sequence)
			if got != want {
				t.Errorf("%s: the finding %s shows: %v, but the oracle says %v:\n%s", all.Subject.Program.UnderTest.Name, open.finding.Message, got, want, attempt.Sequence)
			}
			if attempts[o.Name]++; want {
				shown[o.Name]++
				w.states = w.tried
			}
			w.shrinking.Tell(want)
		}
	}
}
