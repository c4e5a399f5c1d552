package server

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	reports "leveret/engine/report"
	"leveret/lsp/present"
)

// debugging are the options of a client that starts a debugger in a trusted workspace.
const debugging = `{"notifications":true,"idle":false,"debugger":true,"trusted":true}`

// A client that starts a debugger is offered to debug a finding: by an action and a lens,
// whose command returns the launch of leveret dap, with a file that has the finding.
func TestDebugFinding(t *testing.T) {
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m","trusted":true}`)
	e.start(allCapabilities, debugging)
	e.open("Vault.sol", vault(true, 0))
	e.until("the finding", func() bool { return e.asserts("Vault.sol") })
	e.until("idle", e.calm)
	line := e.found("Vault.sol")[0].Range.Start.Line
	titles, commands := e.lenses("Vault.sol")
	if lens := slices.Index(titles, "debug assertion"); lens < 0 || commands[lens] != present.CommandDebug {
		t.Errorf("lenses %q", titles)
	}
	action := e.actionAt("Vault.sol", line, "Debug this finding: assertion").Command
	e.checkLaunch(action, "Vault.sol")
	e.change("Vault.sol", 2, strings.Replace(vault(true, 0), "assert(", "assert(true || ", 1))
	if _, err := e.command(present.CommandDebug, argument(action)); err == nil || !strings.Contains(err.Error(), "save the file") {
		t.Errorf("a finding in changed code: %v", err)
	}
}

// Other clients, and those with a workspace that is not trusted, are not offered a
// debugger, and the command is refused where there is no trust.
func TestDebugIsNotOffered(t *testing.T) {
	for options, refused := range map[string]bool{
		`{"debugger":true}`:                  true,
		`{"debugger":true,"trusted":false}`:  true,
		`{"debugger":false,"trusted":true}`:  false,
		`{"debugger":"yes","trusted":true}`:  false,
		`{"notifications":7,"trusted":true}`: false,
		`{"trusted":true}`:                   false,
	} {
		w := new(workshop)
		e := connect(t, w.config(t.TempDir()))
		e.start(allCapabilities, options)
		e.open("A.sol", "contract A\n\tbug x\n")
		e.until("diagnostic", func() bool { return len(e.found("A.sol")) == 1 })
		for _, a := range e.actions("A.sol", e.found("A.sol")[0].Range) {
			if strings.HasPrefix(a.Title, "Debug") {
				t.Errorf("%s: %s", options, a.Title)
			}
		}
		_, err := e.command(present.CommandDebug, "A:x")
		if (err != nil) != refused || err != nil && !strings.Contains(err.Error(), "not trusted") {
			t.Errorf("%s: the command: %v", options, err)
		}
	}
}

// argument returns the first argument of a command.
func argument(c protocol.Command) (text string) {
	_ = json.Unmarshal(c.Arguments[0], &text)
	return text
}

// launch executes a command and returns its Launch.
func (e *editor) launch(c protocol.Command) (l present.Launch) {
	e.t.Helper()
	raw, err := e.server.ExecuteCommand(e.ctx(), &protocol.ExecuteCommandParams{Command: c.Command, Arguments: c.Arguments})
	e.must(err)
	e.must(json.Unmarshal(raw, &l))
	if l.Type != "leveret" || l.Request != "launch" || l.Name == "" {
		e.t.Errorf("launch %+v", l)
	}
	return l
}

// checkLaunch executes a command whose launch has a file with one finding of a contract
// in a file of the workspace.
func (e *editor) checkLaunch(c protocol.Command, source string) {
	e.t.Helper()
	l := e.launch(c)
	text, err := os.ReadFile(l.Report)
	e.must(err)
	var f reports.FindingDocument
	e.must(json.Unmarshal(text, &f))
	if f.ID == "" || len(f.Sequence) == 0 || len(f.Deployment) == 0 || f.Compiler.Version == "" || f.Block.Number == 0 {
		e.t.Errorf("the finding: %s", text)
	}
	if where := filepath.Join(f.Root, f.Source); where != filepath.Join(e.dir, source) {
		e.t.Errorf("the source is %s", where)
	}
}

// Each test has an action and a lens to debug it: its failure if it fails, else the test.
func TestDebugTests(t *testing.T) {
	text, err := os.ReadFile("testdata/marker/Tests.sol")
	if err != nil {
		t.Fatal(err)
	}
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m","trusted":true}`)
	e.start(allCapabilities, debugging)
	e.open("Tests.sol", string(text))
	e.until("the failures", func() bool { return e.failures("Tests.sol") == 2 })
	e.until("idle", e.calm)
	titles, _ := e.lenses("Tests.sol")
	if n := len(slices.DeleteFunc(titles, func(s string) bool { return s != "debug" })); n != 3 {
		t.Errorf("%d lenses debug one of the 3 tests", n)
	}
	e.checkLaunch(e.actionAt("Tests.sol", thiefLine, "Debug testThief()").Command, "Tests.sol")
	l := e.launch(e.actionAt("Tests.sol", ownerLine, "Debug testOwnerOpens()").Command)
	if l.Test != "SafeTest.testOwnerOpens" || l.Path != filepath.Join(e.dir, "Tests.sol") || l.Report != "" {
		t.Errorf("a test that passes: %+v", l)
	}
	at := protocol.Position{Line: setUpLine}
	if _, err := e.command(present.CommandDebugTest, string(e.uri("Tests.sol")), protocol.Range{Start: at, End: at}); err == nil || !strings.Contains(err.Error(), "no test here") {
		t.Errorf("debug setUp: %v", err)
	}
}

// The lines of a finding's trace start the debugger there: by a link, in a client that runs
// the commands of links, and by a command in every other one.
func TestDebugTraceLines(t *testing.T) {
	for _, links := range []bool{true, false} {
		e := connect(t, realConfig(t))
		e.settings(`{"idle":false,"budget":"10m","trusted":true}`)
		options := debugging
		if links {
			options = strings.Replace(debugging, "{", `{"commandLinks":true,`, 1)
		}
		e.start(allCapabilities, options)
		e.open("Vault.sol", vault(true, 0))
		e.until("the finding", func() bool { return e.asserts("Vault.sol") })
		e.until("idle", e.calm)
		action := e.actionAt("Vault.sol", e.found("Vault.sol")[0].Range.Start.Line, "Replay").Command
		if _, err := e.command(action.Command, argument(action)); err != nil {
			t.Fatal(err)
		}
		shown := e.got().Shown
		u := shown[len(shown)-1].URI
		list, err := e.server.DocumentLink(e.ctx(), &protocol.DocumentLinkParams{TextDocument: protocol.TextDocumentIdentifier{URI: u}})
		e.must(err)
		e.checkDebugLinks(string(u), list, links)
		steps := e.checkTraceLines(string(u))
		for _, want := range []string{"1.0 Vault.sol:", "1.s1 Vault.sol:"} {
			if !slices.ContainsFunc(steps, func(s string) bool { return strings.HasPrefix(s, want) }) {
				t.Errorf("no line is %q: %q", want, steps)
			}
		}
		e.change("Vault.sol", 2, strings.Replace(vault(true, 0), "assert(", "assert(true || ", 1))
		if _, err := e.command(present.CommandDebugLine, string(u), 7); err == nil {
			t.Error("a trace of changed code can be debugged")
		}
	}
}

// checkDebugLinks executes the commands of the links that start the debugger.
func (e *editor) checkDebugLinks(trace string, list []protocol.DocumentLink, wanted bool) {
	e.t.Helper()
	n := 0
	for _, l := range list {
		query, ok := strings.CutPrefix(string(*l.Target), "command:"+present.CommandDebugLine+"?")
		if !ok {
			continue
		}
		n++
		var arguments [2]any
		text, err := url.PathUnescape(query)
		e.must(err)
		e.must(json.Unmarshal([]byte(text), &arguments))
		if arguments[0] != trace || arguments[1] != float64(l.Range.Start.Line) || l.Range.End.Character <= l.Range.Start.Character {
			e.t.Errorf("the link at %v runs %s", l.Range, text)
		}
	}
	if (n > 5) != wanted {
		e.t.Errorf("%d links start the debugger", n)
	}
}

// checkTraceLines executes the command for each line of a trace, and returns the steps at
// which the debugger is to stop.
func (e *editor) checkTraceLines(trace string) (steps []string) {
	e.t.Helper()
	for line := range 40 {
		raw, err := e.command(present.CommandDebugLine, trace, line)
		if err != nil {
			if !strings.Contains(err.Error(), "no debugger can stand at this line") {
				e.t.Errorf("line %d: %v", line, err)
			}
			continue
		}
		var l present.Launch
		e.must(json.Unmarshal([]byte(raw), &l))
		if l.Type != "leveret" || l.Report == "" || l.Step == "" {
			e.t.Errorf("line %d: launch %+v", line, l)
		}
		steps = append(steps, l.Step)
	}
	return steps
}

// What is no line of a finding's trace cannot be debugged.
func TestDebugNoLine(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(t.TempDir()))
	e.start(allCapabilities, debugging)
	for _, wrong := range []struct {
		arguments []any
		says      string
	}{
		{nil, "is not the number of a line"},
		{[]any{"leveret:/x.trace"}, "is not the number of a line"},
		{[]any{"leveret:/x.trace", "one"}, "is not the number of a line"},
		{[]any{7, 1}, "is not a string"},
		{[]any{"leveret:/x.trace", 1}, "replay the finding again"},
	} {
		if _, err := e.command(present.CommandDebugLine, wrong.arguments...); err == nil || !strings.Contains(err.Error(), wrong.says) {
			t.Errorf("%v: %v", wrong.arguments, err)
		}
	}
}
