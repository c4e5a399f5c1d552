package cheat

import (
	"strings"
	"testing"

	"leveret/engine/evm"
)

var assertions = []struct {
	signature string
	values    string // separated by |
	want      string // reason; empty: it passes
}{
	{"assertTrue(bool)", "true", ""},
	{"assertTrue(bool)", "false", "assertion failed"},
	{"assertTrue(bool,string)", `false|"oh"`, "oh"},
	{"assertFalse(bool)", "false", ""},
	{"assertFalse(bool,string)", `true|"oh"`, "oh"},
	{"assertEq(bool,bool)", "true|false", "assertion failed: true != false"},
	{"assertEq(uint256,uint256)", "3|3", ""},
	{"assertEq(uint256,uint256)", "3|4", "assertion failed: 3 != 4"},
	{"assertEq(uint256,uint256,string)", `3|4|"sum"`, "sum: 3 != 4"},
	{"assertEq(int256,int256,string)", `-3|4|""`, ": -3 != 4"},
	{"assertEq(address,address)", "0x1804c8ab1f12e6bbf3894d4083f33e07309d1f38|0x0000000000000000000000000000000000000001",
		"assertion failed: 0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38 != 0x0000000000000000000000000000000000000001"},
	{"assertEq(bytes32,bytes32)", "0x" + strings.Repeat("ab", 32) + "|0x" + strings.Repeat("00", 32),
		"assertion failed: 0x" + strings.Repeat("ab", 32) + " != 0x" + strings.Repeat("00", 32)},
	{"assertEq(string,string)", `"a"|"b"`, "assertion failed: a != b"},
	{"assertEq(string,string,string)", `"a"|"b"|"text"`, "text: a != b"},
	{"assertEq(string,string)", `"a"|"a"`, ""},
	{"assertEq(bytes,bytes)", "0x01|0x0102", "assertion failed: 0x01 != 0x0102"},
	{"assertEq(uint256[],uint256[])", "[1, 2]|[1, 2]", ""},
	{"assertEq(uint256[],uint256[])", "[1, 2]|[1, 3]", "assertion failed: [1, 2] != [1, 3]"},
	{"assertEq(int256[],int256[],string)", `[-1]|[]|"list"`, "list: [-1] != []"},
	{"assertEq(string[],string[])", `["a", "b"]|["a", "c"]`, "assertion failed: [a, b] != [a, c]"},
	{"assertEq(bytes[],bytes[])", `[0x]|[0x00]`, "assertion failed: [0x] != [0x00]"},
	{"assertNotEq(uint256,uint256)", "3|4", ""},
	{"assertNotEq(uint256,uint256)", "3|3", "assertion failed: 3 == 3"},
	{"assertNotEq(bytes,bytes)", "0x01|0x01", "assertion failed: 0x01 == 0x01"},
	{"assertNotEq(bool[],bool[])", "[true]|[true]", "assertion failed: [true] == [true]"},
	{"assertNotEq(bool[],bool[])", "[true]|[true, false]", ""},
	{"assertLt(uint256,uint256)", "3|3", "assertion failed: 3 >= 3"},
	{"assertLt(int256,int256)", "-1|0", ""},
	{"assertLe(int256,int256)", "1|0", "assertion failed: 1 > 0"},
	{"assertLe(uint256,uint256)", "3|3", ""},
	{"assertGt(int256,int256)", "-1|0", "assertion failed: -1 <= 0"},
	{"assertGt(uint256,uint256,string)", `2|3|"more"`, "more: 2 <= 3"},
	{"assertGe(uint256,uint256)", "2|3", "assertion failed: 2 < 3"},
	{"assertEqDecimal(uint256,uint256,uint256)", "1500000000000000000|1|18", "assertion failed: 1.500000000000000000 != 0.000000000000000001"},
	{"assertEqDecimal(int256,int256,uint256,string)", `-15|1|1|"d"`, "d: -1.5 != 0.1"},
	{"assertNotEqDecimal(uint256,uint256,uint256)", "7|7|0", "assertion failed: 7.0 == 7.0"},
	{"assertLtDecimal(uint256,uint256,uint256)", "7|7|78", "assertion failed: 7 >= 7"},
	{"assertGeDecimal(int256,int256,uint256)", "-2|-1|1", "assertion failed: -0.2 < -0.1"},
	{"assertApproxEqAbs(uint256,uint256,uint256)", "10|12|2", ""},
	{"assertApproxEqAbs(uint256,uint256,uint256)", "10|13|2", "assertion failed: 10 !~= 13 (max delta: 2, real delta: 3)"},
	{"assertApproxEqAbs(int256,int256,uint256,string)", `-5|5|9|"near"`, "near: -5 !~= 5 (max delta: 9, real delta: 10)"},
	{"assertApproxEqAbsDecimal(int256,int256,uint256,uint256)", "-5|5|9|1", "assertion failed: -0.5 !~= 0.5 (max delta: 0.9, real delta: 1.0)"},
	{"assertApproxEqRel(uint256,uint256,uint256)", "110|100|100000000000000000", ""},
	{"assertApproxEqRel(uint256,uint256,uint256)", "111|100|100000000000000000",
		"assertion failed: 111 !~= 100 (max delta: 10.0000000000000000%, real delta: 11.0000000000000000%)"},
	{"assertApproxEqRel(uint256,uint256,uint256)", "1|0|5", "assertion failed: 1 !~= 0 (max delta: 0.0000000000000005%, real delta: undefined)"},
	{"assertApproxEqRel(int256,int256,uint256)", "0|0|0", ""},
	{"assertApproxEqRel(uint256,uint256,uint256)", "115792089237316195423570985008687907853269984665640564039457584007913129639935|1|1", "assertion failed: overflow in delta calculation"},
	{"assertApproxEqRelDecimal(int256,int256,uint256,uint256,string)", `-1|1|1|2|"d"`,
		"d: -0.01 !~= 0.01 (max delta: 0.0000000000000001%, real delta: 200.0000000000000000%)"},
}

func TestAssertions(t *testing.T) {
	f := newFixture(t)
	for _, c := range assertions {
		if got := reason(f.cheat(c.signature, strings.Split(c.values, "|")...)); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.signature, c.values, got, c.want)
		}
	}
}

func TestAssertionsMayContinue(t *testing.T) {
	f := newFixture(t)
	f.cheats.Config.AssertionsContinue = true
	out := f.cheat("assertEq(uint256,uint256)", "1", "2")
	if out.Status != evm.Success || f.world.Storage(Address, FailSlot)[31] != 1 {
		t.Errorf("status %v, slot %v", out.Status, f.world.Storage(Address, FailSlot))
	}
	if lines := f.cheats.Report.Lines; len(lines) != 1 || lines[0] != "assertion failed: 1 != 2" {
		t.Errorf("lines %q", lines)
	}
}

func TestRelationsAndTheirInverses(t *testing.T) {
	for r := equalTo; r <= atLeast; r++ {
		if back := r.inverse().inverse(); back != r {
			t.Errorf("the inverse of the inverse of %v is %v", r, back)
		}
	}
}
