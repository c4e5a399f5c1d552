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

var update = flag.Bool("update", false, "rewrite the outputs in README.md and docs/guide")

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
	dir := checkExamples(t, "README.md")
	checkJob(t, dir, readFile(t, "README.md"))
}

// TestGuide does the same for each page of the guide.
func TestGuide(t *testing.T) {
	pages, err := filepath.Glob(root + "docs/guide/*.md")
	if err != nil || len(pages) == 0 {
		t.Fatal(pages, err)
	}
	index := readFile(t, "docs/guide/README.md")
	for _, page := range pages {
		name := filepath.Base(page)
		t.Run(name, func(t *testing.T) {
			if name != "README.md" && !bytes.Contains(index, []byte("]("+name+")")) {
				t.Errorf("docs/guide/README.md does not link to %s", name)
			}
			checkExamples(t, "docs/guide/"+name)
		})
	}
}

// consoleBlocks are the commands of a page and what they print.
var consoleBlocks = regexp.MustCompile("(?s)```console\n(.*?)```")

// checkExamples runs the commands of a page, one after another, in a folder with the
// examples, which it returns, and compares what they print. With -update it rewrites that.
func checkExamples(t *testing.T, page string) (dir string) {
	t.Helper()
	needCompilers(t)
	dir = tour(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	pipeline := readFile(t, ".ci/run")
	commands := 0
	rewritten := consoleBlocks.ReplaceAllFunc(readFile(t, page), func(block []byte) []byte {
		var out bytes.Buffer
		out.WriteString("```console\n")
		for _, part := range strings.Split("\n"+string(consoleBlocks.FindSubmatch(block)[1]), "\n$ ")[1:] {
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
				t.Errorf("$ %s\nprints\n%s\nnot\n%s\n(go test -run 'README|Guide' -update ./cmd/leveret rewrites it)", command, stable(got), stable(want))
			}
			out.WriteString(got)
		}
		out.WriteString("```")
		return out.Bytes()
	})
	if commands == 0 {
		t.Errorf("no command was found in %s", page)
	}
	if *update {
		if err := os.WriteFile(root+page, rewritten, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
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
