package foundry_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
	"leveret/engine/report/foundry"
	"leveret/engine/search/searchtest"
	"leveret/solc/solctest"
)

// Unit tests compile beside the fuzz test, whatever its arguments are.
func TestExamplesCompile(t *testing.T) {
	const source = `pragma solidity ^0.8.0;
type Shares is uint256;
contract Coin { receive() external payable {} }
contract Tests {
    enum State { Open, Closed }
    function testAll(uint256[] memory amounts, Coin[2] memory coins, State state, Shares shares, string[] memory) external {}
    function testRest(address payable to, Coin coin, bytes4 id, int8 change, bytes memory data, string memory text, Shares[] memory all, bool[] memory) external {}
EXAMPLES}
`
	compile := func(examples string) *searchtest.Driver {
		root := solctest.Write(t, "Tests.sol", strings.Replace(source, "EXAMPLES", examples, 1))
		return searchtest.New(t, searchtest.Compile(t, filepath.Join(root, "Tests.sol")), "Tests", 1)
	}
	d := compile("")
	r := rand.New(rand.NewPCG(3, 9))
	var examples strings.Builder
	for _, name := range []string{"testAll", "testRest"} {
		functions := d.Subject.Program.ABI(d.Subject.Program.UnderTest).Functions
		f := functions[slices.IndexFunc(functions, func(f *input.Function) bool { return f.Name == name })]
		for i := range 20 {
			tx := input.RandomTx(r, f, common.Address{}, nil)
			for k := range tx.Args {
				if strings.HasPrefix(f.Inputs[k].InternalType, "enum ") {
					tx.Args[k].Word.SetUint64(uint64(i % 2)) // others cannot be written in the type
				}
			}
			text, ok := foundry.Example(fmt.Sprintf("%s_Example%d", name, i), f, tx.Args)
			if !ok {
				t.Fatalf("%v cannot be written", tx.Args)
			}
			fmt.Fprintf(&examples, "    %s\n", text)
		}
	}
	compile(examples.String())
}
