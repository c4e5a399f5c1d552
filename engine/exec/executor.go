// Package exec executes sequences of transactions on states, and counts the work.
package exec

import (
	"bytes"
	"cmp"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/attacker"
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
	Start       *State     // before the first transaction
	Storage     []Override // words to set before the last transaction [HARVEY 5, aggressive mode]
	DropFailing bool       // drop failing transactions before the last one instead of stopping
	KeepFailing bool       // failing transactions before the last one have no effect
	Begun       Begun      // if the maker of the job knows it
}

// Begun is the digest of the first transactions of a job.
type Begun struct {
	Txs    int
	Digest uint64
}

// An Override is a storage word that aggressive mode sets.
type Override struct {
	Slot     evm.Slot
	Value    common.Hash
	Mask     uint256.Int // the bits of Value to set; 0: all
	Identity bool        // an identity: no value lies between it and another
}

// A Ready job has the state before its last transaction.
type Ready struct {
	At     State  // before the last transaction, or before the first one that fails
	Digest uint64 // of the transactions and the storage: equal jobs do the same
	Ran    int    // transactions executed
	Work   uint64 // for them, in units of Budget

	job     *Job
	failure *evm.Outcome // of a transaction before the last one; nil: none failed
}

// A Result is what became of a job.
type Result struct {
	Run          cover.Run // the last transaction's
	Outcome      evm.Outcome
	At           State  // before the last transaction
	Digest       uint64 // of the job, see Ready
	After        *evm.World
	PrefixFailed bool   // a transaction before the last one failed: the last one did not run
	Ran          int    // transactions executed
	Work         uint64 // for them, in units of Budget
}

// An Executor runs jobs, one at a time.
type Executor struct {
	Machine     *evm.Machine
	Recorder    *cover.Recorder
	Prefixes    *Prefixes               // known states; nil: none are kept
	Gas         uint64                  // of a transaction; 0: evm.DefaultGas
	PropertyGas uint64                  // of Ask; 0: Gas
	Failing     func(*evm.Outcome) bool // reports whether time passes before a transaction that fails so; nil: it does not
	Scripted    finding.Effort          // jobs in which the attacker contract is scripted
	calldata    []byte
	overrides   []evm.StateOverride
	script      attacker.Layout
	digests     []uint64 // of the prefixes of a job
	now         func() time.Time
}

// GasPrice is what a unit of gas costs in campaigns, in wei, a usual price of a main
// network. Nobody pays it: only the instruction that reads it tells.
const GasPrice = 1_000_000_000

// maxOpen bounds the memory of all open frames of a transaction, in bytes. To reach it with
// evm.DefaultGas, five calls in one another have to spend all of it on memory.
const maxOpen = 8 << 20

// New returns an executor that records coverage in a map, of the code
// that watched selects. probe is a storage key that no contract uses; topics
// are those of events that stand for failed assertions.
func New(m *cover.Map, watched func(*evm.Code) bool, probe common.Hash, topics map[common.Hash]bool, now func() time.Time) *Executor {
	x := &Executor{Machine: evm.NewMachine(), now: now}
	x.Machine.Chain.GasPrice.SetUint64(GasPrice)
	x.Machine.Bounds.Open = maxOpen
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
	x.calldata = tx.AppendCalldata(x.calldata[:0])
	call := evm.TxCall(tx, x.calldata)
	call.Gas = x.Gas
	x.overrides = appendScript(x.overrides[:0], &x.script, tx.Script)
	call.Overrides = x.overrides
	asked := program.IsProperty(tx.Function)
	if asked && !tx.Function.Property {
		call.From = input.Deployer.Address()
	}
	outcome := run(next.World, next.Block, call)
	if asked { // undo its changes
		next.World = s.World.Fork()
	}
	return next, outcome
}

// Then returns the state after a transaction that led from one state to another. One
// that fails has no effect, but for the time that passed.
func (x *Executor) Then(at, next State, tx *input.Tx, o *evm.Outcome) State {
	switch {
	case o.Status == evm.Success:
		return next
	case x.Waits(tx, o):
		return State{at.World, next.Block}
	}
	return at
}

// Waits reports whether time passes before a transaction that fails.
func (x *Executor) Waits(tx *input.Tx, o *evm.Outcome) bool {
	return tx.Delay != (input.Delay{}) && x.Failing != nil && !o.Unfinished() && x.Failing(o)
}

// Ask calls a property in a state. It returns what the call led to, which is
// nowhere kept.
func (x *Executor) Ask(s State, tx *input.Tx) (*evm.World, evm.Outcome) {
	world := s.World.Fork()
	x.calldata = tx.AppendCalldata(x.calldata[:0])
	call := evm.TxCall(tx, x.calldata)
	call.Gas = cmp.Or(x.PropertyGas, x.Gas)
	outcome := x.Machine.Execute(world, s.Block, call, nil)
	return world, outcome
}

// maxStepsWithStorage limits the instructions of runs with overrides: an
// overridden length is an endless loop.
const maxStepsWithStorage = 20_000

// failedPath marks the path of a property that returned false: it may take the
// same branches as one that returned true.
const failedPath cover.PathID = 0x9e3779b97f4a7c15

func fails(tx *input.Tx, o *evm.Outcome) bool {
	return program.IsProperty(tx.Function) && o.Status == evm.Success && len(o.Return) >= 32 && common.BytesToHash(o.Return[:32]) == common.Hash{}
}

// Prepare leads to the state before the last transaction of a job. It executes
// those transactions before it whose effect is not known.
func (x *Executor) Prepare(j *Job) Ready {
	r := Ready{At: *j.Start, job: j}
	i := x.skipKnown(j, &r)
	copied := false // the transactions: sequences share them
	for i < len(j.Sequence.Txs)-1 {
		digest := input.DigestTx(r.Digest, &j.Sequence.Txs[i])
		next, failure := x.step(&r, digest, &j.Sequence.Txs[i])
		switch {
		case failure == nil:
			r.At, r.Digest = next, digest
			i++
		case x.Waits(&j.Sequence.Txs[i], failure):
			r.At.Block, r.Digest = r.At.Block.After(j.Sequence.Txs[i].Delay), digest
			i++
		case j.KeepFailing && !failure.Unfinished():
			r.Digest = digest
			i++
		case j.DropFailing && !failure.Unfinished():
			if copied {
				j.Sequence.Txs = slices.Delete(j.Sequence.Txs, i, i+1)
			} else {
				copied, j.Sequence = true, j.Sequence.Without(i)
			}
		default:
			r.failure = failure
			for ; i < len(j.Sequence.Txs)-1; i++ {
				r.Digest = input.DigestTx(r.Digest, &j.Sequence.Txs[i])
			}
		}
	}
	r.Digest = input.DigestTx(r.Digest, j.Sequence.Last())
	for i := range j.Storage {
		o := &j.Storage[i]
		r.Digest = input.DigestWords(r.Digest, common.BytesToHash(o.Slot.Address[:]), o.Slot.Key, o.Value)
	}
	return r
}

// skipKnown goes to the last transaction of a job before which the state is
// known, and returns its index.
func (x *Executor) skipKnown(j *Job, r *Ready) int {
	r.Digest = input.NoTxs
	if x.Prefixes == nil {
		return 0
	}
	digest, first := r.Digest, 0
	if known, ok := x.Prefixes.State(j.Begun.Digest); ok && 0 < j.Begun.Txs && j.Begun.Txs < len(j.Sequence.Txs) {
		digest, first = j.Begun.Digest, j.Begun.Txs
		r.At, r.Digest = known, digest
	}
	x.digests = x.digests[:0]
	for i := first; i < len(j.Sequence.Txs)-1; i++ {
		digest = input.DigestTx(digest, &j.Sequence.Txs[i])
		x.digests = append(x.digests, digest)
	}
	for i := len(x.digests) - 1; i >= 0; i-- {
		if known, ok := x.Prefixes.State(x.digests[i]); ok {
			r.At, r.Digest = known, x.digests[i]
			first += i + 1
			break
		}
	}
	x.Prefixes.Reuse.Found += first
	return first
}

// step returns the state after a transaction before the last one, or why it
// fails. It executes the transaction unless that is known.
func (x *Executor) step(r *Ready, digest uint64, tx *input.Tx) (State, *evm.Outcome) {
	if x.Prefixes != nil {
		if known := x.Prefixes.get(digest); known != nil {
			x.Prefixes.Reuse.Found++
			return known.state, known.failure
		}
		x.Prefixes.count(digest)
	}
	next, outcome := x.pass(r.At, tx)
	r.Ran++
	r.Work += Cost(x.Machine, RecordedStep)
	if outcome.Status != evm.Success {
		if x.Prefixes != nil && !outcome.Unfinished() {
			x.Prefixes.fail(digest, &outcome)
		}
		return next, &outcome
	}
	if x.Prefixes != nil {
		x.Prefixes.Put(digest, next)
	}
	return next, nil
}

// Run executes a job and measures the effort if the attacker contract is
// scripted in it.
func (x *Executor) Run(r *Ready) Result {
	if slices.ContainsFunc(r.job.Sequence.Txs, func(tx input.Tx) bool { return Scripted(&tx) }) {
		defer Stopwatch(x.now, &x.Scripted)()
	}
	return x.execute(r)
}

// execute records only the last transaction: those before it set up the state
// [HARVEY 3.2].
func (x *Executor) execute(r *Ready) Result {
	out := Result{At: r.At, Digest: r.Digest, Ran: r.Ran, Work: r.Work}
	if r.failure != nil {
		out.PrefixFailed, out.Outcome = true, *r.failure
		return out
	}
	if r.job.Storage != nil {
		defer func(usual int) { x.Machine.Steps = usual }(x.Machine.Steps)
		x.Machine.Steps = maxStepsWithStorage
	}
	tx := r.job.Sequence.Last()
	next, outcome, run := x.Watch(r.At, tx, r.job.Storage)
	out.Ran++
	out.Work += Cost(x.Machine, RecordedStep)
	clip(&outcome)
	out.After, out.Outcome, out.Run = next.World, outcome, *run
	if fails(tx, &outcome) {
		out.Run.Path ^= failedPath
	}
	return out
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
