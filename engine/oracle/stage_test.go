package oracle

import (
	"testing"

	"leveret/engine/input"
)

// Whom the deployer told a contract of, when it was made or set up, is no
// stranger to it; whom stand-ins were told of says nothing.
func TestDeployed(t *testing.T) {
	who := input.Attacker.Address()
	address := input.Value{Type: &input.Type{Kind: input.KindAddress}}
	address.Word.SetBytes20(who[:])
	told := []input.Value{address}
	for name, row := range map[string]struct {
		creation input.Creation
		want     bool
	}{
		"constructor": {input.Creation{File: "A.sol", Args: told}, true},
		"set-up":      {input.Creation{File: "A.sol", Setup: []input.Tx{{}, {Args: told}}}, true},
		"stand-in":    {input.Creation{Args: told, Setup: []input.Tx{{Args: told}}}, false},
		"nobody":      {input.Creation{File: "A.sol", Setup: []input.Tx{{}}}, false},
	} {
		s := Stage{Deployment: &input.Deployment{Creations: []input.Creation{{File: "B.sol"}, row.creation}}}
		if s.deployed(who) != row.want {
			t.Errorf("%s: %v", name, !row.want)
		}
	}
}
