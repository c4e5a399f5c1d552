package foundry_test

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/finding"
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

// However many contracts a witness has, its test compiles, also beside another one.
func TestManyContractsCompile(t *testing.T) {
	const source = "pragma solidity ^0.8.0; contract Node { address next; constructor(address to) { next = to; } function set(address to) external { next = to; } function f() external { assert(next == address(0)); } }"
	parse := func(signature string) *input.Function {
		f, err := input.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	set, last := parse("set(address)"), common.HexToAddress("0xa1")
	var all []input.Creation
	for i := range 20 {
		c := input.Creation{Name: fmt.Sprintf("Node%d", i), Contract: "Node", File: "src/Node.sol", Address: common.BigToAddress(big.NewInt(int64(0xa2 + i))), Args: []input.Value{input.NewAddress(last)}}
		c.Setup = []input.Tx{{From: input.Deployer, To: c.Address, Function: set, Args: []input.Value{input.NewAddress(last)}}}
		last = c.Address
		all = append(all, c)
	}
	f := finding.Finding{ID: "SWC-110:Node:00ff", Oracle: "assertion", Contract: "Node", Message: "this assertion can fail", Place: finding.Place{File: "src/Node.sol"},
		Witness:    input.Sequence{Deployment: &input.Deployment{Creations: all}, Txs: []input.Tx{{From: input.User1, To: last, Function: parse("f()")}}},
		Observable: finding.Observable{Fails: true, Data: append(common.FromHex("4e487b71"), common.LeftPadBytes([]byte{1}, 32)...)}}
	for i := range f.Witness.Deployment.Creations {
		f.Witness.Deployment.Creations[i].Named = i == 3
	}
	few := f
	few.ID, few.Witness.Deployment = "SWC-110:Node:0100", &input.Deployment{Creations: all[len(all)-1:]}
	var text []byte
	for _, f := range []finding.Finding{few, f} {
		var err error
		if text, err = foundry.Test(text, foundry.Contract{Name: "Node", Solc: "0.8.30"}, f, input.BlockTime{Number: 100, Timestamp: 1000}); err != nil {
			t.Fatal(err)
		}
		root := solctest.Write(t, "foundry.toml", "[profile.default]\noptimizer = false\n", "src/Node.sol", source, "test/Node.leveret.t.sol", string(text))
		searchtest.Compile(t, filepath.Join(root, "test/Node.leveret.t.sol"))
	}
	for _, want := range []string{"deployed[\"Node12\"] = create(", "deployed[\"Node19\"].call(", "address node19 = create("} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the tests lack %q:\n%s", want, text)
		}
	}
}
