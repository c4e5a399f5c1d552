package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/textproto"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
)

// An editorProcess is a language server and all that it said.
type editorProcess struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	writing sync.Mutex
	errors  bytes.Buffer

	mu      sync.Mutex
	said    bytes.Buffer
	news    chan struct{} // gets a token with each message
	answers map[int]bool
	shown   bool // there is something about src/Vault.sol
	next    int
	ended   chan struct{}
}

// editor opens the workspace, saves its file and uses every command that looks
// at it.
func (t *trial) editor(ctx context.Context, trusted bool) (string, error) {
	e, err := t.startEditor(ctx)
	if err != nil {
		return "", err
	}
	err = t.session(ctx, e, trusted)
	e.in.Close()
	<-e.ended
	if failed := e.cmd.Wait(); err == nil && failed != nil {
		err = failed
	}
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, e.errors.String())
	}
	return e.said.String() + e.errors.String(), err
}

func (t *trial) startEditor(ctx context.Context) (*editorProcess, error) {
	e := &editorProcess{cmd: exec.CommandContext(ctx, t.leveret, "lsp"), answers: map[int]bool{}, news: make(chan struct{}, 1), ended: make(chan struct{})}
	e.cmd.Dir, e.cmd.Env, e.cmd.Stderr = t.ws, t.environment(), &e.errors
	in, err := e.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	e.in = in
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	go e.read(bufio.NewReader(out))
	return e, nil
}

// session is what the editor does.
func (t *trial) session(ctx context.Context, e *editorProcess, trusted bool) error {
	file := filepath.Join(t.ws, "src", "Vault.sol")
	uri := fileURI(file)
	settings := fmt.Sprintf(`{"notifications":true,"idle":false,"budget":"200ms","compilerDiagnostics":true,"trusted":%v`, trusted)
	if t.settings != "" {
		settings += "," + t.fill(t.settings)
	}
	quoted, _ := json.Marshal(vaultThat(t.imports))
	document := fmt.Sprintf(`{"textDocument":{"uri":%q}}`, uri)
	steps := []func() error{
		e.ask(ctx, "initialize", fmt.Sprintf(`{"processId":null,"capabilities":{},"rootUri":%q,"workspaceFolders":[{"uri":%q,"name":"ws"}],"initializationOptions":%s}}`, fileURI(t.ws), fileURI(t.ws), settings)),
		e.tell("initialized", `{}`),
		e.tell("textDocument/didOpen", fmt.Sprintf(`{"textDocument":{"uri":%q,"languageId":"solidity","version":1,"text":%s}}`, uri, quoted)),
		func() error { return e.until(ctx, func() bool { return e.shown }) },
		e.tell("textDocument/didSave", document),
		e.ask(ctx, "textDocument/codeAction", fmt.Sprintf(`{"textDocument":{"uri":%q},"range":{"start":{"line":0,"character":0},"end":{"line":9,"character":0}},"context":{"diagnostics":[]}}`, uri)),
		e.ask(ctx, "workspace/executeCommand", fmt.Sprintf(`{"command":"leveret.fuzz","arguments":[%q]}`, uri)),
		e.ask(ctx, "workspace/executeCommand", `{"command":"leveret.doctor","arguments":[]}`),
		e.ask(ctx, "workspace/executeCommand", fmt.Sprintf(`{"command":"leveret.doctor","arguments":[%q]}`, uri)),
		e.ask(ctx, "shutdown", "null"),
		e.tell("exit", "null"),
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// tell sends a notification.
func (e *editorProcess) tell(method, params string) func() error {
	return func() error { return e.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)) }
}

// ask sends a request and waits for its answer, good or bad.
func (e *editorProcess) ask(ctx context.Context, method, params string) func() error {
	return func() error {
		e.next++
		id := e.next
		if err := e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)); err != nil {
			return err
		}
		if err := e.until(ctx, func() bool { return e.answers[id] }); err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		return nil
	}
}

func (e *editorProcess) write(body string) error {
	e.writing.Lock()
	defer e.writing.Unlock()
	_, err := fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// until waits for messages to make a condition true.
func (e *editorProcess) until(ctx context.Context, done func() bool) error {
	for {
		e.mu.Lock()
		ok := done()
		e.mu.Unlock()
		if ok {
			return nil
		}
		select {
		case <-e.news:
		case <-e.ended:
			return errors.New("the server ended")
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// read takes in all that the server says.
func (e *editorProcess) read(in *bufio.Reader) {
	defer close(e.ended)
	for {
		header, err := textproto.NewReader(in).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			return
		}
		body := make([]byte, n)
		if _, err := io.ReadFull(in, body); err != nil {
			return
		}
		e.take(body)
	}
}

// take notes a message, and declines whatever the server asks.
func (e *editorProcess) take(body []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			URI         string
			Diagnostics []json.RawMessage
		}
	}
	_ = json.Unmarshal(body, &m)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.said.Write(body)
	switch {
	case m.Method == "textDocument/publishDiagnostics":
		e.shown = e.shown || len(m.Params.Diagnostics) > 0
	case m.Method != "" && len(m.ID) > 0:
		go e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":null}`, m.ID))
	case m.Method == "":
		id, _ := strconv.Atoi(string(m.ID))
		e.answers[id] = true
	}
	select {
	case e.news <- struct{}{}:
	default:
	}
}
