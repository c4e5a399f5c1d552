package oracle

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// A route is who pays whom.
type route struct{ from, to common.Address }

// paid adds up the wei that moved, by who paid whom.
func (t *TxSummary) paid() map[route]*big.Int {
	sums := map[route]*big.Int{}
	for i := range t.Transfers {
		f := route{t.Transfers[i].From, t.Transfers[i].To}
		if sums[f] == nil {
			sums[f] = new(big.Int)
		}
		sums[f].Add(sums[f], t.Transfers[i].Wei.ToBig())
	}
	return sums
}

// swayed reports whether transfers differ between a block and those that were
// shifted, other than by amounts that grow evenly with the shift, as interest
// does, until they reach an end.
func swayed(before *TxSummary, shifted map[int64]*TxSummary) bool {
	people := map[route]bool{}
	paid := map[int64]map[route]*big.Int{0: before.paid()}
	for by, after := range shifted {
		if after.Status != before.Status {
			return true
		}
		paid[by] = after.paid()
	}
	for _, sums := range paid {
		for who := range sums {
			people[who] = true
		}
	}
	for who := range people {
		if !even(paid, who) {
			return true
		}
	}
	return false
}

// pays reports whether other wei moved.
func pays(before, after *TxSummary) bool {
	was, is := before.paid(), after.paid()
	same := len(was) == len(is)
	for who, wei := range was {
		same = same && is[who] != nil && is[who].Cmp(wei) == 0
	}
	return !same
}

// even reports whether what one pays another grows by no more with each unit
// of the shift than with the first, and with the second by as much; or hardly
// grows at all.
func even(paid map[int64]map[route]*big.Int, who route) bool {
	moved := func(by int64) *big.Int {
		after, start := paid[by][who], paid[0][who]
		m := new(big.Int)
		if after != nil {
			m.Set(after)
		}
		if start != nil {
			m.Sub(m, start)
		}
		return m.Abs(m)
	}
	small := func(by int64) bool { return negligible(moved(by), paid[by][who]) }
	slope := moved(1)
	if back := moved(-1); back.Cmp(slope) > 0 {
		slope = back
	}
	slight := true
	for by := range paid {
		slight = slight && small(by)
		steps := max(by, -by)
		most := new(big.Int).Mul(slope, big.NewInt(steps))
		most.Add(most, big.NewInt(2*steps))
		if moved(by).Cmp(most) > 0 && !small(by) {
			return false
		}
	}
	if slight {
		return true
	}
	// What grows may come to its beginning backwards, or to its end forwards,
	// and no faster than it grew.
	slower := func(a, b int64) bool { return new(big.Int).Sub(moved(a), moved(b)).Cmp(big.NewInt(4)) <= 0 }
	later, earlier := steady(moved(1), moved(2)), steady(moved(-1), moved(-2))
	return later && (earlier || slower(-1, 1)) || earlier && slower(1, -1)
}

// negligible reports whether the difference to an amount is less than a
// thousandth of it. What grew over months may have ended some minutes ago.
func negligible(difference, amount *big.Int) bool {
	return amount != nil && new(big.Int).Mul(difference, big.NewInt(1000)).Cmp(amount) < 0
}

// steady reports whether two units of a shift move twice what one does, but
// for rounding.
func steady(one, two *big.Int) bool {
	twice := new(big.Int).Lsh(one, 1)
	return twice.Abs(twice.Sub(twice, two)).CmpAbs(big.NewInt(4)) <= 0
}
