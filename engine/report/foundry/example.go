package foundry

import (
	"fmt"
	"strings"

	"leveret/engine/input"
)

// Example returns the line of a unit test that calls a fuzz test with arguments,
// such as those of a counterexample; false if one of them has no literal.
func Example(name string, f *input.Function, args []input.Value) (text string, ok bool) {
	literals := make([]string, len(args))
	for i := range args {
		if literals[i], ok = argument(&args[i]); !ok {
			return "", false
		}
	}
	return fmt.Sprintf("function %s() external { this.%s(%s); }", name, f.Name, strings.Join(literals, ", ")), len(args) > 0
}

// argument writes an argument of a call; false for lists and structs.
func argument(v *input.Value) (string, bool) {
	switch v.Type.Kind {
	case input.KindAddress:
		return fmt.Sprintf("address(%s)", v.Address().Hex()), true
	case input.KindString:
		if !plainASCII(v.Data) {
			return fmt.Sprintf("string(hex\"%x\")", v.Data), true
		}
	case input.KindSlice, input.KindArray, input.KindTuple, input.KindFunction:
		return "", false
	}
	return (&test{}).literal(v)
}
