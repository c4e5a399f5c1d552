package foundry

import (
	"fmt"
	"strings"

	"leveret/engine/input"
)

// Example returns the line of a unit test that calls a fuzz test with arguments,
// such as those of a counterexample; false if one of them cannot be written: a struct, a
// list of lists or of structs, a function.
func Example(name string, f *input.Function, args []input.Value) (text string, ok bool) {
	var lists strings.Builder
	texts := make([]string, len(args))
	for i := range args {
		v, field := &args[i], &f.Inputs[i]
		if v.Type.Kind == input.KindSlice || v.Type.Kind == input.KindArray {
			texts[i] = field.Name
			if field.Name == "" {
				texts[i] = fmt.Sprintf("list%d", i+1)
			}
			ok = declare(&lists, texts[i], field, v)
		} else {
			texts[i], ok = argument(field, v)
		}
		if !ok {
			return "", false
		}
	}
	return fmt.Sprintf("function %s() external { %sthis.%s(%s); }", name, &lists, f.Name, strings.Join(texts, ", ")), len(args) > 0
}

// declare writes statements that declare a list and set its elements that are not zero.
func declare(out *strings.Builder, name string, field *input.Field, v *input.Value) bool {
	element := input.Field{Type: v.Type.Elem}
	if of := strings.LastIndex(field.InternalType, "["); of >= 0 {
		element.InternalType = field.InternalType[:of]
	}
	if _, ok := argument(&element, &input.Value{Type: element.Type}); !ok {
		return false
	}
	of := typeName(&element)
	if v.Type.Kind == input.KindArray {
		fmt.Fprintf(out, "%s[%d] memory %s; ", of, len(v.Elems), name)
	} else {
		fmt.Fprintf(out, "%s[] memory %s = new %[1]s[](%[3]d); ", of, name, len(v.Elems))
	}
	for i := range v.Elems {
		if v.Elems[i].Word.IsZero() && len(v.Elems[i].Data) == 0 {
			continue
		}
		text, ok := argument(&element, &v.Elems[i])
		if !ok {
			return false
		}
		fmt.Fprintf(out, "%s[%d] = %s; ", name, i, text)
	}
	return true
}

// typeName returns the name of an elementary type in the source.
func typeName(field *input.Field) string {
	name := field.InternalType
	if name == "" {
		return field.Type.String()
	}
	return strings.TrimPrefix(strings.TrimPrefix(name, "contract "), "enum ")
}

// argument writes an argument of a call in the type of the source; false for lists and
// structs.
func argument(field *input.Field, v *input.Value) (string, bool) {
	text, ok := elementary(v)
	switch internal := field.InternalType; {
	case internal == "" || internal == field.Type.String():
	case internal == "address payable":
		text = "payable(" + text + ")"
	case strings.HasPrefix(internal, "contract "): // it may receive ether
		text = typeName(field) + "(payable(" + text + "))"
	case strings.HasPrefix(internal, "enum "):
		text = typeName(field) + "(" + text + ")"
	default: // a type of the source with another name
		text = internal + ".wrap(" + text + ")"
	}
	return text, ok
}

// elementary writes a value of an elementary type.
func elementary(v *input.Value) (string, bool) {
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
