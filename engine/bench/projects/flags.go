package projects

import (
	"flag"
	"path/filepath"

	"leveret/engine/bench/forge"
)

// Flags are those of the programs that measure something on the public projects.
type Flags struct {
	Tools    string // folder where make tools installed forge and compilers
	further  string // with more compilers; may be empty
	Projects string // folder of the work trees
	Only     string // names of what is measured, separated by commas; empty: all
	Results  string // file that raw results are appended to
	Print    bool   // print the tables of that file, and do nothing else
	Revision string // of leveret, for the results
}

// Add defines the flags.
func (f *Flags) Add(to *flag.FlagSet) {
	to.StringVar(&f.Tools, "tools", "solc/testdata/npm", "folder where make tools installed forge and compilers")
	to.StringVar(&f.further, "compilers", "", "further folder with node_modules/solc-* of compilers")
	to.StringVar(&f.Projects, "projects", "", "folder of the work trees, outside of this repository, as conformance lays them out")
	to.StringVar(&f.Only, "only", "", "names, separated by commas; all if empty")
	to.StringVar(&f.Results, "results", "", "file that the raw results are appended to")
	to.BoolVar(&f.Print, "print", false, "print the tables of the file of results")
	to.StringVar(&f.Revision, "revision", Revision(), "of leveret, for the results")
}

// ToolDirs returns the folders with compilers.
func (f *Flags) ToolDirs() []string {
	if f.further == "" {
		return []string{f.Tools}
	}
	return []string{f.Tools, f.further}
}

// Install installs forge's compilers into a home beside the work trees and returns it.
func (f *Flags) Install() (home string, err error) {
	home = filepath.Join(f.Projects, ".home")
	dirs := f.ToolDirs()
	return home, forge.InstallCompilers(home, dirs[0], dirs[1:]...)
}
