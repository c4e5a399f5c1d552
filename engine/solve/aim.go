package solve

import (
	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/input"
	"leveret/engine/search"
)

// An Aim is an uncovered branch, or a wrap or a write, that inputs are made to
// reach. It was in sight on the path of an entry.
type Aim struct {
	goal    cover.Metric
	on      *corpus.Entry
	repairs int              // of blocking branches, so far
	steered *input.Parameter // of the last transaction, that steers a write to the probe slot; nil: none does
	met     bool             // an input that was made for it reached it
	shared  bool             // it belongs to a check that several calls share: others may cover it
	corpus  *search.Corpus
}

// Met reports whether the aim was reached. For a function that has nothing to
// do with state, it is enough that the branch was covered at all.
func (a *Aim) Met(next *search.Candidate) bool {
	return a.met || search.Stateless(next.Sequence.Last().Function) && a.covered()
}

// covered reports whether the branch was covered, so that there is nothing new behind it.
func (a *Aim) covered() bool {
	b, ok := a.goal.Branch()
	return ok && !a.shared && a.corpus.Covered(b)
}
