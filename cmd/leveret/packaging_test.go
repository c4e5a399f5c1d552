package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// action is what the tests read of action.yml.
type action struct {
	Inputs map[string]struct{ Description string }
	Runs   struct {
		Steps []struct {
			Uses, Run, Shell string
			With, Env        map[string]string
		}
	}
}

// TestAction checks that the GitHub Action passes each input on, in no shell text, and
// that its script reads what the action sets. The script action.txtar runs it.
func TestAction(t *testing.T) {
	text := readFile(t, "action.yml")
	var a action
	if err := yaml.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	set := map[string]bool{}
	for _, step := range a.Runs.Steps {
		if strings.Contains(step.Run, "${{") {
			t.Errorf("a value is inserted into a shell script: %s", step.Run)
		}
		if step.Uses != "" && !regexp.MustCompile(`^[\w-]+/[\w/-]+@v[0-9]+$`).MatchString(step.Uses) {
			t.Errorf("%s has no version", step.Uses)
		}
		for name := range step.Env {
			set[name] = true
		}
	}
	for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllSubmatch(text, -1) {
		if _, ok := a.Inputs[string(m[1])]; !ok {
			t.Errorf("there is no input %s", m[1])
		}
	}
	for name := range a.Inputs {
		if !strings.Contains(string(text), "inputs."+name+" ") {
			t.Errorf("input %s has no effect", name)
		}
	}
	example := match(t, "docs/guide/continuous-integration.md", `(?s)- uses: OWNER/leveret@v[0-9.]+\n +with:\n(.*?)\n`+"```")
	for _, m := range regexp.MustCompile(`(?m)^ +([a-z-]+):`).FindAllStringSubmatch(example, -1) {
		if _, ok := a.Inputs[m[1]]; !ok {
			t.Errorf("the guide sets %s, which is no input", m[1])
		}
	}
	read := map[string]bool{"GH_TOKEN": true} // by gh
	for _, name := range regexp.MustCompile(`LEVERET_[A-Z_]+`).FindAllString(string(readFile(t, "action/run.sh")), -1) {
		read[name] = true
		if !set[name] {
			t.Errorf("action/run.sh reads %s, which action.yml does not set", name)
		}
	}
	for name := range set {
		if !read[name] {
			t.Errorf("action.yml sets %s, which action/run.sh does not read", name)
		}
	}
}

// TestPreCommit runs the hook for pre-commit as that does: on the files of a commit
// that is about to be made.
func TestPreCommit(t *testing.T) {
	needCompilers(t)
	var hooks []struct{ ID, Entry, Files string }
	if err := yaml.Unmarshal(readFile(t, ".pre-commit-hooks.yaml"), &hooks); err != nil || len(hooks) != 1 {
		t.Fatal(hooks, err)
	}
	if files := regexp.MustCompile(hooks[0].Files); !files.MatchString("src/Auction.sol") || files.MatchString("README.md") {
		t.Errorf("the hook is for files that match %s", files)
	}
	dir := tour(t)
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, step := range []struct {
		command string
		code    int
	}{
		{"git init -q && cp Auction.sol changed && sed '/assert(/d' changed >Auction.sol", exitClean},
		{"git add *.sol && git -c user.name=A -c user.email=a@example.org commit -q -m first", exitClean},
		{hooks[0].Entry + " Auction.sol", exitClean},
		{"cp changed Auction.sol", exitClean},
		{hooks[0].Entry + " --stop-on-first Auction.sol", exitFound},
	} {
		cmd := exec.Command("sh", "-c", step.command)
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		if cmd.ProcessState == nil || cmd.ProcessState.ExitCode() != step.code {
			t.Fatalf("%s: %v, want exit code %d\n%s", step.command, err, step.code, out)
		}
	}
}

// TestDockerfile checks that the image is built from all that the command is built
// from. The tests build no image.
func TestDockerfile(t *testing.T) {
	text := string(readFile(t, "Dockerfile"))
	var copied []string
	for _, m := range regexp.MustCompile(`(?m)^COPY ((?:[\w.]+ )+)\S+$`).FindAllStringSubmatch(text, -1) {
		copied = append(copied, strings.Fields(m[1])...)
	}
	for _, path := range copied {
		if _, err := os.Stat(root + path); err != nil {
			t.Error(err)
		}
	}
	module, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if .Main}}{{$.Dir}}{{end}}{{end}}", "./cmd/leveret")
	list.Dir = module
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for dir := range strings.FieldsSeq(string(out)) {
		path, err := filepath.Rel(module, dir)
		if top, _, _ := strings.Cut(filepath.ToSlash(path), "/"); err != nil || !slices.Contains(copied, top) {
			t.Errorf("the Dockerfile does not copy %s", path)
		}
	}
	if version := match(t, "go.mod", `(?m)^go ([0-9]+\.[0-9]+)`); !strings.Contains(text, "FROM golang:"+version+"-") {
		t.Errorf("the Dockerfile does not build with Go %s", version)
	}
	if !regexp.MustCompile(`(?s)\nUSER (?:node)\n.*ENTRYPOINT`).MatchString(text) {
		t.Error("the image runs as root")
	}
}
