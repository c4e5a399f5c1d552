package editors

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"net/textproto"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// readMessage decodes the next message of a language server or a debug adapter.
func readMessage(t *testing.T, from *bufio.Reader, into any) {
	t.Helper()
	header, err := textproto.NewReader(from).ReadMIMEHeader()
	if err != nil {
		t.Fatal(err)
	}
	length, err := strconv.ParseInt(header.Get("Content-Length"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.NewDecoder(io.LimitReader(from, length)).Decode(into); err != nil {
		t.Fatal(err)
	}
}

// offered returns the commands that the server announces in its initialize
// result.
func offered(t *testing.T) []string {
	t.Helper()
	const ask = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`
	cmd := exec.Command(binary(t), "lsp")
	cmd.Stdin = strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(ask), ask))
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Wait() }() // without exit the server returns an error
	var answer struct {
		Result struct {
			Capabilities struct {
				ExecuteCommandProvider struct{ Commands []string }
			}
		}
	}
	readMessage(t, bufio.NewReader(out), &answer)
	return answer.Result.Capabilities.ExecuteCommandProvider.Commands
}

// The extension registers all commands of the server.
func TestCommands(t *testing.T) {
	text, err := os.ReadFile("vscode/src/commands.ts")
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?s)const ofServer = \[(.*?)\];`).FindSubmatch(text)
	if list == nil {
		t.Fatal("no list of commands")
	}
	var have []string
	for _, m := range regexp.MustCompile(`'(leveret\.\w+)'`).FindAllSubmatch(list[1], -1) {
		have = append(have, string(m[1]))
	}
	want := offered(t)
	slices.Sort(have)
	slices.Sort(want)
	if len(want) == 0 || !slices.Equal(have, want) {
		t.Errorf("the extension has %q, the server %q", have, want)
	}
}
