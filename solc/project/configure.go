package project

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/version"
)

// generatedDirs are folders in a project's root whose sources are installed,
// built or copied; deeper down such names mean anything.
var generatedDirs = []string{
	"lib", "out", "cache", "artifacts", "cache_hardhat", "build", "coverage", "typechain", "typechain-types", "dependencies",
}

// configure reads what the project says about itself.
func (p *Project) configure(env compiler.Env) error {
	p.remappings = p.readRemappingsFile(p.Root)
	switch p.Kind {
	case Foundry:
		if err := p.configureFoundry(env); err != nil {
			return err
		}
	case Hardhat:
		p.configureHardhat()
	case Truffle:
		p.configureTruffle()
	case Brownie:
		if err := p.configureBrownie(env); err != nil {
			return err
		}
	}
	p.admitConfigured()
	p.checkEVMVersions()
	for i := range p.compilers {
		p.compilers[i].Remappings = p.Remappings()
	}
	for file, c := range p.overrides {
		c.Remappings = p.Remappings()
		p.overrides[file] = c
	}
	if len(p.compilers) > 0 {
		p.Settings = p.compilers[0].Settings
	} else {
		p.Settings = solc.Settings{OptimizerRuns: 200, Remappings: p.Remappings()}
	}
	return nil
}

// admitConfigured lets sources be read from where the configuration has them.
func (p *Project) admitConfigured() {
	for _, dir := range slices.Concat(p.sourceDirs, p.libs, p.include, p.allow) {
		p.limits.AdmitConfigured(absolute(p.Root, dir))
	}
}

// checkEVMVersions notes names that no compiler knows: its default is taken.
func (p *Project) checkEVMVersions() {
	var said []string
	for _, c := range append(slices.Collect(maps.Values(p.overrides)), p.compilers...) {
		if c.EVMVersion != "" && !slices.Contains(version.EVMNames(), c.EVMVersion) && !slices.Contains(said, c.EVMVersion) {
			said = append(said, c.EVMVersion)
			p.notef("%s: there is no EVM version %q; the compiler's own is taken", filepath.Base(p.Config), c.EVMVersion)
		}
	}
}

func (p *Project) readRemappingsFile(dir string) []remapping {
	text, err := p.readConfig(filepath.Join(dir, "remappings.txt"))
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

// Compilers describes the compilers that the project configures and their
// settings, for people: "solc 0.8.30, optimiser for 200 runs".
func (p *Project) Compilers() []string {
	var list []string
	add := func(v *version.Version, s solc.Settings, file string) {
		text := s.String()
		if v != nil {
			text = "solc " + v.String() + ", " + text
		}
		if file != "" {
			text += ", for " + file
		}
		if !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	if len(p.compilers) == 0 {
		add(nil, p.Settings, "")
	}
	for _, c := range p.compilers[:len(p.compilers)-len(p.overrides)] {
		add(c.version, c.Settings, "")
	}
	for _, file := range slices.Sorted(maps.Keys(p.overrides)) {
		add(p.overrides[file].version, p.overrides[file].Settings, file)
	}
	for _, r := range p.restrictions {
		add(nil, p.allowed(p.Settings, r), r.paths)
	}
	return list
}

// Files returns the absolute paths of the project's sources, sorted: without
// libraries, generated folders, tests and scripts.
func (p *Project) Files() ([]string, error) {
	walks, err := p.walks()
	if err != nil {
		return nil, err
	}
	var files []string
	for _, w := range walks {
		files = append(files, w.files...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// walks goes through the folders of sources; through all of the project if
// there is nothing in them.
func (p *Project) walks() ([]*walk, error) {
	var walks []*walk
	some := false
	for _, dir := range p.sourceDirs {
		if dir = absolute(p.Root, dir); !p.limits.Allows(dir) || !isDir(dir) {
			continue
		}
		w, err := p.walk(dir)
		if err != nil {
			return nil, err
		}
		walks = append(walks, w)
		some = some || len(w.files)+len(w.unread) > 0
	}
	if some {
		return walks, nil
	}
	w, err := p.walk(p.Root)
	return []*walk{w}, err
}

// FilesUnder returns the sources below a folder, sorted, leaving out what
// Files does unless the folder itself lies in it, and other projects.
func (p *Project) FilesUnder(folder string) ([]string, error) {
	w, err := p.walk(folder)
	slices.Sort(w.files)
	return w.files, err
}

// ProjectsUnder returns the folders of other projects below a folder, sorted,
// as a repository of several has them. Those in them are not looked for.
func (p *Project) ProjectsUnder(folder string) ([]string, error) {
	w, err := p.walk(folder)
	slices.Sort(w.projects)
	return w.projects, err
}

// Unread lists what Files, or FilesUnder for another folder than the root,
// could not read: an error for each folder.
func (p *Project) Unread(folder string) []error {
	walks, err := p.walks()
	if folder != p.Root {
		var w *walk
		w, err = p.walk(folder)
		walks = []*walk{w}
	}
	if err != nil {
		return nil // Files and FilesUnder say so
	}
	var unread []error
	for _, w := range walks {
		unread = append(unread, w.unread...)
	}
	return unread
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
