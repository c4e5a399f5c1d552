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
	list, err := input.ParseSignature("testList(uint256[])")
	if err != nil {
		t.Fatal(err)
	}
	if text, ok := Example("x", list, list.Zero()); ok {
		t.Errorf("a list is written as %s", text)
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
