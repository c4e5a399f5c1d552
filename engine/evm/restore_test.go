package evm_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
)

// A meddler is an Inspector that does something in place of a call's code.
type meddler struct {
	state *evm.State
	does  func(*evm.State)
	ends  func(*evm.State)
}

func (m *meddler) Begin(s *evm.State, _ *evm.Env) { m.state = s }
func (m *meddler) End() *evm.Env                  { return nil }
func (m *meddler) Before(_ *evm.Frame, msg *evm.Message) *evm.Ending {
	m.does(m.state)
	return &evm.Ending{Left: msg.Gas}
}
func (m *meddler) After(*evm.Frame, *evm.Message, *evm.Ending) {
	if m.ends != nil {
		m.ends(m.state)
	}
}
func (m *meddler) Log(*evm.Frame, *evm.Log) {}
func (m *meddler) Step(*evm.Step)           {}

// meddle changes a few accounts at random.
func meddle(r *rand.Rand, s *evm.State) {
	for range r.IntN(12) {
		a, n := common.Address{19: byte(100 + r.IntN(4))}, uint64(r.IntN(4))
		switch r.IntN(4) {
		case 0:
			s.SetBalance(a, uint256.NewInt(n))
		case 1:
			s.SetNonce(a, n)
		case 2:
			s.SetCode(a, make([]byte, n))
		case 3:
			s.Store(a, common.Hash{31: byte(r.IntN(3))}, common.Hash{31: byte(n)})
		}
	}
}

// describe returns the state of the accounts that meddle changes.
func describe(s *evm.State) (text string) {
	for i := range 4 {
		a := common.Address{19: byte(100 + i)}
		wei := s.Balance(a)
		text += fmt.Sprintln(i, wei.Dec(), s.Nonce(a), len(s.Code(a)))
		if s.Exists(a) { // storage of others ends with the Call
			text += fmt.Sprintln(s.Slots(a))
		}
	}
	return text
}

// In its Call, Restore takes back what the access list got.
func TestRestoreAccessList(t *testing.T) {
	w, m := evm.NewWorld(evm.NewCodes()), evm.NewMachine()
	before, after := common.Hash{31: 1}, common.Hash{31: 2}
	m.Inspector = &meddler{does: func(s *evm.State) {
		s.Touch(evmtest.Bob, &before)
		at := s.Snapshot()
		s.Touch(evmtest.Bob, &after)
		s.Restore(s.Changes(at, true))
		if !s.Warmed(evmtest.Bob, before) || s.Warmed(evmtest.Bob, after) {
			t.Errorf("warm: %v before the snapshot, %v after it", s.Warmed(evmtest.Bob, before), s.Warmed(evmtest.Bob, after))
		}
	}}
	m.Execute(w, evm.BlockContext{Number: 1}, evm.Call{From: evmtest.Alice, To: evmtest.Bob}, nil)
}

// What Restore undoes is as it was: in the same Call, and in one after others.
func TestRestore(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		w, m := evm.NewWorld(evm.NewCodes()), evm.NewMachine()
		w.SetBalance(evmtest.Alice, uint256.NewInt(1000))
		inspector := &meddler{}
		m.Inspector = inspector
		call := func(does, ends func(*evm.State)) {
			inspector.does, inspector.ends = does, ends
			m.Execute(w, evm.BlockContext{Number: 1}, evm.Call{From: evmtest.Alice, To: evmtest.Bob}, nil)
		}
		call(func(s *evm.State) { meddle(r, s) }, nil)
		var want string
		var past [][]evm.Change
		at := 0
		call(func(s *evm.State) {
			want = describe(s)
			meddle(r, s)
			meddle(r, s)
			s.Restore(s.Changes(at, true))
			if got := describe(s); got != want {
				t.Fatalf("seed %d: in the Call\n%snot\n%s", seed, got, want)
			}
			meddle(r, s)
		}, func(s *evm.State) { past = append(past, s.Changes(at, false)) })
		for range 2 {
			call(func(s *evm.State) { meddle(r, s) }, func(s *evm.State) { past = append(past, s.Changes(0, false)) })
		}
		call(func(s *evm.State) {
			meddle(r, s)
			s.Restore(s.Changes(0, true))
			for i := range past {
				s.Restore(past[len(past)-1-i])
			}
			if got := describe(s); got != want {
				t.Fatalf("seed %d: after Calls\n%snot\n%s", seed, got, want)
			}
		}, nil)
	}
}
