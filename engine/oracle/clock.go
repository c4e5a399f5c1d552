package oracle

import (
	"slices"

	"leveret/engine/bytecode"
	"leveret/engine/shadow"
)

// A timestamp of the year 2080 and a block that takes centuries are no affair
// of today's code: that 32 bits of them will not do some day is known, and
// kept in such variables all the same.
const (
	farTimestamp = 3_471_292_800
	farNumber    = 1 << 31
)

func (o *overflows) asked(a *shadow.Asked) {
	answer := a.Answer.Value()
	o.distant = o.distant || a.Op == bytecode.TIMESTAMP && answer.GtUint64(farTimestamp) ||
		a.Op == bytecode.NUMBER && answer.GtUint64(farNumber)
}

// outOfTime reports whether it took a distant time to make the result one that
// does not fit.
func (o *overflows) outOfTime(a *shadow.Arith) bool {
	sets := o.env.observer.Sets()
	return o.distant && slices.ContainsFunc([]shadow.Word{a.A, a.B}, func(w shadow.Word) bool {
		return sets.HasKind(w.Sources(), shadow.FromTimestamp) || sets.HasKind(w.Sources(), shadow.FromNumber)
	})
}
