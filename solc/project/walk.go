package project

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"leveret/solc"
)

// generatedDirs are folders in a project's root with installed, generated or
// copied files. Further down, folders of these names are not special.
var generatedDirs = []string{
	"lib", "out", "cache", "artifacts", "cache_hardhat", "build", "coverage", "typechain", "typechain-types", "dependencies",
}

// helperDir matches the names of folders whose contracts only help to test others:
// those whose first or last word is "test", "tests", "testing", "mock", "mocks", "mockup"
// or "mockups". A walk that starts in one visits it.
var helperDir = regexp.MustCompile(`^[_-]*(?i:tests?|testing|mock(?:up)?s?)(?:[^a-z]|$)|[_-](?i:tests?|testing|mock(?:up)?s?)$|[a-z](?:Tests?|Testing|Mock(?:up)?s?)$`)

// A walk finds the sources and other projects below a folder. It skips hidden
// files, which editors and file systems create.
type walk struct {
	*Location
	skipDirs []string // besides generatedDirs, relative to Root
	tests    bool     // tests and scripts are sources too
	readDir  func(string) ([]os.DirEntry, error)
	roots    []string // folders that are walked, without symbolic links
	files    []string
	harness  []string // files that may configure harnesses
	projects []string
	unread   []error // of the folders that could not be read
}

// walk walks a folder. It fails if this folder cannot be read.
func (p *Project) walk(folder string) (*walk, error) {
	return p.walkFor(false, folder)
}

// walkFor walks a folder, for tests and scripts too if tests.
func (p *Project) walkFor(tests bool, folder string) (*walk, error) {
	w := &walk{Location: &p.Location, skipDirs: p.skipDirs, tests: tests, readDir: os.ReadDir}
	if tests {
		w.skipDirs = nil
		for _, lib := range p.libs {
			w.skipDirs = append(w.skipDirs, filepath.ToSlash(filepath.Clean(lib)))
		}
	}
	return w, w.begin(folder)
}

func (w *walk) begin(folder string) error {
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		w.roots = append(w.roots, real)
	}
	entries, err := w.readDir(folder)
	if err != nil {
		return unreadableFolder(folder, err)
	}
	// Foundry follows links in source folders. Elsewhere a link may lead to
	// the whole disk.
	w.visit(folder, entries, w.Kind != Plain && folder != w.Root)
	return nil
}

// visit handles the entries of a folder.
func (w *walk) visit(folder string, entries []os.DirEntry, follow bool) {
	for _, d := range entries {
		path := filepath.Join(folder, d.Name())
		switch {
		case d.IsDir():
			w.enter(path, follow)
		case follow && w.leadsOut(path, d):
			w.enterLink(path)
		case mayConfigureHarnesses(d):
			w.harness = append(w.harness, path)
		case !strings.HasSuffix(path, ".sol") || !w.tests && testFile(path) || strings.HasPrefix(d.Name(), "."):
		case isLink(d) && !w.limits.Allows(path):
			w.unread = append(w.unread, w.named(w.outside(path)))
		default:
			w.files = append(w.files, path)
		}
	}
}

func (w *walk) enter(path string, follow bool) {
	if w.skips(path) {
		return
	}
	if _, config := configIn(path); config != "" && path != w.Root {
		w.projects = append(w.projects, path)
		return
	}
	entries, err := w.readDir(path)
	if err != nil {
		w.unread = append(w.unread, w.named(unreadableFolder(path, err)))
		return
	}
	w.visit(path, entries, follow)
}

func isLink(d os.DirEntry) bool { return d.Type()&os.ModeSymlink != 0 }

// enterLink walks a folder that a link leads to, if it may be read.
func (w *walk) enterLink(path string) {
	if !w.skips(path) && !w.limits.Allows(path) {
		w.unread = append(w.unread, w.named(w.outside(path)))
		return
	}
	w.enter(path, true)
}

// leadsOut reports whether d is a symbolic link to a folder that the walk does
// not visit otherwise.
func (w *walk) leadsOut(path string, d os.DirEntry) bool {
	if !isLink(d) {
		return false
	}
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return false
	}
	real, err := filepath.EvalSymlinks(path)
	walked := func(root string) bool {
		rel, err := filepath.Rel(root, real)
		return err == nil && filepath.IsLocal(rel)
	}
	if err != nil || slices.ContainsFunc(w.roots, walked) {
		return false
	}
	w.roots = append(w.roots, real)
	return true
}

func (w *walk) skips(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || base == "node_modules" {
		return true
	}
	name := unitName(w.Root, dir)
	return !w.tests && helperDir.MatchString(base) || slices.Contains(generatedDirs, name) || slices.Contains(w.skipDirs, name)
}

// testFile reports whether a file is a test or script by the naming conventions
// of Foundry and Hardhat 3.
func testFile(path string) bool {
	return solc.IsTestFile(path) || strings.HasSuffix(path, ".s.sol")
}
