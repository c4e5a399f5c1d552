package rpc

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// A recorder is a server that records the versions of the changes.
type recorder struct {
	mu       sync.Mutex
	versions []int32
	started  chan struct{}
}

func (r *recorder) Initialize(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	return &protocol.InitializeResult{}, nil
}

func (r *recorder) Initialized(context.Context, *NoParams) error { return nil }

func (r *recorder) Shutdown(context.Context, *NoParams) (any, error) { return nil, nil }

func (r *recorder) DidChange(_ context.Context, p *protocol.DidChangeTextDocumentParams) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.versions = append(r.versions, p.TextDocument.Version)
	return nil
}

func (r *recorder) DidSave(context.Context, *protocol.DidSaveTextDocumentParams) error {
	return errors.New("disk on fire")
}

func (r *recorder) DidClose(context.Context, *protocol.DidCloseTextDocumentParams) error {
	panic("boom")
}

func (r *recorder) CodeAction(context.Context, *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	return []protocol.CommandOrCodeAction{}, nil
}

func (r *recorder) CodeLens(context.Context, *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	panic("boom")
}

// Hover runs until it is cancelled.
func (r *recorder) Hover(ctx context.Context, _ *protocol.HoverParams) (*protocol.Hover, error) {
	close(r.started)
	<-ctx.Done()
	return nil, ctx.Err()
}

// ExecuteCommand returns the versions recorded so far.
func (r *recorder) ExecuteCommand(context.Context, *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return json.Marshal(r.versions)
}

// handlers are the methods that the test servers implement.
type handlers interface {
	Initialize(context.Context, *protocol.InitializeParams) (*protocol.InitializeResult, error)
	Initialized(context.Context, *NoParams) error
	Shutdown(context.Context, *NoParams) (any, error)
	DidChange(context.Context, *protocol.DidChangeTextDocumentParams) error
	DidSave(context.Context, *protocol.DidSaveTextDocumentParams) error
	DidClose(context.Context, *protocol.DidCloseTextDocumentParams) error
	CodeAction(context.Context, *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error)
	CodeLens(context.Context, *protocol.CodeLensParams) ([]protocol.CodeLens, error)
	Hover(context.Context, *protocol.HoverParams) (*protocol.Hover, error)
	ExecuteCommand(context.Context, *protocol.ExecuteCommandParams) (protocol.LSPAny, error)
}

func serverOf(h handlers) Server {
	return Server{Initialize: h.Initialize, Methods: []Method{
		Notification(protocol.MethodInitialized, h.Initialized),
		Request(protocol.MethodShutdown, h.Shutdown),
		Notification(protocol.MethodTextDocumentDidOpen, func(context.Context, *protocol.DidOpenTextDocumentParams) error { return nil }),
		Notification(protocol.MethodTextDocumentDidChange, h.DidChange),
		Notification(protocol.MethodTextDocumentDidSave, h.DidSave),
		Notification(protocol.MethodTextDocumentDidClose, h.DidClose),
		Request(protocol.MethodTextDocumentCodeAction, h.CodeAction),
		Request(protocol.MethodTextDocumentCodeLens, h.CodeLens),
		Request(protocol.MethodTextDocumentHover, h.Hover),
		Request(protocol.MethodWorkspaceExecuteCommand, h.ExecuteCommand),
	}}
}

// A wire is a client that sends and receives raw messages.
type wire struct {
	t    *testing.T
	conn net.Conn
	r    *bufio.Reader
	done chan error
}

func dial(t *testing.T, server handlers) *wire {
	t.Helper()
	near, far := net.Pipe()
	w := &wire{t: t, conn: near, r: bufio.NewReader(near), done: make(chan error, 1)}
	go func() {
		w.done <- Serve(t.Context(), far, nil, func(context.Context, Peer) Server { return serverOf(server) })
	}()
	t.Cleanup(func() { _ = near.Close() })
	_ = near.SetDeadline(time.Now().Add(2 * time.Minute)) // a hang fails the test instead of blocking it
	return w
}

func (w *wire) raw(text string) {
	w.t.Helper()
	if _, err := w.conn.Write([]byte(text)); err != nil {
		w.t.Fatal(err)
	}
}

func (w *wire) send(body string) { w.t.Helper(); w.raw(string(AppendFrame(nil, []byte(body)))) }

func (w *wire) initialize() {
	w.t.Helper()
	w.send(`{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`)
	if got := w.read(); got.Error != nil {
		w.t.Fatalf("initialize: %+v", got.Error)
	}
	w.send(`{"jsonrpc":"2.0","method":"initialized"}`)
}

type answer struct {
	ID     json.RawMessage
	Method string
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
}

func (w *wire) read() answer {
	w.t.Helper()
	body, err := ReadFrame(w.r, MaxFrame)
	if err != nil {
		w.t.Fatalf("read answer: %v", err)
	}
	var a answer
	if err := json.Unmarshal(body, &a); err != nil {
		w.t.Fatal(err)
	}
	return a
}

func (w *wire) wantError(code int) {
	w.t.Helper()
	if a := w.read(); a.Error == nil || a.Error.Code != code {
		w.t.Errorf("answer %s %+v, want error %d", a.Result, a.Error, code)
	}
}

// wantAlive checks that the server still answers.
func (w *wire) wantAlive() {
	w.t.Helper()
	w.send(`{"jsonrpc":"2.0","id":99,"method":"textDocument/codeAction","params":{"textDocument":{"uri":"file:///a"},"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"context":{"diagnostics":[]}}}`)
	if a := w.read(); string(a.ID) != "99" || a.Error != nil || string(a.Result) != "[]" {
		w.t.Errorf("answer %s %s %+v, want an empty list", a.ID, a.Result, a.Error)
	}
}

func TestChangesArriveInOrder(t *testing.T) {
	for run := range 50 {
		r := &recorder{}
		w := dial(t, r)
		w.initialize()
		var all strings.Builder
		for v := range 40 {
			all.Write(AppendFrame(nil, fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///a","version":%d},"contentChanges":[{"text":"x"}]}}`, v)))
		}
		w.raw(all.String())
		w.send(`{"jsonrpc":"2.0","id":1,"method":"workspace/executeCommand","params":{"command":"x"}}`)
		var got []int32
		if err := json.Unmarshal(w.read().Result, &got); err != nil {
			t.Fatal(err)
		}
		if len(got) != 40 {
			t.Fatalf("run %d: %d of 40 changes before the request behind them", run, len(got))
		}
		for i, v := range got {
			if int(v) != i {
				t.Fatalf("run %d: changes came as %v", run, got)
			}
		}
		_ = w.conn.Close()
		<-w.done
	}
}

func TestBadMessagesKeepConnection(t *testing.T) {
	notify := func(method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
	}
	for _, test := range []struct{ name, body string }{
		{"notification that fails", notify("textDocument/didSave", `{"textDocument":{"uri":"file:///a"}}`)},
		{"notification that panics", notify("textDocument/didClose", `{"textDocument":{"uri":"file:///a"}}`)},
		{"notification of wrong type", notify("textDocument/didChange", `{"textDocument":7}`)},
		{"notification without parameters", `{"jsonrpc":"2.0","method":"textDocument/didOpen"}`},
		{"unknown notification", notify("textDocument/didDream", `{}`)},
		{"unknown dollar notification", notify("$/whatever", `{}`)},
		{"cancel of nothing", notify("$/cancelRequest", `{"id":12345}`)},
		{"malformed cancel", notify("$/cancelRequest", `{"id":{}}`)},
		{"answer to nothing", `{"jsonrpc":"2.0","id":4711,"result":null}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := dial(t, &recorder{})
			w.initialize()
			w.send(test.body)
			w.wantAlive()
		})
	}
}

func TestErrorAnswers(t *testing.T) {
	for _, test := range []struct {
		name, body string
		code       int
	}{
		{"not JSON", `{"jsonrpc":`, -32700},
		{"not a message", `{"jsonrpc":"2.0"}`, -32600},
		{"empty body", ``, -32700},
		{"batch", `[{"jsonrpc":"2.0","id":1,"method":"textDocument/hover"}]`, -32600},
		{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"textDocument/dream","params":{}}`, -32601},
		{"method of LSP that is not offered", `{"jsonrpc":"2.0","id":1,"method":"textDocument/rename","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0},"newName":"x"}}`, -32601},
		{"wrong parameters", `{"jsonrpc":"2.0","id":1,"method":"textDocument/codeAction","params":{"textDocument":7}}`, -32602},
		{"panic", `{"jsonrpc":"2.0","id":1,"method":"textDocument/codeLens","params":{"textDocument":{"uri":"file:///a"}}}`, -32603},
		{"second initialize", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`, -32600},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := dial(t, &recorder{})
			w.initialize()
			w.send(test.body)
			w.wantError(test.code)
			w.wantAlive()
		})
	}
}

func TestCancel(t *testing.T) {
	for _, id := range []string{`7`, `"seven"`} {
		r := &recorder{started: make(chan struct{})}
		w := dial(t, r)
		w.initialize()
		w.send(`{"jsonrpc":"2.0","id":` + id + `,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}`)
		<-r.started
		w.wantAlive() // a long request does not block others
		w.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":` + id + `}}`)
		w.wantError(-32800)
	}
}

func TestLifecycle(t *testing.T) {
	w := dial(t, &recorder{})
	w.send(`{"jsonrpc":"2.0","method":"textDocument/didSave","params":{}}`) // dropped
	w.send(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`)
	w.wantError(-32002)
	w.initialize()
	w.wantAlive()
	w.send(`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`)
	if a := w.read(); a.Error != nil || string(a.Result) != "null" {
		t.Fatalf("shutdown: %s %+v", a.Result, a.Error)
	}
	w.send(`{"jsonrpc":"2.0","id":3,"method":"textDocument/hover","params":{}}`)
	w.wantError(-32600)
	w.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if err := <-w.done; err != nil {
		t.Errorf("shutdown and exit: %v", err)
	}
}

func TestEndsWithoutShutdown(t *testing.T) {
	for _, test := range []struct {
		name string
		end  func(w *wire)
	}{
		{"exit", func(w *wire) { w.send(`{"jsonrpc":"2.0","method":"exit"}`) }},
		{"end of input", func(w *wire) { _ = w.conn.Close() }},
		{"end inside a message", func(w *wire) { w.raw("Content-Length: 10\r\n\r\n{"); _ = w.conn.Close() }},
		{"exit before initialize", nil},
		{"end of input with a request running", func(w *wire) {
			w.send(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}`)
			_ = w.conn.Close()
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			w := dial(t, &recorder{started: make(chan struct{})})
			if test.end == nil {
				w.send(`{"jsonrpc":"2.0","method":"exit"}`)
			} else {
				w.initialize()
				test.end(w)
			}
			if err := <-w.done; !errors.Is(err, ErrNoShutdown) {
				t.Errorf("ended with %v, want ErrNoShutdown", err)
			}
		})
	}
}

func TestBrokenFramesAreExplained(t *testing.T) {
	for _, header := range []string{
		"nonsense\r\n\r\n",
		"Content-Length: 99999999999\r\n\r\n",
		"Content-Length: x\r\n\r\n",
		"Content-Type: x\r\n\r\n",
	} {
		w := dial(t, &recorder{})
		w.initialize()
		w.raw(header)
		w.wantError(-32700)
		if err := <-w.done; !errors.Is(err, ErrFrame) || !errors.Is(err, ErrNoShutdown) {
			t.Errorf("%q ended with %v", header, err)
		}
	}
}

func TestCallerEndsConnection(t *testing.T) {
	near, far := net.Pipe()
	defer near.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := Serve(ctx, far, nil, func(context.Context, Peer) Server { return serverOf(&recorder{}) })
	if !errors.Is(err, ErrNoShutdown) {
		t.Error(err)
	}
}

func TestAlive(t *testing.T) {
	cmd := exec.Command("sleep", "60")
	if err := cmd.Start(); err != nil {
		t.Skip("no sleep command:", err)
	}
	if !alive(cmd.Process.Pid) {
		t.Error("a running process is not alive")
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	if alive(cmd.Process.Pid) {
		t.Error("a process that ended is alive")
	}
	called := false
	WatchParent(t.Context(), cmd.Process.Pid, func() { called = true })
	if called {
		t.Error("an unknown process is reported as ended")
	}
}
