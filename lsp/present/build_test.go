package present

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"leveret/engine/finding"
	"leveret/lsp/session"
	"leveret/solc"
)

// The status says what has been compiling for more than a second.
func TestStatusOfCompilation(t *testing.T) {
	const run = "152 files with solc 0.8.30, via IR"
	for want, a := range map[string]session.Activity{
		"compiling A.sol":                                                          {Kind: session.Compilation, Path: "/w/A.sol"},
		"compiling A.sol: " + run + ", 48 s":                                       {Kind: session.Compilation, Path: "/w/A.sol", Compiler: run, Elapsed: 48 * time.Second},
		"checking findings in the project's own build":                             {Kind: session.OwnBuild, Path: "/w/A.sol"},
		"checking findings in the project's own build: compiling " + run + ", 7 s": {Kind: session.OwnBuild, Path: "/w/A.sol", Compiler: run, Elapsed: 7 * time.Second},
	} {
		if got := StatusOf(&session.Snapshot{Activity: a}); got.Text != want || !got.Busy {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// The status says why files are not fuzzed, and how many.
func TestStatusOfFailures(t *testing.T) {
	for want, kinds := range map[string][]solc.FailureKind{
		"not fuzzed: 1 file does not compile":                        {solc.CompileError},
		"not fuzzed: 2 files do not compile":                         {solc.CompileError, solc.CompileError},
		"not fuzzed: no node":                                        {solc.NoNode},
		"not fuzzed: bad configuration (2 files)":                    {solc.BadConfig, solc.BadConfig},
		"not fuzzed: 2 files do not compile, no compiler":            {solc.CompileError, solc.NoCompiler, solc.CompileError},
		"not fuzzed: bad configuration (3 files), no node (2 files)": {solc.BadConfig, solc.NoNode, solc.BadConfig, solc.NoNode, solc.BadConfig},
	} {
		s := &session.Snapshot{Analyses: map[string]*session.Analysis{"/w/Importer.sol": {Dependent: true, Failure: &session.Failure{Kind: solc.CompileError}}}}
		for i, kind := range kinds {
			s.Analyses[fmt.Sprintf("/w/%d.sol", i)] = &session.Analysis{Failure: &session.Failure{Kind: kind, Text: fmt.Sprint("reason ", i)}}
		}
		if got := StatusOf(s); got.Text != want || got.Tooltip != "reason 0" {
			t.Errorf("%+v, want %q", got, want)
		}
	}
}

// A lens says it too.
func TestLensOfFailure(t *testing.T) {
	for kind, want := range map[solc.FailureKind]string{
		solc.CompileError: "not fuzzed: the file does not compile",
		solc.NoCompiler:   "not fuzzed: no compiler",
	} {
		a := &session.Analysis{Failure: &session.Failure{Kind: kind}}
		if got := Summary(new(session.Snapshot), a, new(session.Contract)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A finding says once that it does not show in the project's own build, unless it
// must be found again first.
func TestMissingInOwnBuild(t *testing.T) {
	const sentence = "This does not show in the project's own build (optimiser for 7 runs)"
	for _, row := range []struct {
		mark session.Mark
		want int
	}{
		{session.Mark{Missing: "optimiser for 7 runs"}, 1},
		{session.Mark{Missing: "optimiser for 7 runs", Stale: true}, 0},
		{session.Mark{}, 0},
	} {
		row.mark.Finding = &finding.Finding{Message: "it breaks", Oracle: "assertion", Contract: "A"}
		m := session.ContractMark{Mark: row.mark}
		for form, text := range map[string]string{"message": message(m), "hover": evidence(m)} {
			if n := strings.Count(text, sentence); n != row.want || !strings.Contains(text, "it breaks") {
				t.Errorf("%s of %+v: %q", form, row.mark, text)
			}
		}
	}
}
