package evm

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A model is a World as maps, copied on every fork.
type model map[common.Address]*modelAccount

type modelAccount struct {
	wei, nonce uint64
	code       string
	storage    map[common.Hash]common.Hash
}

func (m model) fork() model {
	f := make(model)
	for addr, a := range m {
		b := *a
		b.storage = make(map[common.Hash]common.Hash)
		for k, v := range a.storage {
			b.storage[k] = v
		}
		f[addr] = &b
	}
	return f
}

// account returns an account to change; settle removes it if it is empty.
func (m model) account(addr common.Address) *modelAccount {
	if m[addr] == nil {
		m[addr] = &modelAccount{storage: make(map[common.Hash]common.Hash)}
	}
	return m[addr]
}

func (m model) settle() {
	for addr, a := range m {
		if a.wei == 0 && a.nonce == 0 && a.code == "" {
			delete(m, addr)
		}
	}
}

// String writes all down in order.
func (m model) String() string {
	var lines []string
	for addr, a := range m {
		lines = append(lines, fmt.Sprintf("%v %d %d %x", addr, a.wei, a.nonce, a.code))
		for k, v := range a.storage {
			if v != (common.Hash{}) {
				lines = append(lines, fmt.Sprintf("%v %v %v", addr, k, v))
			}
		}
	}
	slices.Sort(lines)
	return fmt.Sprint(lines)
}

// worldString writes a World down as model.String does, and checks that its
// readers agree.
func worldString(t testing.TB, w *World) string {
	var lines []string
	for addr := range w.Accounts() {
		balance := w.Balance(addr)
		var bytes []byte
		if c := w.Code(addr); c != nil {
			bytes = c.Bytes
		}
		lines = append(lines, fmt.Sprintf("%v %d %d %x", addr, balance.Uint64(), w.Nonce(addr), bytes))
		for k, v := range w.Slots(addr) {
			lines = append(lines, fmt.Sprintf("%v %v %v", addr, k, v))
			if got := w.Storage(addr, k); got != v {
				t.Fatalf("Slots and Storage disagree: %v, %v", v, got)
			}
		}
	}
	slices.Sort(lines)
	return fmt.Sprint(lines)
}

// changeBoth does one random change to a World and its model.
func changeBoth(r *rand.Rand, w *World, m model) {
	addr, n := fewAddress(r), uint64(r.IntN(3))
	switch r.IntN(8) {
	case 0:
		w.SetBalance(addr, uint256.NewInt(n))
		m.account(addr).wei = n
	case 1:
		w.SetNonce(addr, n)
		m.account(addr).nonce = n
	case 2:
		code := make([]byte, n)
		w.SetCode(addr, code)
		m.account(addr).code = string(code)
	case 3, 4: // as a Call does, whose changes wait
		if key, value := (common.Hash{31: byte(r.IntN(40))}), fewHash(r); m[addr] != nil {
			commitWord(w, addr, key, value)
			m[addr].storage[key] = value
		}
	default:
		key, value := common.Hash{31: byte(r.IntN(40))}, fewHash(r)
		w.SetStorage(addr, key, value)
		if m[addr] != nil {
			m[addr].storage[key] = value
		}
	}
	m.settle()
}

// commitWord ends a Call that wrote one word of an existing account.
func commitWord(w *World, addr common.Address, key, value common.Hash) {
	var o overlay
	o.begin(w)
	a := o.account(&addr)
	o.setWord(a, o.loadedWord(a, new(uint256.Int).SetBytes32(key[:])), new(uint256.Int).SetBytes32(value[:]))
	o.commit(w)
}

// TestWorldsAreAsMaps changes and forks Worlds at random, deep enough that
// layers merge in every way, and compares all of them with maps at the end:
// no change may show in another World.
func TestWorldsAreAsMaps(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 4))
		worlds, models := []*World{NewWorld(NewCodes())}, []model{{}}
		for range 300 {
			i := r.IntN(len(worlds))
			if r.IntN(10) == 0 {
				worlds, models = append(worlds, worlds[i].Fork()), append(models, models[i].fork())
			}
			changeBoth(r, worlds[i], models[i])
		}
		for i, w := range worlds {
			if got, want := worldString(t, w), models[i].String(); got != want {
				t.Fatalf("seed %d, World %d\n got %s\nwant %s", seed, i, got, want)
			}
			checkDiff(t, w, worlds[r.IntN(len(worlds))])
		}
	}
}

// checkDiff compares Diff with a look at everything.
func checkDiff(t *testing.T, w, before *World) {
	t.Helper()
	patched := before.Fork()
	for _, d := range w.Diff(before) {
		patched.SetBalance(d.Address, uint256.NewInt(1000)) // or it might vanish on the way
		if d.CodeChanged {
			var code []byte
			if c := w.Code(d.Address); c != nil {
				code = c.Bytes
			}
			patched.SetCode(d.Address, code)
		}
		patched.SetNonce(d.Address, d.Nonce[1])
		for _, s := range d.Storage {
			if s.Before == s.After || before.Storage(d.Address, s.Key) != s.Before {
				t.Fatalf("wrong difference %+v", s)
			}
			patched.SetStorage(d.Address, s.Key, s.After)
		}
		patched.SetBalance(d.Address, &d.Balance[1])
	}
	if got, want := worldString(t, patched), worldString(t, w); got != want {
		t.Fatalf("a World and its difference make\n %s\nwant %s", got, want)
	}
}

// A World that is compacted after a Call reads as before, has the same size, and holds
// the changes of the Call once.
func TestCompact(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "00"})
	w.SetStorage(here, common.Hash{31: 1}, common.Hash{31: 1})
	commitWord(w, here, common.Hash{31: 2}, common.Hash{31: 3})
	before, size := worldString(t, w), w.Size()
	if len(w.fresh) == 0 {
		t.Fatal("a Call changed nothing")
	}
	if w.Compact(); len(w.fresh) > 0 || worldString(t, w) != before || w.Size() != size {
		t.Errorf("%d changes, %d bytes, %s\nbefore: %d bytes, %s", len(w.fresh), w.Size(), worldString(t, w), size, before)
	}
}

func TestChainsStayShort(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "00"})
	for i := range 5_000 {
		w = w.Fork()
		w.SetStorage(here, common.BigToHash(uint256.NewInt(uint64(i)).ToBig()), common.Hash{31: 1})
	}
	depth := 0
	for l := w.top(); l != nil; l = l.below {
		depth++
	}
	if depth > 20 {
		t.Errorf("%d layers after 5000 changes", depth)
	}
	n := 0
	for range w.Slots(here) {
		n++
	}
	if n != 5_000 {
		t.Errorf("%d words of 5000", n)
	}
}

func TestSizeIsWhatAForkAdds(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "00"})
	for i := range 1_000 {
		w.SetStorage(here, common.Hash{30: byte(i >> 8), 31: byte(i)}, common.Hash{31: 1})
	}
	if size := w.Size(); size < 64_000 || size > 200_000 {
		t.Errorf("1000 words are %d bytes", size)
	}
	f := w.Fork()
	empty := f.Size()
	f.SetStorage(here, common.Hash{}, common.Hash{31: 2})
	if size := f.Size(); size <= empty || size > 1_000 {
		t.Errorf("one word more is %d bytes, none is %d", size, empty)
	}
}

// TestForksAreFreeToRace lets workers execute on Forks of one World; the race
// detector watches.
func TestForksAreFreeToRace(t *testing.T) {
	// sstore(calldataload(0), calldataload(32)); create(0, 0, 0)
	w := testWorld(t, map[common.Address]string{here: "6020355f35555f5f5ff000"})
	before := worldString(t, w)
	var group sync.WaitGroup
	results := make([]string, 4)
	for i := range results {
		group.Go(func() {
			r := rand.New(rand.NewPCG(7, 7))
			m, f := NewMachine(), w.Fork()
			for n := range 300 {
				if n%10 == 0 {
					f = f.Fork()
				}
				data := append(fewHash(r).Bytes(), fewHash(r).Bytes()...)
				if out := m.Execute(f, BlockContext{}, Call{From: alice, To: here, Data: data}, &Hooks{}); out.Status != Success {
					t.Errorf("%+v", out)
					return
				}
			}
			results[i] = worldString(t, f)
		})
	}
	group.Wait()
	if results[0] == "" || len(slices.Compact(results)) != 1 {
		t.Error("workers that did the same have different Worlds")
	}
	if worldString(t, w) != before {
		t.Error("the common World changed")
	}
}

// Workers may read a World after a Call while others fork it; the race detector watches.
func TestReadingIsFreeToRace(t *testing.T) {
	before := testWorld(t, map[common.Address]string{here: "00"})
	for range 200 {
		w := before.Fork()
		commitWord(w, here, common.Hash{31: 2}, common.Hash{31: 3})
		commitWord(w, here, common.Hash{31: 1}, common.Hash{31: 4})
		var group sync.WaitGroup
		for n := range 4 {
			group.Go(func() {
				seen := w
				if n%2 == 0 {
					seen = w.Fork()
				}
				if diff := seen.Diff(before); len(diff) != 1 || len(diff[0].Storage) != 2 {
					t.Errorf("the difference is %+v", diff)
				}
			})
		}
		group.Wait()
	}
}
