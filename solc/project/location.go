package project

import (
	"fmt"
	"path/filepath"

	"leveret/solc"
	"leveret/solc/scan"
	"leveret/solc/trust"
)

// A Location is where a project lies and what it may read.
type Location struct {
	Root   string // absolute
	Kind   Kind
	Config string // absolute path of the configuration; empty for plain folders

	limits *trust.Boundary
}

// named makes a *solc.Failure show its file relative to the project.
func (l *Location) named(err error) error {
	if f, ok := err.(*solc.Failure); ok {
		f.Name = unitName(l.Root, f.File)
	}
	return err
}

// outside returns the failure that a file may not be read.
func (l *Location) outside(path string) *solc.Failure {
	f := &solc.Failure{Kind: solc.OutsideProject, File: path, Sentence: "this file leads to " + trust.Resolve(path) + ", outside the project", Remedy: l.outsideRemedy()}
	if l.limits.Untrusted {
		f.Sentence += ", which is not trusted"
	}
	return f
}

// outsideRemedy advises what to do about a file that may not be read.
func (l *Location) outsideRemedy() string {
	switch {
	case l.limits.Untrusted:
		return "copy the file into the workspace, or trust the workspace"
	case l.Kind == Foundry:
		return "copy the file into the project, or add its folder to allow_paths in " + filepath.Base(l.Config)
	}
	return "copy the file into the project, or install it as a package in node_modules"
}

// refusedImport returns the failure that an import leads outside.
func (l *Location) refusedImport(importer *solc.Source, i scan.Import, target string) error {
	limits := "the project"
	if l.limits.Untrusted {
		limits = "the workspace, which is not trusted"
	}
	sentence := fmt.Sprintf("the import %q leads to %s, outside %s", i.Path, trust.Resolve(target), limits)
	return l.named(&solc.Failure{Kind: solc.OutsideProject, File: importer.Path, Line: i.Line, Sentence: sentence, Remedy: l.outsideRemedy()})
}

// readConfig reads a file that configures the project. Those of an untrusted
// project must lie in it.
func (l *Location) readConfig(path string) ([]byte, error) {
	if l.limits.Untrusted && !l.limits.Allows(path) {
		return nil, l.outside(path)
	}
	return trust.ReadRegular(path, trust.MaxConfig)
}
