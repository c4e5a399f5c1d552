package search

import (
	"math/rand/v2"

	"leveret/engine/corpus"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/mutate"
)

// A Generator makes candidates: new transactions, and mutations of entries.
type Generator struct {
	Random   *rand.Rand
	Mutation mutate.Env // what mutators may draw from
	Demand   *demand.Demand
	Callee   func() deploy.Callee // draws the function of a fresh transaction
	proposed map[uint64]bool      // sequences, by digest
	subject  *Subject
	corpus   *Corpus
}

// NewGenerator returns a generator with a dictionary of the constants in the
// code and in the source.
func NewGenerator(s *Subject, c *Corpus, r *rand.Rand) *Generator {
	g := &Generator{Random: r, Demand: demand.New(), proposed: map[uint64]bool{}, subject: s, corpus: c}
	g.Callee = g.anyCallee
	senders := s.senders()
	g.Demand.Preimages.Senders = senders
	g.Mutation = mutate.Env{
		Dictionary: mutate.NewDictionary(), Addresses: mutate.NewAddresses(senders),
		Donor: func(r *rand.Rand) (input.Sequence, bool) {
			if len(c.Entries) == 0 {
				return input.Sequence{}, false
			}
			return c.Entries[r.IntN(len(c.Entries))].Sequence, true
		},
	}
	g.fillDictionary()
	return g
}

// remoteOneIn is how many choices of a function there are for one that may be of a
// remote contract, if there are any.
const remoteOneIn = 4

func (g *Generator) anyCallee() deploy.Callee {
	near := g.subject.near()
	if near < len(g.subject.Callees) && g.Random.IntN(remoteOneIn) > 0 {
		return g.subject.Callees[g.Random.IntN(near)]
	}
	return g.subject.Callees[g.Random.IntN(len(g.subject.Callees))]
}

// Divide lets the parts of a search, which go on at once, call different functions first: a
// part above 0 draws again, half of the time, what is not in its half of the functions. Two
// parts share the halves of one split, the next two those of another. Part 0 draws as before.
func (g *Generator) Divide(part int) {
	if part == 0 {
		return
	}
	draw, callees, others := g.Callee, g.subject.Callees, map[demand.Callee]bool{}
	for i, at := range rand.New(rand.NewPCG(uint64(part-1)/2, 0)).Perm(len(callees)) {
		if (i < len(callees)/2) == (part%2 == 0) {
			others[callees[at].Callee] = true
		}
	}
	g.Callee = func() deploy.Callee {
		c := draw()
		if others[c.Callee] && g.Random.IntN(2) == 0 {
			return draw()
		}
		return c
	}
}

// Pool returns the values to draw for arguments of f.
func (g *Generator) Pool(f *input.Function) input.Pool { return g.Mutation.Pool(f) }

// NewTx draws a transaction that calls callee.
func (g *Generator) NewTx(callee demand.Callee) input.Tx {
	return g.withFixtures(input.RandomTx(g.Random, callee.Function, callee.Address, g.Pool(callee.Function)), 2)
}

// withFixtures replaces one in so many arguments that have fixtures by a value of
// theirs.
func (g *Generator) withFixtures(tx input.Tx, oneIn int) input.Tx {
	for i, values := range tx.Function.Fixtures {
		if len(values) > 0 && g.Random.IntN(oneIn) == 0 {
			tx = tx.WithArg([]int{i}, values[g.Random.IntN(len(values))])
		}
	}
	return tx
}

// Single makes a candidate of one transaction.
func (g *Generator) Single(tx input.Tx, from *Origin) *Candidate {
	next := g.FromStart(input.Sequence{Deployment: g.subject.Deployment.Record, Txs: []input.Tx{tx}})
	next.Origin = from
	return next
}

// FromStart makes a candidate that executes s from the deployment on.
func (g *Generator) FromStart(s input.Sequence) *Candidate {
	return &Candidate{Job: exec.Job{Sequence: s, Start: &g.subject.Start}}
}

// Combined is FromStart for a sequence that was put together from several
// parts.
func (g *Generator) Combined(s input.Sequence) *Candidate {
	next := g.FromStart(s)
	next.Change.Shape = true
	return next
}

// Fresh calls a random function with random arguments.
func (g *Generator) Fresh() *Candidate { return g.Single(g.NewTx(g.Callee().Callee), nil) }

// Vary mutates e: mostly one word, which predictions can learn from, and one
// time in five several things at once.
func (g *Generator) Vary(e *corpus.Entry) *Candidate {
	g.corpus.Refresh(e)
	g.Mutation.Tx, g.Mutation.MaxTxs, g.Mutation.Owned = -1, len(e.Sequence.Txs), false
	g.Mutation.Effects = &Attached(e).Effects
	apply := mutate.Any
	if g.Random.IntN(5) == 0 {
		apply = mutate.Stack
	} else if e.Sequence.Last().Function.Nests() && g.Random.IntN(2) == 0 {
		apply = mutate.Nested
	}
	child, change, ok := apply(g.Random, &g.Mutation, e.Sequence)
	if !ok || len(child.Txs) == 0 {
		return g.Fresh()
	}
	var hashed [][]byte
	if !change.Shape {
		if all, made := input.Rehashed(e.Sequence, child, change.First, g.Demand.Preimages.Input); len(made) > 0 && g.Random.IntN(8) > 0 {
			child, change.Single, hashed = all, false, made
		}
	}
	if last := child.Last(); last.Function.Fixtures != nil && g.Random.IntN(4) == 0 {
		child, change = child.WithTx(len(child.Txs)-1, g.withFixtures(*last, 2)), mutate.Diff{First: min(change.First, len(child.Txs)-1), Shape: change.Shape}
	}
	c := g.random(e, child, change)
	c.Hashed = hashed
	return c
}

// random makes a candidate that was drawn at random.
func (g *Generator) random(e *corpus.Entry, s input.Sequence, change mutate.Diff) *Candidate {
	c := g.corpus.Child(e, s, change)
	c.Random = true
	return c
}

// Further changes one thing more of a candidate, in place, and nothing before what differs
// from its parent already; false if it was not made at random.
func (g *Generator) Further(c *Candidate) bool {
	if !c.Random {
		return false
	}
	g.Mutation.Tx, g.Mutation.MaxTxs, g.Mutation.Effects, g.Mutation.Owned = -1, len(c.Sequence.Txs), nil, true
	if left := len(c.Sequence.Txs) - c.Change.First; left > 1 {
		g.Mutation.Tx = c.Change.First + g.Random.IntN(left)
	}
	child, change, ok := mutate.Any(g.Random, &g.Mutation, c.Sequence)
	if !ok || len(child.Txs) == 0 {
		return false
	}
	c.Sequence, c.Change, c.Begun = child, c.Change.Then(change), exec.Begun{}
	return true
}

// Longer puts transactions before the last one of e that change the state it
// reads, and varies them; nil if no known transaction does.
func (g *Generator) Longer(e *corpus.Entry, adjust func(s input.Sequence, first int) (input.Sequence, int)) *Candidate {
	s, first, ok := g.Demand.Lengthen(g.Random, e.Sequence, e.Reads)
	if !ok {
		return nil
	}
	for range g.Random.IntN(3) {
		g.Mutation.Tx, g.Mutation.MaxTxs, g.Mutation.Effects, g.Mutation.Owned = g.Random.IntN(len(s.Txs)), len(s.Txs), nil, true
		if child, change, ok := mutate.Any(g.Random, &g.Mutation, s); ok && len(child.Txs) > 0 {
			s, first = child, min(first, change.First)
		}
	}
	s, first = adjust(s, first)
	return g.random(e, s, mutate.Diff{First: first, Shape: true})
}

// Example returns a call of callee that succeeded, or draws one.
func (g *Generator) Example(callee demand.Callee) input.Tx {
	entries := g.corpus.ByCallee(callee)
	for range min(4, len(entries)) {
		if e := entries[g.Random.IntN(len(entries))]; e.Success {
			return *e.Sequence.Last()
		}
	}
	return g.NewTx(callee)
}

// Varied changes a transaction, one time in two.
func (g *Generator) Varied(tx input.Tx) input.Tx {
	if g.Random.IntN(2) == 0 {
		return tx
	}
	g.Mutation.Tx, g.Mutation.MaxTxs, g.Mutation.Effects, g.Mutation.Owned = 0, 1, nil, false
	child, _, ok := mutate.Any(g.Random, &g.Mutation, input.Sequence{Txs: []input.Tx{tx}})
	if !ok || len(child.Txs) != 1 {
		return tx
	}
	return child.Txs[0]
}

// Halving draws an index below n: each half as often as the one before it.
func Halving(r *rand.Rand, n int) int {
	for i := range n {
		if r.IntN(2) == 0 {
			return i
		}
	}
	return r.IntN(n)
}

// maxProposed bounds the sequences that are remembered as proposed.
const maxProposed = 1 << 16

// Propose reports whether a sequence was not proposed before, and remembers it.
func (g *Generator) Propose(s input.Sequence) bool {
	digest := input.Digest(s)
	if g.proposed[digest] {
		return false
	}
	if len(g.proposed) == maxProposed {
		clear(g.proposed)
	}
	g.proposed[digest] = true
	return true
}
