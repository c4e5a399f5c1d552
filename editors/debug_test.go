package editors

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"testing"
)

// An adapter is how an editor starts the debug adapter.
type adapter struct {
	Command string
	Args    []string
}

// check starts the adapter, passes it a launch request and waits until there is something
// to debug.
func (a adapter) check(t *testing.T, d desk, launch map[string]any) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), a.Command, a.Args...)
	cmd.Env = append(os.Environ(), d.env...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = in.Close() // the client leaves
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	}()
	for i, arguments := range []map[string]any{{"adapterID": "leveret"}, launch} {
		text, err := json.Marshal(map[string]any{"seq": i + 1, "type": "request", "command": []string{"initialize", "launch"}[i], "arguments": arguments})
		if err == nil {
			_, err = fmt.Fprintf(in, "Content-Length: %d\r\n\r\n%s", len(text), text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for r := bufio.NewReader(out); ; {
		var m struct {
			Event   string
			Type    string
			Success bool
			Message string
		}
		readMessage(t, r, &m)
		if m.Type == "response" && !m.Success {
			t.Fatalf("%v: %s", launch, m.Message)
		}
		if m.Event == "initialized" {
			return
		}
	}
}

// checkDebug checks what an editor would have debugged: a line of a finding's trace, the
// finding, and a test.
func (s seen) checkDebug(t *testing.T, d desk) {
	t.Helper()
	if len(s.Launched) != 3 {
		t.Fatalf("launches %v", s.Launched)
	}
	if step := fmt.Sprint(s.Launched[0]["step"]); step != "1.1 src/Wallet.sol:9" {
		t.Errorf("the line of the trace is %s", step)
	}
	for _, launch := range s.Launched {
		s.Adapter.check(t, d, launch)
	}
}
