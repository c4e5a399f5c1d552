package selection

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// helperProject has contracts that only help to test others, and some that are only
// named like that.
var helperProject = []string{
	"foundry.toml", "",
	"src/Vault.sol", "abstract contract Base { function f() external {} }\nabstract contract Alone { function g() external {} }\ncontract Vault is Base {}\ncontract Contest {}\ncontract Mockingbird {}\ncontract Latest {}",
	"src/MockToken.sol", "contract Coin { function mint() external {} }",
	"src/Tokens.sol", "contract ERC20Mock {}\ncontract TestToken {}\ncontract Test_Feed {}\ncontract Mock {}\ncontract BridgeMockup {}",
	"src/Bases.sol", "import './Vault.sol';\ncontract BaseMock is Base {}\ncontract AloneMock is Alone {}",
	"src/Properties.sol", "contract TestVault { function echidna_holds() external returns (bool) { return true; } }",
}

func TestHelpersAreLeftOut(t *testing.T) {
	const others = "AloneMock Contest Latest Mockingbird TestVault Vault"
	for _, row := range []struct {
		paths []string
		names []string
		want  string
	}{
		{[]string{"."}, nil, others},
		{[]string{"src"}, nil, others},
		{[]string{"src", "src/MockToken.sol"}, nil, "AloneMock Coin Contest Latest Mockingbird TestVault Vault"},
		{[]string{"src/Tokens.sol"}, nil, "BridgeMockup ERC20Mock Mock TestToken Test_Feed"},
		{[]string{"."}, []string{"ERC20Mock", "Vault"}, "ERC20Mock Vault"},
	} {
		if got := strings.Join(chosen(t, row.paths, row.names), " "); got != row.want {
			t.Errorf("%v %v: chosen are %s, want %s", row.paths, row.names, got, row.want)
		}
	}
}

// chosen lists the names of the contracts that paths and names choose, sorted.
func chosen(t *testing.T, paths, names []string) (list []string) {
	t.Helper()
	root := solctest.Write(t, helperProject...)
	tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: solctest.Cache(t), Untrusted: true})
	t.Cleanup(func() { tools.Close() })
	full := make([]string, len(paths))
	for i := range paths {
		full[i] = filepath.Join(root, paths[i])
	}
	batches, failures, err := Open(tools, full)
	if err != nil || len(failures) > 0 {
		t.Fatal(err, failures)
	}
	var units []Unit
	for _, b := range batches {
		compiled, failed := b.Compile(t.Context())
		if len(failed) > 0 {
			t.Fatal(failed)
		}
		units = append(units, compiled...)
	}
	candidates, err := Choose(units, names)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range candidates {
		if c.Note == "" {
			list = append(list, c.Contract.Name)
		}
	}
	slices.Sort(list)
	return list
}
