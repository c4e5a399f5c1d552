package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/solc/solctest"
)

// tunedProject configures settings that differ from the fast ones.
const tunedProject = "[profile.default]\nsolc = '0.8.30'\noptimizer_runs = 200\nvia_ir = true\n"

// compiledAs returns an editor that shows a file of a project with tunedProject,
// compiled with fast or with the project's settings.
func compiledAs(t *testing.T, settings, name, text string) *editor {
	t.Helper()
	e := connect(t, realConfig(t))
	options := fmt.Sprintf(`{"idle":false,"budget":"10m","solc":{"settings":%q}}`, settings)
	e.settings(options)
	e.start(allCapabilities, strings.Replace(options, "{", `{"notifications":true,`, 1))
	e.write("foundry.toml", tunedProject)
	e.open(name, text)
	e.until("the campaign", func() bool { return strings.Contains(e.status(), "fuzzing") || len(e.found(name)) > 0 })
	e.until("idle", e.calm)
	return e
}

// A finding that depends on gas and shows in the fast build only says so.
func TestFindingOfFastBuildOnly(t *testing.T) {
	const text = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Gas {
    uint256[20] private values;
    function spend(uint256 x) external {
        uint256 before = gasleft();
        uint256 sum = x % 7;
        for (uint256 i = 0; i < 200; i++) { sum = sum * 3 % 1009 + i % 13; }
        uint256 used = before - gasleft();
        values[sum % 20] = sum;
        assert(used < 60000);
    }
    function both(uint256 x) external pure { assert(x != 77777); }
}
`
	for settings, want := range map[string][]string{
		"fast":    {"`assert(used < 60000)`: only fast", "`assert(x != 77777)`"},
		"project": {"`assert(x != 77777)`"},
	} {
		e := compiledAs(t, settings, "Gas.sol", text)
		var got []string
		for _, d := range e.found("Gas.sol") {
			message, _ := d.Message.(protocol.String)
			_, quoted, _ := strings.Cut(string(message), "this assertion can fail: ")
			quoted, _, _ = strings.Cut(quoted, ",")
			if strings.Contains(string(message), "This does not show in the project's own build (optimiser for 200 runs, via IR") {
				quoted += ": only fast"
			}
			got = append(got, quoted)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", settings, got, want)
		}
	}
}

// builtDiagnostics lists the diagnostics of a file with their ids, without calls.
func builtDiagnostics(e *editor, name string) []string {
	var list []string
	for _, d := range e.found(name) {
		message, _ := d.Message.(protocol.String)
		first, _, _ := strings.Cut(string(message), "\n")
		list = append(list, fmt.Sprintf("%d:%d-%d:%d %v %s %.60s", d.Range.Start.Line+1, d.Range.Start.Character, d.Range.End.Line+1, d.Range.End.Character, d.Code, d.Data, first))
	}
	slices.Sort(list)
	return list
}

// Findings have the same places and ids in fast builds and in the project's own,
// so that suppressions and links hold for both.
func TestBuildsAgree(t *testing.T) { buildsAgree(t, "testdata/marker/*.sol") }

// The same for a weakness of each oracle.
func TestBuildsAgreeLong(t *testing.T) {
	solctest.Long(t)
	buildsAgree(t, "../../engine/oracle/testdata/*/hit_*.sol")
}

func buildsAgree(t *testing.T, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			fast := builtDiagnostics(compiledAs(t, "fast", name, string(text)), name)
			own := builtDiagnostics(compiledAs(t, "project", name, string(text)), name)
			if !slices.Equal(fast, own) {
				t.Errorf("fast\n%s\nproject\n%s", strings.Join(fast, "\n"), strings.Join(own, "\n"))
			}
		})
	}
}
