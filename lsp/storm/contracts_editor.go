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

// editMidway opens a file in the server, edits it during the campaign, and
// measures how long the campaign continues. Then it shuts the server down.
func editMidway(ctx context.Context, o *options, file hostileFile) (m measured, err error) {
	e, err := openEditor(ctx, o)
	if err != nil {
		return m, err
	}
	defer e.Kill()
	memory := watchMemory(e.Process.Pid)
	defer memory.stop()
	text, err := os.ReadFile(file.path)
	if err != nil {
		return m, err
	}
	if err := e.Open(file.path, 1, string(text)); err != nil {
		return m, err
	}
	var last status
	err = e.await(ctx, func(s status) bool {
		last = s
		return s.Busy && strings.HasPrefix(s.Text, "fuzzing ")
	})
	if err != nil && file.Unfuzzed {
		return measured{skipped: true}, e.leave(ctx)
	}
	if err != nil {
		return m, fmt.Errorf("no campaign began, %q: %w", last.Text, err)
	}
	time.Sleep(midway)
	if err := e.Change(file.path, 2, string(text)+"\n// typed"); err != nil {
		return m, err
	}
	start := time.Now()
	err = e.await(ctx, func(s status) bool { return !s.Busy })
	if errors.Is(err, lsptest.ErrTimeout) {
		m.wrong = "the campaign goes on when the file is edited"
	} else if err != nil {
		m.wrong = err.Error()
	}
	m.overrun, m.memory = time.Since(start), memory.most()
	if err := e.leave(ctx); err != nil && m.wrong == "" {
		m.wrong = "the server does not end: " + err.Error()
	}
	return m, nil
}

// status has the parameters of leveret/status.
type status struct {
	Text string `json:"text"`
	Busy bool   `json:"busy"`
}

// A contractEditor keeps the statuses that a server sends.
type contractEditor struct {
	*lsptest.Client
	states []status // not awaited yet; under Client's lock
}

func openEditor(ctx context.Context, o *options) (*contractEditor, error) {
	e := &contractEditor{}
	var err error
	e.Client, err = lsptest.Start(ctx, lsptest.Options{
		Command: o.leveret, Receive: e.receive, Patience: stuck,
		Env: append(os.Environ(), "LEVERET_TOOLS="+o.tools, "HOME="+o.dir, "XDG_CACHE_HOME="+filepath.Join(o.dir, "cache")),
	})
	if err != nil {
		return nil, err
	}
	err = e.Initialize(ctx, lsptest.Object{
		"capabilities": lsptest.Object{}, "workspaceFolders": []any{lsptest.Object{"uri": lsptest.URI(o.dir), "name": "storm"}},
		"initializationOptions": lsptest.Object{"notifications": true, "trusted": true, "idle": false},
	}, nil)
	if err != nil {
		e.Kill()
		return nil, err
	}
	return e, nil
}

func (e *contractEditor) receive(m lsptest.Message) {
	var s status
	if m.Method == "leveret/status" && json.Unmarshal(m.Params, &s) == nil {
		e.states = append(e.states, s)
	}
}

// await waits for a status, and consumes it and all earlier ones.
func (e *contractEditor) await(ctx context.Context, wanted func(status) bool) error {
	return e.Wait(ctx, func() bool {
		for len(e.states) > 0 {
			s := e.states[0]
			e.states = e.states[1:]
			if wanted(s) {
				return true
			}
		}
		return false
	})
}

// leave shuts the server down.
func (e *contractEditor) leave(ctx context.Context) error {
	code, err := e.Quit(ctx)
	if err == nil && code != 0 {
		err = fmt.Errorf("exit code %d", code)
	}
	return err
}
