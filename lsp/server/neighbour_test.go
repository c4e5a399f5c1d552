package server

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// neighbour starts another Solidity language server for the same workspace.
func neighbour(t *testing.T, workspace string) (*editor, *process, *protocol.InitializeResult) {
	t.Helper()
	script := filepath.Join("testdata", "neighbour", "node_modules", "@nomicfoundation", "solidity-language-server", "out", "index.js")
	if _, err := os.Stat(script); err != nil {
		need(t, "the other language server that make tools installs")
	}
	cmd := exec.Command("node", script, "--stdio")
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
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
	p := &process{WriteCloser: in, Reader: frames(out), cmd: cmd}
	e := attach(t, p)
	e.dir = workspace
	e.settings(`{}`)
	return e, p, e.start(strings.Replace(allCapabilities, `"utf-8",`, "", 1), `{"extensionName":"test","extensionVersion":"0","env":"production","telemetryEnabled":false,"machineId":"0","extensionConfig":{}}`)
}

// frames forwards a server's messages and drops the lines that it prints
// between them.
func frames(out io.Reader) io.Reader {
	clean, to := io.Pipe()
	go func() {
		in := bufio.NewReader(out)
		for {
			line, err := in.ReadString('\n')
			if err != nil {
				to.CloseWithError(err)
				return
			}
			var n int
			if _, err := fmt.Sscanf(line, "Content-Length: %d", &n); err != nil {
				continue
			}
			for line != "\r\n" && err == nil {
				line, err = in.ReadString('\n')
			}
			fmt.Fprintf(to, "Content-Length: %d\r\n\r\n", n)
			_, _ = io.CopyN(to, in, int64(n))
		}
	}()
	return clean
}

// Leveret works beside another server on the same document: their commands have
// different names, and both answer. For a file that does not compile, Leveret
// shows one note and leaves the compiler's messages to the other server.
func TestBesideAnotherServer(t *testing.T) {
	config := realConfig(t)
	ours := connect(t, config)
	other, p, theirs := neighbour(t, ours.dir)
	defer other.kill(p)
	offered := ours.start(allCapabilities, `{"notifications":true,"idle":false,"budget":"10m"}`)
	for _, command := range offered.Capabilities.ExecuteCommandProvider.Commands {
		if !strings.HasPrefix(command, "leveret.") {
			t.Errorf("the command %s lacks the prefix", command)
		}
		if slices.Contains(theirs.Capabilities.ExecuteCommandProvider.Commands, command) {
			t.Errorf("both servers have the command %s", command)
		}
	}

	const broken = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract Broken {\n    uint256 x = \"text\";\n}\n"
	ours.open("Broken.sol", broken)
	other.open("Broken.sol", broken)
	ours.until("a note", func() bool { return len(ours.found("Broken.sol")) > 0 })
	ours.until("idle", ours.calm)
	for _, d := range ours.found("Broken.sol") {
		if source, _ := d.Source.Get(); source != present.Source || d.Severity != protocol.DiagnosticSeverityInformation || d.Range.Start.Line != 0 {
			t.Errorf("repeats a message of the compiler: %+v", d)
		}
	}

	faulty := vault(true, 0)
	ours.open("Vault.sol", faulty)
	other.open("Vault.sol", faulty)
	ours.until("a finding", func() bool { return ours.asserts("Vault.sol") })
	for _, e := range []*editor{ours, other} {
		at := protocol.TextDocumentPositionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("Vault.sol")},
			Position:     protocol.Position{Line: 3, Character: 12},
		}
		if _, err := e.server.Hover(e.ctx(), &protocol.HoverParams{TextDocumentPositionParams: at}); err != nil {
			t.Errorf("a server does not answer: %v", err)
		}
	}
	for name, list := range other.mail.All() {
		for _, d := range list.Diagnostics {
			if source, _ := d.Source.Get(); source == present.Source {
				t.Errorf("the other server uses Leveret's diagnostic source in %s: %+v", name, d)
			}
		}
	}
}
