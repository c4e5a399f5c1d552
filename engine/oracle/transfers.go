package oracle

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
)

// A route is a payer and a payee.
type route struct{ from, to common.Address }

// paid sums the transferred wei by payer and payee.
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

// blockMatters reports whether transfers differ between blocks, other than by amounts
// that grow linearly with the shift up to a limit, as interest does.
func blockMatters(before *TxSummary, shifted map[int64]*TxSummary) bool {
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

// pays reports whether the transfers differ.
func pays(before, after *TxSummary) bool {
	was, is := before.paid(), after.paid()
	same := len(was) == len(is)
	for who, wei := range was {
		same = same && is[who] != nil && is[who].Cmp(wei) == 0
	}
	return !same
}

// even reports whether a payment changes gradually with the shift, grows linearly,
// judged by its first two units, or hardly changes at all.
func even(paid map[int64]map[route]*big.Int, who route) bool {
	moved := func(by int64) *big.Int {
		after, start := paid[by][who], paid[0][who]
		m := new(big.Int)
		if paid[by] == nil { // unknown
			return m
		}
		if after != nil {
			m.Set(after)
		}
		if start != nil {
			m.Sub(m, start)
		}
		return m.Abs(m)
	}
	if gradual(paid, moved) {
		return true
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
	// Linear growth may have started within the backward range, or end within
	// the forward one, but not grow faster.
	slower := func(a, b int64) bool { return new(big.Int).Sub(moved(a), moved(b)).Cmp(big.NewInt(4)) <= 0 }
	later, earlier := steady(moved(1), moved(2)), steady(moved(-1), moved(-2))
	return later && (earlier || slower(-1, 1)) || earlier && slower(1, -1)
}

// gradual reports whether a payment changes by at most a hundredth of all that is
// paid for each unit of a shift, as the price of an auction does that falls ever
// more slowly: who pays it decides when.
func gradual(paid map[int64]map[route]*big.Int, moved func(int64) *big.Int) bool {
	all := new(big.Int)
	for _, wei := range paid[0] {
		all.Add(all, wei)
	}
	for by := range paid {
		most := new(big.Int).Mul(all, big.NewInt(max(by, -by)))
		if new(big.Int).Mul(moved(by), big.NewInt(100)).Cmp(most) > 0 {
			return false
		}
	}
	return true
}

// negligible reports whether a difference is less than a thousandth of the
// amount: growth over months may have ended minutes ago.
func negligible(difference, amount *big.Int) bool {
	return amount != nil && new(big.Int).Mul(difference, big.NewInt(1000)).Cmp(amount) < 0
}

// steady reports whether two units of a shift change twice as much as one, up
// to rounding.
func steady(one, two *big.Int) bool {
	twice := new(big.Int).Lsh(one, 1)
	return twice.Abs(twice.Sub(twice, two)).CmpAbs(big.NewInt(4)) <= 0
}
