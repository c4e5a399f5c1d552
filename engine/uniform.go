package engine

import (
	"leveret/engine/input"
	"leveret/engine/search"
)

// uniform draws arguments of fuzz tests from all values of their types. The other
// sources prefer values that mean something. Where these are used up, what they
// make repeats, and their shares go to this one: see row.share.
type uniform struct {
	generator *search.Generator
}

// Next replaces one word of a call that succeeded before, or all.
func (u *uniform) Next() *search.Candidate {
	g := u.generator
	tx := g.Example(g.Callee().Callee)
	var words []input.Parameter
	for _, p := range input.Parameters(&tx) {
		if p.Kind == input.ParamArg || p.Kind == input.ParamChunk {
			words = append(words, p)
		}
	}
	if n := len(words); n > 1 && g.Random.IntN(2) == 0 {
		at := g.Random.IntN(n)
		words = words[at : at+1]
	}
	for i := range words {
		tx = input.Set(&tx, &words[i], input.AnyWord(g.Random, words[i].Word))
	}
	return g.Single(tx, nil)
}
