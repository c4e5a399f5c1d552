// Package mailbox is an editor's side of a session in tests: it answers what a
// server asks and keeps what it is sent. All of it is private and read through
// methods that return copies, so that no test can look at something while more
// of it arrives.
package mailbox

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

// ours is how the methods start that are not in the protocol.
const ours = "leveret/"

// Received is what came so far, in order.
type Received struct {
	Published  []string // diagnostics as "A.sol@3: 2": file, version and number
	Messages   []string
	Questions  []string
	Logged     []string
	Progress   []string          // kinds
	Reports    []json.RawMessage // what they said
	Tokens     []protocol.ProgressToken
	Shown      []protocol.ShowDocumentParams
	Edits      []protocol.WorkspaceEdit
	Registered []string
}

// A Mailbox is the client of a connection.
type Mailbox struct {
	protocol.UnimplementedClient
	done <-chan struct{}
	news chan struct{}

	mu          sync.Mutex
	received    Received
	diagnostics map[uri.URI]protocol.PublishDiagnosticsParams
	custom      map[string]json.RawMessage // last of each method of our own
	settings    string
	hold        <-chan struct{}              // the settings are not told before; nil: at once
	asked       bool                         // for settings
	answer      func(question string) string // nil: the user never answers
}

// New returns a Mailbox with settings that it tells when asked for them. A
// question that nobody answers stays open until done.
func New(settings string, done <-chan struct{}) *Mailbox {
	return &Mailbox{
		done: done, news: make(chan struct{}, 1), settings: settings,
		diagnostics: map[uri.URI]protocol.PublishDiagnosticsParams{}, custom: map[string]json.RawMessage{},
	}
}

// Handler passes on what is in the protocol and keeps what is our own: servers
// may say that at any moment.
func (m *Mailbox) Handler() jsonrpc2.Handler {
	standard := protocol.ClientHandler(m, jsonrpc2.MethodNotFoundHandler)
	return func(ctx context.Context, req *jsonrpc2.Request) (any, error) {
		if strings.HasPrefix(req.Method(), ours) {
			method, params := strings.Clone(req.Method()), slices.Clone(json.RawMessage(req.Params()))
			m.note(func() { m.custom[method] = params })
			return nil, nil
		}
		return standard(ctx, req)
	}
}

// News has something in it when something came since it was last read.
func (m *Mailbox) News() <-chan struct{} { return m.news }

// Received returns what came so far.
func (m *Mailbox) Received() Received {
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.received
	// The lists only grow, and whoever appends to a clipped one gets its own.
	return Received{
		Published: slices.Clip(r.Published), Messages: slices.Clip(r.Messages), Questions: slices.Clip(r.Questions),
		Logged: slices.Clip(r.Logged), Progress: slices.Clip(r.Progress), Reports: slices.Clip(r.Reports),
		Tokens: slices.Clip(r.Tokens), Shown: slices.Clip(r.Shown), Edits: slices.Clip(r.Edits), Registered: slices.Clip(r.Registered),
	}
}

// Diagnostics returns what was last published for a file, if anything was.
func (m *Mailbox) Diagnostics(u uri.URI) (protocol.PublishDiagnosticsParams, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	p, ok := m.diagnostics[u]
	return p, ok
}

// All returns what was last published for each file.
func (m *Mailbox) All() map[uri.URI]protocol.PublishDiagnosticsParams {
	m.mu.Lock()
	defer m.mu.Unlock()
	return maps.Clone(m.diagnostics)
}

// Custom returns what was last sent with a method of our own.
func (m *Mailbox) Custom(method string) json.RawMessage {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.custom[method]
}

// Forget drops what came so far, but for the diagnostics and what was last
// sent with other methods of our own than the given ones.
func (m *Mailbox) Forget(methods ...string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.received = Received{}
	for _, method := range methods {
		delete(m.custom, method)
	}
}

// Settings sets what is told when the settings are asked for, and reports
// whether they were asked for before: who was told others must hear of it.
func (m *Mailbox) Settings(text string) (asked bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settings = text
	return m.asked
}

// Hold has the settings told only once the channel is closed.
func (m *Mailbox) Hold(until <-chan struct{}) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hold = until
}

// Answer sets who answers questions in the user's stead.
func (m *Mailbox) Answer(user func(question string) string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.answer = user
}

// note writes something down and tells of it.
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

// ShowMessageRequest answers as the user does.
func (m *Mailbox) ShowMessageRequest(ctx context.Context, p *protocol.ShowMessageRequestParams) (*protocol.MessageActionItem, error) {
	jsonrpc2.Async(ctx) // people take their time
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

// Configuration tells the settings.
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

// ApplyEdit keeps the edit, as if it were made.
func (m *Mailbox) ApplyEdit(_ context.Context, p *protocol.ApplyWorkspaceEditParams) (*protocol.ApplyWorkspaceEditResult, error) {
	m.note(func() { m.received.Edits = append(m.received.Edits, p.Edit) })
	return &protocol.ApplyWorkspaceEditResult{Applied: true}, nil
}

// CodeLensRefresh is asked for; tests look when they want to.
func (m *Mailbox) CodeLensRefresh(context.Context) error { return nil }
