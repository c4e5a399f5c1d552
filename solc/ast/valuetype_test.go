package ast

import (
	"math/big"
	"reflect"
	"testing"
)

func TestParseType(t *testing.T) {
	u8 := &Type{Kind: TypeUint, Bits: 8}
	u256 := &Type{Kind: TypeUint, Bits: 256}
	for _, row := range []struct {
		text string
		want Type
	}{
		{"uint8", *u8}, {"int24", Type{Kind: TypeInt, Bits: 24}}, {"uint", *u256}, {"bool", Type{Kind: TypeBool}},
		{"address", Type{Kind: TypeAddress, Bits: 160}}, {"address payable", Type{Kind: TypeAddress, Bits: 160, Payable: true}},
		{"bytes4", Type{Kind: TypeFixedBytes, Bits: 32}}, {"bytes32", Type{Kind: TypeFixedBytes, Bits: 256}},
		{"bytes memory", Type{Kind: TypeBytes, Location: "memory"}}, {"bytes calldata slice", Type{Kind: TypeBytes, Location: "calldata"}},
		{"string storage ref", Type{Kind: TypeString, Location: "storage"}},
		{"contract Token", Type{Kind: TypeContract, Bits: 160, Name: "Token"}},
		{"contract super Tour", Type{Kind: TypeContract, Bits: 160, Name: "Tour"}},
		{"enum Tour.State", Type{Kind: TypeEnum, Bits: 8, Name: "Tour.State"}}, {"Price", Type{Kind: TypeUserValue, Name: "Price"}},
		{"struct Tour.Pool storage pointer", Type{Kind: TypeStruct, Name: "Tour.Pool", Location: "storage"}},
		{"uint8[3] storage ref", Type{Kind: TypeArray, Elem: u8, Length: 3, Location: "storage"}},
		{"uint8[] memory[2] memory", Type{Kind: TypeArray, Length: 2, Location: "memory", Elem: &Type{Kind: TypeSlice, Elem: u8, Location: "memory"}}},
		{"mapping(uint256 => uint8)", Type{Kind: TypeMapping, Key: u256, Elem: u8}},
		{"mapping(string => mapping(uint256 => uint8[] storage ref))", Type{Kind: TypeMapping, Key: &Type{Kind: TypeString},
			Elem: &Type{Kind: TypeMapping, Key: u256, Elem: &Type{Kind: TypeSlice, Elem: u8, Location: "storage"}}}},
		{"tuple(uint8,,uint256)", Type{Kind: TypeTuple, Elems: []*Type{u8, nil, u256}}}, {"tuple()", Type{Kind: TypeTuple}},
		{"tuple(function (uint8,bool) external,uint8)", Type{Kind: TypeTuple, Elems: []*Type{{Kind: TypeFunction}, u8}}},
		{"int_const -42", Type{Kind: TypeNumber, Number: big.NewInt(-42)}},
		{"int_const 1157...(70 digits omitted)...9935", Type{Kind: TypeNumber}}, {"rational_const 1 / 2", Type{Kind: TypeNumber}},
		{`literal_string "a)b"`, Type{Kind: TypeText}}, {"type(uint8)", Type{Kind: TypeOfTypes, Elem: u8}},
		{"function (uint256) external returns (uint256)", Type{Kind: TypeFunction}}, {"msg", Type{}}, {"modifier ()", Type{}},
		{"uint7", Type{Kind: TypeUserValue, Name: "uint7"}}, {"uint264", Type{Kind: TypeUserValue, Name: "uint264"}},
		{"", Type{}}, {"uint8 x", Type{}}, {"uint8[x]", Type{}},
	} {
		if got := ParseType(row.text); !reflect.DeepEqual(got, row.want) {
			t.Errorf("%q: got %+v, want %+v", row.text, got, row.want)
		}
	}
}

// TestParseTypesOfTrees parses the type of every expression in the trees.
func TestParseTypesOfTrees(t *testing.T) {
	other := map[string]bool{"msg": true, "block": true, "tx": true, "abi": true}
	goldens(t, func(t *testing.T, g golden, u *Unit) {
		u.Root.Walk(func(n *Node) bool {
			s := n.TypeString()
			got := ParseType(s)
			if s != "" && got.Kind == TypeOther && !other[s] && len(s) > 8 && s[:8] != "modifier" && s[:5] != "event" && s[:5] != "error" {
				t.Errorf("%s: %q is not parsed", line(n), s)
			}
			if got.Kind == TypeUserValue && got.Name != "Price" {
				t.Errorf("%s: %q is parsed as a user-defined value type", line(n), s)
			}
			return true
		})
	})
}

func FuzzParseType(f *testing.F) {
	for _, s := range []string{"uint8[3] storage ref", "mapping(string => mapping(uint256 => uint8[]))", `tuple(int_const 1,literal_string "a,b")`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if got := ParseType(s); (got.Integer() || got.Kind == TypeFixedBytes) && (got.Bits < 8 || got.Bits > 256 || got.Bits%8 != 0) {
			t.Errorf("%q is %+v", s, got)
		}
	})
}
