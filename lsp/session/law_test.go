package session

import (
	"context"
	"os"
	"slices"
	"testing"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/settings"
	"leveret/solc"
)

// These tests cover edits after which the session once showed a different state
// than a fresh session. lsp/present tests the property with random edits.

func (l *lab) state(name string) State { return l.Snapshot().Analyses[l.path(name)].Contracts[0].State }

func TestTypoUndone(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.edit("A.sol", "contract A\nbuug x\n")
	l.wantMarks("A.sol", "2 A:x*")
	l.edit("A.sol", "contract A\nbug x\n")
	l.wantMarks("A.sol", "2 A:x") // without a save
	l.edit("A.sol", "contract A\nbuug x\n")
	l.save("A.sol", "contract A\nbug x\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
}

func TestLineCutAndPastedBack(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.edit("A.sol", "contract A\n")
	l.wantMarks("A.sol")
	l.save("A.sol", "contract A\nbug x\n")
	s := l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if n := len(l.ran()); n != 1 || s.Analyses[l.path("A.sol")].Contracts[0].State != StateFindings {
		t.Errorf("%d campaigns, state %s", n, l.state("A.sol"))
	}
}

// The same with a save in between: the earlier results return before fuzzing
// starts.
func TestSavedEditUndone(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	l.save("A.sol", "contract A\n")
	l.rest()
	l.wantMarks("A.sol")
	l.hold(make(chan struct{}))
	l.save("A.sol", "contract A\nbug x\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if n := len(l.ran()); n != 2 {
		t.Errorf("%d campaigns, want 2", n)
	}
}

func TestBrokenSyntaxUndone(t *testing.T) {
	l := newLab(t)
	const text = "contract A\nbug x\nbug y\n"
	l.open("A.sol", text)
	l.rest()
	before := l.Snapshot().Marks(l.path("A.sol"))
	for _, broken := range []string{"contract A\nbug error\nbug y\n", "error", "contract A\nbug xerror\nbug y\n"} {
		l.save("A.sol", broken)
		l.rest()
		l.save("A.sol", text)
		l.rest()
		after := l.Snapshot().Marks(l.path("A.sol"))
		if len(after) != 2 || after[0].Span != before[0].Span || after[1].Span != before[1].Span || after[0].Stale || after[1].Stale {
			t.Errorf("after %q: %+v", broken, after)
		}
	}
}

// A campaign that an edit cancelled resumes when the edit is undone, with or
// without a save.
func TestCampaignResumesAfterUndo(t *testing.T) {
	l := newLab(t)
	l.hold(make(chan struct{}))
	l.open("A.sol", "contract A\nbug x\n")
	l.campaign(1)
	l.edit("A.sol", "contract A\nbug xy\n")
	l.rest()
	if l.state("A.sol") != StateStale {
		t.Errorf("while it is edited it is %s", l.state("A.sol"))
	}
	l.hold(nil)
	l.edit("A.sol", "contract A\nbug x\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
	if runs := l.ran(); len(runs) != 2 || !runs[1].done {
		t.Errorf("campaigns %+v", runs)
	}
}

// Queued requests also resume, and unsaved text is not compiled.
func TestQueuedRequestsWaitDuringEdits(t *testing.T) {
	l := newLab(t)
	l.hold(make(chan struct{}))
	names := []string{"A", "B"}
	for _, name := range names {
		l.open(name+".sol", "contract "+name+"\n")
	}
	l.campaign(1)
	for _, name := range names {
		l.edit(name+".sol", "contract "+name+"\nerror\n")
	}
	s := l.rest()
	for path, a := range s.Analyses {
		if a.Failure != nil {
			t.Errorf("the unsaved text of %s was compiled", path)
		}
	}
	l.hold(nil)
	for _, name := range names {
		l.edit(name+".sol", "contract "+name+"\n")
	}
	l.rest()
	for _, name := range names {
		if state := l.state(name + ".sol"); state != StateClean {
			t.Errorf("%s is %s", name, state)
		}
	}
}

// A finding of older code stays until its witness ran on the current code.
func TestUncheckedFindingsStay(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	hold := make(chan struct{})
	l.order(func(o *orders) { o.fuzzer = func() { <-hold } }) // hangs before it executes anything
	l.save("A.sol", "contract A\nbug x\nmore\n")
	l.campaign(2)
	l.save("A.sol", "contract A\nbug x\nand more\n")
	l.order(func(o *orders) { o.fuzzer = nil })
	close(hold)
	l.rest()
	l.wantMarks("A.sol", "2 A:x")
}

// An interrupted idle campaign does not reduce the coverage.
func TestInterruptedIdleCampaignKeepsCoverage(t *testing.T) {
	l := newLab(t)
	l.set(func(s *settings.Settings) { s.Idle = true })
	hold := make(chan struct{}, 1)
	hold <- struct{}{}
	l.order(func(o *orders) {
		o.hold = hold
		o.stats = func(n int) finding.Stats {
			return finding.Stats{Inputs: n, Jumps: finding.Jumps{Covered: 1, Seen: 2}}
		}
	})
	l.open("A.sol", "contract A\n")
	l.until("an idle campaign", func(s *Snapshot) bool { return s.Activity.Kind == IdleCampaign })
	before := l.Snapshot().Analyses[l.path("A.sol")].Contracts[0]
	l.edit("A.sol", "contract A\nx\n")
	l.rest()
	after := l.Snapshot().Analyses[l.path("A.sol")].Contracts[0]
	if after.Explored != before.Explored || after.Stats.Inputs != before.Stats.Inputs || after.State != StateClean {
		t.Errorf("before %+v, after %+v", before, after)
	}
}

// Closing a file discards its unsaved text and what was compiled from it.
func TestClosingWithoutSaving(t *testing.T) {
	l := newLab(t)
	l.open("A.sol", "fine\n")
	l.open("B.sol", "import A.sol\ncontract B\n")
	l.rest()
	l.edit("A.sol", "bug a\n")
	l.Save(l.path("B.sol"))
	l.rest()
	l.wantMarks("A.sol", "1 B:a")
	l.CloseFile(l.path("A.sol"))
	l.rest()
	if m := l.Snapshot().Marks(l.path("A.sol")); len(m) > 0 {
		t.Errorf("%d findings in discarded text", len(m))
	}
}

// Dependents of a saved file are fuzzed after it, also if its campaign was
// interrupted.
func TestInterruptedSaveStillAddsDependents(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.hold(make(chan struct{}))
	l.save("Base.sol", "contract Base\nbug x\n")
	l.campaign(2)
	l.hold(nil)
	l.edit("Base.sol", "contract Base\nbug xy\n")
	l.edit("Base.sol", "contract Base\nbug x\n")
	l.until("the dependent", func(*Snapshot) bool { return slices.Contains(contractsOf(l.ran()), "Heir") })
	l.rest()
	l.wantMarks("Base.sol", "2 Base:x", "2 Heir:x")
}

// The findings of a dependent move when its file changes on disk.
func TestDependentFollowsTheDisk(t *testing.T) {
	l := labWithDependent(t)
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n\n\nbug own\n")
	l.Changed(l.path("Heir.sol"))
	l.until("it moved", func(s *Snapshot) bool { return slices.Equal(marks(s, l.path("Heir.sol")), []string{"5 Heir:own"}) })
}

// A file that is deleted loses its findings at once, also if it was open, and gets them
// back when it is restored.
func TestDeletedFileLosesFindings(t *testing.T) {
	const base = "contract Base\nbug x\n"
	for _, open := range []bool{true, false} {
		l := newLab(t)
		l.write("Base.sol", base)
		if open {
			l.open("Base.sol", base)
		}
		l.open("Heir.sol", "import Base.sol\ncontract Heir\n")
		before := marks(l.rest(), l.path("Base.sol"))
		if !slices.Contains(before, "2 Heir:x") {
			t.Fatalf("findings %q", before)
		}
		l.edit("Heir.sol", "import Base.sol\ncontract Heir // edited, so that it is not compiled\n")
		if err := os.Remove(l.path("Base.sol")); err != nil {
			t.Fatal(err)
		}
		l.Changed(l.path("Base.sol"))
		if open {
			l.wantMarks("Base.sol", before...)
			l.CloseFile(l.path("Base.sol"))
		}
		l.wantMarks("Base.sol")
		l.save("Heir.sol", "import Base.sol\ncontract Heir\n")
		if s := l.rest(); s.Analyses[l.path("Heir.sol")].Failure == nil {
			t.Error("it compiles without the file that it imports")
		}
		l.wantMarks("Base.sol")
		l.write("Base.sol", base)
		l.Changed(l.path("Base.sol"))
		l.wantMarks("Base.sol", "2 Heir:x")
		l.rest()
		l.wantMarks("Base.sol", "2 Heir:x")
	}
}

// A campaign that runs out of time before it executes the known findings leaves
// them unchanged.
func TestTimeoutBeforeKnownFindings(t *testing.T) {
	inputs := 1
	l := newLab(t, func(c *Config) {
		c.Engine.Fuzz = func(_ context.Context, contract *solc.Contract, _ []*solc.Contract, _ engine.Options) (*finding.Result, error) {
			result := &finding.Result{Stats: finding.Stats{Inputs: inputs}}
			if found := bugs(contract)["x"]; found != nil && inputs > 0 {
				result.Findings = append(result.Findings, *found)
			}
			return result, nil
		}
	})
	l.open("A.sol", "contract A\nbug x\n")
	l.rest()
	inputs = 0
	l.save("A.sol", "contract A\nbug x\nmore\n")
	l.rest()
	l.wantMarks("A.sol", "2 A:x*")
	inputs = 1
	l.save("A.sol", "contract A\nfine\nmore\n")
	l.rest()
	l.wantMarks("A.sol")
}

// A completed campaign sets the coverage of its contract even if its last event
// was lost.
func TestCoverageOfCompletedCampaign(t *testing.T) {
	covered := &finding.CoverageReport{Functions: []finding.FunctionCoverage{{Inputs: 7}}}
	l := newLab(t, func(c *Config) {
		c.Engine.Fuzz = func(_ context.Context, contract *solc.Contract, _ []*solc.Contract, o engine.Options) (*finding.Result, error) {
			o.Observe(engine.Event{Kind: engine.EventProgress, Contract: contract, Explored: &finding.CoverageReport{}})
			return &finding.Result{Stats: finding.Stats{Inputs: 7}, Coverage: covered}, nil
		}
	})
	l.open("A.sol", "contract A\nfine\n")
	l.rest()
	if got := l.Snapshot().Analyses[l.path("A.sol")].Contracts[0].Explored; got != covered {
		t.Errorf("the coverage is %+v", got)
	}
}
