package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// editMidway opens a file in the server, types while it is fuzzed, and measures
// how long the campaign goes on; then it takes leave.
func editMidway(ctx context.Context, o *options, file hostileFile) (m measured, err error) {
	e, err := openEditor(o)
	if err != nil {
		return m, err
	}
	defer func() { _ = e.cmd.Process.Kill() }()
	text, err := os.ReadFile(file.path)
	if err != nil {
		return m, err
	}
	uri := "file://" + file.path
	err = e.send("textDocument/didOpen", object{"textDocument": object{"uri": uri, "languageId": "solidity", "version": 1, "text": string(text)}})
	if err != nil {
		return m, err
	}
	var last status
	fuzzing := e.await(ctx, stuck, func(s status) bool {
		last = s
		return s.Busy && strings.HasPrefix(s.Text, "fuzzing ")
	})
	if !fuzzing && file.Unfuzzed {
		return measured{skipped: true}, e.leave()
	}
	if !fuzzing {
		return m, fmt.Errorf("no campaign began: %q", last.Text)
	}
	time.Sleep(midway)
	change := object{"textDocument": object{"uri": uri, "version": 2}, "contentChanges": []object{{"text": string(text) + "\n// typed"}}}
	if err := e.send("textDocument/didChange", change); err != nil {
		return m, err
	}
	start := time.Now()
	if !e.await(ctx, stuck, func(s status) bool { return !s.Busy }) {
		m.wrong = "the campaign goes on when the file is edited"
	}
	m.overrun, m.memory = time.Since(start), e.memory.most()
	if err := e.leave(); err != nil && m.wrong == "" {
		m.wrong = "the server does not end: " + err.Error()
	}
	return m, nil
}

type object = map[string]any

// status is what the server says of its work.
type status struct {
	Text string `json:"text"`
	Busy bool   `json:"busy"`
}

// A contractEditor knows as much of LSP as it takes to type in a file.
type contractEditor struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	mu     sync.Mutex // held to write
	memory *peak
	states chan status
	ended  chan error
}

func openEditor(o *options) (*contractEditor, error) {
	e := &contractEditor{cmd: exec.Command(o.leveret, "lsp"), states: make(chan status, 1<<12), ended: make(chan error, 1)}
	e.cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+o.tools, "HOME="+o.dir, "XDG_CACHE_HOME="+filepath.Join(o.dir, "cache"))
	out, err := e.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if e.in, err = e.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if err := e.cmd.Start(); err != nil {
		return nil, err
	}
	e.memory = watchMemory(e.cmd.Process.Pid)
	go func() {
		e.read(bufio.NewReader(out))
		e.ended <- e.cmd.Wait()
		e.memory.stop()
	}()
	err = e.write(object{"id": 1, "method": "initialize", "params": object{
		"capabilities": object{}, "workspaceFolders": []object{{"uri": "file://" + o.dir, "name": "storm"}},
		"initializationOptions": object{"notifications": true, "trusted": true, "idle": false},
	}})
	if err == nil {
		err = e.send("initialized", object{})
	}
	return e, err
}

// read passes on what the server says of its work, and answers its requests.
func (e *contractEditor) read(r *bufio.Reader) {
	for {
		header, err := textproto.NewReader(r).ReadMIMEHeader()
		if err != nil {
			return
		}
		n, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, n)
		if _, err := io.ReadFull(r, body); err != nil {
			return
		}
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
			Params json.RawMessage `json:"params"`
		}
		if json.Unmarshal(body, &m) != nil {
			return
		}
		switch {
		case m.Method == "leveret/status":
			var s status
			if json.Unmarshal(m.Params, &s) == nil {
				e.states <- s
			}
		case m.Method != "" && m.ID != nil:
			_ = e.write(object{"id": m.ID, "result": nil})
		}
	}
}

func (e *contractEditor) send(method string, params object) error {
	return e.write(object{"method": method, "params": params})
}

func (e *contractEditor) write(m object) error {
	m["jsonrpc"] = "2.0"
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	_, err = fmt.Fprintf(e.in, "Content-Length: %d\r\n\r\n%s", len(body), body)
	return err
}

// await waits for a state of the server.
func (e *contractEditor) await(ctx context.Context, patience time.Duration, such func(status) bool) bool {
	late := time.After(patience)
	for {
		select {
		case s := <-e.states:
			if such(s) {
				return true
			}
		case <-late:
			return false
		case <-ctx.Done():
			return false
		}
	}
}

// leave shuts the server down and waits for it.
func (e *contractEditor) leave() error {
	if err := e.write(object{"id": 2, "method": "shutdown"}); err != nil {
		return err
	}
	if err := e.write(object{"method": "exit"}); err != nil {
		return err
	}
	select {
	case err := <-e.ended:
		return err
	case <-time.After(stuck):
		return fmt.Errorf("it runs %v after exit", stuck)
	}
}
