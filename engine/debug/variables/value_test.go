package variables

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/holiman/uint256"

	"leveret/solc/ast"
)

var (
	word   = &Type{Type: ast.Type{Kind: ast.TypeUint, Bits: 256}, Label: "uint256"}
	small  = &Type{Type: ast.Type{Kind: ast.TypeInt, Bits: 16}, Label: "int16"}
	text16 = &Type{Type: ast.Type{Kind: ast.TypeString}, Label: "string"}
	raw    = &Type{Type: ast.Type{Kind: ast.TypeBytes}, Label: "bytes"}
)

func slices2(t *Type) *Type {
	one := &Type{Type: ast.Type{Kind: ast.TypeSlice}, Elem: t, Label: t.Label + "[]"}
	return &Type{Type: ast.Type{Kind: ast.TypeSlice}, Elem: one, Label: one.Label + "[]"}
}

// all visits a value with its parts, as far as a client could.
func all(t *testing.T, v Value, budget *int) {
	if *budget--; *budget < 0 || v.Parts == nil {
		return
	}
	parts := v.Parts()
	if len(parts) > maxParts {
		t.Fatalf("%d parts", len(parts))
	}
	for _, p := range parts {
		all(t, p, budget)
	}
}

// Pointers, offsets and lengths are what contracts, and who calls them, like.
func TestHostileMemory(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	hostile := []uint256.Int{{}, *uint256.NewInt(31), *uint256.NewInt(64), *uint256.NewInt(1 << 40), {1 << 63}, {0, 1}, {^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}}
	fixed := &Type{Type: ast.Type{Kind: ast.TypeArray, Length: 1 << 62}, Elem: slices2(raw), Label: "many"}
	for range 30 {
		data := make([]byte, 32*r.IntN(8)+r.IntN(3))
		for at := 0; at+32 <= len(data); at += 32 {
			one := hostile[r.IntN(len(hostile))].Bytes32()
			copy(data[at:], one[:])
		}
		reader := Reader{Types: &Types{}, Memory: data, Calldata: data}
		for _, of := range []*Type{raw, text16, slices2(word), slices2(text16), fixed} {
			budget := 300
			v := Value{}
			reader.memory(&v, of, hostile[r.IntN(len(hostile))])
			all(t, v, &budget)
			reader.calldataAt(&v, of, hostile[r.IntN(len(hostile))])
			all(t, v, &budget)
			reader.calldataList(&v, of, hostile[r.IntN(len(hostile))], hostile[r.IntN(len(hostile))])
			all(t, v, &budget)
			if len(v.Text) > 8*maxText {
				t.Fatalf("a text of %d bytes", len(v.Text))
			}
		}
	}
}

// Values are cleaned as code does it.
func TestDirtyWords(t *testing.T) {
	dirty := *uint256.MustFromHex("0xffffffffffffffffffffffffffffffff0000000000000000000000000001fffe")
	for _, c := range []struct {
		t    *Type
		want string
	}{
		{small, "-2"},
		{&Type{Type: ast.Type{Kind: ast.TypeUint, Bits: 8}}, "254"},
		{&Type{Type: ast.Type{Kind: ast.TypeBool}}, "true"},
		{&Type{Type: ast.Type{Kind: ast.TypeFixedBytes, Bits: 16}}, "0xffff"},
		{&Type{Type: ast.Type{Kind: ast.TypeAddress, Bits: 160}}, "0xffffffFF0000000000000000000000000001FffE"},
	} {
		if got := (&Reader{}).elementary(c.t, dirty); !strings.EqualFold(got, c.want) {
			t.Errorf("%v: %s, want %s", c.t.Type, got, c.want)
		}
	}
}

func TestExternal(t *testing.T) {
	for text, want := range map[string]bool{
		"function (uint256) external": true, "function (uint256) pure external returns (bool)": true, "function (uint256) returns (function () external)": false,
		"function (function () external)": false, "function () view": false, "function () external payable": true, "function": false,
	} {
		if external(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}
