package evmtest

import (
	"errors"
	"hash/maphash"
	"math/rand/v2"
	"testing"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
)

var errUnplugged = errors.New("unplugged")

// A worldSource is a Source with the state of a World. It fails once it was asked
// too often.
type worldSource struct {
	world  *evm.World
	left   int // questions until it fails; negative: it never does
	failed int
}

func (s *worldSource) ask() error {
	if s.left == 0 {
		s.failed++
		return errUnplugged
	}
	s.left--
	return nil
}

func (s *worldSource) Account(addr common.Address) (a evm.SourceAccount, err error) {
	if err := s.ask(); err != nil {
		return a, err
	}
	a.Balance, a.Nonce = s.world.Balance(addr), s.world.Nonce(addr)
	if code := s.world.Code(addr); code != nil {
		a.Code = code.Bytes
	}
	return a, nil
}

func (s *worldSource) Storage(addr common.Address, key common.Hash) (common.Hash, error) {
	if err := s.ask(); err != nil {
		return common.Hash{}, err
	}
	return s.world.Storage(addr, key), nil
}

func (s *worldSource) BlockHash(number uint64) (common.Hash, error) {
	if err := s.ask(); err != nil {
		return common.Hash{}, err
	}
	return evm.BlockHash(number), nil
}

// unreal reports whether an account has storage that no chain's would have.
func unreal(w *evm.World) bool {
	for addr := range w.Accounts() {
		for range w.Slots(addr) {
			if w.Nonce(addr) == 0 && w.Code(addr) == nil {
				return true
			}
		}
	}
	return false
}

// TestSourcesMatchReference executes Calls on Worlds over a Source in all Modes,
// and compares them with go-ethereum's on the same state.
func TestSourcesMatchReference(t *testing.T) {
	c := NewChecker()
	for seed := range uint64(150) {
		r := rand.New(rand.NewPCG(seed, 20))
		tw, err := RandomTwin(r)
		if err != nil {
			t.Fatal(err)
		}
		if unreal(tw.World) {
			continue
		}
		tw.World = evm.NewBacking(evm.NewCodes(), &worldSource{world: tw.World, left: -1}).World()
		for range 8 {
			b, call := RandomCall(r)
			if _, err := c.Call(tw, b, call); err != nil {
				t.Fatalf("seed %d: %v", seed, err)
			}
		}
	}
	if c.Calls < 500 || c.Status[evm.Success] < 50 {
		t.Errorf("%d Calls with %v were compared", c.Calls, c.Status)
	}
}

// TestFailingSourcesEndCalls lets a Source fail at each of the questions of a
// Call. The Call has a *evm.SourceError and no effect, frames that opened are
// closed, and once the Source answers again the Call ends as if nothing had been.
func TestFailingSourcesEndCalls(t *testing.T) {
	failures := 0
	for seed := range uint64(60) {
		r := rand.New(rand.NewPCG(seed, 21))
		tw, err := RandomTwin(r)
		if err != nil {
			t.Fatal(err)
		}
		b, call := RandomCall(r)
		open := 0
		hooked := Mode{"hooks", func(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
			return m.Execute(w, b, c, &evm.Hooks{
				Enter: func(*evm.Frame) { open++ },
				Exit:  func(*evm.Frame, evm.Status, []byte, uint64, error) { open-- },
			})
		}}
		for _, mode := range append(Modes(), hooked, recorded(newTrace(maphash.MakeSeed()).recording)) {
			for left := 0; ; left++ {
				m, s := evm.NewMachine(), &worldSource{world: tw.World, left: left}
				backing := evm.NewBacking(evm.NewCodes(), s)
				w := backing.World()
				out := mode.Run(m, w, b, call)
				if open != 0 {
					t.Fatalf("seed %d, %s: %d frames stay open", seed, mode.Name, open)
				}
				if s.failed > 1 {
					t.Fatalf("seed %d, %s: asked %d times after an error", seed, mode.Name, s.failed)
				}
				if s.left > 0 || s.left == 0 && backing.Err() == nil {
					break // it needs no more
				}
				failures++
				var failed *evm.SourceError
				if out.Status != evm.Halt || !errors.As(out.Halt, &failed) || !errors.Is(out.Halt, errUnplugged) || !errors.Is(backing.Err(), errUnplugged) {
					t.Fatalf("seed %d, %s, after %d questions: %+v, %v", seed, mode.Name, left, out, backing.Err())
				}
				s.left = -1
				if diff := w.Diff(backing.World()); len(diff) > 0 {
					t.Fatalf("seed %d, %s: a Call without an end changed %+v", seed, mode.Name, diff)
				}
				fresh := evm.NewBacking(evm.NewCodes(), &worldSource{world: tw.World, left: -1}).World()
				want := mode.Run(m, fresh, b, call)
				if err := CompareOutcomes(mode.Run(m, w, b, call), want); err != nil {
					t.Fatalf("seed %d, %s, after a failure: %v", seed, mode.Name, err)
				}
			}
		}
	}
	if failures < 500 {
		t.Errorf("only %d failures", failures)
	}
}
