package engine

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/search"
)

// Calls of several workers add up, and one that succeeds in any of them is enough. Not
// every way to fail is kept, and none that returns much.
func TestCallCounts(t *testing.T) {
	put, take := &input.Function{Name: "put"}, &input.Function{Name: "take"}
	count := func(n callCounts, f *input.Function, o evm.Outcome, times int) {
		for range times {
			r := &search.Result{Candidate: new(search.Candidate)}
			r.Outcome = o
			r.Sequence.Txs = make([]input.Tx, times)
			*r.Sequence.Last() = input.Tx{To: common.Address{1}, Function: f}
			n.add(r)
		}
	}
	reverts := func(data ...byte) evm.Outcome {
		return evm.Outcome{Status: evm.Revert, Halt: evm.ErrReverted, Return: data}
	}
	a, b := callCounts{}, callCounts{}
	count(a, put, reverts(1), 40)
	count(a, put, reverts(2), 30)
	count(b, put, reverts(2), 20)
	count(b, put, reverts(2), 10)
	count(a, take, reverts(1), 10)
	count(b, take, evm.Outcome{Status: evm.Success}, 1)
	count(b, take, reverts(1), 10)
	for i := range 2 * maxEnds {
		count(b, put, reverts(3, byte(i)), 1)
	}
	count(b, put, reverts(make([]byte, maxEnd+1)...), 5)
	count(b, put, evm.Outcome{Status: evm.Halt, Halt: evm.ErrCancelled}, 1)
	all := callCounts{}
	all.merge(a)
	all.merge(b)
	got := all.of(callee{common.Address{1}, put})
	if got.made != 105+2*maxEnds || got.succeeded || len(got.ends) != maxEnds || got.ends[0].calls != 40 || got.ends[1].calls != 60 ||
		len(got.ends[0].txs) != 40 || len(got.ends[1].txs) != 10 {
		t.Errorf("put: %+v", got)
	}
	if got := all.of(callee{common.Address{1}, take}); got.made != 21 || !got.succeeded || len(a.of(callee{common.Address{1}, take}).ends) != 1 || len(b.of(callee{common.Address{1}, take}).ends) != 0 {
		t.Errorf("take: %+v", got)
	}
}
