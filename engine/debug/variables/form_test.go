package variables

import (
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"leveret/solc/ast"
)

// What is shown of a value is read as that value, for all forms and widths.
func TestFormsRead(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 23))
	types := []ast.Type{{Kind: ast.TypeBool}, {Kind: ast.TypeAddress, Bits: 160}}
	for bits := 8; bits <= 256; bits += 8 {
		types = append(types, ast.Type{Kind: ast.TypeUint, Bits: bits}, ast.Type{Kind: ast.TypeInt, Bits: bits}, ast.Type{Kind: ast.TypeFixedBytes, Bits: bits})
	}
	for _, of := range types {
		x := &Type{Type: of, Label: "T"}
		f := x.form()
		for range 50 {
			n := new(big.Int).SetBytes([]byte{byte(r.Uint32()), byte(r.Uint32())})
			n.Lsh(n, uint(r.IntN(250)))
			if of.Kind == ast.TypeBool {
				n.SetUint64(r.Uint64N(2))
			}
			c := constant{number: wrapped(n, ast.Type{Kind: of.Kind, Bits: max(of.Bits, 8)})}
			word := c.word(of)
			text := (&Reader{}).elementary(x, word)
			value, err := f.Parse(text)
			if have := f.Align(value); err != nil || have != word {
				t.Fatalf("%v of %d bits: %s is read as %s, %v; want %s", of.Kind, of.Bits, text, have.Hex(), err, word.Hex())
			}
		}
	}
}

// Texts that are no values are refused, of any size.
func FuzzForm(f *testing.F) {
	for _, text := range []string{"0", "-1", "0x", "1e77", "1e78", "1.5e1", "true", "0xff", "99999999999999999999", "1_0", "e", ".", "1e", "-", "Open"} {
		f.Add(text, uint8(3), uint8(1))
	}
	f.Fuzz(func(t *testing.T, text string, kind, bytes uint8) {
		of := &Type{Type: ast.Type{Kind: ast.TypeKind(kind % 8), Bits: 8 * int(bytes%33)}, Label: "T"}
		form := of.form()
		if form == nil {
			return
		}
		value, err := form.Parse(text)
		if err != nil {
			return
		}
		again, err := form.Parse((&Reader{}).elementary(of, form.Align(value)))
		if err != nil || again != value {
			t.Errorf("%q is %s, and then %s, %v", text, value.Hex(), again.Hex(), err)
		}
	})
}

// Whole numbers are read in all notations, and nothing else.
func TestParseNumber(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "1_000": "1000", "0xff": "255", "-3": "-3", "1e18": "1000000000000000000", "1.5e3": "1500", "1.50e1": "15", "2.0": "2",
		"1.5": "", "1.55e1": "", "1e78": "", "1e": "1", "e5": "", "": "", ".": "", "1e-1": "", "0x": "", "1e99999999999999999999": "", "abc": "",
	} {
		n, ok := ParseNumber(text)
		if ok != (want != "") || ok && n.String() != want {
			t.Errorf("%q is %v, %v; want %q", text, n, ok, want)
		}
	}
	var word uint256.Int
	if n, ok := ParseNumber("115792089237316195423570985008687907853269984665640564039457584007913129639935"); !ok || word.SetFromBig(n) {
		t.Error("2^256-1 does not fit")
	}
}
