package oracle

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/shadow"
)

// Timestamps after the year 2080 and block numbers centuries away are out of
// scope: 32-bit variables for them are common and known to be limited.
const (
	farTimestamp = 3_471_292_800
	farNumber    = 1 << 31
)

func (o *overflows) asked(a *shadow.Asked) {
	answer := a.Answer.Value()
	o.distant = o.distant || a.Op == bytecode.TIMESTAMP && answer.GtUint64(farTimestamp) ||
		a.Op == bytecode.NUMBER && answer.GtUint64(farNumber)
}

// outOfTime reports whether the result only wraps because of a distant time.
func (o *overflows) outOfTime(a *shadow.Arith) bool {
	sets := o.env.observer.Sets()
	return o.distant && slices.ContainsFunc([]shadow.Word{a.A, a.B}, func(w shadow.Word) bool {
		return sets.HasKind(w.Sources(), shadow.FromTimestamp) || sets.HasKind(w.Sources(), shadow.FromNumber)
	})
}

// ownTerm reports whether a wrap only gives who asked for it a term that is over at once,
// which a short one gives, too: the present and an argument of the running transaction are
// added, and with 1 in its place the transaction succeeds and leaves the same state but for
// one word. Where a term must have some length, or counts elsewhere, that is not so.
func (o *overflows) ownTerm(w *wrap, after *evm.World) bool {
	sets, now := o.env.observer.Sets(), len(o.history.txs)-1
	clock, term := sets.Sources(w.left.Sources()), sets.Sources(w.right.Sources())
	if onlyClock(term) {
		clock, term = term, clock
	}
	if w.operator != "+" || !onlyClock(clock) || len(term) != 1 || term[0].Kind != shadow.FromCalldata || term[0].Tx != now {
		return false
	}
	tx := o.history.last()
	parameter, ok := input.Offsets(tx).At(int(term[0].Offset))
	if !ok {
		return false
	}
	txs := slices.Clone(o.history.txs)
	txs[now] = input.Set(tx, &parameter, *uint256.NewInt(1))
	ending := o.env.Rerun(txs)
	return ending.Last().Status == evm.Success && differInOneWord(ending.World, after)
}

func onlyClock(sources []shadow.TaintSource) bool {
	return len(sources) > 0 && !slices.ContainsFunc(sources, func(s shadow.TaintSource) bool {
		return s.Kind != shadow.FromTimestamp && s.Kind != shadow.FromNumber
	})
}

// differInOneWord reports whether at most one word of storage differs between two worlds,
// and no balance or code.
func differInOneWord(a, b *evm.World) bool {
	words := 0
	for _, account := range a.Diff(b) {
		if words += len(account.Storage); words > 1 || account.CodeChanged || a.Balance(account.Address) != b.Balance(account.Address) {
			return false
		}
	}
	return true
}
