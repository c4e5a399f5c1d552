// Package projects has the public Foundry projects of measurements: it lays out
// their work trees, runs programs on them, and keeps results as lines of JSON. It
// knows nothing of what is measured.
package projects

import (
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

//go:embed projects.txt
var projectList string

// A Project is a repository with tests, at a commit.
type Project struct {
	Name   string
	Origin Origin
	Flags  []string // of forge and leveret: tests that cannot run offline
	Env    []string // of both

	extra map[string]Origin // by folder: what is no submodule, or in place of one
}

// An Origin is a commit of a repository of GitHub, as owner/name.
type Origin struct {
	Repository, Commit string
}

// List returns the projects of projects.txt with the given names, separated by
// commas; all if there are none.
func List(names string) ([]Project, error) {
	all, _, err := parse(projectList)
	if err != nil || names == "" {
		return all, err
	}
	var chosen []Project
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(p Project) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no project %q in projects.txt", name)
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// parse reads a list of projects, and the aliases of repositories.
func parse(text string) (list []Project, aliases map[string]string, err error) {
	aliases = map[string]string{}
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || strings.HasPrefix(words[0], "#"):
		case len(words) < 3:
			return nil, nil, fmt.Errorf("incomplete line %q", line)
		case words[0] == "alias":
			aliases[strings.ToLower(words[1])] = words[2]
		default:
			p := Project{Name: words[0], Origin: Origin{words[1], words[2]}, extra: map[string]Origin{}}
			for _, word := range words[3:] {
				folder, from, ok := strings.Cut(word, "=")
				if strings.HasPrefix(word, "--") {
					p.Flags = append(p.Flags, word)
					continue
				}
				if strings.HasPrefix(word, "FOUNDRY_") {
					p.Env = append(p.Env, word)
					continue
				}
				repository, commit, at := strings.Cut(from, "@")
				if !ok || !at {
					return nil, nil, fmt.Errorf("%s: %q is not FOLDER=REPOSITORY@COMMIT, --FLAG or FOUNDRY_NAME=VALUE", p.Name, word)
				}
				p.extra[folder] = Origin{repository, commit}
			}
			list = append(list, p)
		}
	}
	return list, aliases, nil
}

// Mirrors are the clones that projects and their submodules are taken from.
type mirrors struct {
	dir     string // OWNER+NAME, OWNER+NAME/repo or one of them with .git
	aliases map[string]string
	missing []string // folders that no mirror could fill
}

// gitDir finds the clone of a repository; "" if there is none.
func (m *mirrors) gitDir(repository string) string {
	if alias, ok := m.aliases[strings.ToLower(repository)]; ok {
		repository = alias
	}
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return ""
	}
	for _, entry := range entries {
		if !strings.EqualFold(entry.Name(), strings.ReplaceAll(repository, "/", "+")) {
			continue
		}
		for _, below := range []string{"repo/.git", "repo", ".git", ""} {
			dir := filepath.Join(m.dir, entry.Name(), below)
			if info, err := os.Stat(filepath.Join(dir, "objects")); err == nil && info.IsDir() {
				return dir
			}
		}
	}
	return ""
}

// LayOut makes the work trees of projects that are not below dir yet, from a
// folder of clones named OWNER+NAME, and writes what it does.
func LayOut(w io.Writer, list []Project, dir, clones string) error {
	_, aliases, err := parse(projectList)
	if err != nil {
		return err
	}
	m := &mirrors{dir: clones, aliases: aliases}
	for _, p := range list {
		to := filepath.Join(dir, p.Name)
		if _, err := os.Stat(to); err == nil {
			continue
		}
		if err := m.layOut(p, to); err != nil {
			return fmt.Errorf("%s: %w", p.Name, err)
		}
		fmt.Fprintln(w, p.Name, p.Origin.Repository, p.Origin.Commit)
		for _, what := range m.missing {
			fmt.Fprintln(w, "  missing:", what)
		}
	}
	return nil
}

// layOut writes the files of a project and of its submodules below dir, which
// must not exist.
func (m *mirrors) layOut(p Project, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("%s exists", dir)
	}
	m.missing = nil
	if err := m.checkOut(p.Origin, dir, "", p.extra); err != nil {
		return errors.Join(err, os.RemoveAll(dir))
	}
	for folder, from := range p.extra {
		if err := m.checkOut(from, dir, folder, nil); err != nil {
			return errors.Join(err, os.RemoveAll(dir))
		}
	}
	return nil
}

// checkOut writes the files of a commit to a folder of the project, and those of
// its submodules but the ones that are replaced.
func (m *mirrors) checkOut(from Origin, root, folder string, replaced map[string]Origin) error {
	repository := m.gitDir(from.Repository)
	if repository == "" {
		if folder == "" {
			return fmt.Errorf("no clone of %s in %s", from.Repository, m.dir)
		}
		m.missing = append(m.missing, fmt.Sprintf("%s: no clone of %s", folder, from.Repository))
		return nil
	}
	dir := filepath.Join(root, folder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	index, err := os.CreateTemp("", "conformance-index-")
	if err != nil {
		return err
	}
	index.Close()
	os.Remove(index.Name()) // git creates it
	defer os.Remove(index.Name())
	git := func(args ...string) ([]byte, error) {
		cmd := exec.Command("git", append([]string{"--git-dir=" + repository, "--work-tree=."}, args...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+index.Name())
		return cmd.CombinedOutput()
	}
	if out, err := git("read-tree", from.Commit); err != nil {
		if folder == "" {
			return fmt.Errorf("%s at %s: %w: %s", from.Repository, from.Commit, err, out)
		}
		m.missing = append(m.missing, fmt.Sprintf("%s: %s has no commit %s", folder, from.Repository, from.Commit))
		return nil
	}
	// A clone can lack large files, which git names; the others are written.
	if out, err := git("checkout-index", "--all", "--force"); err != nil {
		m.missing = append(m.missing, strings.FieldsFunc(strings.TrimSpace(string(out)), func(r rune) bool { return r == '\n' })...)
	}
	list, err := git("ls-files", "--stage")
	if err != nil {
		return err
	}
	modules, _ := os.ReadFile(filepath.Join(dir, ".gitmodules"))
	urls := submoduleURLs(string(modules))
	for line := range strings.Lines(string(list)) {
		entry, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		words := strings.Fields(entry) // mode, commit, stage
		if len(words) != 3 || words[0] != "160000" {
			continue
		}
		if _, ok := replaced[path]; ok {
			continue
		}
		if err := m.checkOut(Origin{urls[path], words[1]}, root, filepath.Join(folder, path), nil); err != nil {
			return err
		}
	}
	return nil
}

// submoduleURLs reads owner/name of each submodule, by path.
func submoduleURLs(modules string) map[string]string {
	urls := map[string]string{}
	path := ""
	for line := range strings.Lines(modules) {
		name, value, _ := strings.Cut(line, "=")
		value = strings.TrimSpace(value)
		switch strings.TrimSpace(name) {
		case "path":
			path = value
		case "url":
			for _, prefix := range []string{"https://github.com/", "git@github.com:"} {
				value = strings.TrimPrefix(value, prefix)
			}
			urls[path] = strings.TrimSuffix(strings.TrimSuffix(value, "/"), ".git")
		}
	}
	return urls
}
