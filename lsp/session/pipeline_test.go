package session

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/settings"
	"leveret/solc"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// Step 0: an edit moves the findings at once and runs nothing.
func TestEditsMoveFindings(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\nplain\nbug y\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x", "4 A:y")
	runs := len(l.ran())

	l.edit("A.sol", "contract A\n// why\nbug x\nplain\nbug y\n")
	l.wantMarks("A.sol", "3 A:x", "5 A:y")
	l.edit("A.sol", "contract A\n// why\nbug x // ok\nplain\nbug y\n")
	l.wantMarks("A.sol", "3 A:x*", "5 A:y")
	l.edit("A.sol", "contract A\n// why\nbug x // ok\nplain\n")
	l.wantMarks("A.sol", "3 A:x*")
	if n := len(l.ran()); n != runs {
		t.Errorf("typing started %d campaigns", n-runs)
	}
}

func TestRangedEditsMoveFindings(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	insert := TextChange{Start: Point{Line: 1}, End: Point{Line: 1}, Text: "one\ntwo\n"}
	if err := l.Change(l.path("A.sol"), 2, []TextChange{insert, insert}); err != nil {
		t.Fatal(err)
	}
	l.wantMarks("A.sol", "6 A:x")
	if d := l.Snapshot().Documents[l.path("A.sol")]; d.Version != 2 || string(d.Text) != "contract A\none\ntwo\none\ntwo\nbug x\n" {
		t.Errorf("version %d: %q", d.Version, d.Text)
	}
	backwards := TextChange{Start: Point{Line: 3}, End: Point{Line: 1}}
	if l.Change(l.path("A.sol"), 3, []TextChange{backwards}) == nil {
		t.Error("a range that ends before its start was accepted")
	}
	if l.Change(l.path("B.sol"), 3, nil) == nil {
		t.Error("a change of a closed file was accepted")
	}
}

// Step 0: an edit cancels only the campaign on its file.
func TestEditCancelsCampaign(t *testing.T) {
	l := newLab(t)
	hold := make(chan struct{})
	l.hold(hold)
	l.open("A.sol", "contract A\nbug x\n")
	l.open("B.sol", "contract B\n")
	l.campaign(1)
	first := l.ran()[0].contract
	other := map[string]string{"A": "B.sol", "B": "A.sol"}[first]
	if path := l.path(first + ".sol"); l.Snapshot().Activity.Path != path {
		t.Fatalf("working on %s", l.Snapshot().Activity.Path)
	}
	l.edit(first+".sol", "contract "+first+"\nplain\n")
	l.until("the other file's campaign runs", func(s *Snapshot) bool { return s.Activity.Path == l.path(other) })
	close(hold)
	s := l.rest()
	if a := s.Analyses[l.path(first+".sol")]; a.Contracts[0].State != StateStale {
		t.Errorf("the edited contract is %s", a.Contracts[0].State)
	}
	for _, r := range l.ran() {
		if r.done == (r.contract == first) {
			t.Errorf("campaign on %s: completed %v", r.contract, r.done)
		}
	}
}

// Step 1: a save of the same text does nothing.
func TestSaveOfSameTextDoesNothing(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	for range 3 {
		l.Save(l.path("A.sol"))
		l.rest()
	}
	if c, r := l.compilations(), l.ran(); len(c) != 1 || len(r) != 1 {
		t.Errorf("%d compilations and %d campaigns, want one of each", len(c), len(r))
	}
}

// Step 1: saves in quick succession count as one.
func TestSavesCoalesce(t *testing.T) {
	saved := make(chan struct{})
	l := newLab(t, func(c *Config) {
		c.Sleep = func(_ context.Context, d time.Duration) {
			if d != c.Coalesce {
				t.Errorf("waits for %v", d)
			}
			<-saved
		}
	})
	l.open("A.sol", "contract A\n")
	for i := range 10 {
		l.save("A.sol", fmt.Sprintf("contract A\nv%d\n", i))
	}
	close(saved)
	l.rest()
	if c := l.compilations(); len(c) != 1 {
		t.Errorf("%d compilations of 11 requests", len(c))
	}
	if r := l.ran(); r[len(r)-1].text != "contract A\nv9\n" {
		t.Errorf("last campaign on %q", r[len(r)-1].text)
	}
}

// Step 1: while a compiler is busy, files gather; the one that was saved last is compiled
// first, whatever was opened before, and files that do not compile delay nothing.
func TestAskedFileIsCompiledFirst(t *testing.T) {
	l := newLab(t)
	busy, free := make(chan struct{}), make(chan struct{})
	var once sync.Once
	l.order(func(o *orders) { o.compiler = func() { once.Do(func() { close(busy); <-free }) } })
	l.open("Slow.sol", "contract Slow\n")
	<-busy
	l.open("Asked.sol", "contract Asked\n")
	l.open("Broken.sol", "error\n")
	l.open("Other.sol", "contract Other\n")
	l.save("Asked.sol", "contract Asked\nbug new\n")
	close(free)
	l.rest()
	want := []string{"Slow.sol", "Asked.sol", "Other.sol", "Broken.sol"}
	if got := l.compilations(); len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("compiled %q, want %q first", got, want)
	}
	if got := contractsOf(l.ran()); len(got) == 0 || got[0] != "Asked" {
		t.Errorf("fuzzed %q", got)
	}
	l.wantMarks("Asked.sol", "2 Asked:new")
}

// Step 1: a newer save supersedes the campaign of an older one.
func TestNewerSaveSupersedes(t *testing.T) {
	l := newLab(t)
	l.hold(make(chan struct{}))
	l.open("A.sol", "contract A\nold\n")
	l.campaign(1)
	l.hold(nil)
	l.save("A.sol", "contract A\nnew\n")
	l.rest()
	runs := l.ran()
	last := runs[len(runs)-1]
	if runs[0].done || !last.done || last.text != "contract A\nnew\n" {
		t.Errorf("campaigns %+v", runs)
	}
}

// Step 1: a save that undoes an edit resumes the interrupted campaign.
func TestInterruptedCampaignIsResumed(t *testing.T) {
	l := newLab(t)
	l.hold(make(chan struct{}))
	l.open("A.sol", "contract A\n")
	l.campaign(1)
	l.edit("A.sol", "contract A\nx\n")
	l.rest()
	l.hold(nil)
	l.save("A.sol", "contract A\n")
	l.rest()
	if runs := l.ran(); len(runs) != 2 || !runs[1].done || len(l.compilations()) != 1 {
		t.Errorf("campaigns %+v, compilations %v", runs, l.compilations())
	}
}

// Step 2: a file that does not compile keeps its findings and reports the error.
func TestCompileFailure(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.save("A.sol", "contract A\nbug x\nerror\n")
	s := l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if f := s.Analyses[l.path("A.sol")].Failure; f == nil || !strings.Contains(f.Text, "this is wrong") {
		t.Errorf("failure %+v", f)
	}
	l.save("A.sol", "contract A\nbug x\n")
	s = l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if f := s.Analyses[l.path("A.sol")].Failure; f != nil {
		t.Errorf("failure %+v after it was fixed", f)
	}
}

// Step 2: files that import an open buffer use its unsaved text.
func TestImportsUseUnsavedText(t *testing.T) {
	l := newLab(t)
	l.write("B.sol", "on disk\n")
	l.open("A.sol", "contract A\nimport B.sol\n")
	l.rest()
	l.open("B.sol", "on disk\n")
	l.rest()
	l.edit("B.sol", "bug b\n") // not saved
	l.Save(l.path("A.sol"))
	l.rest()
	l.wantMarks("B.sol", "1 A:b")
}

// Fixing an import fixes the failure of the file that imports it.
func TestDependentOfFailureIsCompiledAgain(t *testing.T) {
	l := newLab(t)
	l.open("B.sol", "error\n")
	l.open("A.sol", "import B.sol\ncontract A\nbug x\n")
	s := l.rest()
	if f := s.Analyses[l.path("A.sol")].Failure; f == nil || f.Path != l.path("B.sol") {
		t.Fatalf("failure %+v", f)
	}
	l.save("B.sol", "fine\n")
	l.rest()
	l.wantMarks("A.sol", "3 A:x")
}

// Step 3: a comment moves findings and runs nothing.
func TestCommentRunsNothing(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.save("A.sol", "contract A// new\nbug x// here\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if r := l.ran(); len(r) != 1 {
		t.Errorf("%d campaigns, want 1", len(r))
	}
	if c := l.compilations(); len(c) != 2 {
		t.Errorf("%d compilations, want 2", len(c))
	}
}

// Step 4: fixed findings disappear before fuzzing starts.
func TestFixedFindingsDisappearFirst(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\nbug y\n")
	l.rest()
	hold := make(chan struct{})
	l.hold(hold)
	l.save("A.sol", "contract A\nfine\nbug y\n")
	l.until("x is gone while the campaign runs", func(s *Snapshot) bool {
		return slices.Equal(marks(s, l.path("A.sol")), []string{"3 A:y*"}) && s.Activity.Kind == Campaign
	})
	close(hold)
	l.rest()
	l.wantMarks("A.sol", "3 A:y")
}

// Step 4, with several contracts: all known findings are executed before
// fuzzing starts.
func TestRevalidationComesFirst(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\ncontract B\nbug x\n")
	l.rest()
	before := len(l.ran())
	l.save("A.sol", "contract A\ncontract B\nfine\n")
	l.rest()
	var order []string
	for _, r := range l.ran()[before:] {
		order = append(order, fmt.Sprintf("%s %v", r.contract, r.recheck))
	}
	if want := []string{"A true", "B true", "A false", "B false"}; !slices.Equal(order, want) {
		t.Errorf("order %q, want %q", order, want)
	}
	l.wantMarks("A.sol")
}

// Step 5: campaigns target the changed lines of all changed files.
func TestChangedLinesAreTargets(t *testing.T) {
	l := newLab(t)
	l.open("B.sol", "one\ntwo\n")
	l.open("A.sol", "import B.sol\ncontract A\nthree\n")
	l.rest()
	if r := l.ran(); len(r) != 1 || len(r[0].options.Lines) != 0 {
		t.Fatalf("first campaign %+v", r)
	}
	l.save("A.sol", "import B.sol\ncontract A\n3\n")
	l.rest()
	l.save("B.sol", "one\n2\n")
	l.rest()
	runs := l.ran()
	for i, want := range map[int]string{1: "A.sol", 2: "B.sol"} {
		lines := runs[i].options.Lines
		if len(lines) != 1 || lines[0].File != want || len(lines[0].Spans) != 1 {
			t.Errorf("campaign %d targets %+v, want a line of %s", i, lines, want)
		}
	}
	if s := runs[2].options.Lines[0].Spans[0]; s.Start != 4 || s.End() != 6 {
		t.Errorf("targets %+v", s)
	}
}

// Step 5: targets are the changes since the last completed campaign, so those
// of an interrupted campaign remain.
func TestTargetsAccumulate(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\none\ntwo\n")
	l.rest()
	l.hold(make(chan struct{}))
	l.save("A.sol", "contract A\n1\ntwo\n")
	l.campaign(2)
	l.hold(nil)
	l.save("A.sol", "contract A\n1\n2\n")
	l.rest()
	runs := l.ran()
	if s := runs[len(runs)-1].options.Lines[0].Spans; len(s) != 1 || s[0].Start != 11 || s[0].Length != 4 {
		t.Errorf("targets %+v, want both changed lines", s)
	}
}

// Step 6: the session shows findings while the campaign runs.
func TestFindingsAppearDuringCampaign(t *testing.T) {
	l := newLab(t)
	hold := make(chan struct{})
	l.order(func(o *orders) { o.hold, o.found = hold, true })
	l.open("A.sol", "contract A\nbug x\n")
	l.until("finding", func(s *Snapshot) bool { return len(s.Marks(l.path("A.sol"))) == 1 })
	if s := l.Snapshot(); s.Activity.Kind != Campaign || s.Analyses[l.path("A.sol")].Contracts[0].State != StateRunning {
		t.Errorf("activity %+v", s.Activity)
	}
	close(hold)
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
}

// A finding whose witness was shrunk replaces the one with the long witness.
func TestShrunkFindingsReplaceLongOnes(t *testing.T) {
	l := newLab(t)
	shrunk := make(chan struct{})
	l.order(func(o *orders) { o.shrunk, o.found = shrunk, true })
	l.open("A.sol", "contract A\nbug x\n")
	messages := func(s *Snapshot) (list []string) {
		for _, m := range s.Marks(l.path("A.sol")) {
			list = append(list, m.Finding.Message)
		}
		return list
	}
	l.until("finding", func(s *Snapshot) bool { return slices.Equal(messages(s), []string{"bug x at length"}) })
	close(shrunk)
	l.until("shrunk finding", func(s *Snapshot) bool { return slices.Equal(messages(s), []string{"bug x"}) })
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
}

// Step 6: the contracts of a file share the budget of a save.
func TestBudgetIsShared(t *testing.T) {
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Budget = 4 * time.Second })
	l.open("A.sol", "contract A\ncontract B\n")
	l.open("C.sol", strings.Repeat("contract C\n", 1))
	l.rest()
	for _, r := range l.ran() {
		want := 2 * time.Second
		if r.contract == "C" {
			want = 4 * time.Second
		}
		if r.options.Time != want {
			t.Errorf("%s has %v, want %v", r.contract, r.options.Time, want)
		}
	}
}

// On a busy machine, deploying may take the time of a campaign: it gets twice as much until
// it tried enough, and keeps what it found.
func TestStarvedCampaignRunsAgain(t *testing.T) {
	for _, test := range []struct {
		name   string
		inputs []int // of each run
		budget time.Duration
		want   []time.Duration // in budgets
	}{
		{"enough", []int{leastInputs}, 20 * time.Millisecond, []time.Duration{1}},
		{"in time", []int{0}, time.Hour, []time.Duration{1}},
		{"once more", []int{0, leastInputs}, 20 * time.Millisecond, []time.Duration{1, 2}},
		{"never", []int{0, 1, 1, 1}, 20 * time.Millisecond, []time.Duration{1, 2, 4, 8}},
	} {
		t.Run(test.name, func(t *testing.T) {
			var times []time.Duration
			known := 0
			l := newLab(t, func(c *Config) {
				c.Engine.Fuzz = func(_ context.Context, contract *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
					inputs := test.inputs[len(times)]
					times, known = append(times, o.Time/test.budget), len(o.Known)
					if o.Time < time.Minute {
						time.Sleep(o.Time)
					}
					o.Observe(engine.Event{Kind: engine.EventFound, Contract: contract, Finding: bugs(contract)["x"]})
					return &finding.Result{Stats: finding.Stats{Inputs: inputs}, Findings: []finding.Finding{*bugs(contract)["x"]}}, nil
				}
			})
			l.set(func(s *settings.Settings) { s.Budget = test.budget })
			l.open("A.sol", "contract A\nbug x\n")
			l.rest()
			l.wantMarks("A.sol", "2 A:x")
			if !slices.Equal(times, test.want) {
				t.Errorf("campaigns of %d budgets, want %d", times, test.want)
			}
			if want := min(1, len(times)-1); known != want {
				t.Errorf("the last campaign knew %d findings, want %d", known, want)
			}
		})
	}
}

// Step 6: idle campaigns double their budgets up to two minutes, and end.
func TestIdleCampaigns(t *testing.T) {
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Idle = true })
	l.order(func(o *orders) {
		o.stats = func(n int) finding.Stats { // each campaign makes progress
			return finding.Stats{Inputs: 1, Paths: n, Jumps: finding.Jumps{Covered: 1, Seen: 2}}
		}
	})
	l.open("A.sol", "contract A\n")
	l.rest()
	var budgets []time.Duration
	seeds := map[uint64]bool{}
	for _, r := range l.ran() {
		budgets = append(budgets, r.options.Time/time.Second)
		seeds[r.options.Seed] = true
	}
	if want := []time.Duration{3, 6, 12, 24, 48, 96, 120}; !slices.Equal(budgets, want) {
		t.Errorf("budgets %v, want %v", budgets, want)
	}
	if len(seeds) != len(budgets) {
		t.Errorf("%d seeds for %d campaigns", len(seeds), len(budgets))
	}
}

func TestIdleCampaignsEnd(t *testing.T) {
	for _, test := range []struct {
		name  string
		stats finding.Stats
		note  string
		want  int // campaigns
	}{
		{"nothing left", finding.Stats{Inputs: 1, Paths: 1, Jumps: finding.Jumps{Covered: 2, Seen: 2}}, "", 1},
		{"nothing new", finding.Stats{Inputs: 1, Paths: 1, Jumps: finding.Jumps{Covered: 1, Seen: 2}}, "", 3},
		{"not fuzzed", finding.Stats{}, "the constructor always reverts", 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			l := newLab(t)
			l.order(func(o *orders) { o.stats, o.note = func(int) finding.Stats { return test.stats }, test.note })
			l.set(func(s *settings.Settings) { s.Idle = true })
			l.open("A.sol", "contract A\n")
			l.rest()
			if n := len(l.ran()); n != test.want {
				t.Errorf("%d campaigns, want %d", n, test.want)
			}
		})
	}
}

// Typing cancels idle campaigns; only a save or an opened file starts them again.
func TestTypingStopsIdleCampaigns(t *testing.T) {
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Idle = true })
	hold := make(chan struct{}, 1)
	hold <- struct{}{} // let the first campaign end
	l.order(func(o *orders) {
		o.hold = hold
		o.stats = func(int) finding.Stats {
			return finding.Stats{Inputs: 1, Jumps: finding.Jumps{Covered: 1, Seen: 2}}
		}
	})
	l.open("A.sol", "contract A\n")
	l.until("an idle campaign", func(s *Snapshot) bool { return s.Activity.Kind == IdleCampaign })
	l.edit("A.sol", "contract A\nx\n")
	l.rest()
	if n := len(l.ran()); n != 2 {
		t.Errorf("%d campaigns, want 2", n)
	}
}

// Step 7 and all others: after many quick saves the session shows the state of
// the last text, and nothing is running.
func TestStorm(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\n")
	l.open("B.sol", "import A.sol\ncontract B\n")
	for i := range 200 {
		name := []string{"A", "B"}[i%2]
		head := map[string]string{"A": "", "B": "import A.sol\n"}[name]
		text := fmt.Sprintf("%scontract %s\nbug n%d\n", head, name, i)
		l.edit(name+".sol", text+"typing")
		l.save(name+".sol", text)
		if i%10 == 0 {
			time.Sleep(2 * time.Millisecond)
		}
	}
	l.rest()
	l.wantMarks("A.sol", "2 A:n198", "2 B:n198")
	l.wantMarks("B.sol", "3 B:n199")
	runs := l.ran()
	l.open("C.sol", "contract C\n") // after what is left to do
	l.until("the campaign of C", func(s *Snapshot) bool { return len(l.ran()) > len(runs) })
	l.rest()
	if left := l.ran()[len(runs):]; len(left) != 1 || left[0].contract != "C" {
		t.Errorf("campaigns after the storm: %+v", left)
	}
}

func TestCloseForgets(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.CloseFile(l.path("A.sol"))
	s := l.rest()
	if len(s.Analyses) != 0 || len(s.Documents) != 0 {
		t.Errorf("left: %v, %v", s.Analyses, s.Documents)
	}
	l.Save(l.path("A.sol")) // a save after the close is ignored
	if s := l.rest(); len(s.Analyses) != 0 {
		t.Errorf("left: %v", s.Analyses)
	}
}

func TestWatchedFileChanges(t *testing.T) {
	l := newLab(t)
	l.write("B.sol", "fine\n")
	l.open("A.sol", "import B.sol\ncontract A\n")
	l.rest()
	if got := l.Sources(); !slices.Equal(got, []string{l.path("A.sol"), l.path("B.sol")}) {
		t.Errorf("watched %q", got)
	}
	l.write("B.sol", "\nbug b\n")
	l.Changed(l.path("B.sol"), l.path("A.sol"))
	l.rest()
	l.wantMarks("B.sol", "2 A:b")
	l.write("B.sol", "\n\n\nbug b // moved\n")
	l.Changed(l.path("B.sol"))
	l.rest()
	l.wantMarks("B.sol", "4 A:b")
}

func TestFuzzLonger(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\ncontract B\n")
	l.rest()
	before := len(l.ran())
	l.Fuzz(l.path("A.sol"), "B", &Span{Start: 11, Length: 10})
	l.rest()
	runs := l.ran()[before:]
	if len(runs) != 1 || runs[0].contract != "B" || runs[0].options.Time != 30*time.Second {
		t.Fatalf("campaigns %+v", runs)
	}
	if s := runs[0].options.Lines[0].Spans[0]; s.Start != 11 || s.Length != 10 {
		t.Errorf("targets %+v", s)
	}
}

func TestStop(t *testing.T) {
	l := newLab(t)
	l.hold(make(chan struct{}))
	l.open("A.sol", "contract A\n")
	l.campaign(1)
	l.Stop()
	l.rest()
	if runs := l.ran(); len(runs) != 1 || runs[0].done {
		t.Errorf("campaigns %+v", runs)
	}
}

// A panic in the engine or while reading the compiler's output ends only one
// campaign.
func TestPanicsAreCaught(t *testing.T) {
	l := newLab(t)
	l.order(func(o *orders) { o.fails = &engine.Panic{Contract: "A", Value: "boom", Stack: []byte("where")} })
	l.open("A.sol", "contract A\nbug x\n")
	s := l.rest()
	if note := s.Analyses[l.path("A.sol")].Contracts[0].Note; !strings.Contains(note, "boom") {
		t.Errorf("note %q", note)
	}
	l.order(func(o *orders) { o.compiler, o.fails = func() { panic("bang") }, nil })
	l.save("A.sol", "contract A\nbug y\n")
	s = l.rest()
	if f := s.Analyses[l.path("A.sol")].Failure; f == nil || !strings.Contains(f.Text, "bang") {
		t.Errorf("failure %+v", f)
	}
	l.order(func(o *orders) { o.compiler = nil })
	l.save("A.sol", "contract A\nbug z\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:z")
}

func TestSettingsOfCampaigns(t *testing.T) {
	l := newLab(t, func(c *Config) { c.Cache = t.TempDir() })
	l.set(func(s *settings.Settings) {
		s.Seed = 7
		s.Oracles = map[string]finding.Severity{"overflow": finding.Off}
	})
	l.open("A.sol", "contract A\n")
	l.rest()
	o := l.ran()[0].options
	if o.Seed != 7 || o.Severities["overflow"] != finding.Off || len(o.Severities) != 1 || o.Workers < 1 {
		t.Errorf("options %+v", o)
	}
	if !within(o.Corpus, l.config.Cache) || within(o.Corpus, l.dir) {
		t.Errorf("corpus in %s", o.Corpus)
	}
}

// An editor that takes over what another program wrote, such as git, does not save the
// file: it counts as saved when text and disk agree, whichever changes first. A save of
// the editor's own, which watchers report as well, is analysed once.
func TestReloadedFileIsAnalysed(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.open("B.sol", "import A.sol\ncontract B\n")
	l.rest()
	l.write("A.sol", "contract A\n\nbug y\n")
	l.edit("A.sol", "contract A\n\nbug y\n")
	l.Changed(l.path("A.sol"))
	l.rest()
	l.wantMarks("A.sol", "3 A:y", "3 B:y")
	l.write("A.sol", "contract A\nbug z\n")
	l.Changed(l.path("A.sol"))
	l.rest()
	l.edit("A.sol", "contract A\nbug z\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:z", "2 B:z")
	l.hold(make(chan struct{}))
	l.save("A.sol", "contract A\nbug v\n")
	l.until("its campaign", func(s *Snapshot) bool { return s.Activity.Kind == Campaign })
	before := l.Snapshot().Activity.Serial
	l.Changed(l.path("A.sol"))
	if l.queue.waits() || l.Snapshot().Activity.Serial != before {
		t.Error("the event of a save interrupts its campaign")
	}
	l.hold(nil)
	l.Stop()
	l.rest()
}

// A file whose import is missing is compiled again once the import exists, on the disk
// or in the editor.
func TestMissingImportAppears(t *testing.T) {
	for name, appear := range map[string]func(*lab){
		"on the disk":   func(l *lab) { l.write("B.sol", "bug b\n"); l.Changed(l.path("B.sol")) },
		"in the editor": func(l *lab) { l.Open("file://"+l.path("B.sol"), l.path("B.sol"), 1, "bug b\n") },
	} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t)
			l.open("A.sol", "import B.sol\ncontract A\n")
			if s := l.rest(); s.Analyses[l.path("A.sol")].Failure == nil {
				t.Fatal("it compiles without its import")
			}
			if !slices.Contains(l.Sources(), l.path("B.sol")) {
				t.Error("nobody watches for the import")
			}
			appear(l)
			l.rest()
			l.wantMarks("B.sol", "1 A:b")
		})
	}
}
