package engine

import (
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/program"
)

// A state is where a Tx starts: a World that nobody changes any more, and the
// block before it.
type state struct {
	world *evm.World
	block evm.Block
}

// A candidate is an input about to be tried.
type candidate struct {
	sequence input.Sequence
	from     int     // first Tx that no known state covers
	states   []state // before Txs[0] … Txs[from]
	source   *source

	parent  *corpus.Entry // what it was made from; nil for seeds
	change  mutate.Change // how it differs from the parent
	solving *solving      // the prediction it belongs to, if any
	steps   int           // inputs of that prediction so far
	aim     *aim          // what it was made for; nil: nothing in particular
	storage []override    // aggressive mode [HARVEY 5]: words put in before the last Tx
	easing  *easing       // of the Dream that storage makes up; nil: none
}

// loose reports whether c goes on without a Tx that fails before the last one:
// where sequences are put together from parts, some parts do not fit, and what
// is left may still be worth something.
func (c *candidate) loose() bool { return c.change.Shape && c.solving == nil }

// An override is a storage word that aggressive mode makes up.
type override struct {
	slot  cover.Slot
	value common.Hash
	mask  uint256.Int // the bits of value that are made up; 0: all
	name  bool        // no number: there is nothing between it and the truth
}

// A result is what became of a candidate.
type result struct {
	*candidate
	run     cover.Run // the last Tx's
	outcome evm.Outcome
	states  []state // before each Tx
	after   *evm.World
	stuck   bool // a Tx before the last one failed: the last one did not run
	ran     int  // transactions executed
}

// An executor runs candidates, one at a time.
type executor struct {
	machine  *evm.Machine
	recorder *cover.Recorder
	calldata []byte
	now      func() time.Time
	agents   finding.Effort // inputs in which the attacker's contract refuses, burns gas or re-enters
}

// newExecutor returns an executor whose Recorder watches all code but agents'.
func (c *campaign) newExecutor() *executor {
	x := &executor{machine: evm.NewMachine(), now: c.options.Now}
	x.recorder = cover.NewRecorder(c.cover, c.watched)
	x.recorder.Probe = c.probe
	x.recorder.Topics = c.topics
	x.recorder.Agent = input.Attacker.Address()
	return x
}

// transact runs one Tx on a copy of s.
func (x *executor) transact(s state, tx *input.Tx, storage []override, hooks *evm.Hooks) (state, evm.Outcome) {
	next := state{s.world.Fork(), s.block.After(tx.Delay)}
	for _, o := range storage {
		next.world.SetStorage(o.slot.Address, o.slot.Key, o.value)
	}
	if tx.Agent != nil {
		instruct(next.world, tx.Agent)
		defer dismiss(next.world, tx.Agent)
	}
	x.calldata = tx.AppendCalldata(x.calldata[:0])
	call := evm.TxCall(tx, x.calldata)
	asked := program.IsProperty(tx.Function)
	if asked {
		call.From = input.Deployer.Address()
	}
	outcome := x.machine.Execute(next.world, next.block, call, hooks)
	if asked { // what it changes on the way does not count
		next.world = s.world.Fork()
	}
	return next, outcome
}

// imaginedSteps is the instruction cap of runs with made-up storage: a length
// that is made up is a loop without end.
const imaginedSteps = 50_000

// denied tells a property that returned false from one that went the same way
// and returned true: to compare need not be to branch.
const denied cover.PathID = 0x9e3779b97f4a7c15

func denies(tx *input.Tx, o *evm.Outcome) bool {
	return program.IsProperty(tx.Function) && o.Status == evm.Success && len(o.Return) >= 32 && common.BytesToHash(o.Return[:32]) == common.Hash{}
}

// run executes c. Only the last Tx is watched: what comes before sets the
// state up for it [HARVEY 3.2].
func (x *executor) run(c *candidate) result {
	r := result{candidate: c}
	r.states = c.states[: c.from+1 : c.from+1]
	for i := c.from; i < len(c.sequence.Txs)-1; {
		next, outcome := x.transact(r.states[i], &c.sequence.Txs[i], nil, nil)
		r.ran++
		switch {
		case outcome.Status == evm.Success:
			r.states = append(r.states, next)
			i++
		case c.loose() && outcome.Halt != evm.ErrCancelled:
			c.sequence = c.sequence.Without(i)
		default:
			r.stuck, r.outcome = true, outcome
			return r
		}
	}
	last := len(c.sequence.Txs) - 1
	x.machine.Steps = 0
	if c.storage != nil {
		x.machine.Steps = imaginedSteps
	}
	next, outcome, run := x.watch(r.states[last], &c.sequence.Txs[last], c.storage)
	r.ran++
	r.after, r.outcome, r.run = next.world, outcome, *run
	if denies(&c.sequence.Txs[last], &outcome) {
		r.run.Path ^= denied
	}
	return r
}
