package evm_test

import (
	"math/rand/v2"
	"testing"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
	"leveret/solc/solctest"
)

// TestRandomProgramsAgreeWithStateDB runs random Calls of random programs on
// Worlds and on go-ethereum's StateDB, and compares every step.
func TestRandomProgramsAgreeWithStateDB(t *testing.T) {
	for _, s := range evmtest.Scenarios() {
		t.Run(s.Name, func(t *testing.T) {
			checkScenario(t, s, 50*s.Weight)
		})
	}
}

func TestRandomProgramsAgreeWithStateDBLong(t *testing.T) {
	solctest.Long(t)
	for _, s := range evmtest.Scenarios() {
		t.Run(s.Name, func(t *testing.T) { checkScenario(t, s, 600*s.Weight) })
	}
}

func checkScenario(t *testing.T, s evmtest.Scenario, calls int) {
	c := evmtest.NewChecker()
	for round := uint64(0); c.Calls < calls; round++ {
		if err := c.Round(s, 2, round); err != nil {
			t.Fatal(err)
		}
	}
	t.Log(c.Calls, c.Status, c.Halts)
}

// FuzzBytecode runs any bytes as a contract, with the given gas and less,
// several times on the same state.
func FuzzBytecode(f *testing.F) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 5))
		f.Add(evmtest.AnyProgram(r), []byte{byte(seed), 1, 2, 3}, uint64(r.IntN(1_000_000)))
	}
	c := evmtest.NewChecker()
	f.Fuzz(func(t *testing.T, code, data []byte, gas uint64) {
		if len(code) == 0 {
			return
		}
		tw := newTwin(t)
		tw.Set(evmtest.Alice, 100, nil)
		tw.Set(evmtest.Here, 3, code)
		call := evm.Call{From: evmtest.Alice, To: evmtest.Here, Data: data, Gas: 1 + gas%1_000_000}
		for range 2 {
			out := check(t, c, tw, evm.BlockContext{Number: 5}, call)
			for _, enough := range []uint64{out.GasUsed, max(1, out.GasUsed) - 1, 1 + gas>>32%(1+out.GasUsed)} {
				short := call
				short.Gas = max(1, enough)
				check(t, c, tw.Fork(), evm.BlockContext{Number: 5}, short)
			}
		}
	})
}

// FuzzPrograms lets the fuzzer make the choices of the random programs.
func FuzzPrograms(f *testing.F) {
	for seed := range uint64(40) {
		r := rand.New(rand.NewPCG(seed, 6))
		choices := make([]byte, 40*seed)
		for i := range choices {
			choices[i] = byte(r.Uint32())
		}
		f.Add(byte(seed), choices)
	}
	c := evmtest.NewChecker()
	scenarios := evmtest.Scenarios()
	f.Fuzz(func(t *testing.T, scenario byte, choices []byte) {
		s := scenarios[int(scenario)%len(scenarios)]
		if err := s.Run(c, rand.New(&evmtest.Choices{Bytes: choices})); err != nil {
			t.Fatal(err)
		}
	})
}

func newTwin(t testing.TB) *evmtest.Twin {
	tw, err := evmtest.NewTwin()
	if err != nil {
		t.Fatal(err)
	}
	return tw
}

func check(t testing.TB, c *evmtest.Checker, tw *evmtest.Twin, b evm.BlockContext, call evm.Call) evm.Outcome {
	out, err := c.Call(tw, b, call)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
