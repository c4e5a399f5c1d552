package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"

	"leveret/lsp/lsptest"
)

// editor opens the workspace, saves its file and uses every command that reads
// it. It returns everything that the server sent and logged.
func (t *trial) editor(ctx context.Context, trusted bool) (string, error) {
	e := &trustEditor{stderr: new(sink)}
	settings := fmt.Sprintf(`{"notifications":true,"idle":false,"budget":"200ms","compilerDiagnostics":true,"trusted":%v`, trusted)
	if t.settings != "" {
		settings += "," + t.fill(t.settings)
	}
	var err error
	e.Client, err = lsptest.Start(ctx, lsptest.Options{Command: t.leveret, Dir: t.ws, Env: t.environment(), Stderr: e.stderr, Receive: e.receive})
	if err != nil {
		return "", err
	}
	defer e.Kill()
	err = e.session(ctx, t.ws, settings+"}", vaultThat(t.imports))
	if err == nil {
		var code int
		if code, err = e.Quit(ctx); err == nil && code != 0 {
			err = fmt.Errorf("exit code %d", code)
		}
	}
	e.Kill()
	log, _ := e.stderr.read()
	if err != nil {
		err = fmt.Errorf("%w\n%s", err, log)
	}
	return e.received.String() + log, err
}

// A trustEditor keeps everything that a server sends.
type trustEditor struct {
	*lsptest.Client
	stderr *sink

	// Under Client's lock.
	received bytes.Buffer
	shown    bool // some diagnostics were published
}

func (e *trustEditor) receive(m lsptest.Message) {
	var p struct{ Diagnostics []json.RawMessage }
	if m.Method == "textDocument/publishDiagnostics" && json.Unmarshal(m.Params, &p) == nil {
		e.shown = e.shown || len(p.Diagnostics) > 0
	}
	for _, part := range []json.RawMessage{m.Params, m.Result} {
		e.received.Write(part)
	}
	if m.Error != nil {
		e.received.WriteString(m.Error.Message)
	}
}

func (e *trustEditor) session(ctx context.Context, workspace, settings, vault string) error {
	file := filepath.Join(workspace, "src", "Vault.sol")
	document := lsptest.Object{"uri": lsptest.URI(file)}
	err := e.Initialize(ctx, lsptest.Object{
		"processId": nil, "capabilities": lsptest.Object{}, "rootUri": lsptest.URI(workspace),
		"workspaceFolders":      []any{lsptest.Object{"uri": lsptest.URI(workspace), "name": "ws"}},
		"initializationOptions": json.RawMessage(settings),
	}, nil)
	if err != nil {
		return err
	}
	if err := e.Open(file, 1, vault); err != nil {
		return err
	}
	if err := e.Wait(ctx, func() bool { return e.shown }); err != nil {
		return err
	}
	if err := e.Save(file); err != nil {
		return err
	}
	start, end := lsptest.Object{"line": 0, "character": 0}, lsptest.Object{"line": 9, "character": 0}
	for _, request := range []struct {
		method string
		params lsptest.Object
	}{
		{"textDocument/codeAction", lsptest.Object{"textDocument": document, "range": lsptest.Object{"start": start, "end": end}, "context": lsptest.Object{"diagnostics": []any{}}}},
		{"workspace/executeCommand", lsptest.Object{"command": "leveret.fuzz", "arguments": []any{lsptest.URI(file)}}},
		{"workspace/executeCommand", lsptest.Object{"command": "leveret.doctor", "arguments": []any{}}},
		{"workspace/executeCommand", lsptest.Object{"command": "leveret.doctor", "arguments": []any{lsptest.URI(file)}}},
	} {
		if _, err := e.Ask(ctx, request.method, request.params); err != nil { // an error in the answer is allowed
			return err
		}
	}
	return nil
}
