package lsptest

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// extensionPrefix starts the methods that LSP does not define.
const extensionPrefix = "leveret/"

// Received has the messages of the server so far, in order.
type Received struct {
	Published  []string // diagnostics as "A.sol@3: 2": file, version and number
	Messages   []string
	Questions  []string
	Logged     []string
	Progress   []string          // kinds
	Reports    []json.RawMessage // values
	Tokens     []protocol.ProgressToken
	Shown      []protocol.ShowDocumentParams
	Edits      []protocol.WorkspaceEdit
	Registered []string
}

// A Mailbox is the client of a connection in this process: it answers requests
// and keeps notifications. Its methods return copies, so that tests can read
// while messages arrive.
type Mailbox struct {
	protocol.UnimplementedClient
	done <-chan struct{}
	news chan struct{}

	mu          sync.Mutex
	received    Received
	diagnostics map[uri.URI]protocol.PublishDiagnosticsParams
	custom      map[string]json.RawMessage // last of each method leveret/…
	settings    string
	hold        <-chan struct{}              // the settings are not sent before; nil: at once
	asked       bool                         // workspace/configuration was requested
	answer      func(question string) string // nil: the user never answers
}

// NewMailbox returns a Mailbox that answers workspace/configuration with
// settings. A question without an answer stays open until done.
func NewMailbox(settings string, done <-chan struct{}) *Mailbox {
	return &Mailbox{
		done: done, news: make(chan struct{}, 1), settings: settings,
		diagnostics: map[uri.URI]protocol.PublishDiagnosticsParams{}, custom: map[string]json.RawMessage{},
	}
}

// Handler dispatches the protocol's methods and keeps notifications leveret/….
func (m *Mailbox) Handler() jsonrpc2.Handler {
	standard := protocol.ClientHandler(m, jsonrpc2.MethodNotFoundHandler)
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if strings.HasPrefix(req.Method(), extensionPrefix) {
			method, params := strings.Clone(req.Method()), slices.Clone(json.RawMessage(req.Params()))
			m.note(func() { m.custom[method] = params })
			return nil, nil
		}
		return standard(ctx, req)
	}
}

// News receives after new messages.
func (m *Mailbox) News() <-chan struct{} { return m.news }

// Received returns the messages so far.
func (m *Mailbox) Received() Received {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.received
	// The lists only grow, and appending to a clipped one copies it.
	return Received{
		Published: slices.Clip(r.Published), Messages: slices.Clip(r.Messages), Questions: slices.Clip(r.Questions),
		Logged: slices.Clip(r.Logged), Progress: slices.Clip(r.Progress), Reports: slices.Clip(r.Reports),
		Tokens: slices.Clip(r.Tokens), Shown: slices.Clip(r.Shown), Edits: slices.Clip(r.Edits), Registered: slices.Clip(r.Registered),
	}
}

// Diagnostics returns the last published diagnostics of a file.
func (m *Mailbox) Diagnostics(u uri.URI) (protocol.PublishDiagnosticsParams, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.diagnostics[u]
	return p, ok
}

// All returns the last published diagnostics of each file.
func (m *Mailbox) All() map[uri.URI]protocol.PublishDiagnosticsParams {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.diagnostics)
}

// Custom returns the parameters of the last notification leveret/… of a method.
func (m *Mailbox) Custom(method string) json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.custom[method]
}

// Forget drops the messages so far, except diagnostics and notifications
// leveret/… of other methods than the given ones.
func (m *Mailbox) Forget(methods ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.received = Received{}
	for _, method := range methods {
		delete(m.custom, method)
	}
}

// Settings sets the answer to workspace/configuration, and reports whether it
// was requested before: the server must then be notified of the change.
func (m *Mailbox) Settings(text string) (asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings = text
	return m.asked
}

// Hold delays the answer to workspace/configuration until the channel is
// closed.
func (m *Mailbox) Hold(until <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hold = until
}

// Answer sets the user's answers to questions.
func (m *Mailbox) Answer(user func(question string) string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = user
}

// note changes the mailbox and signals News.
func (m *Mailbox) note(f func()) {
	m.mu.Lock()
	f()
	m.mu.Unlock()
	select {
	case m.news <- struct{}{}:
	default:
	}
}

// PublishDiagnostics keeps the last of each file.
func (m *Mailbox) PublishDiagnostics(_ context.Context, p *protocol.PublishDiagnosticsParams) error {
	version, _ := p.Version.Get()
	line := fmt.Sprintf("%s@%d: %d", filepath.Base(p.URI.FsPath()), version, len(p.Diagnostics))
	m.note(func() {
		m.diagnostics[p.URI] = *p
		m.received.Published = append(m.received.Published, line)
	})
	return nil
}

// ShowMessage keeps the message.
func (m *Mailbox) ShowMessage(_ context.Context, p *protocol.ShowMessageParams) error {
	m.note(func() { m.received.Messages = append(m.received.Messages, p.Message) })
	return nil
}

// ShowMessageRequest answers with the user's answer.
func (m *Mailbox) ShowMessageRequest(ctx context.Context, p *protocol.ShowMessageRequestParams) (*protocol.MessageActionItem, error) {
	jsonrpc2.Async(ctx) // the user may be slow
	var answer func(string) string
	m.note(func() {
		m.received.Questions = append(m.received.Questions, p.Message)
		answer = m.answer
	})
	if answer == nil {
		<-m.done
		return nil, nil
	}
	title := answer(p.Message)
	for _, a := range p.Actions {
		if a.Title == title {
			return &a, nil
		}
	}
	return nil, nil
}

// LogMessage keeps the message.
func (m *Mailbox) LogMessage(_ context.Context, p *protocol.LogMessageParams) error {
	m.note(func() { m.received.Logged = append(m.received.Logged, p.Message) })
	return nil
}

// Configuration answers with the settings.
func (m *Mailbox) Configuration(ctx context.Context, _ *protocol.ConfigurationParams) ([]protocol.LSPAny, error) {
	jsonrpc2.Async(ctx)
	m.mu.Lock()
	hold := m.hold
	m.mu.Unlock()
	if hold != nil {
		<-hold
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.asked = true
	return []protocol.LSPAny{protocol.LSPAny(m.settings)}, nil
}

// RegisterCapability keeps the methods.
func (m *Mailbox) RegisterCapability(_ context.Context, p *protocol.RegistrationParams) error {
	m.note(func() {
		for _, r := range p.Registrations {
			m.received.Registered = append(m.received.Registered, r.Method)
		}
	})
	return nil
}

// WorkDoneProgressCreate keeps the token.
func (m *Mailbox) WorkDoneProgressCreate(_ context.Context, p *protocol.WorkDoneProgressCreateParams) error {
	m.note(func() { m.received.Tokens = append(m.received.Tokens, p.Token) })
	return nil
}

// Progress keeps the report.
func (m *Mailbox) Progress(_ context.Context, p *protocol.ProgressParams) error {
	var value struct{ Kind string }
	_ = json.Unmarshal(p.Value, &value)
	m.note(func() {
		m.received.Progress = append(m.received.Progress, value.Kind)
		m.received.Reports = append(m.received.Reports, slices.Clone(json.RawMessage(p.Value)))
	})
	return nil
}

// ShowDocument keeps the document.
func (m *Mailbox) ShowDocument(_ context.Context, p *protocol.ShowDocumentParams) (*protocol.ShowDocumentResult, error) {
	m.note(func() { m.received.Shown = append(m.received.Shown, *p) })
	return &protocol.ShowDocumentResult{Success: true}, nil
}

// ApplyEdit keeps the edit and reports that it was applied.
func (m *Mailbox) ApplyEdit(_ context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	m.note(func() { m.received.Edits = append(m.received.Edits, p.Edit) })
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

// CodeLensRefresh does nothing: tests request lenses themselves.
func (m *Mailbox) CodeLensRefresh(context.Context) error { return nil }
