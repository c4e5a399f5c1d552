package demand

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc/layout"
)

// vault is the layout, as solc prints it, of
//
//	uint256 total;
//	mapping(address => uint256) balances;
//	mapping(address => mapping(uint256 => uint256)) allowed;
//	uint256[] list;
//	struct Pair { uint256 left; uint256 right; }
//	mapping(uint256 => Pair) pairs;
//	Pair[] queue;
//	mapping(uint256 => uint256[]) lists;
//	mapping(string => uint256) names;
const vault = `{"storage": [
	{"label": "total", "offset": 0, "slot": "0", "type": "t_uint256"},
	{"label": "balances", "offset": 0, "slot": "1", "type": "balances"},
	{"label": "allowed", "offset": 0, "slot": "2", "type": "allowed"},
	{"label": "list", "offset": 0, "slot": "3", "type": "list"},
	{"label": "pairs", "offset": 0, "slot": "4", "type": "pairs"},
	{"label": "queue", "offset": 0, "slot": "5", "type": "queue"},
	{"label": "lists", "offset": 0, "slot": "6", "type": "lists"},
	{"label": "names", "offset": 0, "slot": "7", "type": "names"}
], "types": {
	"t_uint256": {"encoding": "inplace", "label": "uint256", "numberOfBytes": "32"},
	"t_address": {"encoding": "inplace", "label": "address", "numberOfBytes": "20"},
	"t_string_memory_ptr": {"encoding": "bytes", "label": "string", "numberOfBytes": "32"},
	"pair": {"encoding": "inplace", "label": "struct Pair", "numberOfBytes": "64", "members": [
		{"label": "left", "offset": 0, "slot": "0", "type": "t_uint256"},
		{"label": "right", "offset": 0, "slot": "1", "type": "t_uint256"}]},
	"balances": {"encoding": "mapping", "key": "t_address", "label": "", "numberOfBytes": "32", "value": "t_uint256"},
	"inner": {"encoding": "mapping", "key": "t_uint256", "label": "", "numberOfBytes": "32", "value": "t_uint256"},
	"allowed": {"encoding": "mapping", "key": "t_address", "label": "", "numberOfBytes": "32", "value": "inner"},
	"list": {"encoding": "dynamic_array", "base": "t_uint256", "label": "uint256[]", "numberOfBytes": "32"},
	"pairs": {"encoding": "mapping", "key": "t_uint256", "label": "", "numberOfBytes": "32", "value": "pair"},
	"queue": {"encoding": "dynamic_array", "base": "pair", "label": "struct Pair[]", "numberOfBytes": "32"},
	"lists": {"encoding": "mapping", "key": "t_uint256", "label": "", "numberOfBytes": "32", "value": "list"},
	"names": {"encoding": "mapping", "key": "t_string_memory_ptr", "label": "", "numberOfBytes": "32", "value": "t_uint256"}
}}`

var here = common.HexToAddress("0x1234")

// A walk goes from a variable to one of its words as the contract would.
type walk struct {
	r       *rand.Rand
	hash    func(input []byte)
	slot    uint256.Int
	path    string
	keys    []uint256.Int // those that are words
	hashes  int
	beneath uint256.Int // the word that was hashed to last
}

// A step leads one level down.
type step func(*walk)

func (w *walk) down(key []byte) {
	slot := w.slot.Bytes32()
	input := append(slices.Clone(key), slot[:]...)
	w.hash(input)
	w.slot.SetBytes(crypto.Keccak256(input))
	w.hashes++
	w.beneath = w.slot
}

func number(w *walk) { w.key(*uint256.NewInt(w.r.Uint64()), "") }

func address(w *walk) {
	var key uint256.Int
	a := common.BigToAddress(uint256.NewInt(w.r.Uint64()).ToBig())
	w.key(*key.SetBytes20(a[:]), a.Hex())
}

func (w *walk) key(key uint256.Int, name string) {
	if name == "" {
		name = key.Dec()
	}
	w.path += "[" + name + "]"
	w.keys = append(w.keys, key)
	word := key.Bytes32()
	w.down(word[:])
}

func text(w *walk) {
	key := fmt.Sprintf("number %d", w.r.Uint32())
	w.path += fmt.Sprintf("[%q]", key)
	w.down([]byte(key))
}

// element goes to an element of so many words.
func element(words uint64) step {
	return func(w *walk) {
		index := w.r.Uint64N(1000)
		w.path += fmt.Sprintf("[%d]", index)
		w.down(nil)
		w.slot.AddUint64(&w.slot, index*words)
	}
}

func member(name string, offset uint64) step {
	return func(w *walk) {
		w.path += "." + name
		w.slot.AddUint64(&w.slot, offset)
	}
}

// ways are the ways to a word of the vault.
var ways = []struct {
	variable string
	slot     uint64
	steps    []step
}{
	{"total", 0, nil},
	{"balances", 1, []step{address}},
	{"allowed", 2, []step{address, number}},
	{"list", 3, []step{element(1)}},
	{"list", 3, []step{member("length", 0)}},
	{"pairs", 4, []step{number, member("left", 0)}},
	{"pairs", 4, []step{number, member("right", 1)}},
	{"queue", 5, []step{element(2), member("right", 1)}},
	{"lists", 6, []step{number, member("length", 0)}},
	{"lists", 6, []step{number, element(1)}},
	{"names", 7, []step{text}},
}

func (w *walk) take(way int) {
	w.path, w.slot = ways[way].variable, *uint256.NewInt(ways[way].slot)
	for _, s := range ways[way].steps {
		s(w)
	}
}

// Words are placed in the variable that the layout finds them by.
func TestPlaceAgreesWithTheLayout(t *testing.T) {
	l, err := layout.Read([]byte(vault))
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	p := &Preimages{}
	for n := range 2000 {
		w := &walk{r: r, hash: p.Add}
		w.take(n % len(ways))
		slot, _, ok := l.Locate(w.path)
		if !ok || slot != w.slot {
			t.Fatalf("%s is at %s, not %s", w.path, slot.Hex(), w.slot.Hex())
		}
		variable, ok := l.Variable(ways[n%len(ways)].variable)
		if !ok {
			t.Fatalf("no variable of %s", w.path)
		}
		got := p.Resolve(here, w.slot.Bytes32())
		want := VariableWord{Variable{here, variable.Slot.Bytes32(), w.hashes}, w.keys}
		if got.Variable != want.Variable || !slices.Equal(got.Keys, want.Keys) {
			t.Fatalf("%s is placed at %v, want %v", w.path, got, want)
		}
	}
}

// What was hashed to reach a word is found, with the distance from the hash,
// and only if something was.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := &Preimages{}
	for n := range 500 {
		w := &walk{r: r}
		var last []byte
		w.hash = func(input []byte) { last = input; p.Add(input) }
		w.take(n % len(ways))
		input, offset, ok := p.Near(w.slot)
		if ok != (w.hashes > 0) {
			t.Fatalf("%s: near a hash: %v", w.path, ok)
		}
		if !ok {
			continue
		}
		var sum uint256.Int
		if sum.Add(&offset, &w.beneath); sum != w.slot || !slices.Equal(input, last) {
			t.Fatalf("%s is %s behind the hash of %x, which is not %x", w.path, offset.Hex(), input, last)
		}
	}
}

// Only words that lie shortly behind a hash belong to it; small slots belong
// to none.
func TestDistanceFromAHash(t *testing.T) {
	p := &Preimages{}
	slot := make([]byte, 32)
	p.Add(slot)
	hash := new(uint256.Int).SetBytes(crypto.Keccak256(slot))
	for _, row := range []struct {
		offset int64
		depth  int
	}{{0, 1}, {1, 1}, {maxOffset - 1, 1}, {maxOffset, 0}, {-1, 0}} {
		at := new(uint256.Int).Add(hash, new(uint256.Int).SetUint64(uint64(max(row.offset, 0))))
		if row.offset < 0 {
			at.SubUint64(at, uint64(-row.offset))
		}
		if got := p.Resolve(here, at.Bytes32()); got.Depth != row.depth || row.depth == 0 && got.Base != at.Bytes32() {
			t.Errorf("%d behind the hash: %+v", row.offset, got)
		}
	}
	if got := p.Resolve(here, common.BigToHash(common.Big1)); got.Depth != 0 {
		t.Errorf("slot 1: %+v", got)
	}
}

// Short inputs are remembered, but no slot is made from them; inputs are
// copied; there is a bound to them.
func TestPreimagesRemember(t *testing.T) {
	p := &Preimages{}
	short := []byte("short")
	p.Add(short)
	hash := crypto.Keccak256Hash(short)
	copy(short, "other")
	if in, ok := p.Input(hash); !ok || string(in) != "short" {
		t.Errorf("%q, %v", in, ok)
	}
	if got := p.Resolve(here, hash); got.Depth != 0 {
		t.Errorf("the hash of a short input is placed at %+v", got)
	}
	for i := range uint64(maxPreimages + 10) {
		word := uint256.NewInt(i).Bytes32()
		p.Add(word[:])
	}
	if n := len(p.inputs) + len(p.short); n != maxPreimages {
		t.Errorf("%d inputs are kept", n)
	}
}

// Slots that assembly packs from an address belong to one variable, whatever the
// address, zero too.
func TestPackedAddresses(t *testing.T) {
	p := &Preimages{}
	slotOf := func(a common.Address) common.Hash {
		in := append(a[:], 0, 0, 0, 0, 0, 0, 0, 0, 0x38, 0x9a, 0x75, 0xe1)
		p.Add(in)
		return crypto.Keccak256Hash(in)
	}
	user, zero := slotOf(input.User1.Address()), slotOf(common.Address{})
	want := p.Resolve(here, user)
	if got := p.Resolve(here, zero); got.Variable != want.Variable || len(got.Keys) != 1 || !got.Keys[0].IsZero() {
		t.Errorf("the word of address zero is %+v, that of a user %+v", got, want)
	}
}

// Preimages that are added in groups of any size are all found near their hashes.
func TestNearAfterEachGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	var p Preimages
	var known [][]byte
	for _, size := range []int{1, 3, 17, 2, 40, 1} {
		for range size {
			in := make([]byte, 64)
			for i := range in {
				in[i] = byte(r.Uint32())
			}
			known = append(known, in)
			p.Add(in)
		}
		for _, in := range known {
			slot := new(uint256.Int).SetBytes(crypto.Keccak256(in))
			slot.AddUint64(slot, 3)
			if got, offset, ok := p.Near(*slot); !ok || !slices.Equal(got, in) || !offset.Eq(uint256.NewInt(3)) {
				t.Fatalf("of %d preimages, the one of %x is not found: %x, %v, %t", len(known), slot, got, &offset, ok)
			}
		}
	}
}
