package foundry

import (
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A unit test calls the fuzz test with literals of its types; lists have none.
func TestExample(t *testing.T) {
	f, err := input.ParseSignature("testAll(uint256,int8,bool,address,bytes4,bytes,string,string)")
	if err != nil {
		t.Fatal(err)
	}
	args := f.Zero()
	args[0].Word.SetAllOne()
	args[1] = input.NewWord(f.Inputs[1].Type, new(uint256.Int).SetAllOne())
	args[2].Word.SetOne()
	args[5].Data, args[6].Data, args[7].Data = []byte{1, 2}, []byte(`a "b"`), []byte{0xff}
	text, ok := Example("testAll_Example", f, args)
	want := `function testAll_Example() external { this.testAll(2 ** 256 - 1, -1, true, address(0x0000000000000000000000000000000000000000), ` +
		`bytes4(hex"00000000"), bytes(hex"0102"), "a \"b\"", string(hex"ff")); }`
	if !ok || text != want {
		t.Errorf("%v:\n%s, want\n%s", ok, text, want)
	}
}

// Lists are declared before the call, and values have the types of the source.
func TestExampleOfLists(t *testing.T) {
	f, err := input.ParseSignature("testAll(uint256[],address[2],uint8,uint256,string[])")
	if err != nil {
		t.Fatal(err)
	}
	for i, internal := range []string{"uint256[]", "contract Coin[2]", "enum Pool.State", "Shares", "string[]"} {
		f.Inputs[i].InternalType = internal
	}
	f.Inputs[0].Name, f.Inputs[1].Name = "amounts", "coins"
	names := input.NewNames(nil)
	args := f.Zero()
	for i, text := range map[int]string{0: "[0, 7]", 1: "[0x0000000000000000000000000000000000000005, 0x0000000000000000000000000000000000000000]", 2: "1", 3: "9"} {
		if args[i], err = names.Parse(f.Inputs[i].Type, text); err != nil {
			t.Fatal(err)
		}
	}
	text, ok := Example("x", f, args)
	want := `function x() external { uint256[] memory amounts = new uint256[](2); amounts[1] = 7; ` +
		`Coin[2] memory coins; coins[0] = Coin(payable(address(0x0000000000000000000000000000000000000005))); string[] memory list5 = new string[](0); ` +
		`this.testAll(amounts, coins, Pool.State(1), Shares.wrap(9), list5); }`
	if !ok || text != want {
		t.Errorf("%v:\n%s, want\n%s", ok, text, want)
	}
	for _, signature := range []string{"testMany(uint256[][])", "testStructs((uint256,bool)[])", "testStruct((uint256,bool))"} {
		f, err := input.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		args := f.Zero()
		if text, ok := Example("x", f, args); ok {
			t.Errorf("%s is written as %s", signature, text)
		}
	}
}

// What bytes hold is written as the call that encodes it; what has no literal, as
// bytes.
func TestEncoding(t *testing.T) {
	for text, want := range map[string]string{
		"put(uint256,bool)(5, true)": `abi.encodeWithSignature("put(uint256,bool)", 5, true)`,
		"stop()()":                   `abi.encodeWithSignature("stop()")`,
		"abi.encode(int8,bytes)(-3, run(bool)(false))": `abi.encode(-3, abi.encodeWithSignature("run(bool)", false))`,
		"abi.encode(uint256[])([])":                    `bytes(hex"` + strings.Repeat("0", 62) + "20" + strings.Repeat("0", 64) + `")`,
		"abi.encodePacked(uint8,uint16)(1, 2)":         `bytes(hex"010002")`,
	} {
		v, err := input.NewNames(nil).Parse(&input.Type{Kind: input.KindBytes}, text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := (&test{}).literal(&v); !ok || got != want {
			t.Errorf("%s is written as\n%s, want\n%s", text, got, want)
		}
	}
}
