package project

import (
	"fmt"
	"path/filepath"

	"leveret/solc"
	"leveret/solc/scan"
	"leveret/solc/trust"
)

// outside is the failure of a file that may not be read.
func (p *Project) outside(path string) *solc.Failure {
	f := &solc.Failure{Kind: solc.OutsideProject, File: path, Sentence: "this file leads to " + trust.Resolve(path) + ", outside the project", Remedy: p.outsideRemedy()}
	if p.limits.Untrusted {
		f.Sentence += ", which is not trusted"
	}
	return f
}

// outsideRemedy advises what to do about a file that may not be read.
func (p *Project) outsideRemedy() string {
	switch {
	case p.limits.Untrusted:
		return "copy the file into the workspace, or trust the workspace"
	case p.Kind == Foundry:
		return "copy the file into the project, or add its folder to allow_paths in " + filepath.Base(p.Config)
	}
	return "copy the file into the project, or install it as a package in node_modules"
}

// refusedImport is the failure of an import that leads outside.
func (p *Project) refusedImport(importer *solc.Source, i scan.Import, target string) error {
	sentence := fmt.Sprintf("the import %q leads to %s, outside the project", i.Path, trust.Resolve(target))
	if p.limits.Untrusted {
		sentence = fmt.Sprintf("the import %q leads to %s, outside the workspace, which is not trusted", i.Path, target)
	}
	return p.named(&solc.Failure{Kind: solc.OutsideProject, File: importer.Path, Line: i.Line, Sentence: sentence, Remedy: p.outsideRemedy()})
}

// readConfig reads a file that configures the project. Those of an untrusted
// project must lie in it.
func (p *Project) readConfig(path string) ([]byte, error) {
	if p.limits.Untrusted && !p.limits.Allows(path) {
		return nil, p.outside(path)
	}
	return trust.ReadRegular(path, trust.MaxConfig)
}
