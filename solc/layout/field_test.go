package layout

import (
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/holiman/uint256"
)

func TestFormat(t *testing.T) {
	text := func(s string, last byte) uint256.Int {
		b := make([]byte, 32)
		copy(b, s)
		if last > 0 {
			b[31] = last
		}
		return *new(uint256.Int).SetBytes(b)
	}
	hex := func(s string) uint256.Int { return *uint256.MustFromHex(s) }
	l := tour(t, "new-0.8.30")
	for _, row := range []struct {
		path string
		word uint256.Int
		want string
	}{
		{"owner", hex("0x100000000219ab540356cbb839cbe05303d7705fa"), someone},
		{"state", hex("0x100000000219ab540356cbb839cbe05303d7705fa"), "1"},
		{"token", hex("0x219ab540356cbb839cbe05303d7705fa"), someone},
		{"codes[1]", hex("0xffffffffffffffff0000000000000000"), "-1"},
		{"codes[0]", hex("0x8000000000000000"), "-9223372036854775808"},
		{"codes.length", hex("0x12"), "18"},
		{"pool.low", hex("0x1ffffffffffffffffffffffffffffffff"), "340282366920938463463374607431768211455"},
		{"pool.on", hex("0x1000000000000000000000000000000000000000000000000"), "true"},
		{"pool.on", hex("0x2000000000000000000000000000000000000000000000000"), "true (2)"},
		{"pool.on", hex("0xff"), "false"},
		{"price", *new(uint256.Int).Lsh(uint256.NewInt(77), 160), "77"},
		{"label", text("hé\"", 8), `"hé\""`},
		{"label", text("", 0), `""`},
		{"label", hex("0x81"), "(64 bytes)"},
		{"data", text("\x01\x02", 4), "0x0102"},
		{"label[0:32]", text("the end", 0), `"the end"`},
		{"data[0:32]", hex("0x1"), "0x" + strings.Repeat("0", 63) + "1"},
		{"hook", hex("0x219ab540356cbb839cbe05303d7705faa9059cbb"), someone + ".0xa9059cbb"},
	} {
		_, f, ok := l.Locate(row.path)
		if !ok {
			t.Errorf("no %s", row.path)
			continue
		}
		if got := f.Format(row.word); got != row.want {
			t.Errorf("%s of %s: got %s, want %s", row.path, row.word.Hex(), got, row.want)
		}
	}
}

// TestFieldsAgainstBig compares Value and Insert with arithmetic on big
// integers.
func TestFieldsAgainstBig(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	random := func() (w uint256.Int) {
		for i := range w {
			w[i] = r.Uint64()
		}
		return w
	}
	for range 20_000 {
		f := Field{Kind: KindUint, Offset: r.IntN(32)}
		f.Width = 1 + r.IntN(32-f.Offset)
		if r.IntN(2) == 0 {
			f.Kind = KindInt
		}
		word, value := random(), random()
		inserted := f.Insert(word, value)
		want := new(big.Int)
		for i := range 256 {
			bit := word.ToBig().Bit(i)
			if i >= 8*f.Offset && i < 8*(f.Offset+f.Width) {
				bit = value.ToBig().Bit(i - 8*f.Offset)
			}
			want.SetBit(want, i, bit)
		}
		if inserted.ToBig().Cmp(want) != 0 {
			t.Fatalf("%+v: inserting %s into %s returns %s", f, value.Hex(), word.Hex(), inserted.Hex())
		}
		got := f.Value(word)
		want = new(big.Int).Rsh(word.ToBig(), uint(8*f.Offset))
		size := new(big.Int).Lsh(big.NewInt(1), uint(8*f.Width))
		want.Mod(want, size)
		if f.Signed() && want.Bit(8*f.Width-1) == 1 {
			want.Sub(want, size)
		}
		want.Mod(want, new(big.Int).Lsh(big.NewInt(1), 256))
		if got.ToBig().Cmp(want) != 0 {
			t.Fatalf("%+v of %s: got %s, want %x", f, word.Hex(), got.Hex(), want)
		}
	}
}

func TestChanges(t *testing.T) {
	d, _ := tour(t, "new-0.8.30").Describe(word(3), nil)
	before, after := word(5), word(7)
	high := d.Fields[1]
	after = high.Insert(after, word(9))
	changes := d.Changes(before, after)
	if len(changes) != 2 || changes[0].Before != "5" || changes[0].After != "7" || changes[1].Field.Path != "pool.high" || changes[1].After != "9" {
		t.Errorf("%+v", changes)
	}
}
