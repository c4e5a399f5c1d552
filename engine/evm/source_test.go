package evm

import (
	"errors"
	"math/rand/v2"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A modelSource is a Source with the state of a model, which counts questions.
type modelSource struct {
	model model
	err   error // answer to everything; nil: the state

	mu    sync.Mutex
	asked map[string]int
}

func (s *modelSource) ask(question string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[question]++
	return s.err
}

func (s *modelSource) Account(addr common.Address) (a SourceAccount, err error) {
	if m := s.model[addr]; m != nil {
		a = SourceAccount{Balance: *uint256.NewInt(m.wei), Nonce: m.nonce, Code: []byte(m.code)}
	}
	return a, s.ask("account " + addr.String())
}

func (s *modelSource) Storage(addr common.Address, key common.Hash) (value common.Hash, err error) {
	if m := s.model[addr]; m != nil {
		value = m.storage[key]
	}
	return value, s.ask("word " + addr.String() + key.String())
}

func (s *modelSource) BlockHash(number uint64) (common.Hash, error) {
	if number >= 100 {
		return common.Hash{}, s.ask("later block")
	}
	return common.Hash{31: byte(number)}, s.ask("block")
}

// readAll reads everything that changeBoth may have changed.
func readAll(w *World) {
	for i := range 5 {
		addr := common.BytesToAddress([]byte{0xaa, byte(i)})
		w.Balance(addr)
		for key := range 40 {
			w.Storage(addr, common.Hash{31: byte(key)})
		}
	}
}

// randomModel has accounts as a chain has them: only contracts have storage.
func randomModel(r *rand.Rand) model {
	m := model{}
	for range 5 {
		a := m.account(fewAddress(r))
		a.wei, a.nonce = uint64(r.IntN(3)), uint64(r.IntN(2))
		if r.IntN(2) == 0 {
			a.code = string(make([]byte, 1+r.IntN(3)))
			for range r.IntN(30) {
				a.storage[common.Hash{31: byte(r.IntN(40))}] = fewHash(r)
			}
		}
	}
	m.settle()
	return m
}

// TestWorldsOverSourcesAreAsMaps does as TestWorldsAreAsMaps over a Source, and
// moves accounts between Worlds over two.
func TestWorldsOverSourcesAreAsMaps(t *testing.T) {
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 5))
		codes := NewCodes()
		var worlds []*World
		var models []model
		var sources []*modelSource
		for range 2 {
			s := &modelSource{model: randomModel(r)}
			sources = append(sources, s)
			worlds, models = append(worlds, NewBacking(codes, s).World()), append(models, s.model.fork())
		}
		for range 300 {
			i := r.IntN(len(worlds))
			switch r.IntN(20) {
			case 0:
				worlds, models = append(worlds, worlds[i].Fork()), append(models, models[i].fork())
			case 1:
				j, addr := r.IntN(len(worlds)), fewAddress(r)
				worlds[i].Adopt(worlds[j], addr)
				adopted := models[j].fork()[addr]
				delete(models[i], addr)
				if adopted != nil {
					models[i][addr] = adopted
				}
			}
			changeBoth(r, worlds[i], models[i])
		}
		for i, w := range worlds {
			readAll(w)
			if got, want := worldString(t, w), models[i].String(); got != want {
				t.Fatalf("seed %d, World %d\n got %s\nwant %s", seed, i, got, want)
			}
			checkDiff(t, w, worlds[r.IntN(len(worlds))])
		}
		for _, s := range sources {
			for question, times := range s.asked {
				if times > 1 {
					t.Fatalf("seed %d: asked %d times for %s", seed, times, question)
				}
			}
		}
	}
}

// Worlds know of a Source what was read. Accounts that are no contracts are not
// asked for storage.
func TestWorldsKnowWhatWasRead(t *testing.T) {
	token := &modelAccount{nonce: 1, code: "\x00", storage: map[common.Hash]common.Hash{{31: 1}: {31: 7}, {31: 2}: {31: 8}}}
	s := &modelSource{model: model{here: token, alice: {wei: 5, storage: map[common.Hash]common.Hash{}}}}
	w := NewBacking(NewCodes(), s).World()
	for range w.Accounts() {
		t.Error("an account is known that was not read")
	}
	if !w.Exists(here) || w.Exists(bob) || w.Storage(here, common.Hash{31: 1}) != (common.Hash{31: 7}) {
		t.Error("the state is not that of the Source")
	}
	w.Storage(alice, common.Hash{})
	count := 0
	for range w.Slots(here) {
		count++
	}
	if count != 1 || len(s.asked) != 4 {
		t.Errorf("%d words are known after %v", count, s.asked)
	}
}

// The hash of a block is the Source's up to its own block, the Machine's after it.
func TestBlockHashesOfSources(t *testing.T) {
	// mstore(0, blockhash(calldataload(0))); return(0, 32)
	s := &modelSource{model: model{here: {code: string(code(t, "5f35405f5260205ff3"))}}}
	w := NewBacking(NewCodes(), s).World()
	for _, exact := range []bool{false, true} {
		m := NewMachine()
		m.Exact = exact
		for number, want := range map[uint64]common.Hash{99: {31: 99}, 100: BlockHash(100), 102: {}} {
			data := uint256.NewInt(number).Bytes32()
			out := m.Execute(w.Fork(), BlockContext{Number: 102}, Call{From: alice, To: here, Data: data[:]}, nil)
			if common.BytesToHash(out.Return) != want {
				t.Errorf("the hash of block %d is %x, want %x", number, out.Return, want)
			}
		}
	}
	s.err = errors.New("unplugged")
	data := uint256.NewInt(98).Bytes32()
	out := NewMachine().Execute(w.Fork(), BlockContext{Number: 102}, Call{From: alice, To: here, Data: data[:]}, nil)
	if !errors.Is(out.Halt, s.err) {
		t.Errorf("without an answer: %+v", out)
	}
}

// Reads outside of Calls that fail are remembered; reading again asks again.
func TestReadsOfFailingSources(t *testing.T) {
	s := &modelSource{err: errors.New("unplugged"), model: model{here: {wei: 7, code: "\x00", storage: map[common.Hash]common.Hash{{}: {31: 9}}}}}
	b := NewBacking(NewCodes(), s)
	w := b.World()
	if got := w.Balance(here); !got.IsZero() || b.Err() != s.err {
		t.Errorf("%v, %v", &got, b.Err())
	}
	broken := b.World()
	broken.Adopt(w, here)
	s.err = nil
	if got := w.Balance(here); got.Uint64() != 7 || w.Storage(here, common.Hash{}) != (common.Hash{31: 9}) {
		t.Errorf("%v after the failure", &got)
	}
	out := NewMachine().Execute(broken, BlockContext{}, Call{From: alice, To: here}, nil)
	if failed := (*SourceError)(nil); !errors.As(out.Halt, &failed) {
		t.Errorf("an account that could not be adopted: %+v", out)
	}
	if b.Err() == nil {
		t.Error("the error is forgotten")
	}
}

// TestSourcesAreFreeToRace lets workers execute on one Backing; the race detector
// watches. None asks what another did.
func TestSourcesAreFreeToRace(t *testing.T) {
	// sstore(calldataload(0), add(sload(calldataload(0)), balance(calldataload(32))))
	a := &modelAccount{code: string(code(t, "60203531"+"5f3554"+"01"+"5f35"+"5500")), storage: map[common.Hash]common.Hash{}}
	for i := range 4 {
		a.storage[common.BytesToHash([]byte{byte(i)})] = common.Hash{31: byte(i)}
	}
	s := &modelSource{model: model{here: a, alice: {wei: 1000}}}
	w := NewBacking(NewCodes(), s).World()
	var group sync.WaitGroup
	results := make([]string, 4)
	for i := range results {
		group.Go(func() {
			r := rand.New(rand.NewPCG(7, 7))
			m, f := NewMachine(), w.Fork()
			for range 300 {
				data := append(fewHash(r).Bytes(), common.BytesToHash(fewAddress(r).Bytes()).Bytes()...)
				if out := m.Execute(f, BlockContext{}, Call{From: alice, To: here, Data: data}, nil); out.Status != Success {
					t.Errorf("%+v", out)
					return
				}
			}
			results[i] = worldString(t, f)
		})
	}
	group.Wait()
	for _, got := range results {
		if got != results[0] {
			t.Errorf("workers that did the same have different Worlds")
		}
	}
	for question, times := range s.asked {
		if times > 1 {
			t.Errorf("asked %d times for %s", times, question)
		}
	}
}
