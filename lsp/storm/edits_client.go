package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"
)

// A writer is an editor that only types, saves and looks.
type writer struct {
	cmd     *exec.Cmd
	in      io.WriteCloser
	dir     string
	texts   map[string]string
	version int
	saved   int // how often
	id      int

	writing sync.Mutex

	mu          sync.Mutex
	diagnostics map[string][]editDiagnostic // by file name
	symbols     map[string][]editSymbol
	busy        bool
	latest      time.Time // something was received
	answers     chan int  // ids
	done        chan struct{}
	once        sync.Once
}

type editRange struct {
	Start, End struct{ Line, Character int }
}

func (r editRange) String() string {
	return fmt.Sprintf("%d:%d-%d:%d", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character)
}

type editDiagnostic struct {
	Range         editRange
	Severity      int
	Code, Message string
}

type editSymbol struct {
	Name, State string
	Range       editRange
}

// startWriter starts a server with a home of its own.
func startWriter(ctx context.Context, leveret, tools, home, workspace string) (*writer, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	w := &writer{
		dir: workspace, texts: map[string]string{}, diagnostics: map[string][]editDiagnostic{}, symbols: map[string][]editSymbol{},
		answers: make(chan int, 10), done: make(chan struct{}), busy: true,
	}
	w.cmd = exec.CommandContext(ctx, leveret, "lsp")
	w.cmd.Env = append(os.Environ(), "LEVERET_TOOLS="+tools, "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache"))
	in, err := w.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	w.in = in
	if err := w.cmd.Start(); err != nil {
		return nil, err
	}
	go w.read(bufio.NewReader(out))
	initialize := fmt.Sprintf(`{"processId":%d,"rootUri":%q,"capabilities":{"workspace":{"configuration":true}},"initializationOptions":%s}`,
		os.Getpid(), w.uri(""), strings.Replace(editSettings, "{", `{"notifications":true,`, 1))
	if err := w.call("initialize", json.RawMessage(initialize)); err != nil {
		w.end()
		return nil, err
	}
	return w, w.send("initialized", 0, struct{}{})
}

// end says goodbye and waits for the process.
func (w *writer) end() {
	w.once.Do(func() {
		_ = w.call("shutdown", nil) // what does not answer is killed
		_ = w.send("exit", 0, nil)
		_ = w.in.Close()
		kill := time.AfterFunc(20*time.Second, func() { _ = w.cmd.Process.Kill() })
		<-w.done
		_ = w.cmd.Wait()
		kill.Stop()
	})
}

func (w *writer) uri(name string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(filepath.Join(w.dir, name))}).String()
}

// send writes a notification or, with an id, a request.
func (w *writer) send(method string, id int, params any) error {
	message := map[string]any{"jsonrpc": "2.0", "method": method}
	if id != 0 {
		message["id"] = id
	}
	if params != nil {
		message["params"] = params
	}
	return w.frame(message)
}

func (w *writer) frame(message any) error {
	raw, err := json.Marshal(message)
	if err != nil {
		return err
	}
	w.writing.Lock()
	defer w.writing.Unlock()
	_, err = fmt.Fprintf(w.in, "Content-Length: %d\r\n\r\n%s", len(raw), raw)
	return err
}

// call waits for an answer, whatever it says.
func (w *writer) call(method string, params any) error {
	w.id++
	if err := w.send(method, w.id, params); err != nil {
		return err
	}
	deadline := time.After(time.Minute)
	for {
		select {
		case id := <-w.answers:
			if id == w.id {
				return nil
			}
		case <-w.done:
			return fmt.Errorf("the server ended before it answered %s", method)
		case <-deadline:
			return fmt.Errorf("the server does not answer %s", method)
		}
	}
}

func (w *writer) open(name, text string) error {
	w.texts[name] = text
	w.version++
	return errors.Join(w.write(name, text), w.send("textDocument/didOpen", 0, map[string]any{
		"textDocument": map[string]any{"uri": w.uri(name), "languageId": "solidity", "version": w.version, "text": text},
	}))
}

func (w *writer) edit(name, text string) error {
	w.texts[name] = text
	w.version++
	return w.send("textDocument/didChange", 0, map[string]any{
		"textDocument":   map[string]any{"uri": w.uri(name), "version": w.version},
		"contentChanges": []any{map[string]any{"text": text}},
	})
}

func (w *writer) save(name, text string) error {
	w.saved++
	return errors.Join(w.edit(name, text), w.write(name, text),
		w.send("textDocument/didSave", 0, map[string]any{"textDocument": map[string]any{"uri": w.uri(name)}}))
}

// read takes in what the server sends, until it ends.
func (w *writer) read(from *bufio.Reader) {
	defer close(w.done)
	for {
		message, err := readFrame(from)
		if err != nil {
			return
		}
		w.receive(message)
	}
}

func readFrame(from *bufio.Reader) ([]byte, error) {
	size := 0
	for {
		line, err := from.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if value, ok := strings.CutPrefix(line, "Content-Length:"); ok {
			if size, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, err
			}
		}
	}
	message := make([]byte, size)
	_, err := io.ReadFull(from, message)
	return message, err
}

func (w *writer) receive(message []byte) {
	var m struct {
		ID     json.RawMessage
		Method string
		Params struct {
			URI         string
			Diagnostics []editDiagnostic
			Symbols     []editSymbol
			Busy        bool
		}
	}
	if err := json.Unmarshal(message, &m); err != nil && m.Method == "" {
		return
	}
	w.mu.Lock()
	w.latest = time.Now()
	name := m.Params.URI[strings.LastIndex(m.Params.URI, "/")+1:]
	switch m.Method {
	case "textDocument/publishDiagnostics":
		w.diagnostics[name] = m.Params.Diagnostics
	case "leveret/symbolStatus":
		w.symbols[name] = m.Params.Symbols
	case "leveret/status":
		w.busy = m.Params.Busy
	}
	w.mu.Unlock()
	switch {
	case m.Method == "" && m.ID != nil:
		if id, err := strconv.Atoi(string(m.ID)); err == nil {
			w.answers <- id
		}
	case m.ID != nil:
		answer := json.RawMessage("null")
		if m.Method == "workspace/configuration" {
			answer = json.RawMessage("[" + editSettings + "]")
		}
		_ = w.frame(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": answer}) // a server that ended is noticed elsewhere
	}
}

// quiet is how long nothing is received of a server that has nothing to do.
const quiet = 1500 * time.Millisecond

// rest waits until the server has nothing left to do, and returns what it shows
// of each file.
func (w *writer) rest(names []string) (map[string][]string, error) {
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		select {
		case <-w.done:
			return nil, errors.New("the server ended")
		default:
		}
		w.mu.Lock()
		calm := !w.busy && time.Since(w.latest) > quiet
		w.mu.Unlock()
		if !calm {
			continue
		}
		w.mu.Lock()
		defer w.mu.Unlock()
		shown := map[string][]string{}
		for _, name := range names {
			shown[name] = shownLines(w.diagnostics[name], w.symbols[name])
		}
		return shown, nil
	}
	return nil, errors.New("the server does not come to rest")
}
