package ast

import (
	"math/big"
	"strconv"
	"strings"
)

// A TypeKind classifies the types of expressions.
type TypeKind uint8

// The kinds of types.
const (
	TypeOther TypeKind = iota // modules, msg, abi, modifiers and similar
	TypeUint
	TypeInt
	TypeBool
	TypeAddress
	TypeFixedBytes
	TypeBytes
	TypeString
	TypeContract
	TypeEnum
	TypeStruct
	TypeUserValue // a user-defined value type; Index.Underlying returns the wrapped type
	TypeMapping
	TypeArray // T[N]
	TypeSlice // T[]
	TypeFunction
	TypeTuple
	TypeNumber  // a constant without a type yet
	TypeText    // a string constant
	TypeOfTypes // type(T)
)

// A Type is the type of an expression.
type Type struct {
	Kind     TypeKind
	Bits     int      // TypeUint, TypeInt: 8 … 256; TypeEnum: 8; TypeAddress, TypeContract: 160; TypeFixedBytes: 8 … 256
	Length   uint64   // TypeArray
	Name     string   // TypeContract, TypeEnum, TypeStruct, TypeUserValue: "Tour.State"
	Location string   // "storage", "memory", "calldata" or empty
	Payable  bool     // TypeAddress
	Key      *Type    // TypeMapping
	Elem     *Type    // TypeMapping, TypeArray, TypeSlice, TypeOfTypes
	Elems    []*Type  // TypeTuple; nil for omitted ones
	Number   *big.Int // TypeNumber; nil if it is a fraction or solc abbreviates it
}

// Integer reports whether t is uintN or intN.
func (t Type) Integer() bool { return t.Kind == TypeUint || t.Kind == TypeInt }

// Signed reports whether words of the type are two's complement.
func (t Type) Signed() bool { return t.Kind == TypeInt }

// words maps single words to types.
var words = map[string]Type{
	"bool": {Kind: TypeBool}, "string": {Kind: TypeString}, "bytes": {Kind: TypeBytes},
	"address": {Kind: TypeAddress, Bits: 160}, "byte": {Kind: TypeFixedBytes, Bits: 8},
	"uint": {Kind: TypeUint, Bits: 256}, "int": {Kind: TypeInt, Bits: 256},
	"msg": {}, "block": {}, "tx": {}, "abi": {}, "module": {}, "modifier": {}, "inaccessible": {}, "error": {}, "event": {},
}

// sized maps the prefixes of types with a size to the type and the bits per
// unit.
var sized = []struct {
	prefix string
	kind   TypeKind
	unit   int
}{{"uint", TypeUint, 1}, {"int", TypeInt, 1}, {"bytes", TypeFixedBytes, 8}}

// named maps the prefixes of types with a name to the type.
var named = []struct {
	prefix string
	kind   TypeKind
	bits   int
}{
	{"contract super ", TypeContract, 160}, {"contract ", TypeContract, 160}, {"interface ", TypeContract, 160},
	{"library ", TypeContract, 160}, {"enum ", TypeEnum, 8}, {"struct ", TypeStruct, 0},
}

// ParseType parses solc's typeString. It returns TypeOther for unknown types and
// TypeUserValue for an unknown single word.
func ParseType(typeString string) Type {
	p := typeParser{rest: typeString}
	t := p.parse(0)
	if p.rest != "" && t.Kind != TypeFunction && t.Kind != TypeOther {
		return Type{}
	}
	return t
}

// ValueType returns the parsed type of an expression or variable.
func (n *Node) ValueType() Type { return ParseType(n.TypeString()) }

type typeParser struct{ rest string }

const maxTypeDepth = 100

func (p *typeParser) cut(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	if ok {
		p.rest = rest
	}
	return ok
}

// parse reads a type with its locations and array brackets.
func (p *typeParser) parse(depth int) Type {
	if depth > maxTypeDepth {
		p.rest = ""
		return Type{}
	}
	t := p.base(depth)
	for {
		switch {
		case p.cut(" payable"):
			t.Payable = true
		case p.cut(" storage ref"), p.cut(" storage pointer"), p.cut(" storage"):
			t.Location = "storage"
		case p.cut(" memory"):
			t.Location = "memory"
		case p.cut(" calldata"):
			t.Location = "calldata"
		case p.cut(" slice"):
		case p.cut("[]"):
			elem := t
			t = Type{Kind: TypeSlice, Elem: &elem}
		case strings.HasPrefix(p.rest, "["):
			digits, rest, _ := strings.Cut(p.rest[1:], "]")
			length, err := strconv.ParseUint(digits, 10, 64)
			if err != nil && len(digits) < 20 {
				p.rest = ""
				return Type{}
			}
			elem := t
			t, p.rest = Type{Kind: TypeArray, Elem: &elem, Length: length}, rest
		default:
			return t
		}
	}
}

func (p *typeParser) base(depth int) Type {
	switch {
	case p.cut("mapping("):
		return p.mapping(depth)
	case p.cut("tuple("):
		return p.tuple(depth)
	case p.cut("type("):
		elem := p.parse(depth + 1)
		p.cut(")")
		return Type{Kind: TypeOfTypes, Elem: &elem}
	case p.cut("function "), p.cut("function("):
		return Type{Kind: TypeFunction}
	case p.cut("int_const "):
		n, _ := new(big.Int).SetString(p.rest, 10)
		p.rest = ""
		return Type{Kind: TypeNumber, Number: n}
	case p.cut("rational_const "):
		p.rest = ""
		return Type{Kind: TypeNumber}
	case p.cut("literal_string"):
		p.rest = ""
		return Type{Kind: TypeText}
	}
	for _, n := range named {
		if p.cut(n.prefix) {
			return Type{Kind: n.kind, Bits: n.bits, Name: p.word()}
		}
	}
	return wordType(p.word())
}

// mapping parses the text after "mapping(". Keys and values may have names.
func (p *typeParser) mapping(depth int) Type {
	key := p.parse(depth + 1)
	if !p.cut(" => ") {
		_, p.rest, _ = strings.Cut(p.rest, " => ")
	}
	elem := p.parse(depth + 1)
	if !p.cut(")") {
		_, p.rest, _ = strings.Cut(p.rest, ")")
	}
	return Type{Kind: TypeMapping, Key: &key, Elem: &elem}
}

// tuple parses the text after "tuple(". If a component is more than a type, such
// as a function or a constant, the whole is TypeOther.
func (p *typeParser) tuple(depth int) Type {
	t := Type{Kind: TypeTuple}
	if p.cut(")") {
		return t
	}
	for {
		if strings.HasPrefix(p.rest, ",") || strings.HasPrefix(p.rest, ")") {
			t.Elems = append(t.Elems, nil)
		} else {
			end := componentEnd(p.rest)
			elem := (&typeParser{rest: p.rest[:end]}).parse(depth + 1)
			t.Elems = append(t.Elems, &elem)
			p.rest = p.rest[end:]
		}
		if !p.cut(",") {
			p.cut(")")
			return t
		}
	}
}

// componentEnd returns the end of the first component of a tuple.
func componentEnd(s string) int {
	open := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '(':
			open++
		case ')':
			if open--; open < 0 {
				return i
			}
		case ',':
			if open == 0 {
				return i
			}
		case '"':
			if quoted, err := strconv.QuotedPrefix(s[i:]); err == nil {
				i += len(quoted) - 1
			}
		}
	}
	return len(s)
}

// word consumes the name at the start of the rest.
func (p *typeParser) word() string {
	end := 0
	for end < len(p.rest) && (isWord(p.rest[end]) || p.rest[end] == '.') {
		end++
	}
	word := p.rest[:end]
	p.rest = p.rest[end:]
	return word
}

func wordType(word string) Type {
	if t, ok := words[word]; ok || word == "" {
		return t
	}
	for _, s := range sized {
		if digits, ok := strings.CutPrefix(word, s.prefix); ok {
			n, err := strconv.Atoi(digits)
			if bits := n * s.unit; err == nil && n > 0 && n <= 256 && bits <= 256 && bits%8 == 0 {
				return Type{Kind: s.kind, Bits: bits}
			}
		}
	}
	return Type{Kind: TypeUserValue, Name: word}
}
