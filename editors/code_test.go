package editors

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"sync"
	"testing"
)

// A step is a line of the output of the scripts for VS Code.
type step struct {
	Step    string
	Seconds float64
	Error   string
	Result  json.RawMessage
}

// packed returns the extension's package, which includes the server.
func packed(t *testing.T) string {
	t.Helper()
	program(t, "node")
	for _, part := range []string{"@vscode/vsce", "tm-grammars"} {
		if _, err := os.Stat(filepath.Join("vscode/node_modules", part)); err != nil {
			need(t, part+", which the extension is built with and make editors installs")
		}
	}
	path, err := pack()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

var pack = sync.OnceValues(func() (string, error) {
	server, err := built()
	if err != nil {
		return "", err
	}
	dir, err := workshop("leveret-vsix-")
	if err != nil {
		return "", err
	}
	for _, args := range [][]string{{"node_modules/typescript/bin/tsc", "-p", "."}, {"package.mjs"}} {
		cmd := exec.Command("node", args...)
		cmd.Dir, cmd.Env = "vscode", append(os.Environ(), "VSIX_DIR="+dir, "LEVERET_BINARY="+server)
		if out, err := cmd.CombinedOutput(); err != nil {
			return "", fmt.Errorf("%v: %w\n%s", args, err, out)
		}
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.vsix"))
	if err != nil || len(files) != 1 {
		return "", fmt.Errorf("packages: %v, %v", files, err)
	}
	return files[0], nil
})

// The scripts in e2e use the extension in VS Code. SHOTS names a folder for
// screenshots.
func TestCode(t *testing.T) {
	needCode(t)
	tools := compilers(t)
	vsix := packed(t)
	shots := os.Getenv("SHOTS")
	if shots == "" {
		shots = absolute(t, "e2e/shots")
	}
	for _, script := range []string{"host", "untrusted", "ui", "opening"} {
		t.Run(script, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), program(t, "node"), script+".mjs", filepath.Join(shots, script))
			cmd.Dir = "e2e"
			cmd.Env = append(os.Environ(), "VSIX="+vsix, "LEVERET_TOOLS="+tools)
			var stderr bytes.Buffer
			cmd.Stderr = &stderr
			output, err := cmd.Output()
			if n := report(t, output); n == 0 || err != nil && !t.Failed() {
				t.Errorf("%d steps, %v\n%s\n%s", n, err, output, stderr.String())
			}
		})
	}
}

// needCode skips a test if code-server or the browser is missing.
func needCode(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("e2e/node_modules/.built"); err != nil {
		need(t, "VS Code in a page, which make editors installs")
	}
	if _, err := os.Stat(chromium()); err != nil {
		need(t, chromium()+", a browser")
	}
}

func chromium() string {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path
	}
	return "/usr/bin/chromium"
}

// report runs a subtest for each step in the output of a script and returns
// their number.
func report(t *testing.T, output []byte) int {
	n := 0
	lines := bufio.NewScanner(bytes.NewReader(output))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var s step
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Errorf("%v in %s", err, lines.Bytes())
			continue
		}
		n++
		t.Run(s.Step, func(t *testing.T) {
			t.Logf("%.1f s", s.Seconds)
			if s.Error != "" {
				t.Error(s.Error)
			}
			var measured map[string]float64
			if json.Unmarshal(s.Result, &measured) != nil {
				return
			}
			names := []string{}
			for name := range measured {
				names = append(names, name)
			}
			sort.Strings(names)
			for _, name := range names {
				t.Logf("%s: %.2f", name, measured[name])
			}
		})
	}
	return n
}
