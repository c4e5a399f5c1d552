package project

import (
	"fmt"
	"maps"
	"slices"

	"leveret/solc"
	"leveret/solc/version"
)

// A configuration is what a project's configuration says.
type configuration struct {
	Notes      []string        // what could not be understood
	TestConfig solc.TestConfig // how tests run; forge's defaults if foundry.toml does not say, or is missing

	compilers     []compilerSettings
	optimizerOpen bool                        // foundry.toml does not mention the optimiser
	overrides     map[string]compilerSettings // of single files, by unit name
	profiles      []solc.Settings             // alternatives to the first compiler's for some files
	restrictions  []restriction               // which files need which settings
	remappings    []remapping
	libs          []string // folders of installed libraries, relative to Root
	sourceDirs    []string // folders of contracts, relative to Root
	skipDirs      []string // folders without sources, relative to Root
	testDirs      []string // folders of tests, relative to Root
	scriptDirs    []string // folders of scripts, relative to Root
	include       []string // further folders to look for imports in, relative to Root
	allow         []string // further folders that may be read, relative to Root
	declared      []string // profiles of foundry.toml
}

// compilerSettings are one configured compiler.
type compilerSettings struct {
	version *version.Version // nil: any
	path    string           // of the only compiler; empty: the best of the version
	solc.Settings
}

func (s compilerSettings) order() version.Version {
	if s.version == nil {
		return version.Version{}
	}
	return *s.version
}

// usual returns the settings of files for which nothing else is configured.
func (c *configuration) usual() solc.Settings {
	if len(c.compilers) > 0 {
		return c.compilers[0].Settings
	}
	return solc.Settings{OptimizerRuns: 200, Remappings: c.Remappings()}
}

// compilersFor returns the compilers that the project configures for a closure:
// the override of its first file, or else all, with the settings that satisfy the
// restrictions of its files.
func (c *configuration) compilersFor(files *closure) ([]compilerSettings, error) {
	if s, ok := c.overrides[files.order[0].Name]; ok {
		return []compilerSettings{s}, nil
	}
	demands := c.demandsOf(files)
	compilers := slices.Clone(c.compilers)
	for i := range compilers {
		usual := compilers[i].Settings
		s, ok := c.allowed(usual, demands...)
		if !ok {
			return nil, c.restrictionConflict(files, usual, demands)
		}
		compilers[i].Settings = s
	}
	return compilers, nil
}

// advised returns the version to install for a closure: the configured one if it
// satisfies the pragmas, or else a version that is known to exist.
func (c *configuration) advised(files *closure, wanted version.Range) (version.Version, bool) {
	compilers, _ := c.compilersFor(files)
	for _, s := range compilers {
		if s.version != nil && wanted.Contains(*s.version) {
			return *s.version, true
		}
	}
	return wanted.Example()
}

// Remappings returns the project's own remappings, without those of its
// libraries.
func (c *configuration) Remappings() []string {
	var list []string
	for _, r := range c.remappings {
		list = append(list, r.String())
	}
	return list
}

// Compilers describes the configured compilers and their settings, "solc 0.8.30,
// optimiser for 200 runs".
func (c *configuration) Compilers() []string {
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
	if len(c.compilers) == 0 {
		add(nil, c.usual(), "")
	}
	for _, own := range c.compilers[:len(c.compilers)-len(c.overrides)] {
		add(own.version, own.Settings, "")
	}
	for _, file := range slices.Sorted(maps.Keys(c.overrides)) {
		add(c.overrides[file].version, c.overrides[file].Settings, file)
	}
	for _, r := range c.restrictions {
		if s, ok := c.allowed(c.usual(), r); ok {
			add(nil, s, r.paths)
		}
	}
	return list
}

func (c *configuration) notef(format string, args ...any) {
	c.Notes = append(c.Notes, fmt.Sprintf(format, args...))
}
