package project

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/scan"
	"leveret/solc/trust"
)

// TestFiles returns the absolute paths of the sources that may have tests,
// sorted: those of the source and the test folders, without libraries and what
// the key skip of foundry.toml excludes. Most sources have none, but a test may
// ask for their code by name.
func (p *Project) TestFiles() ([]string, error) {
	return p.filesFor(p.testFolders(), func(path string) bool { return !strings.HasSuffix(path, ".s.sol") })
}

// testFolders lists the folders of TestFiles, relative to Root.
func (p *Project) testFolders() []string {
	if len(p.sourceDirs) == 0 {
		return []string{"."}
	}
	return slices.Concat(p.sourceDirs, p.testDirs)
}

// UnreadTests returns an error for each file and folder that TestFiles could not read.
func (p *Project) UnreadTests() (unread []error) {
	walks, _ := p.walksFor(p.testFolders()) // TestFiles returns the error
	for _, w := range walks {
		unread = append(unread, w.unread...)
	}
	return unread
}

// Scripts returns the absolute paths of the project's scripts, sorted: the sources in
// the folder of scripts, and files .s.sol elsewhere.
func (p *Project) Scripts() ([]string, error) {
	all, err := p.filesFor(p.scriptDirs, func(string) bool { return true })
	if err != nil {
		return nil, err
	}
	others, err := p.filesFor(slices.Concat(p.sourceDirs, p.testDirs), func(path string) bool { return strings.HasSuffix(path, ".s.sol") })
	all = append(all, others...)
	slices.Sort(all)
	return slices.Compact(all), err
}

// filesFor returns the sources in folders, relative to Root, that satisfy a
// condition and are not skipped. Missing folders have none.
func (p *Project) filesFor(dirs []string, wanted func(path string) bool) ([]string, error) {
	walks, err := p.walksFor(dirs)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, w := range walks {
		files = append(files, w.files...)
	}
	files = slices.DeleteFunc(files, func(path string) bool { return !wanted(path) || p.skipped(path) })
	slices.Sort(files)
	return slices.Compact(files), nil
}

// walksFor walks folders, relative to Root, with their tests. Missing ones are left out.
func (p *Project) walksFor(dirs []string) (walks []*walk, err error) {
	for _, dir := range dirs {
		if dir = absolute(p.Root, dir); !p.limits.Allows(dir) || !isDir(dir) {
			continue
		}
		w, err := p.walkFor(true, dir)
		if err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		walks = append(walks, w)
	}
	return walks, nil
}

// NamesInSetUp reports whether a source of the project has a setUp and names a
// contract. Sources that cannot be read do not.
func (p *Project) NamesInSetUp(path, contract string) bool {
	text, err := p.readConfig(path)
	return err == nil && bytes.Contains(text, []byte("setUp")) && bytes.Contains(text, []byte(contract))
}

// Declares reports whether a source of the project defines a contract, neither abstract
// nor an interface. Sources that cannot be read do not.
func (p *Project) Declares(path, contract string) bool {
	text, err := p.readConfig(path)
	return err == nil && slices.Contains(scan.Contracts(text), contract)
}

// skipped reports whether the key skip of foundry.toml excludes a file.
func (p *Project) skipped(path string) bool {
	return slices.ContainsFunc(p.TestConfig.Filter.Skip, func(pattern string) bool {
		return solc.MatchPath(pattern, filepath.ToSlash(p.Root), filepath.ToSlash(path))
	})
}

// InLibrary reports whether a file belongs to a library or an installed package, whose
// tests do not run with the project's.
func (p *Project) InLibrary(path string) bool {
	return strings.Contains(strings.TrimPrefix(path, p.Root), modulesDir) || slices.ContainsFunc(p.libs, func(lib string) bool { return trust.Within(absolute(p.Root, lib), path) })
}
