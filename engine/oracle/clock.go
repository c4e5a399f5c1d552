package oracle

import (
	"slices"

	"leveret/engine/bytecode"
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
