package session

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/srcmap"
)

// importedBy makes the named files of the lab's directory importers of each
// source.
func importedBy(names ...string) func(*Config) {
	return func(c *Config) {
		c.Compiler.Importers = func(source SourceFile) []string {
			var list []string
			for _, name := range names {
				list = append(list, filepath.Join(filepath.Dir(source.File), name))
			}
			return list
		}
	}
}

// labWithDependent returns a lab where Base.sol was saved, and its dependent Heir.sol has a
// finding of its own.
func labWithDependent(t *testing.T) *lab {
	l := newLab(t, importedBy("Heir.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\nbug own\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.save("Base.sol", "contract Base\nbug x\n")
	l.until("the dependent", func(s *Snapshot) bool { return len(s.Marks(l.path("Heir.sol"))) == 1 })
	l.rest()
	return l
}

func contractsOf(runs []run) []string {
	var names []string
	for _, r := range runs {
		names = append(names, r.contract)
	}
	return names
}

// After a save, the session also fuzzes unopened contracts that inherit from the
// file, after the file itself, and targets the change.
func TestSaveFuzzesDependents(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol", "Other.sol", "Broken.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\nbug own\n")
	l.write("Other.sol", "contract Other\n")          // does not import it
	l.write("Broken.sol", "import Base.sol\nerror\n") // its error is not shown
	l.open("Base.sol", "contract Base\none\ntwo\n")
	l.rest()
	if got := contractsOf(l.ran()); !slices.Equal(got, []string{"Base"}) {
		t.Fatalf("opening fuzzed %q", got)
	}
	l.save("Base.sol", "contract Base\none\nbug new\n")
	l.until("the dependent", func(s *Snapshot) bool { return len(l.ran()) == 3 })
	s := l.rest()
	if got := contractsOf(l.ran()); !slices.Equal(got, []string{"Base", "Base", "Heir"}) {
		t.Errorf("fuzzed %q", got)
	}
	lines := l.ran()[2].options.Lines
	if len(lines) != 1 || lines[0].File != "Base.sol" || len(lines[0].Spans) != 1 || lines[0].Spans[0] != (srcmap.Span{Source: 1, Start: 18, Length: 8}) {
		t.Errorf("the dependent's campaign targets %+v", lines)
	}
	l.wantMarks("Heir.sol", "3 Heir:own")
	l.wantMarks("Base.sol", "3 Base:new", "3 Heir:new")
	if len(s.Analyses) != 2 {
		t.Errorf("%d analyses, want those of the file and its dependent", len(s.Analyses))
	}

	// The second save compares with the source of the last campaign.
	l.save("Base.sol", "contract Base\none\nfine\n")
	l.until("the dependent again", func(s *Snapshot) bool { return len(l.ran()) == 5 })
	l.rest()
	l.wantMarks("Base.sol")
	l.wantMarks("Heir.sol", "3 Heir:own")

	l.CloseFile(l.path("Base.sol"))
	if s := l.Snapshot(); len(s.Analyses) != 0 || len(s.Documents) != 0 {
		t.Errorf("left: %d analyses, %d documents", len(s.Analyses), len(s.Documents))
	}
}

// A second save interrupts the compilation of the dependents of the first. Its own file is
// compiled and fuzzed before them, and they aim at both changes then.
func TestSaveGoesBeforeInterruptedDependents(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol", "Other.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n")
	l.write("Other.sol", "import Base.sol\ncontract Other\n")
	l.open("Base.sol", "contract Base\none\ntwo\n")
	l.rest()
	busy, free := make(chan struct{}), make(chan struct{})
	l.order(func(o *orders) {
		o.compiler = func() {
			if len(l.compilations()) == 3 {
				close(busy)
				<-free
			}
		}
	})
	l.save("Base.sol", "contract Base\nbug one\ntwo\n")
	<-busy // with a dependent
	hold := make(chan struct{})
	l.hold(hold)
	l.save("Base.sol", "contract Base\nbug one\nbug two\n")
	close(free)
	l.campaign(3)
	if got, want := l.compilations(), []string{"Base.sol", "Base.sol", "Other.sol", "Base.sol"}; !slices.Equal(got, want) {
		t.Errorf("compiled %q before the saved file is fuzzed, want %q", got, want)
	}
	close(hold)
	l.rest()
	if got := contractsOf(l.ran()); !slices.Equal(got, []string{"Base", "Base", "Base", "Other", "Heir"}) {
		t.Fatalf("fuzzed %q", got)
	}
	for _, r := range l.ran()[3:] {
		both := srcmap.Span{Source: 1, Start: 14, Length: len("bug one\nbug two\n")}
		if lines := r.options.Lines; len(lines) != 1 || !slices.Equal(lines[0].Spans, []srcmap.Span{both}) {
			t.Errorf("%s aims at %+v, want both changed lines", r.contract, lines)
		}
	}
}

// Only files that are not open are compiled aside.
func TestDependentsAreCompiledAside(t *testing.T) {
	aside := map[string][]bool{}
	l := newLab(t, importedBy("Heir.sol"), func(c *Config) {
		compile := c.Compiler.Compile
		c.Compiler.Compile = func(ctx context.Context, source SourceFile) (*solc.Build, error) {
			aside[filepath.Base(source.File)] = append(aside[filepath.Base(source.File)], source.Aside)
			return compile(ctx, source)
		}
	})
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.open("User.sol", "import Base.sol\ncontract User\n")
	l.rest()
	l.save("Base.sol", "contract Base\none\n")
	l.until("the dependent", func(s *Snapshot) bool { return len(l.ran()) == 5 })
	l.rest()
	want := map[string][]bool{"Base.sol": {false, false}, "User.sol": {false, false}, "Heir.sol": {true}}
	if !maps.EqualFunc(aside, want, slices.Equal) {
		t.Errorf("compiled aside: %v, want %v", aside, want)
	}
}

func TestSaveOfSameTextAddsNoDependents(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.Save(l.path("Base.sol"))
	l.rest()
	if got := contractsOf(l.ran()); !slices.Equal(got, []string{"Base"}) {
		t.Errorf("fuzzed %q", got)
	}
}

func TestTypingCancelsDependents(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	hold := make(chan struct{})
	l.hold(hold)
	l.save("Base.sol", "contract Base\nmore\n")
	l.campaign(2)
	hold <- struct{}{}
	l.campaign(3)
	l.edit("Base.sol", "contract Base\nmore and\n")
	l.rest()
	for i, r := range l.ran() {
		if r.done != (i < 2) {
			t.Errorf("campaign %d on %s ended: %v", i, r.contract, r.done)
		}
	}
}

func TestOpenedFileIsNoLongerDependent(t *testing.T) {
	l := newLab(t, importedBy("Heir.sol"))
	l.write("Heir.sol", "import Base.sol\ncontract Heir\n")
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.save("Base.sol", "contract Base\nmore\n")
	l.until("the dependent", func(*Snapshot) bool { return len(l.ran()) == 3 })
	l.rest()
	l.open("Heir.sol", "import Base.sol\ncontract Heir\n")
	s := l.rest()
	if a := s.Analyses[l.path("Heir.sol")]; a == nil || a.Dependent {
		t.Errorf("analysis %+v", a)
	}
	l.CloseFile(l.path("Base.sol"))
	if s := l.Snapshot(); s.Analyses[l.path("Heir.sol")] == nil {
		t.Error("closing a file dropped the analysis of an open one")
	}
}

func TestDependentsAreBounded(t *testing.T) {
	var names []string
	for i := range 2 * maxDependents {
		names = append(names, "Heir"+strings.Repeat("r", i)+".sol")
	}
	l := newLab(t, importedBy(names...))
	for _, name := range names {
		l.write(name, "import Base.sol\ncontract "+strings.TrimSuffix(name, ".sol")+"\n")
	}
	l.open("Base.sol", "contract Base\n")
	l.rest()
	l.save("Base.sol", "contract Base\nmore\n")
	l.until("the dependents", func(*Snapshot) bool { return len(l.ran()) == 2+maxDependents })
	s := l.rest()
	if n := len(s.Analyses); n != 1+maxDependents {
		t.Errorf("%d analyses", n)
	}
	for _, r := range l.ran()[2:] {
		if r.options.Time != minBudget {
			t.Errorf("%s got %v", r.contract, r.options.Time)
		}
	}
}

func TestImporters(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		"foundry.toml":           "[profile.default]\n",
		"src/Base.sol":           "contract Base {}",
		"src/Heir.sol":           "import \"./Base.sol\"; contract Heir is Base {}",
		"src/deep/Grandson.sol":  "import {Heir} from \"src/Heir.sol\"; contract Grandson is Heir {}",
		"src/Abstract.sol":       "import \"./Heir.sol\"; /* contract X {} */ abstract contract Abstract is Heir {} library L {} interface I {}",
		"src/Tester.sol":         "import \"./Abstract.sol\"; contract Tester is Abstract {}",
		"src/Stranger.sol":       "// import \"./Base.sol\";\ncontract Stranger {}",
		"lib/other/src/User.sol": "import \"../../../src/Base.sol\";",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	chains := &toolchains{env: compiler.Env{}}
	defer chains.close()
	source := SourceFile{Root: root, File: filepath.Join(root, "src", "Base.sol")}
	want := []string{filepath.Join(root, "src", "Heir.sol"), filepath.Join(root, "src", "deep", "Grandson.sol"), filepath.Join(root, "src", "Tester.sol")}
	if got := chains.importers(source); !slices.Equal(got, want) {
		t.Errorf("importers %q, want %q", got, want)
	}
	// The next search sees changes on disk.
	if err := os.WriteFile(want[0], []byte("contract Heir {}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := chains.importers(source); len(got) > 0 {
		t.Errorf("importers %q, want none", got)
	}
	// A folder outside the workspace and without a configuration is not searched.
	if err := os.Remove(filepath.Join(root, "foundry.toml")); err != nil {
		t.Fatal(err)
	}
	source.Root = ""
	if got := chains.importers(source); len(got) > 0 {
		t.Errorf("importers %q of a file in no workspace", got)
	}
}

// The coverage of a campaign moves with edits of comments.
func TestExplorationMovesWithComments(t *testing.T) {
	contract := func(text string) *Contract {
		build := &solc.Build{Sources: []*solc.Source{{Name: "A.sol", Path: "/A.sol", Text: []byte(text)}}}
		return &Contract{Contract: &solc.Contract{Build: build}, sources: newSources(build)}
	}
	e := &finding.CoverageReport{Files: []finding.FileCoverage{{
		File: "A.sol", Path: "/A.sol",
		Lines:    []finding.LineCoverage{{Line: 1, Hits: 1}, {Line: 3, Hits: 3}},
		Branches: []finding.BranchCoverage{{Line: 3, Span: srcmap.Span{Start: 8, Length: 5}}},
	}}}
	old := exploration{e, contract("one\ntwo\nthree\n").sources}
	for _, text := range []string{"one\n// new\ntwo\nthree // and\n", "one\n/*\n*/two\nthree\n", "one\n\n2\nthree\n"} {
		in, exact := old.in(contract(text))
		moved := in.Files[0]
		if !exact {
			t.Errorf("%q: not the same lines", text)
		}
		if len(moved.Lines) != 2 || moved.Lines[0].Line != 1 || moved.Lines[1].Line != 4 {
			t.Errorf("%q: lines %+v", text, moved.Lines)
		}
		want := srcmap.Span{Start: strings.Index(text, "three"), Length: 5}
		if len(moved.Branches) != 1 || moved.Branches[0].Line != 4 || moved.Branches[0].Span != want {
			t.Errorf("%q: branches %+v", text, moved.Branches)
		}
	}
	if e.Files[0].Lines[1].Line != 3 {
		t.Error("the argument was changed")
	}
}
