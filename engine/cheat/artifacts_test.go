package cheat

import (
	"strings"
	"testing"

	"leveret/solc"
)

// A source that uses a cheatcode for artifacts is known to ask for contracts by name.
func TestArtifactRowsAreAsked(t *testing.T) {
	for _, r := range artifactRows[:len(artifactRows)-len(deploymentRows)] {
		name, _, _ := strings.Cut(r.signature, "(")
		if !solc.AsksForArtifact([]byte("vm." + name + "(")) {
			t.Errorf("%s: solc.AsksForArtifact does not know it", name)
		}
	}
}
