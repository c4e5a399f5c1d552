package layout

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

const someone = "0x00000000219ab540356cBB839Cbe05303d7705Fa"

func TestDescribe(t *testing.T) {
	l := tour(t, "new-0.8.30")
	w := world{}
	slot := func(n uint64) []byte { return bytes32(word(n)) }
	balance := w.keccak(common.LeftPadBytes(common.FromHex(someone), 32), slot(1))
	inX := w.keccak([]byte("x"), slot(2))
	pool := w.keccak(slot(4), bytes32(inX))
	long := w.keccak([]byte("a key as long as one word of it, "), slot(2))
	inner := w.keccak(slot(9), bytes32(plus(pool, 2)))
	codes, data, label, pairs := w.keccak(slot(7)), w.keccak(slot(8)), w.keccak(slot(9)), w.keccak(slot(13))
	innerData := w.keccak(bytes32(inner))

	for _, row := range []struct {
		slot uint256.Int
		want string
	}{
		{word(0), "owner, state"},
		{word(1), "balances"},
		{word(3), "pool.low, pool.high, pool.on"},
		{word(4), "pool.tail[0], pool.tail[1], pool.tail[2]"},
		{word(5), "pool.inner"},
		{word(6), "small"},
		{word(7), "codes.length"},
		{word(8), "data"},
		{word(9), "label"},
		{word(11), "fixedCodes[10], fixedCodes[11], fixedCodes[12], fixedCodes[13], fixedCodes[14]"},
		{word(12), "token, price"},
		{word(14), "hook"},
		{word(15), ""},
		{balance, "balances[" + someone + "]"},
		{plus(balance, 1), ""},
		{pool, `pools["x"][4].low, pools["x"][4].high, pools["x"][4].on`},
		{plus(pool, 1), `pools["x"][4].tail[0], pools["x"][4].tail[1], pools["x"][4].tail[2]`},
		{plus(pool, 3), ""},
		{inX, `pools["x"]`},
		{long, `pools["a key as long as one word of it, "]`},
		{inner, `pools["x"][4].inner[9]`},
		{plus(innerData, 1), `pools["x"][4].inner[9][32:64]`},
		{plus(codes, 2), "codes[8], codes[9], codes[10], codes[11]"},
		{data, "data[0:32]"},
		{plus(label, 5), "label[160:192]"},
		{plus(pairs, 7), "pairs[7].left, pairs[7].right"},
	} {
		d, ok := l.Describe(row.slot, w.preimages)
		if d.Path() != row.want || ok != (row.want != "") {
			t.Errorf("slot %s: got %q, want %q", row.slot.Hex(), d.Path(), row.want)
		}
	}
}

// Locate returns the slot and the field of every path that Describe returns.
func TestLocateInvertsDescribe(t *testing.T) {
	for _, name := range tours {
		t.Run(name, func(t *testing.T) {
			l, r := tour(t, name), rand.New(rand.NewPCG(1, 2))
			w, found := world{}, 0
			for range 1000 {
				slot := walk(l, w, r)
				d, ok := l.Describe(slot, w.preimages)
				if !ok {
					continue
				}
				for _, f := range d.Fields {
					found++
					gotSlot, got, ok := l.Locate(f.Path)
					if !ok || gotSlot != slot || got != f {
						t.Fatalf("%s: got slot %s %+v, want %s %+v", f.Path, gotSlot.Hex(), got, slot.Hex(), f)
					}
				}
			}
			if found < 700 {
				t.Errorf("got only %d described fields", found)
			}
		})
	}
}

// walk picks a random slot as a contract does: from variable to entry to member.
// It records the hashes on the way.
func walk(l *Layout, w world, r *rand.Rand) uint256.Int {
	v := l.Variables[r.IntN(len(l.Variables))]
	slot, t := v.Slot, v.Type
	for {
		switch t.Kind {
		case KindStruct:
			m := t.Members[r.IntN(len(t.Members))]
			slot.Add(&slot, &m.Slot)
			t = m.Type
		case KindMapping:
			slot = w.keccak(randomKey(t.Key, r), bytes32(slot))
			t = t.Elem
		case KindSlice:
			slot = w.keccak(bytes32(slot))
			fallthrough
		case KindArray:
			size := t.Elem.slots()
			size.Mul(&size, uint256.NewInt(uint64(r.IntN(3))))
			slot.Add(&slot, &size)
			t = t.Elem
		case KindString, KindBytes:
			return plus(w.keccak(bytes32(slot)), uint64(r.IntN(3)))
		default:
			return slot
		}
		if r.IntN(8) == 0 {
			return slot
		}
	}
}

func randomKey(t *Type, r *rand.Rand) []byte {
	if t.Kind == KindString || t.Kind == KindBytes {
		return []byte(strings.Repeat("k]\"\x00é", r.IntN(20)))[:]
	}
	key := make([]byte, 32)
	for i := range t.width() {
		key[31-i] = byte(r.Uint32())
	}
	return key
}

func TestCircularPreimages(t *testing.T) {
	l := tour(t, "new-0.8.30")
	circle := func(slot uint256.Int) ([]byte, uint256.Int, bool) {
		return append(bytes32(word(1)), bytes32(slot)...), uint256.Int{}, true
	}
	if d, ok := l.Describe(word(1<<40), circle); ok {
		t.Errorf("a slot that hashes to itself has path %s", d.Path())
	}
}

func TestLocateErrors(t *testing.T) {
	l := tour(t, "new-0.8.30")
	for _, path := range []string{
		"", "nothing", "pool", "pool.nothing", "pool.low.x", "pool.tail[3]", "pool.tail[-1]", "pool.tail[01]",
		"codes", "codes[", "codes[x]", "codes.length.x", "balances[7]", "balances[0x12]", `pools[x][4].low`,
		`pools["x"][-4].low`, "data[1:33]", "data[0:64]", "data[0:32][0]", "small[0]", "[0]", ".low",
	} {
		if slot, f, ok := l.Locate(path); ok {
			t.Errorf("%q is accepted: slot %s, %+v", path, slot.Hex(), f)
		}
	}
	if slot, _, ok := l.Locate("balances"); !ok || slot != word(1) {
		t.Errorf("the mapping balances has a field in slot %s", slot.Hex())
	}
}
