package solc

import (
	"slices"
	"testing"
)

// TestCompileAll compiles a folder that wants three compilers and has one file
// of each kind of failure.
func TestCompileAll(t *testing.T) {
	root := write(t,
		"A.sol", "pragma solidity ^0.8.0; import './Both.sol'; contract A is Both {}",
		"B.sol", "pragma solidity ^0.8.0; contract B {}",
		"Both.sol", "contract Both {}",
		"Old.sol", "pragma solidity 0.5.17; import './Both.sol'; contract Old is Both {}",
		"Older.sol", "pragma solidity 0.4.26; contract Older {}",
		"Blank.sol", "\n",
		"Ancient.sol", "pragma solidity 0.1.0; contract Ancient {}",
		"Lost.sol", "import './Nothing.sol'; contract Lost {}",
		"Wrong.sol", "pragma solidity ^0.8.0; contract Wrong { uint x = y; }",
		"NeedsWrong.sol", "pragma solidity ^0.8.0; import './Wrong.sol'; contract NeedsWrong is Wrong {}",
		"Broken.sol", "pragma solidity ^0.8.0; contract {")
	p := open(t, root, realTools(t))
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	builds, failed := p.CompileAll(t.Context(), files, nil)
	var got []string
	for _, b := range builds {
		for _, c := range b.Contracts {
			got = append(got, b.Version+" "+c.Name)
		}
	}
	slices.Sort(got)
	if want := []string{"0.4.26 Older", "0.5.17 Both", "0.5.17 Old", "0.8.37 A", "0.8.37 B", "0.8.37 Both"}; !slices.Equal(got, want) {
		t.Errorf("contracts %q, want %q", got, want)
	}
	wanted := map[FailureKind]string{VersionMismatch: "Ancient.sol:1: this file", ImportNotFound: "Lost.sol:1: cannot find"}
	var refused []string
	for _, err := range failed {
		f := err.(*Failure)
		if f.Kind == CompileError {
			refused = append(refused, f.name)
			continue
		}
		demand(t, err, f.Kind, wanted[f.Kind])
		delete(wanted, f.Kind)
	}
	slices.Sort(refused)
	if !slices.Equal(refused, []string{"Broken.sol", "Wrong.sol"}) || len(wanted) != 0 {
		t.Errorf("failed: %v", failed)
	}
}
