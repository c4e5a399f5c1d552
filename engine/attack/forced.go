package attack

import (
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// Forced forces ether on contracts that read balances, before the last transaction
// of a known sequence. How far a balance is from what a condition wants is the cost
// of the condition, as for storage, so that predictions find the amount.
type Forced struct {
	search *search.Search
	guide  *direct.Guide
	to     []demand.Callee
}

// NewForced returns the source; it makes nothing if no contract reads a balance, and
// for tests, which have cheatcodes for that.
func NewForced(s *search.Search, guide *direct.Guide) *Forced {
	f := &Forced{search: s, guide: guide}
	if s.Subject.Suite != nil {
		return f
	}
	for _, address := range s.Subject.BalanceReaders() {
		f.to = append(f.to, demand.Callee{Address: address, Function: input.Forced})
	}
	return f
}

// Active reports whether it makes anything.
func (f *Forced) Active() bool { return len(f.to) > 0 }

// Next forces ether on a contract before the last transaction of an entry, or before
// earlier ones. What was forced on it already becomes more.
func (f *Forced) Next() *search.Candidate {
	all, generator := f.search.Corpus, f.search.Generator
	if len(all.Entries) == 0 {
		return nil
	}
	e := f.guide.AnyEntry(all, generator.Random)
	last := len(e.Sequence.Txs) - 1
	if e.Sequence.Txs[last].Function.Forces() {
		return nil
	}
	tx := generator.NewTx(f.to[generator.Random.IntN(len(f.to))])
	tx.Delay = input.Delay{}
	if tx.Value.IsZero() {
		tx.Value.SetOne()
	}
	at := last - search.Halving(generator.Random, last+1)
	return all.Child(e, e.Sequence.Insert(at, tx), mutate.Diff{First: at, Shape: true})
}
