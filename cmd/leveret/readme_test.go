package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite the outputs in README.md")

// volatile lists what differs between runs, machines and versions of the engine:
// numbers, actors, ids and paths.
var volatile = []struct {
	pattern *regexp.Regexp
	by      string
}{
	{regexp.MustCompile(`SWC-110:Auction:[0-9a-f]{4}`), "ID"},
	{regexp.MustCompile(`(?m)(/\S+)+`), "PATH"},
	{regexp.MustCompile(`\b(user1|user2|deployer|attacker)\b`), "ACTOR"},
	{regexp.MustCompile(`[0-9][0-9.,]*`), "N"},
	{regexp.MustCompile(`\b(wei|gwei|ether)\b`), "UNIT"},
	{regexp.MustCompile(`[ \t]+`), " "},
}

func stable(s string) string {
	for _, v := range volatile {
		s = v.pattern.ReplaceAllString(s, v.by)
	}
	return strings.TrimSpace(s)
}

// TestREADME runs every command of the README in a folder with the examples and
// compares the output. Continuous integration runs the commands of make.
func TestREADME(t *testing.T) {
	needCompilers(t)
	dir := tour(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	pipeline, err := os.ReadFile(root + ".ci/run")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(root + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := regexp.MustCompile("(?s)```console\n(.*?)```")
	commands := 0
	rewritten := blocks.ReplaceAllFunc(text, func(block []byte) []byte {
		var out bytes.Buffer
		out.WriteString("```console\n")
		for _, part := range strings.Split("\n"+string(blocks.FindSubmatch(block)[1]), "\n$ ")[1:] {
			commands++
			command, want, _ := strings.Cut(part, "\n")
			out.WriteString("$ " + command + "\n")
			if strings.HasPrefix(command, "make ") {
				if !bytes.Contains(pipeline, []byte(command)) {
					t.Errorf("neither this test nor continuous integration runs %s", command)
				}
				out.WriteString(want)
				continue
			}
			got := strings.ReplaceAll(shell(t, dir, command), dir, "/home/you/auction")
			if stable(got) != stable(want) && !*update {
				t.Errorf("$ %s\nprints\n%s\nnot\n%s\n(go test -run README -update ./cmd/leveret rewrites it)", command, stable(got), stable(want))
			}
			out.WriteString(got)
		}
		out.WriteString("```")
		return out.Bytes()
	})
	checkJob(t, dir, text)
	if commands < 5 {
		t.Errorf("only %d commands were found in the README", commands)
	}
	if *update {
		if err := os.WriteFile(root+"README.md", rewritten, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// checkJob runs the command of the README's job for GitHub Actions, for fewer inputs,
// after those that wrote its baseline.
func checkJob(t *testing.T, dir string, readme []byte) {
	t.Helper()
	job := regexp.MustCompile(`(?m)^ +- run: (leveret .*)$`).FindSubmatch(readme)
	if job == nil {
		t.Fatal("the README has no job that runs leveret")
	}
	command := strings.Replace(string(job[1]), "--total-time 10m", "--max-inputs 20000 --workers 1 --seed 1", 1)
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%s: %v\n%s", command, err, out)
	}
	written, err := os.ReadFile(filepath.Join(dir, "leveret.sarif"))
	if err != nil || !bytes.Contains(written, []byte(`"baselineState": "unchanged"`)) || bytes.Contains(written, []byte(`"baselineState": "new"`)) {
		t.Errorf("%s writes %s, %v", command, written, err)
	}
}

// tour creates a folder with the examples and a compiler, like a project.
func tour(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(dir, os.DirFS(root+"docs/examples")); err != nil {
		t.Fatal(err)
	}
	compiler, err := filepath.Abs(filepath.Join(compilers, "node_modules", "solc-0.8.30"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "node_modules"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(compiler, filepath.Join(dir, "node_modules", "solc")); err != nil {
		t.Fatal(err)
	}
	t.Setenv("LEVERET_TOOLS", "")
	return dir
}

// shell runs a command and returns its standard output. An exit code other than 0 and
// exitFound is a failure.
func shell(t *testing.T, dir, command string) string {
	t.Helper()
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir = dir
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == exitFound) {
		t.Errorf("%s: %v\n%s", command, err, exit.Stderr)
	}
	return string(out)
}
