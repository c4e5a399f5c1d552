package project

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

var update = flag.Bool("update", false, "write what is generated instead of comparing it")

// atHand lists the compilers of the machine in testdata/projects. They never
// run.
var atHand = []string{"0.4.26", "0.5.17", "0.6.12", "0.7.6", "0.8.19", "0.8.20", "0.8.24", "0.8.30"}

// TestProjects opens the workspaces in testdata/projects and compares the
// configuration with the file "want" in each. The lines at the start of an
// archive select the folder to open and the machine:
//
//	open PATH       (default: the folder)
//	profile NAME    FOUNDRY_PROFILE
//	KEY=VALUE       in the environment
//	untrusted
//
// Files below HOME/ go to the user's home directory.
func TestProjects(t *testing.T) {
	archives, err := filepath.Glob("testdata/projects/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatal("no workspaces", err)
	}
	for _, path := range archives {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			w := lay(t, archive)
			got := w.describe(t)
			last := len(archive.Files) - 1
			if want := archive.Files[last]; want.Name != "want" || string(want.Data) != got {
				if !*update {
					t.Fatalf("got\n%s\nwant\n%s\n(go test ./solc/project -run TestProjects -update rewrites it)", got, want.Data)
				}
				if want.Name != "want" {
					archive.Files = append(archive.Files, txtar.File{Name: "want"})
					last++
				}
				archive.Files[last].Data = []byte(got)
				if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A workspace is an archive extracted to disk.
type workspace struct {
	root, home, open string
	env              compiler.Env
}

func lay(t *testing.T, archive *txtar.Archive) *workspace {
	t.Helper()
	var files []string
	for _, f := range archive.Files {
		if name, ok := strings.CutPrefix(f.Name, "HOME/"); ok {
			files = append(files, "home/"+name, string(f.Data))
		} else if f.Name != "want" {
			files = append(files, "ws/"+f.Name, string(f.Data))
		}
	}
	for _, version := range atHand {
		files = append(files, "home/.cache/leveret/compilers/soljson-v"+version+".js", "")
	}
	dir, err := filepath.EvalSymlinks(solctest.Write(t, files...))
	if err != nil {
		t.Fatal(err)
	}
	w := &workspace{root: filepath.Join(dir, "ws"), home: filepath.Join(dir, "home")}
	vars := map[string]string{"HOME": w.home, "XDG_CACHE_HOME": filepath.Join(w.home, ".cache")}
	untrusted := false
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if path, ok := strings.CutPrefix(line, "open "); ok {
			w.open = path
		} else if name, ok := strings.CutPrefix(line, "profile "); ok {
			vars["FOUNDRY_PROFILE"] = name
		} else if key, value, ok := strings.Cut(line, "="); ok && !strings.HasPrefix(line, "#") {
			vars[key] = value
		}
		untrusted = untrusted || line == "untrusted"
	}
	w.env = compiler.EnvFrom(func(name string) string { return vars[name] })
	w.env.Untrusted = untrusted
	return w
}

// describe formats the configuration of a project, with paths relative to the
// workspace.
func (w *workspace) describe(t *testing.T) string {
	t.Helper()
	tools := compiler.NewToolchain(w.env)
	defer tools.Close()
	var b strings.Builder
	w.project(t, &b, tools, filepath.Join(w.root, filepath.FromSlash(w.open)))
	return strings.NewReplacer(w.root+"/", "", w.root, ".", w.home, "HOME", filepath.Dir(w.root), "ABOVE").Replace(b.String())
}

func (w *workspace) project(t *testing.T, b *strings.Builder, tools *compiler.Toolchain, path string) {
	p, err := Open(tools, path)
	if err != nil {
		fmt.Fprintf(b, "error: %v\n", err)
		return
	}
	fmt.Fprintf(b, "%s project in %s\n", p.Kind, p.Root)
	for _, s := range p.Compilers() {
		fmt.Fprintf(b, "compiler: %s\n", s)
	}
	for _, r := range p.Remappings() {
		fmt.Fprintf(b, "remapping: %s\n", r)
	}
	for _, n := range p.Notes {
		fmt.Fprintf(b, "note: %s\n", n)
	}
	files := []string{path}
	var below []string
	if isDir(path) {
		if files, err = p.Files(); err != nil {
			t.Fatal(err)
		}
		if below, err = p.ProjectsUnder(path); err != nil {
			t.Fatal(err)
		}
	}
	for _, file := range files {
		fmt.Fprintf(b, "%s\n", chosen(t, p, file))
	}
	for _, folder := range below {
		b.WriteString("\n")
		w.project(t, b, tools, folder)
	}
}

// chosen formats the compiler of a source and the sources compiled with it.
func chosen(t *testing.T, p *Project, file string) string {
	c, err := p.imports.closure([]string{file}, nil)
	if err != nil {
		return "failure: " + err.Error()
	}
	with, err := p.choose(t.Context(), c)
	if err != nil {
		return "failure: " + err.Error()
	}
	text := fmt.Sprintf("%s: %s, %s", file, with.Version, with.settings)
	for i, s := range c.order[1:] {
		text += []string{"; with ", ", "}[min(i, 1)] + s.Path
	}
	if with.note != "" {
		text += "\n  note: " + with.note
	}
	return text
}
