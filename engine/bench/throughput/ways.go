package throughput

import (
	"bytes"
	"fmt"
	"time"

	"leveret/engine/evm"
	"leveret/engine/evm/evmtest"
	"leveret/engine/exec"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// A way executes the Calls of a mix.
type way struct {
	name, means string
	prepare     func(x *mix) (*runner, error)
}

// A runner executes a Call in one way. Both leave the World of the mix as it
// is.
type runner struct {
	run     func(c *evm.Call)             // to be measured
	outcome func(c *evm.Call) evm.Outcome // the same, with the Outcome
}

// ways are all of them; ratios are to the first.
var ways = []way{
	{"bare", "go-ethereum without hooks: one EVM, state.StateDB, snapshot and revert around each call", prepareBare},
	{"machine", "Machine.Record without a Recorder", prepareMachine},
	{"recorded", "Machine.Record with the Recorder of campaigns, which has learned from taint runs", prepareRecorded},
	{"kept", "the same, and Fork, Commit and Logs of each call", prepareKept},
	{"hooks", "Machine.Execute on a Fork with an empty hook for each instruction", prepareHooks},
}

func prepareBare(x *mix) (*runner, error) {
	b, err := evmtest.NewBare(x.world, x.block, payer, x.to)
	if err != nil {
		return nil, err
	}
	return &runner{func(c *evm.Call) { _ = b.Call(c) }, b.Outcome}, nil
}

// plain is the runner of what gives an Outcome in any case.
func plain(outcome func(c *evm.Call) evm.Outcome) *runner {
	return &runner{func(c *evm.Call) { outcome(c) }, outcome}
}

func prepareMachine(x *mix) (*runner, error) {
	m := evm.NewMachine()
	return plain(func(c *evm.Call) evm.Outcome { return m.Record(x.world, x.block, *c, nil) }), nil
}

func prepareRecorded(x *mix) (*runner, error) {
	e := x.executor()
	return plain(func(c *evm.Call) evm.Outcome { return record(x, e, c) }), nil
}

func prepareKept(x *mix) (*runner, error) {
	e := x.executor()
	return plain(func(c *evm.Call) evm.Outcome {
		out := record(x, e, c)
		out.Logs = e.Machine.Logs()
		e.Machine.Commit(x.world.Fork())
		return out
	}), nil
}

func prepareHooks(x *mix) (*runner, error) {
	m, h := evm.NewMachine(), &evm.Hooks{Step: func(*evm.Step) {}}
	return plain(func(c *evm.Call) evm.Outcome { return m.Execute(x.world.Fork(), x.block, *c, h) }), nil
}

// record executes a Call as campaigns do.
func record(x *mix, e *exec.Executor, c *evm.Call) evm.Outcome {
	out := e.Machine.Record(x.world, x.block, *c, e.Recorder)
	e.Recorder.Finish(out.Status)
	return out
}

// executor returns an executor of a campaign that has seen all Calls with taint
// tracking: its Recorder knows where conditions come from.
func (x *mix) executor() *exec.Executor {
	s := search.NewSubject(x.program)
	e := s.NewExecutor(time.Now)
	for i := range x.calls {
		record(x, e, &x.calls[i]) // numbers the codes
		observer := shadow.New(shadow.NewState())
		e.Machine.Execute(x.world.Fork(), x.block, x.calls[i], observer.Hooks())
		decisions := make([]*shadow.Decision, len(observer.Branches))
		for i := range decisions {
			decisions[i] = &observer.Branches[i]
		}
		s.Cover.Learn(decisions)
	}
	return e
}

// compare checks that each Call succeeds and that its status, return data and gas
// are the same in all ways.
func compare(x *mix, prepared []*runner) error {
	for i := range x.calls {
		c := &x.calls[i]
		want := prepared[0].outcome(c)
		if want.Status != evm.Success {
			return fmt.Errorf("%s: call %d, %x, fails: %+v", x.name, i, c.Data, want)
		}
		for w, r := range prepared {
			got := r.outcome(c)
			if got.Status != want.Status || got.GasUsed != want.GasUsed || got.Refund != want.Refund || !bytes.Equal(got.Return, want.Return) {
				return fmt.Errorf("%s, %s: call %d, %x\n got %+v\nwant %+v", x.name, ways[w].name, i, c.Data, got, want)
			}
		}
	}
	return nil
}

// A counted is a Recorder with the number of times that it began.
type counted struct {
	evm.Recorder
	begun int
}

// Begin implements evm.Recorder.
func (r *counted) Begin() {
	r.begun++
	r.Recorder.Begin()
}

// count returns the instructions of a Call on average, and how many Calls begin
// again in the exact mode if they are recorded.
func (x *mix) count() (opcodes float64, restarts int) {
	steps := 0
	m, h := evm.NewMachine(), &evm.Hooks{Step: func(*evm.Step) { steps++ }}
	e := x.executor()
	r := &counted{Recorder: e.Recorder}
	for i := range x.calls {
		m.Execute(x.world.Fork(), x.block, x.calls[i], h)
		e.Machine.Record(x.world, x.block, x.calls[i], r)
	}
	return float64(steps) / float64(len(x.calls)), r.begun - len(x.calls)
}
