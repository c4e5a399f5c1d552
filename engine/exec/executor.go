// Package exec executes sequences of transactions on states, and counts the work.
package exec

import (
	"bytes"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
)

// A State is where a transaction starts: a World that no longer changes, and
// the block of the transaction before.
type State struct {
	World *evm.World
	Block evm.BlockContext
}

// A Job is a sequence to execute.
type Job struct {
	Sequence    input.Sequence
	From        int        // first transaction that no known state covers
	States      []State    // before transactions 0 … from
	Storage     []Override // words to set before the last transaction [HARVEY 5, aggressive mode]
	DropFailing bool       // drop failing transactions before the last one instead of stopping
}

// An Override is a storage word that aggressive mode sets.
type Override struct {
	Slot     evm.Slot
	Value    common.Hash
	Mask     uint256.Int // the bits of Value to set; 0: all
	Identity bool        // an identity: no value lies between it and another
}

// A Result is what became of a job.
type Result struct {
	Run          cover.Run // the last transaction's
	Outcome      evm.Outcome
	States       []State // before each transaction
	After        *evm.World
	PrefixFailed bool // a transaction before the last one failed: the last one did not run
	Ran          int  // transactions executed
}

// An Executor runs jobs, one at a time.
type Executor struct {
	Machine  *evm.Machine
	Recorder *cover.Recorder
	calldata []byte
	now      func() time.Time
	Scripted finding.Effort // jobs in which the attacker contract is scripted
}

// New returns an executor that records coverage in a map, of the code
// that watched selects. probe is a storage key that no contract uses; topics
// are those of events that stand for failed assertions.
func New(m *cover.Map, watched func(*evm.Code) bool, probe common.Hash, topics map[common.Hash]bool, now func() time.Time) *Executor {
	x := &Executor{Machine: evm.NewMachine(), now: now}
	x.Recorder = cover.NewRecorder(m, watched)
	x.Recorder.Probe = probe
	x.Recorder.Topics = topics
	x.Recorder.Attacker = input.Attacker.Address()
	return x
}

// Transact runs a transaction on a copy of s.
func (x *Executor) Transact(s State, tx *input.Tx, storage []Override, hooks *evm.Hooks) (State, evm.Outcome) {
	return x.transact(s, tx, storage, func(w *evm.World, b evm.BlockContext, c evm.Call) evm.Outcome {
		return x.Machine.Execute(w, b, c, hooks)
	})
}

// transact runs a transaction on a copy of s by a method of the Machine.
func (x *Executor) transact(s State, tx *input.Tx, storage []Override, run func(*evm.World, evm.BlockContext, evm.Call) evm.Outcome) (State, evm.Outcome) {
	next := State{s.World.Fork(), s.Block.After(tx.Delay)}
	for _, o := range storage {
		next.World.SetStorage(o.Slot.Address, o.Slot.Key, o.Value)
	}
	if tx.Script != nil {
		WriteScript(next.World, tx.Script)
		defer dismiss(next.World, tx.Script)
	}
	x.calldata = tx.AppendCalldata(x.calldata[:0])
	call := evm.TxCall(tx, x.calldata)
	asked := program.IsProperty(tx.Function)
	if asked {
		call.From = input.Deployer.Address()
	}
	outcome := run(next.World, next.Block, call)
	if asked { // undo its changes
		next.World = s.World.Fork()
	}
	return next, outcome
}

// maxStepsWithStorage limits the instructions of runs with overrides: an
// overridden length is an endless loop.
const maxStepsWithStorage = 50_000

// failedPath marks the path of a property that returned false: it may take the
// same branches as one that returned true.
const failedPath cover.PathID = 0x9e3779b97f4a7c15

func fails(tx *input.Tx, o *evm.Outcome) bool {
	return program.IsProperty(tx.Function) && o.Status == evm.Success && len(o.Return) >= 32 && common.BytesToHash(o.Return[:32]) == common.Hash{}
}

// Run executes a job and measures the effort if the attacker contract is
// scripted in it.
func (x *Executor) Run(j *Job) Result {
	if slices.ContainsFunc(j.Sequence.Txs[j.From:], func(tx input.Tx) bool { return Scripted(&tx) }) {
		defer Stopwatch(x.now, &x.Scripted)()
	}
	return x.execute(j)
}

// execute records only the last transaction: those before it set up the state
// [HARVEY 3.2].
func (x *Executor) execute(j *Job) Result {
	r := Result{States: j.States[: j.From+1 : j.From+1]}
	for i := j.From; i < len(j.Sequence.Txs)-1; {
		next, outcome := x.Transact(r.States[i], &j.Sequence.Txs[i], nil, nil)
		r.Ran++
		switch {
		case outcome.Status == evm.Success:
			r.States = append(r.States, next)
			i++
		case j.DropFailing && outcome.Halt != evm.ErrCancelled:
			j.Sequence = j.Sequence.Without(i)
		default:
			r.PrefixFailed, r.Outcome = true, outcome
			return r
		}
	}
	last := len(j.Sequence.Txs) - 1
	x.Machine.Steps = 0
	if j.Storage != nil {
		x.Machine.Steps = maxStepsWithStorage
	}
	next, outcome, run := x.Watch(r.States[last], &j.Sequence.Txs[last], j.Storage)
	r.Ran++
	clip(&outcome)
	r.After, r.Outcome, r.Run = next.World, outcome, *run
	if fails(&j.Sequence.Txs[last], &outcome) {
		r.Run.Path ^= failedPath
	}
	return r
}

// maxData bounds the bytes that are kept of what a transaction returned and of
// each of its events: results wait for each other in batches.
const maxData = 1 << 16

func clip(o *evm.Outcome) {
	if len(o.Return) > maxData {
		o.Return = bytes.Clone(o.Return[:maxData])
	}
	for i := range o.Logs {
		if data := &o.Logs[i].Data; len(*data) > maxData {
			*data = bytes.Clone((*data)[:maxData])
		}
	}
}

// Changed returns the block that a transaction runs in after a change, but never
// an earlier block than the transaction before it; nil changes nothing.
func (s State) Changed(tx *input.Tx, change func(*evm.BlockContext)) evm.BlockContext {
	block := s.Block.After(tx.Delay)
	if change != nil {
		change(&block)
		block.Number, block.Timestamp = max(block.Number, s.Block.Number), max(block.Timestamp, s.Block.Timestamp)
	}
	return block
}
