package input

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Limits of accepted types. They prevent hostile ABIs from requiring values
// that exceed the memory.
const (
	maxTypeDepth  = 32
	maxTypeLeaves = 4096 // elementary values in a type's zero value
)

// String returns the canonical name, as in signatures.
func (t *Type) String() string {
	var b strings.Builder
	t.write(&b)
	return b.String()
}

func (t *Type) write(b *strings.Builder) {
	switch t.Kind {
	case KindUint:
		b.WriteString("uint")
		b.WriteString(strconv.Itoa(t.Size))
	case KindInt:
		b.WriteString("int")
		b.WriteString(strconv.Itoa(t.Size))
	case KindFixedBytes:
		b.WriteString("bytes")
		b.WriteString(strconv.Itoa(t.Size))
	case KindArray:
		t.Elem.write(b)
		fmt.Fprintf(b, "[%d]", t.Size)
	case KindSlice:
		t.Elem.write(b)
		b.WriteString("[]")
	case KindTuple:
		writeFields(b, t.Fields)
	default:
		b.WriteString(kindNames[t.Kind])
	}
}

var kindNames = [...]string{
	KindAddress: "address", KindBool: "bool", KindBytes: "bytes",
	KindString: "string", KindFunction: "function",
}

func writeFields(b *strings.Builder, fields []Field) {
	b.WriteByte('(')
	for i, f := range fields {
		if i > 0 {
			b.WriteByte(',')
		}
		f.Type.write(b)
	}
	b.WriteByte(')')
}

// Same reports whether two types have the same canonical name.
func (t *Type) Same(u *Type) bool {
	if t == u {
		return true
	}
	if t.Kind != u.Kind || t.Size != u.Size || (t.Elem == nil) != (u.Elem == nil) {
		return false
	}
	return (t.Elem == nil || t.Elem.Same(u.Elem)) &&
		slices.EqualFunc(t.Fields, u.Fields, func(a, b Field) bool { return a.Type.Same(b.Type) })
}

// Elementary reports whether a Value of the type is a single word.
func (t *Type) Elementary() bool {
	switch t.Kind {
	case KindUint, KindInt, KindAddress, KindBool, KindFixedBytes:
		return true
	}
	return false
}

// Dynamic reports whether the type is encoded in the tail.
func (t *Type) Dynamic() bool {
	switch t.Kind {
	case KindBytes, KindString, KindSlice:
		return true
	case KindArray:
		return t.Elem.Dynamic()
	case KindTuple:
		for i := range t.Fields {
			if t.Fields[i].Type.Dynamic() {
				return true
			}
		}
	}
	return false
}

// fixedShape reports whether all values of the type have the same Parameters.
func (t *Type) fixedShape() bool { return !t.Dynamic() }

// headSize is the number of bytes the type takes in the head.
func (t *Type) headSize() int {
	if t.Dynamic() {
		return 32
	}
	return t.staticSize()
}

// staticSize is the size in bytes of the encoding of a static type.
func (t *Type) staticSize() int {
	switch t.Kind {
	case KindArray:
		return t.Size * t.Elem.staticSize()
	case KindTuple:
		n := 0
		for i := range t.Fields {
			n += t.Fields[i].Type.staticSize()
		}
		return n
	}
	return 32
}

// leaves counts the words of the zero value, at most limit+1.
func (t *Type) leaves(limit int) int {
	switch t.Kind {
	case KindArray:
		n := t.Elem.leaves(limit)
		if t.Size > limit/n {
			return limit + 1
		}
		return t.Size * n
	case KindTuple:
		n := 0
		for i := range t.Fields {
			if n += t.Fields[i].Type.leaves(limit); n > limit {
				return limit + 1
			}
		}
		return max(n, 1) // an empty tuple still takes memory here
	}
	return 1
}

var (
	errTypeSyntax = errors.New("not an ABI type")
	errTooLarge   = fmt.Errorf("it holds more than the %d values that Leveret generates", maxTypeLeaves)
)

// words is Words of the zero value.
func (t *Type) words() int {
	n := 1
	switch t.Kind {
	case KindArray:
		n += t.Size * t.Elem.words()
	case KindTuple:
		for i := range t.Fields {
			n += t.Fields[i].Type.words()
		}
	}
	return n
}

// ParseType parses a canonical type name, "(uint256,address[])[3]". It accepts
// the aliases uint, int and byte.
func ParseType(s string) (*Type, error) {
	p := typeParser{rest: s}
	t, err := p.parse(0)
	if err == nil && p.rest != "" {
		err = errTypeSyntax
	}
	if err == nil && t.leaves(maxTypeLeaves) > maxTypeLeaves {
		err = errTooLarge
	}
	if err != nil {
		return nil, fmt.Errorf("type %q: %w", clip(s), err)
	}
	return t, nil
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}

type typeParser struct{ rest string }

func (p *typeParser) parse(depth int) (*Type, error) {
	if depth > maxTypeDepth {
		return nil, errors.New("nested too deeply")
	}
	var t *Type
	var err error
	if strings.HasPrefix(p.rest, "(") {
		var types []*Type
		types, err = p.parseList(depth)
		t = &Type{Kind: KindTuple}
		for _, f := range types {
			t.Fields = append(t.Fields, Field{Type: f})
		}
	} else {
		end := strings.IndexAny(p.rest, "[](),")
		if end < 0 {
			end = len(p.rest)
		}
		t, err = baseType(p.rest[:end])
		p.rest = p.rest[end:]
	}
	if err != nil {
		return nil, err
	}
	return p.parseSuffixes(t, depth)
}

// parseList reads "(T,T,…)".
func (p *typeParser) parseList(depth int) ([]*Type, error) {
	p.rest = p.rest[1:]
	var types []*Type
	if strings.HasPrefix(p.rest, ")") {
		p.rest = p.rest[1:]
		return types, nil
	}
	for {
		t, err := p.parse(depth + 1)
		if err != nil {
			return nil, err
		}
		types = append(types, t)
		if p.rest == "" {
			return nil, errTypeSyntax
		}
		c := p.rest[0]
		p.rest = p.rest[1:]
		switch c {
		case ',':
		case ')':
			return types, nil
		default:
			return nil, errTypeSyntax
		}
	}
}

// parseSuffixes reads "[]" and "[N]".
func (p *typeParser) parseSuffixes(t *Type, depth int) (*Type, error) {
	for strings.HasPrefix(p.rest, "[") {
		if depth++; depth > maxTypeDepth {
			return nil, errors.New("nested too deeply")
		}
		end := strings.IndexByte(p.rest, ']')
		if end < 0 {
			return nil, errTypeSyntax
		}
		number := p.rest[1:end]
		p.rest = p.rest[end+1:]
		if number == "" {
			t = &Type{Kind: KindSlice, Elem: t}
			continue
		}
		n, err := parseSize(number)
		if err != nil || n < 1 || n > 1<<30 {
			return nil, errTypeSyntax
		}
		t = &Type{Kind: KindArray, Size: n, Elem: t}
	}
	return t, nil
}

// parseSize reads a decimal number without sign or leading zero.
func parseSize(s string) (int, error) {
	if s == "" || s[0] < '1' || s[0] > '9' {
		return 0, errTypeSyntax
	}
	return strconv.Atoi(s)
}

func baseType(name string) (*Type, error) {
	switch name {
	case "address":
		return &Type{Kind: KindAddress}, nil
	case "bool":
		return &Type{Kind: KindBool}, nil
	case "bytes":
		return &Type{Kind: KindBytes}, nil
	case "string":
		return &Type{Kind: KindString}, nil
	case "function":
		return &Type{Kind: KindFunction}, nil
	case "uint":
		return &Type{Kind: KindUint, Size: 256}, nil
	case "int":
		return &Type{Kind: KindInt, Size: 256}, nil
	case "byte":
		return &Type{Kind: KindFixedBytes, Size: 1}, nil
	}
	for _, row := range [...]struct {
		prefix    string
		kind      Kind
		max, step int
	}{{"uint", KindUint, 256, 8}, {"int", KindInt, 256, 8}, {"bytes", KindFixedBytes, 32, 1}} {
		number, ok := strings.CutPrefix(name, row.prefix)
		if !ok {
			continue
		}
		n, err := parseSize(number)
		if err != nil || n > row.max || n%row.step != 0 {
			return nil, errTypeSyntax
		}
		return &Type{Kind: row.kind, Size: n}, nil
	}
	return nil, errTypeSyntax
}
