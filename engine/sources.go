package engine

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// seeds queues what a campaign starts with: the inputs of earlier campaigns,
// then an all-zero input and random ones for each function.
type seeds struct {
	search   *search.Search
	guide    *direct.Guide
	origin   *search.Origin // of new seeds
	replayed *search.Origin // of inputs of earlier campaigns
	later    search.Queue   // calls functions that can reach no target
}

// seedsPerFunction is how many random inputs each function starts with, besides
// the all-zero one of the papers.
const seedsPerFunction = 2

// add queues a candidate; among those that wait if its function can reach no
// target.
func (s *seeds) add(next *search.Candidate) {
	if s.guide.Reaches(demand.CalleeOf(next.Sequence.Last())) {
		s.search.Queue.Add(next)
		return
	}
	s.later.Add(next)
}

// replay queues an input of an earlier campaign.
func (s *seeds) replay(seq input.Sequence) {
	next := s.search.Generator.FromStart(seq)
	next.Origin = s.replayed
	s.add(next)
}

// addNew queues the seeds of each function.
func (s *seeds) addNew() {
	for _, callee := range s.search.Subject.Callees {
		zero := input.Tx{From: input.User1, To: callee.Address, Function: callee.Function, Args: callee.Function.Zero()}
		if senders := callee.Function.Senders; len(senders) > 0 {
			zero.From = senders[0]
		}
		s.add(s.search.Generator.Single(zero, s.origin))
		for n := 0; n < seedsPerFunction && !callee.Remote; n++ {
			s.add(s.search.Generator.Single(s.search.Generator.NewTx(callee.Callee), s.origin))
		}
		s.addFixtures(callee.Callee)
	}
}

// maxFixtureSeeds bounds the seeds with values of fixtures of one function.
const maxFixtureSeeds = 64

// addFixtures queues calls with the first values of all fixtures, the second ones,
// and so on.
func (s *seeds) addFixtures(callee demand.Callee) {
	longest := 0
	for _, values := range callee.Function.Fixtures {
		longest = max(longest, len(values))
	}
	for n := range min(longest, maxFixtureSeeds) {
		tx := s.search.Generator.NewTx(callee)
		for i, values := range callee.Function.Fixtures {
			if len(values) > 0 {
				tx = tx.WithArg([]int{i}, values[n%len(values)])
			}
		}
		s.add(s.search.Generator.Single(tx, s.origin))
	}
}

// Later returns a seed that calls a function that can reach no target, now and
// then.
func (s *seeds) Later() *search.Candidate {
	if s.later.Len() == 0 || s.guide.Exploit() {
		return nil
	}
	return s.later.TakeUnmet()
}

// waiting returns the inputs of earlier campaigns that were not executed yet.
func (s *seeds) waiting() (list []input.Sequence) {
	for _, next := range slices.Concat(s.search.Queue.All(), s.later.All()) {
		if next.Origin == s.replayed {
			list = append(list, next.Sequence)
		}
	}
	return list
}

// scheduled mutates entries in turn, each as often as the power schedule says.
type scheduled struct {
	search    *search.Search
	guide     *direct.Guide
	lookahead *direct.Lookahead
	schedule  corpus.Schedule
	current   *corpus.Entry // with energy left
	energy    int
	turn      int
}

func newScheduled(s *search.Search, g *direct.Guide, l *direct.Lookahead) *scheduled {
	return &scheduled{search: s, guide: g, lookahead: l, schedule: l.Schedule()}
}

// Next mutates the entry whose turn it is.
func (s *scheduled) Next() *search.Candidate {
	all := s.search.Corpus
	for tries := 0; s.energy <= 0; tries++ {
		if len(all.Entries) == 0 {
			return nil
		}
		s.current = s.guide.NextEntry(s.nextOfAll)
		s.energy = s.guide.Energy(s.current, s.schedule.Energy(all.Corpus, s.current))
		if s.energy > 1 { // an entry has a limited number of variants
			s.energy = max(1, s.current.Usage.Rate.New(s.energy))
		}
		if s.energy == 0 && tries > 2*len(all.Entries) {
			s.energy = 1
		}
		if s.energy > 0 {
			s.current.Usage.Selected++
		}
	}
	s.energy--
	return s.search.Generator.Vary(s.current)
}

// nextOfAll passes over entries that are not allowed, unless all are: what passes their
// conditions is for the solver to find, and their mutations mostly fail them again.
func (s *scheduled) nextOfAll() *corpus.Entry {
	all := s.search.Corpus.Entries
	for range all {
		s.turn++
		if e := all[s.turn%len(all)]; !e.Rejected {
			return e
		}
	}
	return all[s.turn%len(all)]
}

// Learn has the lookahead analysis learn, which the schedule is based on.
func (s *scheduled) Learn(r *search.Result) {
	if r.Real() {
		s.lookahead.Learn(r)
	}
}

// Repeat has the lookahead analysis count an input that was dropped.
func (s *scheduled) Repeat(r *search.Repeat) {
	if r.Known != nil {
		s.lookahead.Count(r.Known)
	}
}

// bestPerBranch mutates the entry nearest to each just-missed branch, in turn
// [sFuzz 3.2].
type bestPerBranch struct {
	search *search.Search
	guide  *direct.Guide
	off    bool
	turn   int
}

// rejectedOneIn is how rarely the nearest entry is mutated if its test does not allow it.
const rejectedOneIn = 4

// Next mutates the entry nearest to a missed branch; to one that is relevant if
// the choice follows the direction.
func (s *bestPerBranch) Next() *search.Candidate {
	missed := s.search.Corpus.Missed()
	if len(missed) == 0 {
		return nil
	}
	var b cover.Branch
	if s.guide.Exploit() {
		var ok bool
		if b, ok = s.guide.Pursue(); !ok {
			return nil
		}
	} else {
		s.turn++
		b = missed[s.turn%len(missed)]
	}
	random := s.search.Generator.Random
	best := s.search.Corpus.Near(random, b)
	if best.Rejected && random.IntN(rejectedOneIn) > 0 {
		return nil
	}
	if s.guide.SkipsTx(best.Sequence.Last()) || corpus.Slowed(best, max(best.Usage.Rate.New(100), 5)) <= random.IntN(100) {
		return nil
	}
	return s.search.Generator.Vary(best)
}

// Learn keeps a result that comes nearer to an uncovered branch than any before,
// or than any on its path. It becomes an entry, though not of the corpus.
func (s *bestPerBranch) Learn(r *search.Result) {
	if s.off || !r.Fast() {
		return
	}
	all := s.search.Corpus
	nearer := func(cost *cover.Cost) (cover.Branch, bool) {
		b, ok := cost.Metric.Branch()
		return b, ok && all.Nearer(b, r.Run.Path, &cost.Value) && s.search.Branches.Wanted(b)
	}
	first := 0
	for ; first < len(r.Run.Costs); first++ {
		if _, ok := nearer(&r.Run.Costs[first]); ok {
			break
		}
	}
	if first == len(r.Run.Costs) {
		return
	}
	if r.Entry == nil {
		r.Entry = all.NewEntry(r)
	}
	for i := range r.Entry.Costs {
		if b, ok := nearer(&r.Entry.Costs[i]); ok {
			all.Approach(b, r.Entry, &r.Entry.Costs[i].Value)
		}
	}
	s.search.Progress.LastNear = s.search.Progress.Inputs
}

// demanded makes longer sequences for functions that need other state [HARVEY
// 5], and tries what satisfies state goals.
type demanded struct {
	search     *search.Search
	guide      *direct.Guide
	origin     *search.Origin
	off        bool // makes no state goals
	noAdaptive bool
}

// Next puts transactions before an entry of a marked function.
func (s *demanded) Next() *search.Candidate {
	generator := s.search.Generator
	marked := generator.Demand.Marked()
	if len(marked) == 0 {
		return nil
	}
	marked = s.guide.Marks(marked)
	e := s.entry(marked[generator.Random.IntN(len(marked))].Callee)
	if e == nil {
		return nil
	}
	return generator.Longer(e, s.guide.Agree)
}

// goalPlateau is after how many inputs without new coverage state goals share
// with the other sources: where every input is a new path, as with the bits of a
// map, goals alone would fill a campaign. In November 2026 that raised the
// coverage of Uniswap v3's libraries from 4,187 to 4,352 instructions in 6,000
// inputs (means of 12 and of 24 seeds).
const goalPlateau = 256

// yields draws whether state goals wait this time.
func (s *demanded) yields() bool {
	return s.search.Progress.SinceNew() > goalPlateau && s.search.Generator.Random.IntN(2) == 0
}

// Goal returns the next attempt at a state goal.
func (s *demanded) Goal() *search.Candidate {
	if s.yields() || s.off {
		return nil
	}
	generator := s.search.Generator
	attempt, ok := generator.Demand.NextAttempt(generator.Random)
	for ok && !s.search.Over() && !generator.Propose(attempt.Sequence) {
		attempt, ok = generator.Demand.NextAttempt(generator.Random)
	}
	if !ok {
		return nil
	}
	e := s.entry(demand.CalleeOf(attempt.Sequence.Last()))
	if e == nil {
		return nil
	}
	seq, _ := s.guide.Agree(attempt.Sequence, 0)
	next := s.search.Corpus.Child(e, seq, mutate.Diff{Shape: true})
	next.Origin = s.origin
	if purpose, ok := attempt.Origin.(search.Purpose); ok {
		next.Purpose = purpose
	}
	return next
}

// entry draws an entry that calls a marked function: one time in three, if it is
// marked, the nearest one to a missed branch.
func (s *demanded) entry(callee demand.Callee) *corpus.Entry {
	random, all := s.search.Generator.Random, s.search.Corpus
	if missed := all.Missed(); len(missed) > 0 && !s.noAdaptive && random.IntN(3) == 0 {
		e := all.Near(random, s.missed(missed))
		if s.search.Generator.Demand.MarkOf(demand.CalleeOf(e.Sequence.Last())) != nil {
			return e
		}
	}
	entries := all.ByCallee(callee)
	if len(entries) == 0 {
		return nil
	}
	return entries[random.IntN(len(entries))]
}

// missed draws a missed branch; one near a target if the choice follows the
// direction.
func (s *demanded) missed(missed []cover.Branch) cover.Branch {
	random := s.search.Generator.Random
	if s.guide.Exploit() {
		if relevant := s.guide.ByDistance(missed); len(relevant) > 0 {
			return relevant[search.Halving(random, len(relevant))]
		}
	}
	return missed[random.IntN(len(missed))]
}

// eager puts any call anywhere in any sequence: HARVEY's configuration D, in
// place of demand.
type eager struct{ search *search.Search }

// Next inserts a call.
func (s *eager) Next() *search.Candidate {
	all, generator := s.search.Corpus, s.search.Generator
	e := all.Entries[generator.Random.IntN(len(all.Entries))]
	at := generator.Random.IntN(len(e.Sequence.Txs) + 1)
	callees := s.search.Subject.Callees
	seq := e.Sequence.Insert(at, generator.NewTx(callees[generator.Random.IntN(len(callees))].Callee))
	return all.Child(e, seq, mutate.Diff{First: at, Shape: true})
}
