package rpc

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.lsp.dev/protocol"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"
)

// A talker answers hovers with long texts, and its commands call the client.
type talker struct {
	recorder
	peer        Peer
	mu          sync.Mutex
	initialized int
	hovers      int
}

func (s *talker) Initialized(context.Context, *NoParams) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.initialized++
	return nil
}

func (s *talker) Hover(context.Context, *protocol.HoverParams) (*protocol.Hover, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hovers++
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: "plaintext", Value: strings.Repeat("x", 10_000)}}, nil
}

func (s *talker) ExecuteCommand(ctx context.Context, _ *protocol.ExecuteCommandParams) (protocol.LSPAny, error) {
	_, err := s.peer.ApplyEdit(ctx, &protocol.ApplyWorkspaceEditParams{})
	return nil, err
}

func talk(t *testing.T) (*wire, *talker, *observer.ObservedLogs) {
	t.Helper()
	s := &talker{}
	near, far := net.Pipe()
	w := &wire{t: t, conn: near, r: bufio.NewReader(near), done: make(chan error, 1)}
	core, logs := observer.New(zap.InfoLevel)
	go func() {
		w.done <- Serve(t.Context(), far, zap.New(core), func(_ context.Context, peer Peer) Server {
			s.peer = peer
			return serverOf(s)
		})
	}()
	t.Cleanup(func() { _ = near.Close(); <-w.done })
	_ = near.SetDeadline(time.Now().Add(2 * time.Minute))
	return w, s, logs
}

func hover(id int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"textDocument/hover","params":{"textDocument":{"uri":"file:///a"},"position":{"line":0,"character":0}}}`, id)
}

// If a client does not read answers, the server stops reading requests after a
// limit. When the client reads again, it gets all answers.
func TestClientThatDoesNotRead(t *testing.T) {
	w, s, _ := talk(t)
	w.initialize()
	const requests = 5_000
	wrote := make(chan error, 1)
	go func() {
		for i := range requests {
			if _, err := w.conn.Write(AppendFrame(nil, []byte(hover(i)))); err != nil {
				wrote <- err
				return
			}
		}
		wrote <- nil
	}()
	handled, before := -1, runtime.NumGoroutine()
	for { // until the count no longer changes
		s.mu.Lock()
		now := s.hovers
		s.mu.Unlock()
		if now == handled {
			break
		}
		handled = now
		time.Sleep(200 * time.Millisecond)
	}
	if most := maxUnsent/10_000 + 2*maxAtOnce/minRequest + 1; handled > most {
		t.Errorf("%d requests were handled for a client that does not read, want at most %d", handled, most)
	}
	if extra := runtime.NumGoroutine() - before; extra > 3*maxAtOnce/minRequest {
		t.Errorf("%d goroutines wait", extra)
	}
	for range requests {
		if a := w.read(); a.Error != nil {
			t.Fatalf("%s: %+v", a.ID, a.Error)
		}
	}
	if err := <-wrote; err != nil {
		t.Fatal(err)
	}
	w.wantAlive()
}

// Commands that wait for the client's answers do not block the reader. Commands
// over the limit are refused.
func TestCommandsThatCallTheClient(t *testing.T) {
	w, _, _ := talk(t)
	w.initialize()
	const commands = 200
	go func() {
		for i := range commands {
			body := fmt.Sprintf(`{"jsonrpc":"2.0","id":"c%d","method":"workspace/executeCommand","params":{"command":"x"}}`, i)
			_, _ = w.conn.Write(AppendFrame(nil, []byte(body)))
		}
	}()
	done, refused, calls := 0, 0, []string{}
	for done+refused < commands {
		a := w.read()
		switch {
		case a.Method == "workspace/applyEdit":
			calls = append(calls, string(a.ID))
		case a.Error == nil:
			done++
		case a.Error.Code == -32803:
			refused++
		default:
			t.Fatalf("%s: %+v", a.ID, a.Error)
		}
		if len(calls)+refused == commands { // all remaining commands wait for the answers
			for _, id := range calls {
				w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"applied":true}}`, id))
			}
			calls = nil
		}
	}
	if most := maxAtOnce / minRequest; done != most {
		t.Errorf("%d commands ran at the same time, want %d", done, most)
	}
	w.wantAlive()
}

// The server ends even if its client does not read.
func TestEndsIfClientDoesNotRead(t *testing.T) {
	in, client := io.Pipe()
	stuck := make(chan struct{})
	defer close(stuck)
	done := make(chan error, 1)
	go func() {
		done <- Serve(t.Context(), deaf{in, stuck}, nil, func(context.Context, Peer) Server { return serverOf(&talker{}) })
	}()
	for _, body := range []string{
		`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`,
		`{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		hover(2), `{"jsonrpc":"2.0","method":"exit"}`,
	} {
		if _, err := client.Write(AppendFrame(nil, []byte(body))); err != nil {
			t.Fatal(err)
		}
	}
	select {
	case <-done:
	case <-time.After(time.Minute):
		t.Fatal("the server still waits for its client")
	}
}

// deaf is a connection to a client that never reads.
type deaf struct {
	*io.PipeReader
	until chan struct{}
}

func (d deaf) Write(b []byte) (int, error) { <-d.until; return len(b), nil }

func TestRepetitions(t *testing.T) {
	w, s, logs := talk(t)
	w.initialize()
	for i := range 1000 {
		w.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"$/unknown%d","params":{}}`, i))
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","method":"unknown/%d","params":{}}`, i))
		w.send(`{"jsonrpc":"2.0","method":"unknown","params":{}}`)
	}
	w.wantAlive()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.initialized != 1 {
		t.Errorf("initialized was handled %d times", s.initialized)
	}
	if n := logs.Len(); n != maxReported {
		t.Errorf("%d log lines, want %d", n, maxReported)
	}
}

// The server rejects a request method that arrives as a notification, and the
// reverse: without an id it would block the reader.
func TestWrongKindOfMessage(t *testing.T) {
	w, _, _ := talk(t)
	w.initialize()
	w.send(`{"jsonrpc":"2.0","method":"workspace/executeCommand","params":{"command":"x"}}`) // calls the client
	for _, method := range []string{"initialized", "exit", "textDocument/didOpen", "$/cancelRequest"} {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{}}`, method))
		w.wantError(-32600)
	}
	w.wantAlive()
}

func TestAfterShutdown(t *testing.T) {
	w, _, _ := talk(t)
	w.initialize()
	w.send(`{"jsonrpc":"2.0","id":1,"method":"shutdown"}`)
	if a := w.read(); a.Error != nil {
		t.Fatal(a.Error)
	}
	for _, method := range []string{"shutdown", "initialize", "textDocument/hover", "unknown", "exit"} {
		w.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{}}`, method))
		w.wantError(-32600)
	}
}
