package evm

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"leveret/solc/solctest"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// A twin is a World and its reference.
type twin struct {
	world     *World
	reference *reference
}

func (tw twin) fork() twin { return twin{tw.world.Fork(), tw.reference.fork()} }

// randomTwin sets up a World of random programs.
func randomTwin(t testing.TB, r *rand.Rand) twin {
	tw := twin{NewWorld(NewCodes()), newReference(t)}
	set := func(addr common.Address, wei uint64, code []byte) {
		tw.world.SetBalance(addr, uint256.NewInt(wei))
		if len(code) > 0 {
			tw.world.SetCode(addr, code)
		}
		tw.reference.set(addr, wei, code)
	}
	set(alice, 1_000_000, nil)
	set(bob, 1_000, nil)
	for i := range 8 {
		set(contractAddress(i), uint64(r.IntN(20)), randomProgram(r, 0))
	}
	return tw
}

func randomCall(r *rand.Rand) (BlockContext, Call) {
	data := make([]byte, r.IntN(96))
	for i := range data {
		data[i] = byte(r.IntN(4))
	}
	c := Call{From: []common.Address{alice, bob}[r.IntN(2)], To: pool[r.IntN(len(pool))], Data: data}
	if r.IntN(3) > 0 {
		c.To = contractAddress(r.IntN(8))
	}
	if r.IntN(8) == 0 {
		c.Create, c.Data = true, deploying(randomProgram(r, 1))
	}
	c.Value.SetUint64(uint64(max(0, r.IntN(8)-4)))
	if r.IntN(40) == 0 {
		c.Value.SetUint64(1 << 40)
	}
	c.Gas = uint64(20_000 + r.IntN(600_000))
	b := BlockContext{Number: uint64(r.IntN(300)), Timestamp: r.Uint64(), GasLimit: DefaultGas, Coinbase: bob}
	b.Prevrandao[3] = byte(r.IntN(256))
	b.BaseFee.SetUint64(uint64(r.IntN(3)))
	return b, c
}

// TestRandomProgramsAgreeWithStateDB runs random Calls of random programs on
// Worlds and on go-ethereum's StateDB. Forks are taken and left at random, so
// a change that shows through a Fork is a difference too.
func TestRandomProgramsAgreeWithStateDB(t *testing.T) { checkRandomPrograms(t, 100) }

func TestRandomProgramsAgreeWithStateDBLong(t *testing.T) {
	solctest.Long(t)
	checkRandomPrograms(t, 400)
}

func checkRandomPrograms(t *testing.T, seeds int) {
	m := NewMachine()
	counts := map[string]int{}
	for seed := range uint64(seeds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, 1))
			kept := []twin{randomTwin(t, r)}
			for range 25 {
				i := r.IntN(len(kept))
				tw := kept[i]
				if len(kept) < 6 && r.IntN(3) > 0 {
					tw = tw.fork()
					kept = append(kept, tw)
				}
				b, c := randomCall(r)
				var h *Hooks
				switch r.IntN(3) {
				case 0:
					h = &Hooks{Step: func(s *Step) { counts[opName(s.Op)]++ }}
				case 1:
					h = &Hooks{Lean: true, Ops: []byte{byte(vm.JUMPI), byte(vm.SSTORE)}, Step: func(*Step) {}}
				}
				got := m.Execute(tw.world, b, c, h)
				compareOutcomes(t, got, tw.reference.execute(b, c))
				compareStates(t, tw.world, tw.reference)
				counts[fmt.Sprintf("status %d", got.Status)]++
			}
			for _, tw := range kept {
				compareStates(t, tw.world, tw.reference)
			}
		})
	}
	t.Log(counts)
	enough := seeds / 4
	for _, name := range []string{"SELFDESTRUCT", "CREATE", "CREATE2", "TSTORE", "DELEGATECALL", "CALLCODE", "STATICCALL", "LOG2", "EXTCODECOPY"} {
		if counts[name] < enough {
			t.Errorf("%s ran %d times: the programs do not test it", name, counts[name])
		}
	}
	for status := range 3 {
		if name := fmt.Sprintf("status %d", status); counts[name] < enough {
			t.Errorf("%s came about %d times", name, counts[name])
		}
	}
}

// FuzzBytecode runs any bytes as a contract, twice on the same World, beside
// go-ethereum's StateDB.
func FuzzBytecode(f *testing.F) {
	for seed := range uint64(20) {
		r := rand.New(rand.NewPCG(seed, 5))
		f.Add(randomProgram(r, 0), []byte{byte(seed), 1, 2, 3}, uint64(r.IntN(1_000_000)))
	}
	m := NewMachine()
	f.Fuzz(func(t *testing.T, code, data []byte, gas uint64) {
		if len(code) == 0 {
			return
		}
		tw := twin{NewWorld(NewCodes()), newReference(t)}
		tw.world.SetBalance(alice, uint256.NewInt(100))
		tw.reference.set(alice, 100, nil)
		tw.world.SetBalance(here, uint256.NewInt(3))
		tw.world.SetCode(here, code)
		tw.reference.set(here, 3, code)
		c := Call{From: alice, To: here, Data: data, Gas: 1 + gas%1_000_000}
		for _, h := range []*Hooks{nil, {}, {Lean: true}} {
			got := m.Execute(tw.world, BlockContext{Number: 5}, c, h)
			compareOutcomes(t, got, tw.reference.execute(BlockContext{Number: 5}, c))
			compareStates(t, tw.world, tw.reference)
		}
	})
}
