package main

import (
	"io"
	"os"
	"path/filepath"

	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/selection"
)

// maxFailureFile bounds the size of a failure file of forge.
const maxFailureFile = 1 << 20

// forgeFailures returns the failing inputs that forge kept of the tests of a
// contract, in the project's cache. Files that do not fit the tests are left out:
// forge writes new ones.
func forgeFailures(s *suite.Suite, c selection.Suite) (known []input.Sequence) {
	root, err := os.OpenRoot(c.Unit.Project.Root)
	if err != nil {
		return nil
	}
	defer root.Close()
	for _, t := range c.Tests.Tests {
		var folder string
		switch t.Kind {
		case solc.FuzzTest:
			folder = c.Config.Fuzz.FailureDir
		case solc.InvariantTest:
			folder = c.Config.Invariant.FailureDir
		default:
			continue
		}
		file, err := root.Open(filepath.Join(filepath.FromSlash(folder), "failures", c.Contract.Name, t.Name))
		if err != nil {
			continue
		}
		data, err := io.ReadAll(io.LimitReader(file, maxFailureFile))
		file.Close()
		if err != nil {
			continue
		}
		if q, err := s.ParseFailure(t, data); err == nil {
			known = append(known, q)
		}
	}
	return known
}
