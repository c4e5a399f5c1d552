package search_test

import (
	"strings"
	"testing"

	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// What the code takes bytes for is found through variables, structs, storage and
// functions: decoded values, calls, and fields of a packed encoding.
func TestContents(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Bytes.sol")
	d := searchtest.New(t, b, "Bytes", 1)
	for _, row := range []struct{ function, want string }{
		{"direct(bytes)", "abi.encode(uint256,bytes(abi.encode(address,bool[])))"},
		{"struct_((uint8,bytes))", "abi.encode(string,(uint8,bytes(abi.encode(string,(uint8,bytes…)))))"},
		{"stored(bytes)", "abi.encode(int64)"},
		{"library_(bytes)", "abi.encode(bytes32)"},
		{"overridden(bytes)", "abi.encode(uint16)"},
		{"own(bytes[])", "poke(uint256)"},
		{"other(address,bytes)", "any call"},
		{"assembly_(address,bytes)", "any call"},
		{"sliced(bytes)", "abi.encodePacked(bytes4,address,bytes3,uint64,bytes(abi.encode(uint256)))"},
		{"unknown(bytes)", ""},
	} {
		f := d.Callee(t, strings.SplitN(row.function, "(", 2)[0]).Function
		if f.Signature != row.function {
			t.Fatalf("function %s", f.Signature)
		}
		if got := taken(f.Inputs[len(f.Inputs)-1].Type, 3); !strings.Contains(got, row.want) || row.want == "" && got != "" {
			t.Errorf("%s takes %q, want %q", row.function, got, row.want)
		}
	}
}

// taken describes what values of a type may hold, to a depth.
func taken(t *input.Type, depth int) string {
	if depth == 0 {
		return "…"
	}
	switch t.Kind {
	case input.KindSlice:
		return taken(t.Elem, depth)
	case input.KindTuple:
		return taken(t.Fields[len(t.Fields)-1].Type, depth)
	}
	var list []string
	if t.Calls {
		list = append(list, "any call")
	}
	for _, c := range t.Contents {
		list = append(list, described(c, depth))
	}
	return strings.Join(list, " or ")
}

func described(c *input.Content, depth int) string {
	var list []string
	for _, f := range c.Fields {
		list = append(list, kindOf(f.Type, depth))
	}
	return c.Name() + "(" + strings.Join(list, ",") + ")"
}

func kindOf(t *input.Type, depth int) string {
	switch {
	case t.Kind == input.KindTuple:
		var list []string
		for _, f := range t.Fields {
			list = append(list, kindOf(f.Type, depth))
		}
		return "(" + strings.Join(list, ",") + ")"
	case len(t.Contents) > 0 && depth == 1:
		return t.String() + "…"
	case len(t.Contents) > 0:
		return t.String() + "(" + taken(t, depth-1) + ")"
	}
	return t.String()
}
