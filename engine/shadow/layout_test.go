package shadow

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// With a layout, a value of calldata that lies across two words is one source; what
// the layout leaves out stays apart from it.
func TestLayout(t *testing.T) {
	// The seven bytes from 33 on, shifted to the right, are compared with 0xaabbccdd.
	code := common.FromHex("6012600c60003960126000f3" + "6021" + "35" + "60c8" + "1c" + "63aabbccdd" + "14" + "6010" + "57" + "00" + "5b" + "00")
	s := deploy(t, code, nil)
	data := make([]byte, 100)
	for i := range data {
		data[i] = byte(i)
	}
	o := New(NewState())
	for _, row := range []struct {
		layout []Span
		offset uint64
		low    int
	}{
		{[]Span{{33, 7, true}}, 33, 0},
		{[]Span{{4, 10, false}, {33, 7, true}, {60, 32, true}}, 33, 0},
		{[]Span{{33, 7, false}}, 33, 200},
		{[]Span{{32, 32, true}}, 32, 192},
	} {
		o.Attach(NewState())
		o.Layout = row.layout
		s.call(data, 0, o.Hooks())
		if len(o.Branches) != 1 {
			t.Fatalf("%d branches", len(o.Branches))
		}
		leaf := o.Branches[0].Condition
		flows := append(leaf.Left.Flows(), leaf.Right.Flows()...)
		if len(flows) != 1 {
			t.Fatalf("%v: flows %+v", row.layout, flows)
		}
		f := flows[0]
		want := new(uint256.Int).SetBytes(data[33:40])
		if f.Source.Kind != FromCalldata || f.Source.Offset != row.offset || f.Low != row.low || !f.Value.Eq(want) {
			t.Errorf("%v: %s, from bit %d: %s", row.layout, f.Source, f.Low, f.Value.Hex())
		}
		if field, ok := f.Solve(uint256.NewInt(0xaabbccdd)); !ok || !field.Eq(uint256.NewInt(0xaabbccdd)) {
			t.Errorf("%v: solved by %s", row.layout, field.Hex())
		}
	}
	o.Layout = nil
	s.call(data, 0, o.Hooks())
	if leaf := o.Branches[0].Condition; len(leaf.Left.Flows())+len(leaf.Right.Flows()) != 0 {
		t.Error("without a layout, a value across words has a flow")
	}
}
