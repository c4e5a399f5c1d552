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
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// An editor is a client in the same process. It keeps what it is sent.
type editor struct {
	protocol.UnimplementedClient
	t      testing.TB
	dir    string
	conn   jsonrpc2.Conn
	server protocol.Server
	done   chan error
	news   chan struct{}

	mu          sync.Mutex
	diagnostics map[uri.URI]protocol.PublishDiagnosticsParams
	published   []string // what was published, in order: "A.sol@3: 2"
	messages    []string
	logged      []string
	progress    []string          // kinds, in order
	reports     []json.RawMessage // what they said
	tokens      []protocol.ProgressToken
	shown       []protocol.ShowDocumentParams
	edits       []protocol.WorkspaceEdit
	registered  []string
	custom      map[string]json.RawMessage // last of each method of our own
	settings    string                     // answers workspace/configuration
	questions   []string
	answer      func(question string) string // nil: the user never answers
}

// allCapabilities is a client that can do everything.
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
func connect(t *testing.T, config Config) *editor {
	t.Helper()
	near, far := net.Pipe()
	e := attach(t, near)
	go func() { e.done <- Serve(context.Background(), far, config) }()
	t.Cleanup(e.quit)
	return e
}

// attach makes an editor of the near end of a connection.
func attach(t testing.TB, near io.ReadWriteCloser) *editor {
	e := &editor{
		t: t, dir: t.TempDir(), done: make(chan error, 1), news: make(chan struct{}, 1),
		diagnostics: map[uri.URI]protocol.PublishDiagnosticsParams{}, custom: map[string]json.RawMessage{},
		settings: `{"idle":false}`,
	}
	e.conn = jsonrpc2.NewConn(jsonrpc2.NewStream(near), jsonrpc2.WithCodec(clientCodec{}))
	e.server = protocol.ServerDispatcher(e.conn)
	// Servers may say what is not in the protocol, at any moment.
	standard := protocol.ClientHandler(e, jsonrpc2.MethodNotFoundHandler)
	e.conn.Go(context.Background(), func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if strings.HasPrefix(req.Method(), "leveret/") {
			e.note(func() { e.custom[strings.Clone(req.Method())] = slices.Clone(json.RawMessage(req.Params())) })
			return nil, nil
		}
		return standard(ctx, req)
	})
	return e
}

// start initializes with the given capabilities and options.
func (e *editor) start(capabilities, options string) *protocol.InitializeResult {
	e.t.Helper()
	raw := fmt.Sprintf(`{"processId":%d,"rootUri":%q,"capabilities":%s,"initializationOptions":%s}`,
		os.Getpid(), uri.File(e.dir), capabilities, options)
	var result protocol.InitializeResult
	if _, err := e.conn.Call(e.ctx(), protocol.MethodInitialize, jsonrpc2.RawMessage(raw), &result); err != nil {
		e.t.Fatal(err)
	}
	if err := e.server.Initialized(e.ctx(), &protocol.InitializedParams{}); err != nil {
		e.t.Fatal(err)
	}
	return &result
}

// quit says goodbye, unless the test did.
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
	case <-time.After(10 * time.Second):
		e.t.Error("the server did not end")
	}
}

// ctx is not the test's own: that is over when the editor quits.
func (e *editor) ctx() context.Context { return context.Background() }

func (e *editor) note(f func()) {
	e.mu.Lock()
	f()
	e.mu.Unlock()
	select {
	case e.news <- struct{}{}:
	default:
	}
}

// until waits for something to be true of what was received.
func (e *editor) until(what string, ok func() bool) {
	e.t.Helper()
	deadline := time.After(25 * time.Second)
	for {
		e.mu.Lock()
		yes := ok()
		e.mu.Unlock()
		if yes {
			return
		}
		select {
		case <-e.news:
		case <-deadline:
			e.t.Fatalf("never: %s\npublished %q\nmessages %q", what, e.published, e.messages)
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

// found returns the present diagnostics of a file.
func (e *editor) found(name string) []protocol.Diagnostic {
	return e.diagnostics[e.uri(name)].Diagnostics
}

// command runs a command and returns its answer.
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

func (e *editor) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	version, _ := p.Version.Get()
	e.note(func() {
		e.diagnostics[p.URI] = *p
		e.published = append(e.published, fmt.Sprintf("%s@%d: %d", filepath.Base(p.URI.FsPath()), version, len(p.Diagnostics)))
	})
	return nil
}

func (e *editor) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	e.note(func() { e.messages = append(e.messages, p.Message) })
	return nil
}

func (e *editor) ShowMessageRequest(ctx context.Context, p *protocol.ShowMessageRequestParams) (*protocol.MessageActionItem, error) {
	jsonrpc2.Async(ctx) // people take their time
	e.note(func() { e.questions = append(e.questions, p.Message) })
	if e.answer == nil {
		<-e.t.Context().Done()
		return nil, nil
	}
	for _, a := range p.Actions {
		if a.Title == e.answer(p.Message) {
			return &a, nil
		}
	}
	return nil, nil
}

func (e *editor) LogMessage(_ context.Context, p *protocol.LogMessageParams) error {
	e.note(func() { e.logged = append(e.logged, p.Message) })
	return nil
}

func (e *editor) Configuration(context.Context, *protocol.ConfigurationParams) ([]protocol.LSPAny, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return []protocol.LSPAny{protocol.LSPAny(e.settings)}, nil
}

func (e *editor) RegisterCapability(_ context.Context, p *protocol.RegistrationParams) error {
	e.note(func() {
		for _, r := range p.Registrations {
			e.registered = append(e.registered, r.Method)
		}
	})
	return nil
}

func (e *editor) WorkDoneProgressCreate(_ context.Context, p *protocol.WorkDoneProgressCreateParams) error {
	e.note(func() { e.tokens = append(e.tokens, p.Token) })
	return nil
}

func (e *editor) Progress(_ context.Context, p *protocol.ProgressParams) error {
	var value struct{ Kind string }
	_ = json.Unmarshal(p.Value, &value)
	e.note(func() {
		e.progress = append(e.progress, value.Kind)
		e.reports = append(e.reports, slices.Clone(json.RawMessage(p.Value)))
	})
	return nil
}

func (e *editor) ShowDocument(_ context.Context, p *protocol.ShowDocumentParams) (*protocol.ShowDocumentResult, error) {
	e.note(func() { e.shown = append(e.shown, *p) })
	return &protocol.ShowDocumentResult{Success: true}, nil
}

func (e *editor) ApplyEdit(_ context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	e.note(func() { e.edits = append(e.edits, p.Edit) })
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

func (e *editor) CodeLensRefresh(context.Context) error { return nil }

// clientCodec is what protocol's own connections use.
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
	// jsonrpc2's own stream reads the next message over this one, and strings
	// of decoded lists would still point into it.
	return protocol.Unmarshal(slices.Clone(data), v)
}

func rawParams(text string) jsonrpc2.RawMessage { return jsonrpc2.RawMessage(text) }
