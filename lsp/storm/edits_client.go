package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"leveret/lsp/lsptest"
)

// A writer is an editor that types, saves and shows what the server sends.
type writer struct {
	*lsptest.Client
	dir     string
	texts   map[string]string
	version int
	saved   int // number of saves

	// Under Client's lock.
	diagnostics map[string][]editDiagnostic // by file name
	symbols     map[string][]editSymbol
	busy        bool
	latest      time.Time // of the last message
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

// startWriter starts a server with its own home folder.
func startWriter(ctx context.Context, leveret, tools, home, workspace string) (*writer, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	w := &writer{
		dir: workspace, texts: map[string]string{}, diagnostics: map[string][]editDiagnostic{}, symbols: map[string][]editSymbol{}, busy: true,
	}
	var err error
	w.Client, err = lsptest.Start(ctx, lsptest.Options{
		Command: leveret, Settings: editSettings, Receive: w.receive,
		Env: append(os.Environ(), "LEVERET_TOOLS="+tools, "HOME="+home, "XDG_CACHE_HOME="+filepath.Join(home, "cache")),
	})
	if err != nil {
		return nil, err
	}
	err = w.Initialize(ctx, lsptest.Object{
		"processId": os.Getpid(), "rootUri": lsptest.URI(workspace),
		"capabilities":          lsptest.Object{"workspace": lsptest.Object{"configuration": true}},
		"initializationOptions": json.RawMessage(strings.Replace(editSettings, "{", `{"notifications":true,`, 1)),
	}, nil)
	if err != nil {
		w.Kill()
		return nil, err
	}
	return w, nil
}

func (w *writer) path(name string) string { return filepath.Join(w.dir, name) }

func (w *writer) open(name, text string) error {
	w.texts[name] = text
	w.version++
	return errors.Join(w.write(name, text), w.Open(w.path(name), w.version, text))
}

func (w *writer) edit(name, text string) error {
	w.texts[name] = text
	w.version++
	return w.Change(w.path(name), w.version, text)
}

func (w *writer) save(name, text string) error {
	w.saved++
	return errors.Join(w.edit(name, text), w.write(name, text), w.Save(w.path(name)))
}

// write writes a file of the workspace.
func (w *writer) write(name, text string) error {
	return os.WriteFile(w.path(name), []byte(text), 0o600)
}

func (w *writer) receive(m lsptest.Message) {
	var p struct {
		URI         string
		Diagnostics []editDiagnostic
		Symbols     []editSymbol
		Busy        bool
	}
	_ = json.Unmarshal(m.Params, &p) // other messages have other parameters
	w.latest = time.Now()
	name := p.URI[strings.LastIndex(p.URI, "/")+1:]
	switch m.Method {
	case "textDocument/publishDiagnostics":
		w.diagnostics[name] = p.Diagnostics
	case "leveret/symbolStatus":
		w.symbols[name] = p.Symbols
	case "leveret/status":
		w.busy = p.Busy
	}
}

// quiet is how long an idle server sends nothing.
const quiet = 1500 * time.Millisecond

// rest waits until the server is idle, and returns what it shows of each file.
func (w *writer) rest(names []string) (map[string][]string, error) {
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		select {
		case <-w.Ended():
			return nil, errors.New("the server ended")
		default:
		}
		shown := map[string][]string{}
		w.Do(func() {
			if w.busy || time.Since(w.latest) <= quiet {
				return
			}
			for _, name := range names {
				shown[name] = shownLines(w.diagnostics[name], w.symbols[name])
			}
		})
		if len(shown) > 0 {
			return shown, nil
		}
	}
	return nil, errors.New("the server does not become idle")
}
