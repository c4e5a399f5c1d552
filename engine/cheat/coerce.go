package cheat

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// coerce reads text as a value of a type. The syntax is that of alloy's
// DynSolType::coerce_str: decimal, 0x, 0o and 0b numbers with fractions, exponents
// and units ("1.5 ether"), hex data with or without 0x, lists in [] and tuples in ().
func coerce(text string, t *input.Type) (input.Value, error) {
	return coerceNamed(text, strconv.Quote(clip(text)), t)
}

// coerceNamed is coerce whose errors call the text by a name.
func coerceNamed(text, name string, t *input.Type) (input.Value, error) {
	r := coercer{rest: text}
	v, err := r.value(t)
	if err == nil && r.rest != "" {
		err = errors.New("unexpected characters at the end")
	}
	if err != nil {
		if special, ok := coerceLeniently(text, t); ok {
			return special, nil
		}
		if needsPrefix(text, t) {
			err = errors.New(`missing hex prefix ("0x") for hex string`)
		}
		return v, fmt.Errorf("failed parsing %s as type `%s`: %w", name, t, err)
	}
	return v, nil
}

// coerceLeniently accepts other spellings of bools.
func coerceLeniently(text string, t *input.Type) (input.Value, bool) {
	if t.Kind != input.KindBool {
		return input.Value{}, false
	}
	switch {
	case text == "1" || strings.EqualFold(text, "true"):
		return boolValue(true), true
	case text == "0" || strings.EqualFold(text, "false"):
		return boolValue(false), true
	}
	return input.Value{}, false
}

// needsPrefix reports whether text was not accepted because its 0x is missing.
func needsPrefix(text string, t *input.Type) bool {
	switch t.Kind {
	case input.KindInt, input.KindUint, input.KindFixedBytes, input.KindBytes:
		_, err := hex.DecodeString(text)
		return err == nil && !strings.HasPrefix(text, "0x")
	}
	return false
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}

// A coercer reads values off the front of a text.
type coercer struct {
	rest string
	list byte // the bracket that ends the innermost list; 0 outside of lists
}

// Errors of coerce.
var (
	errTooBig   = errors.New("number too large to fit in target type")
	errNoDigits = errors.New("expected at least one digit")
	errNoHex    = errors.New("expected hex digits or the `0x` prefix for an empty hex string")
)

func (r *coercer) value(t *input.Type) (input.Value, error) {
	v := input.Value{Type: t}
	var err error
	switch t.Kind {
	case input.KindBool:
		err = r.bool(&v)
	case input.KindUint:
		err = r.uint(t.Size, &v.Word)
	case input.KindInt:
		err = r.int(t.Size, &v.Word)
	case input.KindFixedBytes, input.KindAddress, input.KindFunction:
		err = r.fixed(&v)
	case input.KindBytes:
		v.Data, err = r.hex()
	case input.KindString:
		err = r.string(&v)
	case input.KindArray, input.KindSlice:
		err = r.elements(&v)
	default:
		err = r.tuple(&v)
	}
	return v, err
}

// take removes the longest prefix of bytes that belong to a class.
func (r *coercer) take(class func(byte) bool) string {
	n := 0
	for n < len(r.rest) && class(r.rest[n]) {
		n++
	}
	s := r.rest[:n]
	r.rest = r.rest[n:]
	return s
}

// accept removes a prefix if it is there.
func (r *coercer) accept(prefix string) bool {
	rest, ok := strings.CutPrefix(r.rest, prefix)
	r.rest = rest
	return ok
}

func (r *coercer) expect(char string) error {
	r.take(isSpace)
	if !r.accept(char) {
		return fmt.Errorf("expected %q", char)
	}
	return nil
}

func isSpace(c byte) bool    { return c == ' ' || c == '\t' }
func isDigit(c byte) bool    { return '0' <= c && c <= '9' }
func isLetter(c byte) bool   { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isHexDigit(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func (r *coercer) bool(v *input.Value) error {
	switch r.take(isLetter) {
	case "true":
		v.Word.SetOne()
	case "false":
	default:
		return errors.New("invalid boolean")
	}
	return nil
}

func (r *coercer) int(size int, w *uint256.Int) error {
	negative := r.accept("-")
	if !negative {
		r.accept("+")
	}
	if err := r.uint(size, w); err != nil {
		return err
	}
	limit := new(uint256.Int).Lsh(uint256.NewInt(1), uint(size-1))
	if w.Gt(limit) || !negative && w.Eq(limit) {
		return errTooBig
	}
	if negative {
		w.Neg(w)
	}
	return nil
}

// numberUnits are the decimals of the units of numbers.
var numberUnits = map[string]int{"": 0, "wei": 0, "gwei": 9, "nano": 9, "nanoether": 9, "ether": 18}

func (r *coercer) uint(size int, w *uint256.Int) error {
	whole, err := r.integer()
	if err != nil {
		return err
	}
	fraction := ""
	if r.accept(".") {
		if fraction = r.take(isDigit); fraction == "" {
			return errNoDigits
		}
	}
	exponent, err := r.exponent()
	if err != nil {
		return err
	}
	r.take(isSpace)
	unit, ok := numberUnits[r.take(isLetter)]
	if !ok {
		return errors.New("unknown unit")
	}
	if err := scaled(w, whole, fraction, unit+exponent); err != nil {
		return err
	}
	if w.BitLen() > size {
		return errTooBig
	}
	return nil
}

// integer reads an integer without sign, in base 2, 8, 10 or 16.
func (r *coercer) integer() (*uint256.Int, error) {
	base := 10
	if len(r.rest) >= 2 && r.rest[0] == '0' {
		base = map[byte]int{'b': 2, 'o': 8, 'x': 16}[r.rest[1]|0x20]
	}
	digits := isDigit
	if base > 0 && base != 10 {
		r.rest, digits = r.rest[2:], isHexDigit
	} else {
		base = 10
	}
	text := r.take(digits)
	if text == "" {
		return nil, errNoDigits
	}
	w, factor := new(uint256.Int), uint256.NewInt(uint64(base))
	for i := range len(text) {
		digit, err := strconv.ParseUint(text[i:i+1], base, 8)
		if err != nil {
			return nil, errors.New("invalid digit found in string")
		}
		_, over := w.MulOverflow(w, factor)
		_, more := w.AddOverflow(w, uint256.NewInt(digit))
		if over || more {
			return nil, errTooBig
		}
	}
	return w, nil
}

// exponent reads "e-3"; 0 if there is none.
func (r *coercer) exponent() (int, error) {
	text := r.rest
	if text == "" || text[0]|0x20 != 'e' {
		return 0, nil
	}
	end := 1
	if end < len(text) && (text[end] == '-' || text[end] == '+') {
		end++
	}
	digits := end
	for end < len(text) && isDigit(text[end]) {
		end++
	}
	if end == digits {
		return 0, nil // a unit
	}
	n, err := strconv.Atoi(text[1:end])
	if err != nil || n > 1000 || n < -1000 {
		return 0, errors.New("invalid exponent")
	}
	r.rest = text[end:]
	return n, nil
}

// scaled sets w to whole.fraction * 10^units.
func scaled(w, whole *uint256.Int, fraction string, units int) error {
	if units < 0 {
		return errors.New("negative units not allowed")
	}
	if len(fraction) > units {
		if units == 0 && strings.Trim(fraction, "0") != "" {
			return errors.New("non-zero fraction not allowed")
		}
		return fmt.Errorf("expected at most %d decimals, got %d", units, len(fraction))
	}
	w.Set(whole)
	ten := uint256.NewInt(10)
	for i := range units {
		if _, over := w.MulOverflow(w, ten); over {
			return errTooBig
		}
		if i < len(fraction) {
			if _, over := w.AddOverflow(w, uint256.NewInt(uint64(fraction[i]-'0'))); over {
				return errTooBig
			}
		}
	}
	return nil
}

func (r *coercer) hex() ([]byte, error) {
	prefix := r.accept("0x")
	digits := r.take(isHexDigit)
	if digits == "" && !prefix {
		return nil, errNoHex
	}
	if len(digits)%2 == 1 {
		return nil, errors.New("odd number of digits")
	}
	return hex.DecodeString(digits)
}

// fixed reads a value of a fixed number of bytes.
func (r *coercer) fixed(v *input.Value) error {
	size := map[input.Kind]int{input.KindAddress: 20, input.KindFunction: 24, input.KindFixedBytes: v.Type.Size}[v.Type.Kind]
	data, err := r.hex()
	if err != nil {
		return err
	}
	if len(data) != size {
		return errors.New("invalid string length")
	}
	switch v.Type.Kind {
	case input.KindAddress:
		v.Word = input.NewAddress(common.Address(data)).Word
	case input.KindFunction:
		v.Data = data
	default:
		v.Word = leftWord(data)
	}
	return nil
}

// leftWord returns the word that starts with data, of at most 32 bytes.
func leftWord(data []byte) (w uint256.Int) {
	var word [32]byte
	copy(word[:], data)
	w.SetBytes32(word[:])
	return w
}

func (r *coercer) string(v *input.Value) error {
	if r.rest == "" {
		return nil
	}
	if quote := r.rest[:1]; quote == `"` || quote == "'" {
		text, rest, closed := strings.Cut(r.rest[1:], quote)
		if !closed {
			return errors.New("unterminated string")
		}
		v.Data, r.rest = []byte(text), rest
		return nil
	}
	text := r.rest
	if r.list != 0 {
		text = r.take(func(c byte) bool { return c != ',' && c != r.list })
		if text == "" {
			return errors.New("expected a string")
		}
	} else {
		r.rest = ""
	}
	v.Data = []byte(strings.TrimRight(text, " \t\r\n"))
	return nil
}

func (r *coercer) elements(v *input.Value) error {
	defer r.in(']')()
	if err := r.expect("["); err != nil {
		return err
	}
	for r.take(isSpace); !r.accept("]"); r.take(isSpace) {
		if len(v.Elems) > 0 {
			if err := r.expect(","); err != nil {
				return err
			}
			r.take(isSpace)
		}
		e, err := r.value(v.Type.Elem)
		if err != nil {
			return err
		}
		v.Elems = append(v.Elems, e)
	}
	if v.Type.Kind == input.KindArray && len(v.Elems) != v.Type.Size {
		return fmt.Errorf("fixed array length mismatch: expected %d elements, got %d", v.Type.Size, len(v.Elems))
	}
	return nil
}

func (r *coercer) tuple(v *input.Value) error {
	defer r.in(')')()
	if err := r.expect("("); err != nil {
		return err
	}
	for i := range v.Type.Fields {
		if i > 0 {
			if err := r.expect(","); err != nil {
				return err
			}
		}
		r.take(isSpace)
		e, err := r.value(v.Type.Fields[i].Type)
		if err != nil {
			return err
		}
		v.Elems = append(v.Elems, e)
	}
	return r.expect(")")
}

// in enters a list; the result leaves it.
func (r *coercer) in(end byte) func() {
	before := r.list
	r.list = end
	return func() { r.list = before }
}
