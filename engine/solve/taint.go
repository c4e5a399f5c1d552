// Package solve solves for branches: it predicts inputs from the costs of
// earlier ones [Wüstholz and Christakis, HARVEY, ESEC/FSE 2020, section 4],
// follows taint from conditions to the inputs they depend on, and asks for
// other state where they depend on storage [section 5].
package solve

import (
	"time"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// The share of the work that taint runs may take, as they find a good part of all new
// paths, and what they may take at first: less where many campaigns take short turns.
const (
	taintShare   = 0.25
	taintInitial = 100e6
	taintBrief   = 10e6
)

// A Taint executes entries with taint tracking, on a budget.
type Taint struct {
	search   *search.Search
	executor *exec.Executor
	observer *shadow.Observer
	graphs   graphs
	budget   exec.Budget
	most     int // transactions that a run observes, the last ones; 0: all
	effort   finding.Effort
	now      func() time.Time
}

func newTaint(s *search.Search, executor *exec.Executor, now func() time.Time, o Options) *Taint {
	t := &Taint{search: s, executor: executor, observer: shadow.New(shadow.NewState()), now: now, most: o.Observed}
	t.observer.Script = input.Attacker.Address()
	t.budget = exec.Budget{Share: taintShare, Initial: taintInitial}
	if o.Brief {
		t.budget.Initial = taintBrief
	}
	return t
}

// allows reports whether there is budget for another run.
func (t *Taint) allows() bool { return t.budget.Allows(t.search.Progress.Work) }

// measure adds the time until the returned function is called to the effort.
func (t *Taint) measure() func() { return exec.Stopwatch(t.now, &t.effort) }

// maxPreimage bounds the remembered preimages of hashes, in bytes.
const maxPreimage = 1024

// run executes the sequence of e and observes all of it, or its last transactions. arith sees arithmetic,
// store the storage writes of the last transaction. It returns false if it was
// cancelled.
func (t *Taint) run(e *corpus.Entry, arith func(*shadow.Arith), store func(*shadow.Access)) bool {
	state := t.empty()
	last := len(e.Sequence.Txs) - 1
	at := t.search.Subject.Start
	if t.most > 0 && last >= t.most {
		state.Txs = last + 1 - t.most
		at = t.search.Corpus.StateBefore(e, state.Txs)
	}
	state.Expressions = t.graphs.next().Expressions
	t.observer.Attach(state)
	t.observer.Events.Arith = arith
	defer func() { t.observer.Events.Store = nil }()
	for i := state.Txs; i <= last; i++ {
		if i == last {
			t.observer.Events.Store = store
		}
		t.observer.Layout = layoutOf(&e.Sequence.Txs[i])
		next, outcome := t.executor.Transact(at, &e.Sequence.Txs[i], nil, t.observer.Hooks())
		if outcome.Unfinished() {
			return false // the observer saw nothing of it
		}
		t.budget.Spent += exec.Cost(t.executor.Machine, exec.TaintedStep)
		for p := range t.observer.Preimages {
			if p.Input.Len() <= maxPreimage {
				t.search.Generator.Demand.Preimages.Add(p.Input.Value())
			}
		}
		if i < last {
			at = t.executor.Then(at, next, &e.Sequence.Txs[i], &outcome)
		}
	}
	return true
}

// empty returns the observer's State, which forgets the run before.
func (t *Taint) empty() *shadow.State {
	state := t.observer.State()
	state.Clear()
	return state
}

// layoutOf returns where the words of calldata are that has values in bytes; nil for
// other calldata.
func layoutOf(tx *input.Tx) (list []shadow.Span) {
	if !tx.Nested() {
		return nil
	}
	for _, w := range input.Offsets(tx).Words() {
		list = append(list, shadow.Span{Offset: w.Offset, Size: w.Size, Right: w.Right})
	}
	return list
}

// decisions executes one transaction by itself: the storage before it is a
// source like any other.
func (t *Taint) decisions(at exec.State, tx *input.Tx) []shadow.Decision {
	t.observer.Attach(t.empty())
	t.observer.Layout = layoutOf(tx)
	_, outcome := t.executor.Transact(at, tx, nil, t.observer.Hooks())
	t.budget.Spent += exec.Cost(t.executor.Machine, exec.TaintedStep)
	if outcome.Unfinished() {
		return nil
	}
	return t.observer.Branches
}

// storageOf lists the storage words that a condition depends on.
func (t *Taint) storageOf(d *shadow.Decision) []evm.Slot { return t.storage(nil, d.Cond) }

// storage appends the storage words that a word depends on.
func (t *Taint) storage(list []evm.Slot, w shadow.Word) []evm.Slot {
	for source := range t.observer.Sets().Members(w.Sources()) {
		if source.Kind == shadow.FromStorage && source.Offset != shadow.Anywhere {
			list = append(list, evm.Slot{Address: source.Address, Key: source.Slot})
		}
	}
	return list
}

// comparedWithReturn returns what an equality compares the answer of a call
// with.
func (t *Taint) comparedWithReturn(leaf *shadow.Condition) (wanted uint256.Int, ok bool) {
	if leaf.Form != shadow.Compare || leaf.Relation != shadow.Equal && leaf.Relation != shadow.Differ {
		return wanted, false
	}
	sets := t.observer.Sets()
	left := sets.HasKind(leaf.Left.Sources(), shadow.FromReturnData)
	right := sets.HasKind(leaf.Right.Sources(), shadow.FromReturnData)
	if left {
		wanted = leaf.R
	} else {
		wanted = leaf.L
	}
	return wanted, left != right
}
