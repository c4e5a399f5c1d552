package mutate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

func TestDictionaryIsBoundedAndForgetsWhatIsNotSeenAgain(t *testing.T) {
	d := NewDictionary()
	d.Add("f()", FromCode, *uint256.NewInt(1_000_000))
	keep := *uint256.NewInt(777)
	for n := uint64(0); n < 5000; n++ {
		d.Add("f()", FromStorage, *uint256.NewInt(10_000 + n))
		d.Add("f()", FromStorage, keep)
		d.Add("f()", FromComparison, *uint256.NewInt(3)) // too small to keep
	}
	words := d.Words("f()")
	have := map[uint64]int{}
	for i := range words {
		have[words[i].Uint64()]++
	}
	for n, times := range have {
		if times != 1 {
			t.Errorf("%d is there %d times", n, times)
		}
	}
	if have[777] != 1 || have[1_000_000] != 1 || have[14_999] != 1 {
		t.Error("a word that was seen again, a constant, or the newest word was forgotten")
	}
	if have[10_000] != 0 || have[3] != 0 {
		t.Error("an old or a small word was kept")
	}
	if n := len(words); n > 1+maxGlobalWords+maxFunctionWords {
		t.Errorf("%d words", n)
	}
	if words[0].Uint64() != 1_000_000 {
		t.Errorf("the function's constants do not come first: %s", words[0].Dec())
	}
}

func TestPoolFitsWordsToTypes(t *testing.T) {
	d := NewDictionary()
	selector := uint256.NewInt(0xa9059cbb)
	d.Add("f()", FromCode, *selector)
	env := &Env{Dictionary: d}
	pool := env.Pool(&input.Function{Signature: "f()"})
	r := rand.New(rand.NewPCG(1, 1))
	left, hits := input.WordType{Bits: 32, Left: true}, 0
	for range 100 {
		w, ok := pool.Word(r, left)
		if ok && left.Wrap(&w) != w {
			t.Fatalf("%s does not fit bytes4", w.Hex())
		}
		if o := left.Ordinal(&w); ok && o == *selector {
			hits++
		}
	}
	if hits < 90 {
		t.Errorf("PUSH4 constant comes as a bytes4 %d times of 100", hits)
	}
	if _, ok := (&Env{}).Pool(nil).Word(r, left); ok {
		t.Error("a context without dictionary has words")
	}
}

func TestAddressesAreMostlyKnownOnes(t *testing.T) {
	token := common.Address{0xaa, 1}
	a := NewAddresses(nil, token)
	seen := common.Address{0xbb, 2}
	for n := range 200 {
		a.See(common.Address{0xcc, byte(n)})
	}
	a.See(seen)
	a.See(token)
	if n := len(a.seen); n != maxSeen {
		t.Fatalf("%d seen addresses", n)
	}
	r := rand.New(rand.NewPCG(2, 2))
	actors, contracts, strange, known := 0, 0, 0, map[common.Address]bool{}
	for _, address := range a.list() {
		known[address] = true
	}
	for range 10_000 {
		address := a.Draw(r)
		_, actor := input.ActorOf(address)
		switch {
		case actor:
			actors++
		case address == token:
			contracts++
		case !known[address] && address[0] != 0:
			strange++
		}
	}
	if actors < 5000 || contracts < 1500 || strange > 200 || strange == 0 {
		t.Errorf("of 10000: %d actors, %d contracts, %d unknown", actors, contracts, strange)
	}
}

// TestDistribution is the experiment behind the weights of random integers: in
// how many draws, on average, a condition of contracts is met. The bounds keep
// the weights from being changed for the worse unnoticed.
func TestDistribution(t *testing.T) {
	d := NewDictionary()
	for _, c := range []uint64{86400, 1e18, 10_000, 5687, 0xdeadbeef} {
		d.Add("f(uint256)", FromCode, *uint256.NewInt(c))
	}
	env := &Env{Dictionary: d}
	pool := env.Pool(&input.Function{Signature: "f(uint256)"})
	u256, i256, u8 := input.WordType{Bits: 256}, input.WordType{Bits: 256, Signed: true}, input.WordType{Bits: 8}
	half := new(uint256.Int).Lsh(uint256.NewInt(1), 255)
	rows := []struct {
		name   string
		t      input.WordType
		within float64
		meets  func(w *uint256.Int) bool
	}{
		{"x == 0", u256, 20, func(w *uint256.Int) bool { return w.IsZero() }},
		{"x == 1", u256, 30, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() == 1 }},
		{"x == 42", u256, 1200, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() == 42 }},
		{"1 <= x <= 10", u256, 6, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() > 0 && w.Uint64() <= 10 }},
		{"x % 2 == 1", u256, 3, func(w *uint256.Int) bool { return w.Uint64()%2 == 1 }},
		{"x == constant", u256, 60, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() == 5687 }},
		{"x == constant+1", u256, 250, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() == 5688 }},
		{"x == 1 ether", u256, 40, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() == 1e18 }},
		{"x == 0.1 ether", u256, 1200, func(w *uint256.Int) bool { return w.IsUint64() && w.Uint64() == 1e17 }},
		{"1000 < x < 1e24", u256, 5, func(w *uint256.Int) bool { return w.BitLen() > 10 && w.BitLen() < 80 }},
		{"x >= 2^255", u256, 12, func(w *uint256.Int) bool { return !w.Lt(half) }},
		{"x == max", u256, 30, func(w *uint256.Int) bool { return new(uint256.Int).Not(w).IsZero() }},
		{"x == 2^128", u256, 4000, func(w *uint256.Int) bool { return w.BitLen() == 129 && w[0] == 0 && w[1] == 0 }},
		{"x < 0", i256, 4, func(w *uint256.Int) bool { return w.Sign() < 0 }},
		{"x == -1", i256, 70, func(w *uint256.Int) bool { return new(uint256.Int).Not(w).IsZero() }},
		{"uint8 x == 255", u8, 20, func(w *uint256.Int) bool { return w.Uint64() == 255 }},
		{"uint8 x == 42", u8, 700, func(w *uint256.Int) bool { return w.Uint64() == 42 }},
	}
	const draws = 200_000
	for _, row := range rows {
		r := rand.New(rand.NewPCG(3, 3))
		hits := 0
		for range draws {
			if w := input.RandomWord(r, row.t, pool); row.meets(&w) {
				hits++
			}
		}
		mean := draws / float64(max(hits, 1))
		t.Logf("%-18s one in %.1f draws", row.name, mean)
		if mean > row.within {
			t.Errorf("%s: one in %.1f draws, want %.0f", row.name, mean, row.within)
		}
	}
}

// A campaign with senders of its own draws their addresses in place of the
// actors'.
func TestAddressesOfSenders(t *testing.T) {
	senders := []input.Actor{{1}, {2}}
	a, r, drawn := NewAddresses(senders), rand.New(rand.NewPCG(2, 2)), 0
	for range 1000 {
		address := a.Draw(r)
		if _, actor := input.ActorOf(address); actor {
			t.Fatalf("%s is drawn", address)
		}
		if slices.Contains(senders, input.Actor(address)) {
			drawn++
		}
	}
	if drawn < 500 {
		t.Errorf("%d of 1000 are senders", drawn)
	}
}

// Where one account sends everything, most addresses are others, and differ.
func TestAddressesBesideOneSender(t *testing.T) {
	sender := input.Actor{1}
	a, r, drawn := NewAddresses([]input.Actor{sender}), rand.New(rand.NewPCG(2, 2)), map[common.Address]int{}
	for range 1000 {
		drawn[a.Draw(r)]++
	}
	if n := drawn[sender.Address()]; n < 50 || n > 400 || len(drawn) < 300 {
		t.Errorf("%d of 1000 are the sender, %d differ", n, len(drawn))
	}
}

// list returns every known address, the likeliest first.
func (a *Addresses) list() []common.Address {
	var all []common.Address
	for _, actor := range input.Actors {
		all = append(all, actor.Address())
	}
	if a != nil {
		all = append(append(all, a.contracts...), a.seen...)
	}
	return append(all, common.Address{}, common.Address{19: 1})
}
