package main

import (
	"fmt"
	"os"
	"path/filepath"

	"leveret/solc/selection"
	"leveret/solc/trust"
)

// checkPath returns an error if, in an untrusted project, the path of a flag or
// a file in it is a link out of the project.
func (f compilerFlags) checkPath(flag, root, path string) error {
	path, err := filepath.Abs(path)
	if err != nil || !f.untrusted {
		return err
	}
	leads := trust.LeadsOut(root, path)
	entries, _ := os.ReadDir(path) // of a corpus
	for _, e := range entries {
		leads = leads || trust.LeadsOut(root, filepath.Join(path, e.Name()))
	}
	if !leads {
		return nil
	}
	return fmt.Errorf("%s: %s is a link out of the project, which --untrusted forbids; choose another path", flag, path)
}

// checkPaths checks every path that a run writes.
func (r *fuzzRun) checkPaths(list []selection.Candidate) error {
	for _, c := range list {
		root := c.Unit.Project.Root
		if r.corpus != "" {
			if err := r.checkPath("--corpus", root, filepath.Join(r.corpus, corpusFolder(list[0].Unit.Project.Root, c))); err != nil {
				return err
			}
		}
		written, err := r.destinations()
		if err != nil {
			return err
		}
		if r.file != "" {
			written = append(written, destination{flag: "--baseline", file: r.file})
		}
		for _, d := range written {
			if err := r.checkPath(d.flag, root, d.file); err != nil {
				return err
			}
		}
	}
	return nil
}
