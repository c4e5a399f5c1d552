package editors

import (
	"bufio"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// tour returns the command of make tour and make pictures with a packaged
// extension.
func tour(t *testing.T, env ...string) *exec.Cmd {
	t.Helper()
	needCode(t)
	cmd := exec.CommandContext(t.Context(), program(t, "node"), "tour.mjs")
	cmd.Dir = "e2e"
	cmd.Env = append(os.Environ(), append(env, "VSIX="+packed(t), "LEVERET_TOOLS="+compilers(t))...)
	return cmd
}

// The tour prints a loopback address where VS Code answers, and removes its
// files when it ends.
func TestTour(t *testing.T) {
	cmd := tour(t)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	announcement := regexp.MustCompile(`(?s)(http://127\.0\.0\.1:\d+/\S*)\n.*The folder is a copy: (\S+)\n`)
	var text string
	var found []string
	for lines := bufio.NewScanner(out); found == nil && lines.Scan(); {
		text += lines.Text() + "\n"
		found = announcement.FindStringSubmatch(text)
	}
	if found == nil {
		t.Fatalf("no address and folder in %q, %v", text, cmd.Wait())
	}
	answer, err := http.Get(found[1])
	if err != nil {
		t.Fatal(err)
	}
	page, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil || answer.StatusCode != http.StatusOK || !regexp.MustCompile(`(?i)workbench`).Match(page) {
		t.Errorf("%s %v: %.200s", answer.Status, err, page)
	}
	if _, err := os.Stat(filepath.Join(found[2], "src", "Wallet.sol")); err != nil {
		t.Error(err)
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, out); err != nil {
		t.Error(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(found[2]); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", found[2], err)
	}
}

// The script takes every picture that a README shows.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	cmd := tour(t, "PICTURES="+dir)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	shown := 0
	for _, readme := range []string{"vscode/README.md", "../README.md"} {
		text, err := os.ReadFile(readme)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`screenshots/(\w+\.png)`).FindAllSubmatch(text, -1) {
			shown++
			if _, err := os.Stat(filepath.Join(dir, string(m[1]))); err != nil {
				t.Errorf("%s shows a picture that make pictures does not take: %v", readme, err)
			}
		}
	}
	if shown < 9 {
		t.Errorf("%d pictures in READMEs", shown)
	}
}
