package server

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/engine"
	"leveret/solc/solctest"
)

// The configurations of projects with settings other than the fast ones.
const (
	optimised = "[profile.default]\nsolc = '0.8.30'\noptimizer_runs = 200\n"
	viaIR     = optimised + "via_ir = true\n"
)

// compiledAs returns an editor that shows a file of a project with a
// configuration, compiled with fast or with the project's settings.
func compiledAs(t *testing.T, config, settings, name, text string) *editor {
	t.Helper()
	e := connect(t, realConfig(t))
	options := fmt.Sprintf(`{"idle":false,"budget":"10m","solc":{"settings":%q}}`, settings)
	e.settings(options)
	e.start(allCapabilities, strings.Replace(options, "{", `{"notifications":true,`, 1))
	e.write("foundry.toml", config)
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
		e := compiledAs(t, viaIR, settings, "Gas.sol", text)
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

// builtDiagnostics lists the diagnostics of a file with their ids. Where a test fails
// follows from the calls, which the optimiser may inline: of tests, only the ids count,
// and no places on the way to the failure.
func builtDiagnostics(e *editor, name string) []string {
	var list []string
	for _, d := range e.found(name) {
		if d.Code == protocol.String(engine.TestOracle) {
			if data := string(d.Data); !strings.Contains(data, `"related"`) {
				list = append(list, fmt.Sprintf("%v %s", d.Code, data))
			}
			continue
		}
		list = append(list, fmt.Sprintf("%d:%d-%d:%d %v %s", d.Range.Start.Line+1, d.Range.Start.Character, d.Range.End.Line+1, d.Range.End.Character, d.Code, d.Data))
	}
	slices.Sort(list)
	return list
}

// Findings have the same places and ids in fast builds and in the project's own,
// so that suppressions and links hold for both.
func TestBuildsAgree(t *testing.T) { buildsAgree(t, viaIR, "testdata/marker/*.sol") }

// The same for weaknesses of several oracles, without IR: there the compiler maps
// some code to another part of the statement.
func TestBuildsAgreeLong(t *testing.T) {
	solctest.Long(t)
	buildsAgree(t, optimised, "../../engine/oracle/testdata/*/hit_[bc]*.sol")
}

func buildsAgree(t *testing.T, config, pattern string) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal("no files", err)
	}
	compared := 0 // files with findings
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			name := filepath.Base(file)
			fast := builtDiagnostics(compiledAs(t, config, "fast", name, string(text)), name)
			own := builtDiagnostics(compiledAs(t, config, "project", name, string(text)), name)
			if slices.ContainsFunc(fast, func(d string) bool { return !strings.Contains(d, " not-fuzzed ") }) {
				compared++
			}
			if !slices.Equal(fast, own) {
				t.Errorf("fast\n%s\nproject\n%s", strings.Join(fast, "\n"), strings.Join(own, "\n"))
			}
		})
	}
	if compared < len(files)/2 {
		t.Errorf("only %d of %d files have findings", compared, len(files))
	}
}
