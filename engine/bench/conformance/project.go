package main

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed projects.txt
var projectList string

// A project is a repository with tests, at a commit.
type project struct {
	name   string
	origin origin
	extra  map[string]origin // by folder: what is no submodule, or in place of one
	flags  []string          // of both commands: tests that cannot run offline
	env    []string          // of both commands
}

// An origin is a commit of a repository of GitHub, as owner/name.
type origin struct {
	repository, commit string
}

// parseProjects reads a list of projects, and the aliases of repositories.
func parseProjects(text string) (list []project, aliases map[string]string, err error) {
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
			p := project{name: words[0], origin: origin{words[1], words[2]}, extra: map[string]origin{}}
			for _, word := range words[3:] {
				folder, from, ok := strings.Cut(word, "=")
				if strings.HasPrefix(word, "--") {
					p.flags = append(p.flags, word)
					continue
				}
				if strings.HasPrefix(word, "FOUNDRY_") {
					p.env = append(p.env, word)
					continue
				}
				repository, commit, at := strings.Cut(from, "@")
				if !ok || !at {
					return nil, nil, fmt.Errorf("%s: %q is not FOLDER=REPOSITORY@COMMIT, --FLAG or FOUNDRY_NAME=VALUE", p.name, word)
				}
				p.extra[folder] = origin{repository, commit}
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

// layOut writes the files of a project and of its submodules below dir, which
// must not exist.
func (m *mirrors) layOut(p project, dir string) error {
	if _, err := os.Stat(dir); err == nil {
		return fmt.Errorf("%s exists", dir)
	}
	m.missing = nil
	if err := m.checkOut(p.origin, dir, "", p.extra); err != nil {
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
func (m *mirrors) checkOut(from origin, root, folder string, replaced map[string]origin) error {
	repository := m.gitDir(from.repository)
	if repository == "" {
		if folder == "" {
			return fmt.Errorf("no clone of %s in %s", from.repository, m.dir)
		}
		m.missing = append(m.missing, fmt.Sprintf("%s: no clone of %s", folder, from.repository))
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
	if out, err := git("read-tree", from.commit); err != nil {
		if folder == "" {
			return fmt.Errorf("%s at %s: %w: %s", from.repository, from.commit, err, out)
		}
		m.missing = append(m.missing, fmt.Sprintf("%s: %s has no commit %s", folder, from.repository, from.commit))
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
		if err := m.checkOut(origin{urls[path], words[1]}, root, filepath.Join(folder, path), nil); err != nil {
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
