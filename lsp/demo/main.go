// The demo is an editor that prints: it starts the language server in a
// temporary workspace, opens a faulty contract, and prints what an editor would
// show at each step.
//
// It knows the protocol and nothing of the server.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"leveret/lsp/lsptest"
)

func main() {
	server := flag.String("server", "./leveret", "path of leveret")
	file := flag.String("file", "docs/examples/Auction.sol", "a contract with a failing assertion")
	old := flag.String("old", "leader = address(0);", "the faulty text")
	fixed := flag.String("new", "leader = address(0);\n        highest = 0;", "the fixed text")
	flag.Parse()
	if err := run(os.Stdout, *server, *file, *old, *fixed); err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

// An editor is the state of one session.
type editor struct {
	client  *lsptest.Client
	ctx     context.Context
	out     io.Writer
	step    int
	file    string // absolute
	text    string
	version int

	// Under client's lock.
	latest  map[string]json.RawMessage // last parameters of each method
	edits   []json.RawMessage
	history []string // of leveret/status
}

func (e *editor) receive(m lsptest.Message) {
	e.latest[m.Method] = m.Params
	switch m.Method {
	case "workspace/applyEdit":
		e.edits = append(e.edits, m.Params)
	case "leveret/status":
		e.history = append(e.history, string(m.Params))
	}
}

// call sends a request and decodes the result.
func (e *editor) call(method string, params, result any) error {
	return e.client.Call(e.ctx, method, params, result)
}

// until waits for a condition; what names it.
func (e *editor) until(what string, ok func() bool) error {
	if err := e.client.Wait(e.ctx, ok); err != nil {
		return fmt.Errorf("%s: %w", what, err)
	}
	return nil
}

func run(out io.Writer, server, file, old, fixed string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if strings.Count(string(text), old) != 1 {
		return fmt.Errorf("%s must contain %q exactly once", file, old)
	}
	workspace, err := os.MkdirTemp("", "leveret-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(workspace)
	if server, err = filepath.Abs(server); err != nil {
		return err
	}
	e := &editor{
		ctx: context.Background(), out: out, file: filepath.Join(workspace, filepath.Base(file)), text: string(text),
		latest: map[string]json.RawMessage{},
	}
	e.client, err = lsptest.Start(e.ctx, lsptest.Options{
		Command: server, Env: append(os.Environ(), "XDG_CACHE_HOME="+filepath.Join(workspace, ".cache")), Receive: e.receive,
	})
	if err != nil {
		return err
	}
	defer e.client.Kill()
	if err := os.WriteFile(e.file, text, 0o600); err != nil {
		return err
	}
	for _, step := range []func() error{
		func() error { return e.start(workspace) },
		e.finding,
		e.looks,
		e.replay,
		e.test,
		e.edit,
		func() error { return e.fix(old, fixed) },
		e.comment,
		e.goodbye,
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

func (e *editor) say(format string, args ...any) {
	e.step++
	fmt.Fprintf(e.out, "\n%d. %s\n", e.step, fmt.Sprintf(format, args...))
}

func (e *editor) uri() string { return lsptest.URI(e.file) }

func (e *editor) start(workspace string) error {
	e.say("The editor starts the server and opens %s.", filepath.Base(e.file))
	folder := lsptest.URI(workspace)
	var agreed struct {
		ServerInfo struct{ Name, Version string }
	}
	err := e.client.Initialize(e.ctx, map[string]any{
		"processId": os.Getpid(), "rootUri": folder,
		"workspaceFolders":      []any{map[string]any{"uri": folder, "name": "demo"}},
		"initializationOptions": map[string]any{"notifications": true, "idle": false},
		"capabilities": map[string]any{
			"general":   map[string]any{"positionEncodings": []string{"utf-8"}},
			"window":    map[string]any{"showDocument": map[string]any{"support": true}},
			"workspace": map[string]any{"applyEdit": true, "textDocumentContent": map[string]any{}, "workspaceEdit": map[string]any{"documentChanges": true, "resourceOperations": []string{"create"}}},
			"textDocument": map[string]any{
				"publishDiagnostics": map[string]any{"relatedInformation": true},
				"hover":              map[string]any{"contentFormat": []string{"plaintext"}},
				"codeAction":         map[string]any{"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{"quickfix"}}}},
			},
		},
	}, &agreed)
	if err != nil {
		return err
	}
	fmt.Fprintf(e.out, "    server: %s %s\n", agreed.ServerInfo.Name, agreed.ServerInfo.Version)
	e.version = 1
	return e.client.Open(e.file, e.version, e.text)
}

// shown returns the diagnostics of the file; false if they are of an older
// text.
func (e *editor) shown() ([]diagnostic, bool) {
	var d diagnostics
	if json.Unmarshal(e.latest["textDocument/publishDiagnostics"], &d) != nil || d.URI != e.uri() {
		return nil, false
	}
	return d.Diagnostics, d.Version == e.version
}

func failing(list []diagnostic) *diagnostic {
	for i := range list {
		if list[i].Code == "assertion" {
			return &list[i]
		}
	}
	return nil
}

func (e *editor) calm() bool {
	return strings.Contains(string(e.latest["leveret/status"]), `"busy":false`)
}

// show waits for a condition and prints the diagnostics.
func (e *editor) show(what string, ok func(list []diagnostic) bool) error {
	var list []diagnostic
	err := e.until(what, func() bool {
		var current bool
		list, current = e.shown()
		return current && ok(list)
	})
	if err != nil {
		return err
	}
	squiggles(e.out, e.text, list)
	return nil
}

func (e *editor) finding() error {
	e.say("A finding appears without any command.")
	return e.show("a finding", func(list []diagnostic) bool { return failing(list) != nil && failing(list).Severity == 1 })
}

func (e *editor) looks() error {
	if err := e.until("rest", e.calm); err != nil {
		return err
	}
	e.say("The campaign ended. Lenses above contracts and functions show the coverage.")
	var list []lens
	document := map[string]any{"textDocument": map[string]any{"uri": e.uri()}}
	if err := e.call("textDocument/codeLens", document, &list); err != nil {
		return err
	}
	lenses(e.out, e.text, list)
	e.say("Hovering over `bid`:")
	before, _, _ := strings.Cut(e.text, "function bid")
	at := position{Line: strings.Count(before, "\n"), Character: len("    function b")}
	var hover struct{ Contents struct{ Value string } }
	document["position"] = map[string]any{"line": at.Line, "character": at.Character}
	if err := e.call("textDocument/hover", document, &hover); err != nil {
		return err
	}
	quote(e.out, hover.Contents.Value, 20)
	var lines coverage
	if err := e.until("coverage", func() bool {
		return json.Unmarshal(e.latest["leveret/coverage"], &lines) == nil && len(lines.Lines) > 0
	}); err != nil {
		return err
	}
	ran := 0
	for _, l := range lines.Lines {
		if l.Hits > 0 {
			ran++
		}
	}
	e.say("Coverage beside the lines: %d of %d lines with code ran; %d branches are known.", ran, len(lines.Lines), len(lines.Branches))
	return nil
}

// action is a code action.
type action struct {
	Title   string
	Command struct {
		Command   string
		Arguments []json.RawMessage
	}
}

// actions returns the actions of the finding.
func (e *editor) actions() ([]action, error) {
	var list []diagnostic
	e.client.Do(func() { list, _ = e.shown() })
	d := failing(list)
	if d == nil {
		return nil, errors.New("the finding is gone")
	}
	var offered []action
	err := e.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": e.uri()}, "context": map[string]any{"diagnostics": []any{}},
		"range": map[string]any{
			"start": map[string]int{"line": d.Range.Start.Line, "character": d.Range.Start.Character},
			"end":   map[string]int{"line": d.Range.Start.Line, "character": d.Range.Start.Character},
		},
	}, &offered)
	return offered, err
}

// choose runs the command of an action.
func (e *editor) choose(title string, result any) error {
	list, err := e.actions()
	if err != nil {
		return err
	}
	for _, a := range list {
		if strings.HasPrefix(a.Title, title) && strings.HasSuffix(a.Title, "assertion") {
			return e.call("workspace/executeCommand", map[string]any{"command": a.Command.Command, "arguments": a.Command.Arguments}, result)
		}
	}
	return fmt.Errorf("no action %q", title)
}

func (e *editor) replay() error {
	list, err := e.actions()
	if err != nil {
		return err
	}
	e.say("The actions of the finding:")
	for _, a := range list {
		fmt.Fprintf(e.out, "    - %s\n", a.Title)
	}
	e.say("Replay opens a document.")
	var u string
	if err := e.choose("Replay", &u); err != nil {
		return err
	}
	var document struct{ Text string }
	if err := e.call("workspace/textDocumentContent", map[string]any{"uri": u}, &document); err != nil {
		return err
	}
	fmt.Fprintf(e.out, "    %s\n", u)
	quote(e.out, strings.ReplaceAll(document.Text, filepath.Dir(e.file)+string(filepath.Separator), ""), 45)
	return nil
}

func (e *editor) test() error {
	e.say("Add regression test creates a file by an edit.")
	var u string
	if err := e.choose("Add regression test", &u); err != nil {
		return err
	}
	var edit struct {
		Edit struct {
			DocumentChanges []struct {
				Kind, URI string
				Edits     []struct{ NewText string }
			}
		}
	}
	var last json.RawMessage
	e.client.Do(func() { last = e.edits[len(e.edits)-1] })
	if err := json.Unmarshal(last, &edit); err != nil {
		return err
	}
	for _, change := range edit.Edit.DocumentChanges {
		if change.Kind == "create" {
			fmt.Fprintf(e.out, "    new file %s\n", strings.TrimPrefix(change.URI, strings.TrimSuffix(e.uri(), filepath.Base(e.file))))
		}
		for _, t := range change.Edits {
			_, function, _ := strings.Cut(t.NewText, "function test_")
			quote(e.out, "    function test_"+function, 30)
		}
	}
	return nil
}

// change changes the text without saving.
func (e *editor) change(text string) error {
	e.text = text
	e.version++
	return e.client.Change(e.file, e.version, text)
}

func (e *editor) saveFile() error {
	if err := os.WriteFile(e.file, []byte(e.text), 0o600); err != nil {
		return err
	}
	return e.client.Save(e.file)
}

func (e *editor) edit() error {
	e.say("A line is typed above: the finding moves before anything is saved.")
	if err := e.change("// a line more\n" + e.text); err != nil {
		return err
	}
	return e.show("a moved finding", func(list []diagnostic) bool { return failing(list) != nil })
}

func (e *editor) fix(old, fixed string) error {
	e.say("The contract is fixed and saved. Known findings are executed first, so the fixed one disappears at once.")
	if err := e.change(strings.Replace(e.text, old, fixed, 1)); err != nil {
		return err
	}
	if err := e.saveFile(); err != nil {
		return err
	}
	if err := e.show("the end of the finding", func(list []diagnostic) bool { return failing(list) == nil }); err != nil {
		return err
	}
	return e.status("a campaign on the fixed text", func(s string) bool { return strings.Contains(s, "fuzzing") })
}

// status waits for a text of the status bar and prints it.
func (e *editor) status(what string, ok func(string) bool) error {
	var status struct{ Text string }
	err := e.until(what, func() bool {
		return json.Unmarshal(e.latest["leveret/status"], &status) == nil && ok(status.Text)
	})
	if err == nil {
		fmt.Fprintf(e.out, "    status bar: %s\n", status.Text)
	}
	return err
}

func (e *editor) comment() error {
	if err := e.until("rest", e.calm); err != nil {
		return err
	}
	e.say("The campaign on the changed code ended.")
	if err := e.status("rest", func(s string) bool { return !strings.Contains(s, "fuzzing") }); err != nil {
		return err
	}
	e.say("A comment is saved. The code is the same, so nothing runs.")
	if err := e.change(e.text + "// nothing\n"); err != nil {
		return err
	}
	e.client.Do(func() { e.history = nil })
	if err := e.saveFile(); err != nil {
		return err
	}
	said := func(word string) bool {
		return slices.ContainsFunc(e.history, func(s string) bool { return strings.Contains(s, word) })
	}
	if err := e.until("compilation", func() bool { return said("compiling") && e.calm() }); err != nil {
		return err
	}
	if said("fuzzing") {
		return errors.New("a comment started a campaign")
	}
	return e.status("rest", func(string) bool { return true })
}

func (e *editor) goodbye() error {
	e.say("The editor closes and the server ends.")
	code, err := e.client.Quit(e.ctx)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	return err
}
