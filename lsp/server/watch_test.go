package server

import (
	"path"
	"slices"
	"testing"

	"leveret/lsp/session"
)

// The watched patterns have the files that configure harnesses, and no others have them.
func TestHarnessFilesAreWatched(t *testing.T) {
	for name, want := range map[string]bool{"echidna-assertion.yaml": true, "medusa-core.json": true, "echidna.yml": true, "package.json": false, "core.yaml": false} {
		matches := slices.ContainsFunc(harnessFiles, func(pattern string) bool { ok, _ := path.Match(pattern, name); return ok })
		if matches != want || isConfig("/p/"+name) != want {
			t.Errorf("%s: watched %t, configuration %t", name, matches, isConfig("/p/"+name))
		}
	}
	for _, name := range session.HarnessFiles {
		if !isConfig(name) {
			t.Errorf("%s is no configuration", name)
		}
	}
}
