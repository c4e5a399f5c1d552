package solc

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// generatedDirs are folders in a project's root whose sources are installed,
// built or copied; deeper down such names mean anything.
var generatedDirs = []string{
	"lib", "out", "cache", "artifacts", "cache_hardhat", "build", "coverage", "typechain", "typechain-types", "dependencies",
}

// configure reads what the project says about itself.
func (p *Project) configure(env Env) error {
	p.remappings = readRemappingsFile(p.Root)
	switch p.Kind {
	case Foundry:
		if err := p.configureFoundry(env); err != nil {
			return err
		}
	case Hardhat:
		p.configureHardhat()
	case Truffle:
		p.configureTruffle()
	}
	for i := range p.compilers {
		p.compilers[i].Remappings = p.Remappings()
	}
	if len(p.compilers) > 0 {
		p.Settings = p.compilers[0].Settings
	} else {
		p.Settings = Settings{OptimizerRuns: 200, Remappings: p.Remappings()}
	}
	return nil
}

func readRemappingsFile(dir string) []remapping {
	text, err := os.ReadFile(filepath.Join(dir, "remappings.txt"))
	if err != nil {
		return nil
	}
	return parseRemappings(string(text))
}

// Remappings returns the project's own remappings; those of libraries are
// found when they are needed.
func (p *Project) Remappings() []string {
	var list []string
	for _, r := range p.remappings {
		list = append(list, r.String())
	}
	return list
}

// Files returns the absolute paths of the project's sources, sorted: without
// libraries, generated folders, tests and scripts.
func (p *Project) Files() ([]string, error) {
	var files []string
	for _, dir := range p.sourceDirs {
		dir = absolute(p.Root, dir)
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		found, err := p.FilesUnder(dir)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	if len(files) == 0 {
		var err error
		if files, err = p.FilesUnder(p.Root); err != nil {
			return nil, err
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// FilesUnder returns the sources below a folder, sorted, leaving out what
// Files does unless the folder itself lies in it.
func (p *Project) FilesUnder(folder string) ([]string, error) {
	var files []string
	err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil && path == folder:
			return unreadable(path, err)
		case err != nil:
			return fs.SkipDir
		case d.IsDir():
			if path != folder && p.skips(path) {
				return fs.SkipDir
			}
		case strings.HasSuffix(path, ".sol") && !testFile(path):
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

func (p *Project) skips(dir string) bool {
	base := filepath.Base(dir)
	if strings.HasPrefix(base, ".") || base == "node_modules" {
		return true
	}
	name := unitName(p.Root, dir)
	return slices.Contains(generatedDirs, name) || slices.Contains(p.skipDirs, name)
}

// testFile reports whether a file is a test or script by its name, as Foundry
// and Hardhat 3 have it.
func testFile(path string) bool {
	return strings.HasSuffix(path, ".t.sol") || strings.HasSuffix(path, ".s.sol")
}

func (p *Project) notef(format string, args ...any) {
	p.Notes = append(p.Notes, fmt.Sprintf(format, args...))
}
