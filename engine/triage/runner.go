package triage

import (
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/search"
)

// A runner executes transactions again, from the deployment on, and counts the work.
// Those that fail have no effect.
type runner struct {
	start     exec.State // after the deployment
	executor  *exec.Executor
	last      []reran // what rerun executed last
	work      uint64  // of all executions, in units of exec.Budget
	cancelled bool    // an execution was cancelled: its results are void
}

// newRunner returns a runner from the deployment of a subject.
func newRunner(s *search.Subject, executor *exec.Executor) *runner {
	return &runner{start: s.Start, executor: executor}
}

// A reran is a transaction that rerun executed, and what it led to.
type reran struct {
	tx      input.Tx
	outcome evm.Outcome
	after   exec.State
}

// transact executes a transaction on a copy of a state.
func (r *runner) transact(at exec.State, tx *input.Tx, hooks *evm.Hooks) (exec.State, evm.Outcome) {
	next, outcome := r.executor.Transact(at, tx, nil, hooks)
	r.count(&outcome, false, 0)
	return next, outcome
}

// advance executes a transaction and returns the state for the next one.
func (r *runner) advance(at exec.State, tx *input.Tx, hooks *evm.Hooks) (exec.State, evm.Outcome) {
	next, outcome := r.transact(at, tx, hooks)
	return r.executor.Then(at, next, tx, &outcome), outcome
}

// advanceTainted is advance with hooks that track taint in all instructions.
func (r *runner) advanceTainted(at exec.State, tx *input.Tx, hooks *evm.Hooks) exec.State {
	next, outcome := r.executor.Transact(at, tx, nil, hooks)
	r.count(&outcome, true, uint64(max(r.executor.Machine.Instructions(), 0)))
	return r.executor.Then(at, next, tx, &outcome)
}

// watch is transact that records coverage.
func (r *runner) watch(at exec.State, tx *input.Tx) (exec.State, evm.Outcome, *cover.Run) {
	next, outcome, run := r.executor.Watch(at, tx, nil)
	r.count(&outcome, false, 0)
	return next, outcome, run
}

// executeIn executes a transaction in a block, without keeping its effects.
func (r *runner) executeIn(at exec.State, block evm.BlockContext, tx *input.Tx, hooks *evm.Hooks) {
	world := at.World.Fork()
	call := evm.TxCall(tx, tx.Calldata())
	call.Overrides = exec.AppendScript(nil, tx.Script)
	outcome := r.executor.Machine.Execute(world, block, call, hooks)
	r.count(&outcome, false, 0)
}

// ask calls a property on a copy of a state.
func (r *runner) ask(at exec.State, tx *input.Tx) (*evm.World, evm.Outcome) {
	world, outcome := r.executor.Ask(at, tx)
	r.count(&outcome, false, 0)
	return world, outcome
}

// count counts the work of an execution in which hooks saw so many instructions.
func (r *runner) count(outcome *evm.Outcome, taints bool, steps uint64) {
	switch {
	case taints:
		r.work += exec.CallCost + steps*exec.TaintedStep
	case steps > 0:
		r.work += exec.CallCost + steps*exec.HookedStep
	default:
		r.work += exec.Cost(r.executor.Machine, exec.RecordedStep)
	}
	r.cancelled = r.cancelled || outcome.Unfinished()
}

// prefix executes all but the last one of some transactions. It returns false if it was
// cancelled.
func (r *runner) prefix(txs []input.Tx) (exec.State, bool) {
	at := r.start
	for i := range txs[:len(txs)-1] {
		next, outcome := r.advance(at, &txs[i], nil)
		if outcome.Unfinished() {
			return at, false
		}
		at = next
	}
	return at, true
}

// rerun executes transactions. Those that they share with the last ones are not executed
// again: oracles ask for many variants of one sequence.
func (r *runner) rerun(txs []input.Tx) oracle.Ending {
	same := 0
	for same < min(len(txs), len(r.last)) && txs[same].Equal(&r.last[same].tx) {
		same++
	}
	clear(r.last[same:])
	r.last = r.last[:same]
	at := r.start
	if same > 0 {
		at = r.last[same-1].after
	}
	for i := same; i < len(txs); i++ {
		var outcome evm.Outcome
		at, outcome = r.advance(at, &txs[i], nil)
		r.last = append(r.last, reran{txs[i], outcome, at})
	}
	ending := oracle.Ending{World: at.World}
	for i := range r.last {
		ending.Outcomes = append(ending.Outcomes, r.last[i].outcome)
	}
	if r.cancelled {
		r.last = nil
	}
	return ending
}
