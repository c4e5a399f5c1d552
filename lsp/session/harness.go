package session

import "leveret/solc/project"

// HarnessFiles lists the usual names of the files in a project's root that configure
// harnesses.
var HarnessFiles = project.HarnessFiles

// ConfiguresHarnesses reports whether a file may configure harnesses, by its name.
func ConfiguresHarnesses(path string) bool {
	_, ok := project.HarnessTool(path, false)
	return ok
}
