package foundry

import (
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
