package input

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/holiman/uint256"
)

var errValueSyntax = errors.New("not a value of the type")

// Parse parses a value formatted by Format. Integers may also be hexadecimal.
func (n *Names) Parse(t *Type, s string) (Value, error) {
	p := valueParser{names: n, rest: s}
	v, err := p.value(t)
	if p.space(); err == nil && p.rest != "" {
		err = errValueSyntax
	}
	if err != nil {
		return Value{}, fmt.Errorf("value %q of type %s: %w", clip(s), t, err)
	}
	return v, nil
}

type valueParser struct {
	names *Names
	rest  string
	depth int // of bytes values that hold values
}

func (p *valueParser) space() { p.rest = strings.TrimLeft(p.rest, " ") }

// word takes the text up to the next separator.
func (p *valueParser) word() string {
	end := strings.IndexAny(p.rest, ",)] ")
	if end < 0 {
		end = len(p.rest)
	}
	w := p.rest[:end]
	p.rest = p.rest[end:]
	return w
}

func (p *valueParser) value(t *Type) (v Value, err error) {
	p.space()
	v.Type = t
	switch t.Kind {
	case KindUint, KindInt:
		v.Word, err = parseInteger(wordTypeOf(t), p.word())
	case KindAddress:
		a, ok := p.names.Resolve(p.word())
		if !ok {
			return v, errors.New("neither an address nor a name of one")
		}
		v.Word.SetBytes20(a[:])
	case KindBool:
		switch p.word() {
		case "true":
			v.Word.SetOne()
		case "false":
		default:
			return v, errValueSyntax
		}
	case KindFixedBytes:
		var data []byte
		if data, err = parseHex(p.word(), t.Size); err == nil {
			setLeft(&v.Word, data)
		}
	case KindFunction:
		v.Data, err = parseHex(p.word(), 24)
	case KindBytes:
		err = p.bytes(&v)
	case KindString:
		err = p.quoted(&v)
	default:
		err = p.list(&v)
	}
	return v, err
}

func (p *valueParser) quoted(v *Value) error {
	q, err := strconv.QuotedPrefix(p.rest)
	if err != nil {
		return err
	}
	s, err := strconv.Unquote(q)
	if err != nil || q[0] != '"' {
		return errValueSyntax
	}
	p.rest = p.rest[len(q):]
	v.Data = []byte(s)
	return nil
}

// list reads the elements of an array, slice or tuple.
func (p *valueParser) list(v *Value) error {
	t, brackets := v.Type, "[]"
	elem := func(int) *Type { return t.Elem }
	want := t.Size
	switch t.Kind {
	case KindSlice:
		want = maxDecoded
	case KindTuple:
		brackets, want = "()", len(t.Fields)
		elem = func(i int) *Type { return t.Fields[i].Type }
	}
	if p.rest == "" || p.rest[0] != brackets[0] {
		return errValueSyntax
	}
	p.rest = p.rest[1:]
	for p.space(); p.rest != "" && p.rest[0] != brackets[1]; p.space() {
		if len(v.Elems) == want {
			return errors.New("too many elements")
		}
		e, err := p.value(elem(len(v.Elems)))
		if err != nil {
			return err
		}
		v.Elems = append(v.Elems, e)
		p.space()
		if rest, ok := strings.CutPrefix(p.rest, ","); ok {
			p.rest = rest
		} else if p.rest == "" || p.rest[0] != brackets[1] {
			return errValueSyntax
		}
	}
	if p.rest == "" {
		return errValueSyntax
	}
	p.rest = p.rest[1:]
	if t.Kind != KindSlice && len(v.Elems) != want {
		return errors.New("too few elements")
	}
	return nil
}

func parseInteger(wt WordType, s string) (w uint256.Int, err error) {
	if len(s) > 100 {
		return w, errValueSyntax
	}
	base, digits := 10, s
	if hexDigits, ok := strings.CutPrefix(s, "0x"); ok {
		base, digits = 16, hexDigits
	}
	n, ok := new(big.Int).SetString(digits, base)
	if !ok || strings.HasPrefix(digits, "+") || base == 16 && n.Sign() < 0 {
		return w, errValueSyntax
	}
	w = wt.FromInteger(n)
	if wt.Integer(&w).Cmp(n) != 0 {
		return w, errors.New("out of range")
	}
	return w, nil
}

// parseHex parses "0x…" of size bytes; any size if negative.
func parseHex(s string, size int) ([]byte, error) {
	digits, ok := strings.CutPrefix(s, "0x")
	if !ok || size >= 0 && len(digits) != 2*size {
		return nil, errValueSyntax
	}
	return hex.DecodeString(digits)
}

// ParseWei parses an amount formatted by FormatWei, or a plain number of wei.
func ParseWei(s string) (w uint256.Int, err error) {
	bad := fmt.Errorf("amount %q: want a number of wei, gwei or ether", clip(s))
	digits, decimals := s, 0
	for _, u := range weiUnits {
		if number, ok := strings.CutSuffix(s, u.name); ok {
			digits, decimals = number, u.decimals
			break
		}
	}
	whole, part, _ := strings.Cut(digits, ".")
	if len(part) > decimals || whole == "" || len(s) > 100 {
		return w, bad
	}
	all := whole + part + strings.Repeat("0", decimals-len(part))
	for len(all) > 1 && all[0] == '0' {
		all = all[1:]
	}
	for i := range len(all) {
		if all[i] < '0' || all[i] > '9' {
			return w, bad
		}
	}
	if err := w.SetFromDecimal(all); err != nil {
		return w, bad
	}
	return w, nil
}
