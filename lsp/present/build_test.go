package present

import (
	"strings"
	"testing"
	"time"

	"leveret/engine/finding"
	"leveret/lsp/session"
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
