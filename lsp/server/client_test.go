package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/goleak"

	"leveret/lsp/lsptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An editor is a client in the same process. Its mail holds what the server
// sent.
type editor struct {
	t      testing.TB
	dir    string
	conn   jsonrpc2.Conn
	server protocol.Server
	done   chan error
	mail   *lsptest.Mailbox

	workspace string // the folders that initialize announces; empty: only dir
}

// allCapabilities are the capabilities of a client that supports everything.
const allCapabilities = `{
	"general":{"positionEncodings":["utf-8","utf-16"]},
	"window":{"workDoneProgress":true,"showDocument":{"support":true}},
	"workspace":{"applyEdit":true,"configuration":true,"workspaceFolders":true,
		"workspaceEdit":{"documentChanges":true,"resourceOperations":["create"]},
		"didChangeWatchedFiles":{"dynamicRegistration":true},"codeLens":{"refreshSupport":true}},
	"textDocument":{
		"publishDiagnostics":{"relatedInformation":true,"dataSupport":true},
		"hover":{"contentFormat":["markdown"]},
		"codeAction":{"codeActionLiteralSupport":{"codeActionKind":{"valueSet":["quickfix"]}},"dataSupport":true,"resolveSupport":{"properties":["edit"]}}}}`

// connect starts a server in this process.
func connect(t testing.TB, config Config) *editor {
	t.Helper()
	near, far := net.Pipe()
	e := attach(t, near)
	go func() { e.done <- Serve(context.Background(), far, config) }()
	t.Cleanup(e.quit)
	return e
}

// attach returns an editor on the client's end of a connection.
func attach(t testing.TB, near io.ReadWriteCloser) *editor {
	e := &editor{t: t, dir: t.TempDir(), done: make(chan error, 1), mail: lsptest.NewMailbox(`{"idle":false}`, t.Context().Done())}
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(near), jsonrpc2.WithCodec(clientCodec{}))
	e.server = protocol.ServerDispatcher(e.conn)
	e.conn.Go(context.Background(), e.mail.Handler())
	return e
}

// start initializes with the given capabilities and options.
func (e *editor) start(capabilities, options string) *protocol.InitializeResult {
	e.t.Helper()
	raw := fmt.Sprintf(`{"processId":%d,"rootUri":%q,"capabilities":%s,"initializationOptions":%s%s}`,
		os.Getpid(), uri.File(e.dir), capabilities, options, e.workspace)
	var result protocol.InitializeResult
	if _, err := e.conn.Call(e.ctx(), protocol.MethodInitialize, jsonrpc2.RawMessage(raw), &result); err != nil {
		e.t.Fatal(err)
	}
	if err := e.server.Initialized(e.ctx(), &protocol.InitializedParams{}); err != nil {
		e.t.Fatal(err)
	}
	return &result
}

// folders makes a workspace of several folders. Call it before start.
func (e *editor) folders(list ...protocol.WorkspaceFolder) {
	e.t.Helper()
	raw, err := json.Marshal(list)
	e.must(err)
	e.workspace = `,"workspaceFolders":` + string(raw)
}

// quit sends shutdown and exit, unless the test did.
func (e *editor) quit() {
	if err := e.server.Shutdown(e.ctx()); err == nil {
		_ = e.server.Exit(e.ctx())
	}
	_ = e.conn.Close()
	select {
	case err := <-e.done:
		if err != nil && !errors.Is(err, ErrNoShutdown) {
			e.t.Error(err)
		}
	case <-time.After(patience):
		e.t.Error("the server did not end")
	}
}

// ctx returns a context that outlives the test's own, which ends before quit.
func (e *editor) ctx() context.Context { return context.Background() }

// settings sets the user's settings before the server requests them. Use
// configure to change them later.
func (e *editor) settings(text string) {
	e.t.Helper()
	if e.mail.Settings(text) {
		e.t.Fatal("the server asked for the settings before they were set")
	}
}

// configure changes the user's settings.
func (e *editor) configure(settings string) {
	e.t.Helper()
	e.mail.Settings(settings)
	e.must(e.server.DidChangeConfiguration(e.ctx(), &protocol.DidChangeConfigurationParams{Settings: protocol.LSPAny(`null`)}))
}

// got returns what the client has received so far.
func (e *editor) got() lsptest.Received { return e.mail.Received() }

// patience bounds each wait. It is long, for slow machines: only a failing test
// waits so long.
const patience = 10 * time.Minute

// until waits until ok returns true. It checks after each received message and
// periodically, for changes that send no message.
func (e *editor) until(what string, ok func() bool) {
	e.t.Helper()
	deadline := time.After(patience)
	look := time.NewTicker(20 * time.Millisecond)
	defer look.Stop()
	for !ok() {
		select {
		case <-e.mail.News():
		case <-look.C:
		case <-deadline:
			got := e.got()
			e.t.Fatalf("never: %s\npublished %q\nmessages %q\nstatus %s", what, got.Published, got.Messages, e.status())
		}
	}
}

func (e *editor) uri(name string) uri.URI { return uri.File(filepath.Join(e.dir, name)) }

func (e *editor) write(name, text string) {
	e.t.Helper()
	if err := os.WriteFile(filepath.Join(e.dir, name), []byte(text), 0o600); err != nil {
		e.t.Fatal(err)
	}
}

func (e *editor) open(name, text string) {
	e.t.Helper()
	e.write(name, text)
	e.must(e.server.DidOpen(e.ctx(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: e.uri(name), LanguageID: "solidity", Version: 1, Text: text,
	}}))
}

func (e *editor) change(name string, version int32, text string) {
	e.t.Helper()
	e.must(e.server.DidChange(e.ctx(), &protocol.DidChangeTextDocumentParams{
		TextDocument:   protocol.VersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: e.uri(name)}, Version: version},
		ContentChanges: []protocol.TextDocumentContentChangeEvent{&protocol.TextDocumentContentChangeWholeDocument{Text: text}},
	}))
}

func (e *editor) save(name string, version int32, text string) {
	e.t.Helper()
	e.change(name, version, text)
	e.write(name, text)
	e.must(e.server.DidSave(e.ctx(), &protocol.DidSaveTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}}))
}

func (e *editor) close(name string) {
	e.t.Helper()
	e.must(e.server.DidClose(e.ctx(), &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}}))
}

func (e *editor) must(err error) {
	e.t.Helper()
	if err != nil {
		e.t.Fatal(err)
	}
}

// found returns the current diagnostics of a file.
func (e *editor) found(name string) []protocol.Diagnostic {
	p, _ := e.mail.Diagnostics(e.uri(name))
	return p.Diagnostics
}

// command executes a command and returns its result.
func (e *editor) command(name string, arguments ...any) (string, error) {
	e.t.Helper()
	params := &protocol.ExecuteCommandParams{Command: name}
	for _, a := range arguments {
		raw, err := protocol.Marshal(a)
		if err != nil {
			raw, err = json.Marshal(a)
		}
		e.must(err)
		params.Arguments = append(params.Arguments, raw)
	}
	result, err := e.server.ExecuteCommand(e.ctx(), params)
	return string(result), err
}

// clientCodec is the codec of protocol's own connections.
type clientCodec struct{}

func (clientCodec) Marshal(v any) ([]byte, error) {
	if raw, ok := v.(jsonrpc2.RawMessage); ok {
		return raw, nil
	}
	return protocol.Marshal(v)
}

func (clientCodec) Unmarshal(data []byte, v any) error {
	if raw, ok := v.(*jsonrpc2.RawMessage); ok {
		*raw = slices.Clone(data)
		return nil
	}
	// jsonrpc2's stream reuses the buffer, and strings of decoded lists point
	// into it.
	return protocol.Unmarshal(slices.Clone(data), v)
}

func rawParams(text string) jsonrpc2.RawMessage { return jsonrpc2.RawMessage(text) }
