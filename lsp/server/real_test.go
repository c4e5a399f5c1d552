package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/engine/finding"
	"leveret/engine/report/baseline"
	"leveret/lsp/present"
	"leveret/lsp/session"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// enough is the number of inputs of a campaign in tests of the real engine. It
// bounds campaigns instead of time, so that slow machines find the same.
const enough = 5000

// realConfig returns a Config with the pinned compilers and the real engine.
func realConfig(t testing.TB) Config {
	tools := compilers(t)
	return Config{Session: session.Config{
		Compiler: session.Compiler{Env: compiler.Env{Path: os.Getenv("PATH"), CacheDir: solctest.Cache(t), ToolDirs: []string{tools}}},
		Engine:   session.Engine{MaxInputs: enough},
		Cache:    t.TempDir(),
	}}
}

// expectation is a comment of the form
//
//	//@ error assertion "text" 2
//
// at the end of a line: the line has a diagnostic with this severity, code and
// text, and this number of related entries. Other lines have none.
var expectation = regexp.MustCompile(`//@ (error|warning|information|hint) ([\w-]+) "([^"]*)"(?: (\d+))?`)

var severityNames = map[protocol.DiagnosticSeverity]string{
	protocol.DiagnosticSeverityError: "error", protocol.DiagnosticSeverityWarning: "warning",
	protocol.DiagnosticSeverityInformation: "information", protocol.DiagnosticSeverityHint: "hint",
}

// The server shows what the comments in testdata/marker expect.
func TestMarkers(t *testing.T) {
	config := realConfig(t)
	files, err := filepath.Glob("testdata/marker/*.sol")
	if err != nil || len(files) == 0 {
		t.Fatal("no marker files", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			e := connect(t, config)
			e.settings(`{"idle":false,"budget":"10m","inlayHints":true}`)
			e.start(allCapabilities, `{"notifications":true,"idle":false}`)
			name := filepath.Base(file)
			e.open(name, string(text))
			e.until("the campaign", func() bool { return strings.Contains(e.status(), "fuzzing") || len(e.found(name)) > 0 })
			e.until("idle", e.calm)
			checkMarkers(t, string(text), e.found(name))
			checkHints(t, string(text), e.hints(name))
		})
	}
}

func checkMarkers(t *testing.T, text string, got []protocol.Diagnostic) {
	t.Helper()
	type shown struct {
		line           int
		severity, code string
	}
	want := map[shown][]string{} // text and number of related entries
	for i, line := range strings.Split(text, "\n") {
		for _, m := range expectation.FindAllStringSubmatch(line, -1) {
			want[shown{i, m[1], m[2]}] = []string{m[3], m[4]}
		}
	}
	for _, d := range got {
		code, _ := d.Code.(protocol.String)
		key := shown{int(d.Range.Start.Line), severityNames[d.Severity], string(code)}
		message := string(d.Message.(protocol.String))
		expected, ok := want[key]
		delete(want, key)
		switch {
		case !ok:
			t.Errorf("unexpected: %+v %q", key, message)
		case !strings.Contains(message, expected[0]):
			t.Errorf("%+v says %q, want %q", key, message, expected[0])
		case expected[1] != "" && strconv.Itoa(len(d.RelatedInformation)) != expected[1]:
			t.Errorf("%+v has %d related entries, want %s", key, len(d.RelatedInformation), expected[1])
		}
	}
	for key, text := range want {
		t.Errorf("missing: %+v %q", key, text[0])
	}
}

// values is a comment of the form
//
//	//= 3, true
//
// at the end of a line: the inlay hints of the line show these values in this
// order. In a file with such comments, other lines have no hints.
var values = regexp.MustCompile(`//= (.*)$`)

func checkHints(t *testing.T, text string, got []protocol.InlayHint) {
	t.Helper()
	if !strings.Contains(text, "//= ") {
		return
	}
	slices.SortFunc(got, func(a, b protocol.InlayHint) int { return int(a.Position.Character) - int(b.Position.Character) })
	for i, line := range strings.Split(text, "\n") {
		want := ""
		if m := values.FindStringSubmatch(line); m != nil {
			want = m[1]
		}
		var have []string
		for _, h := range got {
			if int(h.Position.Line) == i {
				have = append(have, strings.TrimPrefix(string(h.Label.(protocol.String)), " = "))
			}
		}
		if strings.Join(have, ", ") != want {
			t.Errorf("line %d shows %q, want %q", i+1, strings.Join(have, ", "), want)
		}
	}
}

// hints requests the inlay hints of a whole file.
func (e *editor) hints(name string) []protocol.InlayHint {
	e.t.Helper()
	params := protocol.InlayHintParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)},
		Range:        protocol.Range{End: protocol.Position{Line: 100_000}},
	}
	var list []protocol.InlayHint
	if _, err := e.conn.Call(e.ctx(), "textDocument/inlayHint", &params, &list); err != nil {
		e.t.Fatal(err)
	}
	return list
}

// For each invalid or unusual file the server shows at most one diagnostic of
// one sentence, and stays alive.
func TestHostileFiles(t *testing.T) {
	config := realConfig(t)
	const head = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n"
	const cheats = "interface Vm { function roll(uint256) external; }\n"
	for _, test := range []struct {
		name, text string
		want       string // part of the only diagnostic; empty: none
		lens       string // part of the lens with the reason why nothing is fuzzed; empty: not checked
	}{
		{"Empty.sol", "", "empty", ""},
		{"Syntax.sol", head + "contract A { function }\n", "not fuzzed: ", ""},
		{"Pragma.sol", "pragma solidity ^9.1.0;\ncontract A {}\n", "9.1.0", ""},
		{"Conflict.sol", "pragma solidity ^0.8.0;\npragma solidity ^0.7.0;\ncontract A {}\n", "pragma solidity ^0.7.0 conflicts with pragma solidity ^0.8.0", ""},
		{"Nonsense.sol", "pragma solidity banana;\ncontract A {}\n", "not fuzzed: ", ""},
		{"Import.sol", head + "import \"./Nowhere.sol\";\ncontract A {}\n", "Nowhere.sol", ""},
		{"Cycle.sol", head + "import \"./Cycle.sol\";\ncontract A { function f() external {} }\n", "", ""},
		{"Interface.sol", head + "interface I { function f() external; }\n", "", "I is an interface and has no code; fuzz a contract that implements it"},
		{"Abstract.sol", head + "abstract contract A { function f() external virtual; }\n", "", "A is abstract; fuzz a contract that inherits from it"},
		{"Library.sol", head + "library L { function f() external {} }\n", "", "L is a library; fuzz a contract that uses it"},
		{"Test.sol", head + cheats + "contract T { function test_f() external { Vm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D).roll(1); assert(false); } }\n", "test_f fails: panic: assertion failed (0x01)", "1 test · 1 failed"},
		{"A.leveret.t.sol", head + "contract Helper { function f() external pure { assert(false); } }\n", "", "belongs to a regression test; run it with leveret test"},
		{"Suite.sol", head + "contract S { uint8 n; function add(uint8 k) external { n |= k; } function echidna_n() external view returns (bool) { return n < 7; } }\n", "property", ""},
		{"NoFunctions.sol", head + "contract A {}\n", "no function", ""},
		{"Reverts.sol", head + "contract A { constructor() { revert(\"never\"); } function f() external {} }\n", "constructor", ""},
		{"Loop.sol", head + "contract A { function f() external pure { while (true) {} } }\n", "", ""},
		{"Big.sol", head + string(bytes.Repeat([]byte("// a long comment\n"), 120_000)) + "contract A { function f() external {} }\n", "2.1 MB", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			config := config
			if test.name == "Loop.sol" {
				config.Session.Engine.MaxInputs = 3 // every input takes the maximal time
			}
			e := connect(t, config)
			e.settings(`{"idle":false,"budget":"10m"}`)
			e.start(allCapabilities, `{"notifications":true,"idle":false}`)
			e.open(test.name, test.text)
			e.until("a result", func() bool {
				return strings.Contains(e.status(), `"busy":false`) && (strings.Contains(e.status(), "not fuzzed") || strings.Contains(string(e.mail.Custom("leveret/symbolStatus")), test.name))
			})
			e.until("idle", e.calm)
			got := e.found(test.name)
			if test.want == "" && len(got) > 0 || test.want != "" && len(got) != 1 {
				t.Fatalf("diagnostics %v", messages(got))
			}
			if test.want != "" && !strings.Contains(messages(got)[0], test.want) {
				t.Errorf("message %q, want %q", messages(got)[0], test.want)
			}
			titles, _ := e.lenses(test.name)
			if !strings.Contains(strings.Join(titles, "\n"), test.lens) {
				t.Errorf("no lens contains %q: %q", test.lens, titles)
			}
			for _, m := range messages(got) {
				if strings.Contains(m, "\n") {
					t.Errorf("more than a sentence: %q", m)
				}
			}
		})
	}
}

// A trace shows the calls, their state changes and the failing statement.
func TestReplayTrace(t *testing.T) {
	text, err := os.ReadFile("testdata/marker/Steps.sol")
	if err != nil {
		t.Fatal(err)
	}
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"idle":false}`)
	e.open("Steps.sol", string(text))
	e.until("a finding", func() bool { return e.asserts("Steps.sol") })
	var data present.Data
	e.must(json.Unmarshal(e.found("Steps.sol")[0].Data, &data))
	if _, err := e.command(present.CommandReplay, data.Finding); err != nil {
		t.Fatal(err)
	}
	trace, err := os.ReadFile(e.got().Shown[0].URI.FsPath())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"first(code: 42)", "stage", "assert(stage != 2)", "Step by step", "Steps.sol:17"} {
		if !strings.Contains(string(trace), want) {
			t.Errorf("%q is missing:\n%s", want, trace)
		}
	}
	// Once in the list of calls and once before its statements.
	if n := strings.Count(string(trace), "first(code: 42)"); n != 2 {
		t.Errorf("the trace names a transaction %d times, want 2:\n%s", n, trace)
	}
	links, err := e.server.DocumentLink(e.ctx(), &protocol.DocumentLinkParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.got().Shown[0].URI}})
	e.must(err)
	lines := strings.Split(string(trace), "\n")
	assertion := 0
	for _, l := range links {
		line := lines[l.Range.Start.Line]
		if _, number, _ := strings.Cut(line[l.Range.Start.Character:l.Range.End.Character], ".sol:"); string(*l.Target) != string(e.uri("Steps.sol"))+"#L"+number {
			t.Errorf("%q links to %s", line, *l.Target)
		}
		if strings.Contains(line, "assert(stage != 2)") {
			assertion++
		}
	}
	if assertion == 0 || len(links) < strings.Count(string(trace), "Steps.sol:") {
		t.Errorf("%d links, %d of them at the assertion:\n%s", len(links), assertion, trace)
	}
	if links, err := e.server.DocumentLink(e.ctx(), &protocol.DocumentLinkParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("Steps.sol")}}); err != nil || len(links) > 0 {
		t.Errorf("links in a source: %v, %v", links, err)
	}
}

func messages(list []protocol.Diagnostic) []string {
	var texts []string
	for _, d := range list {
		texts = append(texts, string(d.Message.(protocol.String)))
	}
	return texts
}

// An edit in a base contract targets the inherited code in a campaign on the
// derived contract.
func TestEditOfBaseFuzzesDerivedContract(t *testing.T) {
	const head = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\n"
	base := func(limit int) string {
		return head + fmt.Sprintf("abstract contract Base {\n    function f(uint256 x) external pure {\n        assert(x != %d);\n    }\n}\n", limit)
	}
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Base.sol", base(7))
	e.open("Heir.sol", head+"import \"./Base.sol\";\ncontract Heir is Base {}\n")
	e.until("the finding in the base", func() bool { return len(e.found("Base.sol")) == 1 })
	e.save("Base.sol", 2, strings.Replace(base(7), "assert(x != 7)", "require(x != 7)", 1))
	e.until("it is gone", func() bool { return len(e.found("Base.sol")) == 0 })
	e.save("Base.sol", 3, base(1234567))
	e.until("the new finding", func() bool {
		return slices.ContainsFunc(messages(e.found("Base.sol")), func(m string) bool { return strings.Contains(m, "1234567") })
	})
}

// One place with one cause is one diagnostic, one in counts, and one comment
// silences it for all contracts and oracles.
func TestInheritedFindingIsOne(t *testing.T) {
	text, err := os.ReadFile("testdata/marker/Inherited.sol")
	if err != nil {
		t.Fatal(err)
	}
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Inherited.sol", string(text))
	e.until("two findings", func() bool { return e.calm() && strings.Contains(e.status(), "2 findings") })
	at := strings.Index(string(text), "to.send")
	line := uint32(strings.Count(string(text[:at]), "\n"))
	resolved, err := e.server.CodeActionResolve(e.ctx(), e.actionAt("Inherited.sol", line, "Silence here: unchecked-call"))
	e.must(err)
	edit := resolved.Edit.Changes[e.uri("Inherited.sol")][0]
	if want := "        // leveret-disable-next-line unchecked-call, gasless-send\n"; edit.NewText != want {
		t.Fatalf("silenced by %q, want %q", edit.NewText, want)
	}
	lines := strings.SplitAfter(string(text), "\n")
	e.change("Inherited.sol", 2, strings.Join(lines[:line], "")+edit.NewText+strings.Join(lines[line:], ""))
	e.until("one finding", func() bool { return len(e.found("Inherited.sol")) == 1 })
}

// What the baseline of the folder lists is a hint, and follows that file.
func TestBaselineOfAFolder(t *testing.T) {
	const text = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A { function f(uint256 x) external pure { assert(x != 7); } }\n"
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("A.sol", text)
	e.until("a finding", func() bool { return e.asserts("A.sol") })
	e.until("idle", func() bool { return e.calm() && strings.Contains(e.status(), "1 finding") })
	f := finding.Finding{Oracle: "assertion", Place: finding.Place{File: "A.sol"}, Anchor: finding.Anchor{Around: "A f uint256", Text: "assert(x != 7)"}}
	accepted := baseline.File{Findings: []baseline.Entry{{ID: f.GroupID()}}}
	written, err := json.Marshal(accepted)
	e.must(err)
	e.write(baseline.Name, strings.Replace(string(written), `"version":0`, `"version":1`, 1))
	e.must(e.server.DidChangeWatchedFiles(e.ctx(), &protocol.DidChangeWatchedFilesParams{
		Changes: []protocol.FileEvent{{URI: e.uri(baseline.Name), Type: protocol.FileChangeTypeCreated}},
	}))
	e.until("a hint", func() bool {
		list := e.found("A.sol")
		return len(list) == 1 && list[0].Severity == protocol.DiagnosticSeverityHint &&
			strings.Contains(string(list[0].Message.(protocol.String)), "It is in the baseline")
	})
	e.until("a status without findings", func() bool { return strings.Contains(e.status(), "no findings") })
}
