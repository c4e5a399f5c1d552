// Package evmtest compares executions of engine/evm with go-ethereum's
// interpreter on its own state: Outcomes, state and, instruction by
// instruction, the steps. It generates the programs and Calls to compare.
//
// Tests and benchmarks import it, the product does not.
package evmtest

import (
	"fmt"
	"hash/maphash"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A Mode is a way to execute a Call. All Modes have the same Outcome and state.
type Mode struct {
	Name string
	Run  func(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome
}

// Modes returns the Modes of a Machine besides the one with a trace.
func Modes() []Mode {
	return []Mode{
		{"bare", func(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
			return m.Execute(w, b, c, nil)
		}},
		{"exact", func(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
			m.Exact = true
			defer func() { m.Exact = false }()
			return m.Execute(w, b, c, nil)
		}},
	}
}

// recorded is the Mode that tells r.
func recorded(r *recording) Mode {
	return Mode{"recorded", func(m *evm.Machine, w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
		out := m.Record(w, b, c, r)
		if out.Status == evm.Success {
			out.Logs = m.Logs()
			m.Commit(w)
		}
		return out
	}}
}

// A Twin is a World and its Reference.
type Twin struct {
	World     *evm.World
	Reference *Reference
}

// NewTwin returns a Twin without accounts.
func NewTwin() (*Twin, error) {
	r, err := NewReference()
	if err != nil {
		return nil, err
	}
	return &Twin{evm.NewWorld(evm.NewCodes()), r}, nil
}

// TwinOf returns a Twin with a Fork of w and the same state.
func TwinOf(w *evm.World) (*Twin, error) {
	r, err := NewReference()
	if err != nil {
		return nil, err
	}
	r.load(w)
	return &Twin{w.Fork(), r}, nil
}

// Fork copies a Twin.
func (tw *Twin) Fork() *Twin { return &Twin{tw.World.Fork(), tw.Reference.Fork()} }

// Set makes an account with wei and code; nil is no code.
func (tw *Twin) Set(addr common.Address, wei uint64, code []byte) {
	tw.World.SetBalance(addr, uint256.NewInt(wei))
	if len(code) > 0 {
		tw.World.SetCode(addr, code)
	}
	tw.Reference.set(addr, uint256.NewInt(wei), code)
}

// SetStorage writes a word of an existing account.
func (tw *Twin) SetStorage(addr common.Address, key, value common.Hash) {
	tw.World.SetStorage(addr, key, value)
	tw.Reference.setStorage(addr, key, value)
}

// A Checker executes Calls on a Machine, in all Modes and with a trace, and on
// References.
type Checker struct {
	machine   *evm.Machine
	modes     []Mode
	hooks     *evm.Hooks
	got, want *trace

	Calls  int            // executed
	Slow   int            // of them those that the instruction cap stopped
	Status [3]int         // their Outcomes, by Status
	Ops    [256]int       // instructions by opcode, without those that failed
	Halts  map[string]int // frames by why they halted
}

// NewChecker returns a Checker of a new Machine.
func NewChecker() *Checker {
	seed := maphash.MakeSeed()
	c := &Checker{machine: evm.NewMachine(), got: newTrace(seed), want: newTrace(seed)}
	c.modes = append(Modes(), recorded(c.got.recording))
	c.Halts = make(map[string]int)
	c.hooks, c.want.ops, c.want.halts = c.got.hooks(), &c.Ops, c.Halts
	return c
}

// Call executes call in block b on tw and describes the first difference. The
// reference has no cap on instructions: a Call that reaches it is only compared
// among the Modes, and leaves tw as it was.
func (c *Checker) Call(tw *Twin, b evm.BlockContext, call evm.Call) (evm.Outcome, error) {
	before := tw.World.Fork()
	c.got.reset()
	got := c.machine.Execute(tw.World, b, call, c.hooks)
	c.Calls++
	if got.Slow {
		c.Slow++
		return got, compareModes(c.machine, c.modes, before, tw.World, b, call, got)
	}
	c.want.reset()
	want := tw.Reference.execute(b, call, c.want)
	c.Status[want.Status]++
	err := compareTraces(c.got, c.want)
	if err == nil {
		err = CompareOutcomes(got, want)
	}
	if err == nil {
		err = tw.Reference.Compare(tw.World)
	}
	if err != nil {
		return want, fmt.Errorf("with a trace: %w\ncall %+v\nblock %+v", err, call, b)
	}
	if err := compareModes(c.machine, c.modes, before, tw.World, b, call, want); err != nil {
		return want, err
	}
	if err := compareRecordings(c.got.recording, c.want.recording); err != nil {
		return want, fmt.Errorf("recorded: %w\ncall %+v\nblock %+v", err, call, b)
	}
	return want, nil
}

// CompareModes executes call on forks of before in all Modes, and describes the
// first difference to an Outcome and to the World that came out.
func CompareModes(m *evm.Machine, before, after *evm.World, b evm.BlockContext, call evm.Call, want evm.Outcome) error {
	return compareModes(m, Modes(), before, after, b, call, want)
}

func compareModes(m *evm.Machine, modes []Mode, before, after *evm.World, b evm.BlockContext, call evm.Call, want evm.Outcome) error {
	for _, mode := range modes {
		w := before.Fork()
		got := mode.Run(m, w, b, call)
		err := CompareOutcomes(got, want)
		if err == nil {
			err = sameWorld(w, after)
		}
		if err != nil {
			return fmt.Errorf("%s: %w\ncall %+v\nblock %+v", mode.Name, err, call, b)
		}
	}
	return nil
}

// sameWorld describes the difference of two Worlds; nil if there is none.
func sameWorld(got, want *evm.World) error {
	if diff := got.Diff(want); len(diff) > 0 {
		return fmt.Errorf("state differs, wanted before, got after: %+v", diff)
	}
	return nil
}
