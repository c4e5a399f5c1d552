package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/present"
	"leveret/lsp/session"
	"leveret/solc"
)

func TestSaveShowsAndClearsFinding(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(t.TempDir()))
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\n  bug x\n")
	e.until("diagnostic", func() bool { return len(e.found("A.sol")) == 1 })

	d := e.found("A.sol")[0]
	if d.Range.Start != (protocol.Position{Line: 1, Character: 2}) || d.Range.End != (protocol.Position{Line: 1, Character: 7}) {
		t.Errorf("range %+v", d.Range)
	}
	if source, _ := d.Source.Get(); source != "leveret" || d.Code != protocol.String("assertion") || d.Severity != protocol.DiagnosticSeverityError {
		t.Errorf("diagnostic %+v", d)
	}
	if d.CodeDescription.Href != "https://example.org/assertion" {
		t.Errorf("href %q", d.CodeDescription.Href)
	}
	if len(d.RelatedInformation) != 1 || !strings.HasPrefix(d.RelatedInformation[0].Message, "1. ") {
		t.Errorf("related %+v", d.RelatedInformation)
	}
	// Not all clients support markup in messages.
	if m, ok := d.Message.(protocol.String); !ok || !strings.Contains(string(m), "bug x\n1. ") {
		t.Errorf("message %v", d.Message)
	}
	var data present.Data
	if err := json.Unmarshal(d.Data, &data); err != nil || data.Finding != "A:x" || data.Source == "" {
		t.Errorf("data %s: %v", d.Data, err)
	}

	e.save("A.sol", 2, "contract A\n  fine\n")
	e.until("it is gone", func() bool {
		p, ok := e.mail.Diagnostics(e.uri("A.sol"))
		version, _ := p.Version.Get()
		return ok && p.Diagnostics != nil && len(p.Diagnostics) == 0 && version == 2
	})
}

func TestEditMovesDiagnostic(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\nbug x\n")
	e.until("diagnostic", func() bool { return len(e.found("A.sol")) == 1 })
	e.change("A.sol", 2, "contract A\n\n\nbug x\n")
	e.until("it moved", func() bool { f := e.found("A.sol"); return len(f) == 1 && f[0].Range.Start.Line == 3 })
	e.change("A.sol", 3, "contract A\n\n\nbug x // hm\n")
	e.until("it is stale", func() bool {
		f := e.found("A.sol")
		return len(f) == 1 && f[0].Severity == protocol.DiagnosticSeverityInformation && strings.Contains(string(f[0].Message.(protocol.String)), "edited since")
	})
	e.change("A.sol", 4, "contract A\n")
	e.until("it is cleared", func() bool { return len(e.found("A.sol")) == 0 })
}

func TestCompileFailureIsOneNote(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\nerror\n")
	e.until("a note", func() bool { return len(e.found("A.sol")) == 1 })
	n := e.found("A.sol")[0]
	if n.Range.Start.Line != 0 || n.Severity != protocol.DiagnosticSeverityInformation || n.Code != protocol.String("not-fuzzed") {
		t.Errorf("note %+v", n)
	}
	if m := string(n.Message.(protocol.String)); !strings.Contains(m, "this is wrong; mend it") {
		t.Errorf("message %q", m)
	}
	if len(n.RelatedInformation) != 1 || n.RelatedInformation[0].Location.Range.Start.Line != 1 {
		t.Errorf("related %+v", n.RelatedInformation)
	}
}

func (e *editor) action(title string) *protocol.CodeAction {
	e.t.Helper()
	return e.actionAt("A.sol", 1, title)
}

// actionAt is action for the start of a line.
func (e *editor) actionAt(name string, line uint32, title string) *protocol.CodeAction {
	e.t.Helper()
	at := protocol.Position{Line: line}
	list, err := e.server.CodeAction(e.ctx(), &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)},
		Range:        protocol.Range{Start: at, End: at},
		Context:      protocol.CodeActionContext{Diagnostics: []protocol.Diagnostic{}},
	})
	e.must(err)
	for _, a := range list {
		if action, ok := a.(*protocol.CodeAction); ok && strings.HasPrefix(action.Title, title) {
			return action
		}
	}
	e.t.Fatalf("no action %q in %d", title, len(list))
	return nil
}

func found(t *testing.T, config Config, capabilities string) *editor {
	t.Helper()
	e := connect(t, config)
	e.start(capabilities, `{}`)
	e.open("A.sol", "contract A\n\tbug x\n")
	e.until("diagnostic", func() bool { return len(e.found("A.sol")) == 1 })
	return e
}

func TestReplayOpensFile(t *testing.T) {
	w := new(workshop)
	cache := t.TempDir()
	e := found(t, w.config(cache), allCapabilities)
	action := e.action("Replay")
	if _, err := e.server.ExecuteCommand(e.ctx(), &protocol.ExecuteCommandParams{Command: action.Command.Command, Arguments: action.Command.Arguments}); err != nil {
		t.Fatal(err)
	}
	if len(e.got().Shown) != 1 {
		t.Fatalf("shown %v", e.got().Shown)
	}
	path := e.got().Shown[0].URI.FsPath()
	text, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(path, cache) || !strings.Contains(string(text), "1. ") || !strings.Contains(string(text), "bug x") {
		t.Errorf("%s: %q, %v", path, text, err)
	}
	if _, err := e.command(present.CommandReplay, "A:nothing"); err == nil {
		t.Error("replayed an unknown finding")
	}
	e.until("a message to the user", func() bool { return len(e.got().Messages) == 1 })
}

func TestReplayOpensVirtualDocument(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(""), strings.Replace(allCapabilities, `"applyEdit":true`, `"applyEdit":true,"textDocumentContent":{}`, 1))
	if _, err := e.command(present.CommandReplay, "A:x"); err != nil {
		t.Fatal(err)
	}
	u := e.got().Shown[0].URI
	content, err := e.server.TextDocumentContent(e.ctx(), &protocol.TextDocumentContentParams{URI: u})
	if err != nil || u.Scheme() != "leveret" || !strings.Contains(content.Text, "bug x") {
		t.Errorf("%s: %+v, %v", u, content, err)
	}
	if _, err := e.server.TextDocumentContent(e.ctx(), &protocol.TextDocumentContentParams{URI: "leveret:/other"}); err == nil {
		t.Error("an unknown virtual document has content")
	}
}

func TestSilence(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(""), allCapabilities)
	action := e.action("Silence here")
	if action.Edit != nil {
		t.Error("the edit was computed before codeAction/resolve")
	}
	resolved, err := e.server.CodeActionResolve(e.ctx(), action)
	if err != nil || resolved.Edit == nil {
		t.Fatalf("resolved to %+v, %v", resolved, err)
	}
	edit := resolved.Edit.Changes[e.uri("A.sol")][0]
	if want := "\t// leveret-disable-next-line assertion\n"; edit.NewText != want || edit.Range.Start != (protocol.Position{Line: 1}) {
		t.Errorf("edit %+v, want %q", edit, want)
	}
	// The suppression applies before the file is saved.
	e.change("A.sol", 2, "contract A\n"+edit.NewText+"\tbug x\n")
	e.until("no findings", func() bool { return len(e.found("A.sol")) == 0 })
	e.save("A.sol", 3, "contract A\n"+edit.NewText+"\tfine\n")
	e.until("a hint about the unused suppression", func() bool {
		f := e.found("A.sol")
		return len(f) == 1 && f[0].Severity == protocol.DiagnosticSeverityHint && f[0].Code == protocol.String("unused-suppression")
	})
}

func TestCommandsForClientsWithoutActions(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(t.TempDir()), `{"workspace":{"applyEdit":true}}`)
	if _, err := e.command(present.CommandSilence, "A:x"); err != nil || len(e.got().Edits) != 1 {
		t.Errorf("silence: %v, %d edits", err, len(e.got().Edits))
	}
	if text, err := e.command(present.CommandExplain, "overflow"); err != nil || !strings.Contains(text, "Mind it.") {
		t.Errorf("explain: %s, %v", text, err)
	}
	if text, err := e.command(present.CommandCopyWitness, "A:x"); err != nil || !strings.Contains(text, `"sequence"`) {
		t.Errorf("witness: %s, %v", text, err)
	}
	if text, err := e.command(present.CommandReplay, "A:x"); err != nil || !strings.Contains(text, "file://") {
		t.Errorf("replay: %s, %v", text, err)
	}
	if _, err := e.command("leveret.dance"); err == nil {
		t.Error("an unknown command was run")
	}
	if _, err := e.command(present.CommandFuzz, 7); err == nil {
		t.Error("a number was accepted as a file")
	}
	for _, name := range []string{present.CommandStop, present.CommandRestartCompiler, present.CommandClearCorpus, present.CommandDoctor} {
		if _, err := e.command(name); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Without arguments the doctor checks the folders of the workspace.
func TestDoctorChecksTheWorkspace(t *testing.T) {
	w := new(workshop)
	config := w.config("")
	config.Session.Doctor = func(_ context.Context, source session.SourceFile) string { return "looked at " + source.File }
	e := connect(t, config)
	e.start(allCapabilities, `{}`)
	for _, arguments := range [][]any{nil, {""}, {nil}, {e.uri("")}} {
		if text, err := e.command(present.CommandDoctor, arguments...); err != nil || !strings.HasSuffix(strings.Trim(text, `"`), "looked at "+e.dir) {
			t.Errorf("%v: %s, %v", arguments, text, err)
		}
	}
}

func TestExplainOpensPage(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(""), strings.Replace(allCapabilities, `"applyEdit":true`, `"applyEdit":true,"textDocumentContent":{}`, 1))
	if _, err := e.command(present.CommandExplain, "A:x"); err != nil { // an oracle with a web page
		t.Fatal(err)
	}
	if _, err := e.command(present.CommandExplain, "overflow"); err != nil {
		t.Fatal(err)
	}
	if len(e.got().Shown) != 2 || e.got().Shown[0].URI != "https://example.org/assertion" || e.got().Shown[1].URI != "leveret:/overflow.md" {
		t.Fatalf("shown %v", e.got().Shown)
	}
	content, err := e.server.TextDocumentContent(e.ctx(), &protocol.TextDocumentContentParams{URI: e.got().Shown[1].URI})
	if err != nil || content.Text != "Mind it." {
		t.Errorf("page %+v, %v", content, err)
	}
	if _, err := e.command(present.CommandExplain, "nothing"); err == nil {
		t.Error("explained an unknown oracle")
	}
}

// The cache keeps a bounded number of traces.
func TestTracesAreBounded(t *testing.T) {
	w := new(workshop)
	cache := t.TempDir()
	e := connect(t, w.config(cache))
	e.start(allCapabilities, `{}`)
	var text strings.Builder
	text.WriteString("contract A\n")
	for i := range maxDocuments + 10 {
		fmt.Fprintf(&text, "bug n%d\n", i)
	}
	e.open("A.sol", text.String())
	e.until("diagnostics", func() bool { return len(e.found("A.sol")) == maxDocuments+10 })
	for i := range maxDocuments + 10 {
		if _, err := e.command(present.CommandReplay, fmt.Sprintf("A:n%d", i)); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := os.ReadDir(filepath.Join(cache, "traces"))
	if err != nil || len(kept) != maxDocuments {
		t.Errorf("%d traces, %v", len(kept), err)
	}
}

func TestExportTest(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(""), allCapabilities)
	if _, err := e.command(present.CommandExportTest, "A:x"); err != nil {
		t.Fatal(err)
	}
	if len(e.got().Edits) != 1 || len(e.got().Edits[0].DocumentChanges) != 2 {
		t.Fatalf("edits %+v", e.got().Edits)
	}
	file := e.got().Edits[0].DocumentChanges[0].(*protocol.CreateFile).URI
	if want := filepath.Join(e.dir, "test", "A.leveret.t.sol"); file.FsPath() != want {
		t.Errorf("creates %s, want %s", file, want)
	}
	e.must(os.MkdirAll(filepath.Join(e.dir, "test"), 0o700))
	e.write("test/A.leveret.t.sol", "// old\n")
	if _, err := e.command(present.CommandExportTest, "A:x"); err != nil {
		t.Fatal(err)
	}
	extend := e.got().Edits[1].Changes[file]
	if len(extend) != 1 || extend[0].Range.Start.Line != 1 || !strings.Contains(extend[0].NewText, "// test of A:x") {
		t.Errorf("extends by %+v", extend)
	}
}

func TestProgressOfLongCampaigns(t *testing.T) {
	w := &workshop{hold: make(chan struct{})}
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\n")
	e.until("progress", func() bool { return slices.Contains(e.got().Progress, "begin") })
	close(w.hold)
	e.until("the end of the progress", func() bool { return slices.Contains(e.got().Progress, "end") })
}

func TestCancelledProgressStopsCampaign(t *testing.T) {
	w := &workshop{hold: make(chan struct{})}
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\n")
	e.until("progress", func() bool { return slices.Contains(e.got().Progress, "begin") })
	e.must(e.server.WorkDoneProgressCancel(e.ctx(), &protocol.WorkDoneProgressCancelParams{Token: protocol.String("another")}))
	e.must(e.server.WorkDoneProgressCancel(e.ctx(), &protocol.WorkDoneProgressCancelParams{Token: e.got().Tokens[0]}))
	e.until("the end of the progress", func() bool { return slices.Contains(e.got().Progress, "end") })
}

func TestCapabilities(t *testing.T) {
	w := new(workshop)
	r := connect(t, w.config("")).start(allCapabilities, `{}`).Capabilities
	if r.PositionEncoding != protocol.PositionEncodingKindUTF8 {
		t.Errorf("encoding %s, though UTF-8 was offered", r.PositionEncoding)
	}
	sync, ok := r.TextDocumentSync.(*protocol.TextDocumentSyncOptions)
	if !ok || sync.Save == nil || *sync.Change != protocol.TextDocumentSyncKindIncremental {
		t.Errorf("sync %+v", r.TextDocumentSync)
	}
	for _, capabilities := range []string{
		`{}`,
		`{"general":{"positionEncodings":["utf-16"]}}`,
		`{"window":{"showDocument":true},"workspace":{"applyEdit":"yes"}}`, // types that differ from LSP
	} {
		r := connect(t, w.config("")).start(capabilities, `null`).Capabilities
		if r.PositionEncoding != protocol.PositionEncodingKindUTF16 {
			t.Errorf("%s: encoding %s", capabilities, r.PositionEncoding)
		}
	}
}

func TestPositionsInUTF16(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(`{}`, `{"idle":false}`)
	e.open("A.sol", "contract A\n/* 𝄞é */ bug x\n")
	e.until("diagnostic", func() bool { return len(e.found("A.sol")) == 1 })
	if at := e.found("A.sol")[0].Range.Start; at.Character != 10 {
		t.Errorf("at %+v, want 10 UTF-16 units", at)
	}
}

func TestSettings(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.settings(`{"budgett":3,"idle":false}`)
	e.write("leveret.toml", "[solc]\npath = \"./evil\"\n")
	e.start(allCapabilities, `{"oracles":{"overlow":"off"}}`)
	e.until("three warnings", func() bool { return len(e.got().Messages) == 3 })
	all := strings.Join(e.got().Messages, "\n")
	for _, want := range []string{`did you mean "budget"?`, `did you mean "overflow"?`, "not trusted"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q is missing:\n%s", want, all)
		}
	}
	e.until("watches files", func() bool {
		return slices.Contains(e.got().Registered, protocol.MethodWorkspaceDidChangeWatchedFiles)
	})
}

// What the server does not follow of a project's configuration is said once.
func TestUnmet(t *testing.T) {
	w := new(workshop)
	config := w.config("")
	config.Session.Compiler.Compile = func(ctx context.Context, source session.SourceFile) (*solc.Build, error) {
		b, err := w.compile(ctx, source)
		if err == nil {
			b.Unmet = []string{"foundry.toml configures solc 0.8.1, which is not installed"}
		}
		return b, err
	}
	e := connect(t, config)
	e.settings(`{"idle":false}`)
	e.start(allCapabilities, `{"notifications":true}`)
	e.open("A.sol", "contract A\n")
	e.open("B.sol", "contract B\n")
	e.until("both files are done", func() bool { return e.calm() && len(e.got().Messages) > 0 })
	e.save("A.sol", 2, "contract A\n\n")
	e.until("the save is done", e.calm)
	if got := e.got().Messages; len(got) != 1 || got[0] != "Leveret: foundry.toml configures solc 0.8.1, which is not installed" {
		t.Errorf("messages %q", got)
	}
}

// The server compiles and fuzzes nothing until the client has answered
// workspace/configuration.
func TestSettingsComeBeforeWork(t *testing.T) {
	w := new(workshop)
	config := w.config("")
	config.Session.Coalesce = time.Microsecond
	e := connect(t, config)
	e.settings(`{"idle":false,"seed":7}`)
	asked := make(chan struct{})
	e.mail.Hold(asked)
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\nbug x\n")
	if list, err := e.server.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("A.sol")}}); err != nil || w.started() > 0 {
		t.Errorf("%d campaigns before the settings arrived; %v, %v", w.started(), list, err)
	}
	close(asked)
	e.until("diagnostic", func() bool { return len(e.found("A.sol")) == 1 })
	if o := w.options(); o.Seed != 7 || w.started() != 1 {
		t.Errorf("%d campaigns, the last with seed %d", w.started(), o.Seed)
	}
}

// A workspace that the client's settings trust starts without a warning, even if the
// client is slow to send them and files change meanwhile. Others get it.
func TestTrustIsKnownBeforeWarnings(t *testing.T) {
	for _, row := range []struct {
		name, capabilities, settings string
		want                         []string
	}{
		{"trusted", allCapabilities, `{"trusted":true,"budgett":3}`, []string{"budgett"}},
		{"not trusted", allCapabilities, `{"budgett":3}`, []string{"budgett", "not trusted"}},
		{"cannot be asked", `{}`, ``, []string{"not trusted"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			e := connect(t, new(workshop).config(""))
			e.settings(row.settings)
			e.write("leveret.toml", "[solc]\npath = \"./solc\"\n")
			asked := make(chan struct{})
			e.mail.Hold(asked)
			e.start(row.capabilities, `{}`)
			e.must(e.server.DidChangeWatchedFiles(e.ctx(), &protocol.DidChangeWatchedFilesParams{
				Changes: []protocol.FileEvent{{URI: e.uri("leveret.toml"), Type: protocol.FileChangeTypeChanged}},
			}))
			close(asked)
			e.until("the warnings", func() bool { return len(e.got().Messages) >= len(row.want) })
			all := strings.Join(e.got().Messages, "\n")
			for _, want := range row.want {
				if !strings.Contains(all, want) {
					t.Errorf("%q is missing: %s", want, all)
				}
			}
			if n := len(e.got().Messages); n != len(row.want) {
				t.Errorf("%d warnings: %s", n, all)
			}
		})
	}
}

func TestLogGoesToTheClient(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{"budgett":1}`)
	e.until("the warning in the log", func() bool {
		return slices.ContainsFunc(e.got().Logged, func(line string) bool { return strings.Contains(line, "budgett") })
	})
}

func TestOracleCanBeSwitchedOff(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(""), allCapabilities)
	e.configure(`{"idle":false,"oracles":{"assertion":"off"}}`)
	e.until("no findings", func() bool { return len(e.found("A.sol")) == 0 })
}

func TestStatusNotifications(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{"notifications":true}`)
	e.open("A.sol", "contract A\nbug x\n")
	e.until("status", func() bool { return strings.Contains(string(e.mail.Custom(present.MethodStatus)), "1 finding") })
	if s := string(e.mail.Custom(present.MethodSymbolStatus)); !strings.Contains(s, "A.sol") {
		t.Errorf("symbols %s", s)
	}
}

func TestUnsupportedDocumentsAreIgnored(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	for _, u := range []string{"untitled:Untitled-1", "git:/A.sol?ref", "file:///tmp/x.txt", "not a uri at all %zz"} {
		e.must(e.server.DidOpen(e.ctx(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: uri.URI(u), Text: "bug x"}}))
		_, err := e.server.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri.URI(u)}})
		if err != nil {
			t.Errorf("%s: %v", u, err)
		}
	}
	if w.String() != "0 campaigns, 0 ended" {
		t.Error(w)
	}
}

func TestEmptyListsAreNotNull(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	id := `{"textDocument":{"uri":"file:///none.sol"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}`
	for _, method := range []string{"textDocument/codeAction", "textDocument/codeLens", "textDocument/inlayHint", "textDocument/documentLink"} {
		var raw jsonrpc2.RawMessage
		if _, err := e.conn.Call(e.ctx(), method, rawParams(id), &raw); err != nil || string(raw) != "[]" {
			t.Errorf("%s: %s, %v", method, raw, err)
		}
	}
}

func TestServerEndsWithTheClientsProcess(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the check of the client's process")
	}
	cmd := exec.Command("sleep", "1")
	if err := cmd.Start(); err != nil {
		t.Skip("no sleep command:", err)
	}
	go cmd.Wait()
	w := new(workshop)
	e := connect(t, w.config(""))
	if _, err := e.conn.Call(e.ctx(), protocol.MethodInitialize, rawParams(
		`{"processId":`+strconv.Itoa(cmd.Process.Pid)+`,"rootUri":null,"capabilities":{}}`), nil); err != nil {
		t.Fatal(err)
	}
	err := <-e.done
	if !errors.Is(err, ErrNoShutdown) {
		t.Errorf("ended with %v", err)
	}
	e.done <- nil // for quit
}
