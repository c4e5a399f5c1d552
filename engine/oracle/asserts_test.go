package oracle

import (
	"os"
	"path/filepath"
	"testing"

	"leveret/solc/ast"
)

const helpers = `pragma solidity ^0.8.0;
interface Other { function ask() external view returns (bool); }
library Texts { function join(string memory a) internal pure returns (string memory) { return string.concat(a, a); } }
abstract contract Base {
    event Log(string);
    uint256 constant MOST = 10;
    uint256 least;
    function yes_declared(bool ok, string memory why) internal virtual;
    function yes_plain(bool ok) internal pure { assert(ok); }
    function yes_calls(uint256 a, uint256 b, string memory why) internal { if (a > MOST) emit Log(Texts.join(why)); yes_declared(a >= b, why); }
    function no_result(bool ok) internal pure returns (bool) { assert(ok); return ok; }
    function no_argument() internal pure { assert(false); }
    function no_state(uint256 a) internal view { assert(a >= least); }
    function no_indirectly(uint256 a) internal view { no_state(a); }
    function no_sender(address a) internal view { assert(a == msg.sender); }
    function no_other(Other a) internal view { assert(a.ask()); }
    function no_balance(address a) internal { (bool ok, ) = a.call(""); assert(ok); }
    function no_assembly(bytes32 a) internal view { uint256 b; assembly { b := sload(a) } assert(b > 0); }
    function no_public(bool ok) public pure { assert(ok); }
    modifier once(bool ok) { require(least == 0); _; }
    function no_modified(bool ok) internal once(ok) { assert(ok); }
}
`

// What only asserts something of its arguments depends on nothing else.
func TestAsserts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "Base.sol")
	if err := os.WriteFile(file, []byte(helpers), 0o600); err != nil {
		t.Fatal(err)
	}
	b := compile(t, toolchain(t), file)
	s := NewSources(nil, nil, b.Trees)
	checked := 0
	for _, f := range b.Trees().Unit(0).Root.Find(ast.FunctionDefinition) {
		yes := len(f.Name()) > 4 && f.Name()[:4] == "yes_"
		if got := s.Asserts(f); got != yes {
			t.Errorf("%s: %v", f.Name(), got)
		}
		checked++
	}
	if checked != 15 {
		t.Errorf("%d functions were checked", checked)
	}
}
