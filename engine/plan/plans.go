// Package plan searches for sequences that lead to a state in which an uncovered
// branch is taken: it is forward search as in planning, over states that executions
// lead to, with the calls that matter by regression over writes.
//
// What a branch needs is read from the nearest run: the storage that its condition
// depends on. The calls that change these words, what those calls read, and the calls
// that change that, lead from state to state; two states are one if they agree in all
// these words. After each call the last transaction of the nearest run says how near
// the state is. Where it, or a call that helped before, leaves its path, a taint run
// says which arguments, sender or signature would keep it there, and which storage:
// calls that write that are added. Every step is an input of the campaign.
package plan

import (
	"maps"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/direct"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/search"
)

// Repairs solve for what keeps a transaction on a path.
type Repairs interface {
	// Needs returns the storage words that the condition of a branch depends on.
	Needs(b cover.Branch) []evm.Slot
	// Repair returns sequences whose last transaction may take the first decision
	// that is not among some branches otherwise, and the storage with which it does.
	Repair(s input.Sequence, like []cover.Branch) (sequences []input.Sequence, goals []demand.SlotGoal)
	// Wants returns the storage of Repair alone, and Affordable whether it took no more
	// than its share of the work so far.
	Affordable() bool
	Wants(s input.Sequence, like []cover.Branch) []demand.SlotGoal
}

// Plans are an input source: a plan for each uncovered branch that depends on storage.
type Plans struct {
	search   *search.Search
	guide    *direct.Guide
	executor *exec.Executor
	repairs  Repairs
	balances bool // code reads balances
	plans    map[cover.Branch]*plan
	current  *plan
	turn     int
}

// New returns the source. executor is that of inputs, whose states are known.
func New(s *search.Search, g *direct.Guide, x *exec.Executor, r Repairs) *Plans {
	return &Plans{
		search: s, guide: g, executor: x, repairs: r, plans: map[cover.Branch]*plan{},
		balances: s.Subject.Suite == nil && len(s.Subject.BalanceReaders()) > 0,
	}
}

// Met returns false: a trial is executed right after it was asked for.
func (t *trial) Met(*search.Candidate) bool { return false }

// Next returns the next trial of a plan. A plan goes on while it comes nearer, and
// some trials more; then it is the turn of the next.
func (s *Plans) Next() *search.Candidate {
	if s.search.Progress.SinceNew() < plateau {
		return nil
	}
	missed := s.search.Corpus.Missed()
	for range min(len(missed), maxAsked) + 1 {
		if p := s.current; p != nil && p.after < maxAfter && !s.search.Corpus.Covered(p.branch) {
			if t, ok := s.trial(p); ok {
				p.after++
				next := s.search.Generator.FromStart(input.Sequence{Deployment: s.search.Subject.Deployment.Record, Txs: t.txs})
				next.Purpose = &t
				if t.via >= 0 {
					next.Begun = exec.Begun{Txs: t.from.length, Digest: t.from.digest}
				}
				return next
			}
		}
		if s.current = nil; len(missed) == 0 {
			return nil
		}
		s.turn++
		s.begin(missed[s.turn%len(missed)])
	}
	return nil
}

// plateau is after how many inputs without new coverage plans are made: until then,
// single calls bring more.
const plateau = 256

// maxAsked bounds the branches that are looked at for one input.
const maxAsked = 16

// begin makes the plan of a branch the current one, if there may be one. A plan whose
// entry is replaced by a nearer one has its turn at once.
func (s *Plans) begin(b cover.Branch) {
	if len(s.repairs.Needs(b)) == 0 || !s.search.Branches.Wanted(b) {
		return
	}
	e := s.search.Corpus.Near(s.search.Generator.Random, b)
	if len(e.Reads) == 0 || s.guide.SkipsTx(e.Sequence.Last()) {
		return
	}
	p := s.plans[b]
	if p == nil || len(p.nodes) >= maxNodes {
		s.forget()
		p = newPlan(b)
		s.plans[b] = p
	}
	s.consider(p, e)
	p.entries = -1
	if p.rest > 0 {
		p.rest--
		return
	}
	p.rest = 1<<min(p.vain, maxRest) - 1
	p.vain++
	p.after = 0
	s.current = p
}

// forget drops the plans of covered branches, and one more if there are too many.
func (s *Plans) forget() {
	maps.DeleteFunc(s.plans, func(b cover.Branch, _ *plan) bool { return s.search.Corpus.Covered(b) })
	if len(s.plans) >= maxPlans {
		delete(s.plans, slices.Max(slices.Collect(maps.Keys(s.plans))))
	}
}

// maxPlans bounds the plans that are kept.
const maxPlans = 64

// consider takes over an entry if it is nearer to the branch.
func (s *Plans) consider(p *plan, e *corpus.Entry) {
	if e == p.entry {
		return
	}
	s.search.Corpus.Refresh(e) // entries were measured as the branch was known then
	if cost := p.costOf(e.Costs); p.entry == nil || cost.Lt(&p.nearest) {
		p.entry, p.nearest, p.entries, p.rest = e, cost, -1, 0
		p.best = fitness{0, cost}
		s.begun(p)
	}
}

// maxRest is how many turns a plan leaves out at most, as a power of two: twice as many
// each time it came no nearer.
const maxRest = 6

// trial returns the next trial of a plan.
func (s *Plans) trial(p *plan) (trial, bool) {
	s.refresh(p)
	if len(p.pending) == 0 && len(p.blocked) > 0 && p.turns.n%(repairEvery<<min(p.useless/4, maxUseless)) == 0 {
		s.repair(p)
	}
	t, ok := p.take()
	if !ok && len(p.blocked) > 0 {
		s.repair(p)
		t, ok = p.take()
	}
	return t, ok
}

// Every how many trials a node is repaired, while there are calls to try; more rarely,
// up to a power of two, if repairs brought no progress.
const (
	repairEvery = 8
	maxUseless  = 5
)

// refreshAfter is after how many new entries a plan that goes on looks for calls again.
const refreshAfter = 64

// refresh adds the calls that the campaign learned to a plan.
func (s *Plans) refresh(p *plan) {
	all, generator := s.search.Corpus, s.search.Generator
	if e, _ := all.Best(p.branch); e != nil && e != p.latest && s.repairs.Affordable() {
		p.latest = e
		s.consider(p, e)
	}
	if p.entries >= 0 && len(all.Entries) < p.entries+refreshAfter {
		return
	}
	p.entries = len(all.Entries)
	effects := generator.Demand.Effects(slices.Concat(s.repairs.Needs(p.branch), p.entry.Reads))
	p.count(effects.Variables)
	for i := range effects.Calls {
		p.learn(&effects.Calls[i], 0)
	}
	for i := range p.wants {
		s.want(p, &p.wants[i], 1)
	}
}

// begun makes nodes of the start of the campaign and of the state before the last
// transaction of the entry, which is the goal from now on. The goal may concern other
// keys as well.
func (s *Plans) begun(p *plan) {
	e, generator := p.entry, s.search.Generator
	like := slices.DeleteFunc(slices.Clone(e.Branches), func(b cover.Branch) bool { return b == p.branch.Other() })
	if like = append(like, p.branch); !slices.Equal(like, p.like) || !same(e.Sequence.Last(), &p.goal) {
		p.restart() // nodes were rated by another goal
	}
	p.like, p.goal = like, *e.Sequence.Last()
	flipped, _ := s.repairs.Repair(e.Sequence, p.like)
	p.wants = s.repairs.Wants(e.Sequence, p.like)
	p.away = *new(uint256.Int).SetAllOne()
	for i := range flipped {
		p.propose(nil, flipped[i].Txs, 1)
	}
	goals := []input.Tx{p.goal}
	if other, ok := generator.Demand.Elsewhere(generator.Random, goals[0], e.Reads); ok {
		goals = append(goals, other)
	}
	before := e.Sequence.Txs[:len(e.Sequence.Txs)-1]
	for i := range goals {
		p.propose(nil, append(before[:len(before):len(before)], goals[i]), 0)
		p.propose(nil, goals[i:i+1], 0)
	}
}

// want adds calls that may write what a slot goal wants.
func (s *Plans) want(p *plan, goal *demand.SlotGoal, depth int) {
	if depth > maxDepth {
		return
	}
	calls := s.search.Generator.Demand.Writing(s.search.Generator.Random, goal)
	for i := range calls {
		p.learn(&calls[i], depth)
	}
}

// repair solves for what keeps the goal of a node on the path of the entry, and for
// what keeps the calls there that helped elsewhere.
func (s *Plans) repair(p *plan) {
	at := 0
	p.repairs++
	p.useless++
	for i, n := range p.blocked {
		if before(n, p.blocked[at], p.repairs) {
			at = i
		}
	}
	n := p.blocked[at]
	p.blocked = slices.Delete(p.blocked, at, at+1)
	s.solve(p, n, -1, n.goal, p.like)
	helped := 0
	for i := range p.calls {
		if c := &p.calls[i]; c.like != nil && helped < maxHelped && !same(&c.tx, n.goal) {
			helped++
			s.solve(p, n, i, &c.tx, c.like)
		}
	}
}

// same reports whether two transactions do the same.
func same(a, b *input.Tx) bool {
	return input.DigestTx(input.NoTxs, a) == input.DigestTx(input.NoTxs, b)
}

// maxHelped bounds the calls that are repaired at one node.
const maxHelped = 3

// solve solves for what keeps a call at a node, or its goal, on a path.
func (s *Plans) solve(p *plan, n *node, via int, tx *input.Tx, like []cover.Branch) {
	seq := input.Sequence{Deployment: s.search.Subject.Deployment.Record, Txs: append(n.sequence(), *tx)}
	sequences, goals := s.repairs.Repair(seq, like)
	depth := 1
	if via >= 0 {
		depth = p.calls[via].depth + 1
	}
	for _, seq := range sequences {
		if via < 0 {
			p.learn(seq.Last(), depth)
			p.propose(n, seq.Txs, n.repairs+1)
		} else {
			p.propose(n, append(seq.Txs[:len(seq.Txs):len(seq.Txs)], *n.goal), 0)
		}
	}
	for i := range goals {
		s.want(p, &goals[i], depth)
	}
}

// Learn adds the state before the goal of a trial to its plan, unless it was there.
func (s *Plans) Learn(r *search.Result) {
	if t, ok := r.Purpose.(*trial); ok && r.Real() && len(r.Sequence.Txs) == len(t.txs) {
		s.learn(t, r.Before(), &r.Run)
	}
}

// Repeat does what Learn does for a trial that was executed before, whose costs were
// not kept.
func (s *Plans) Repeat(r *search.Repeat) {
	if t, ok := r.Purpose.(*trial); ok && r.Path != 0 && len(r.Sequence.Txs) == len(t.txs) {
		ready := s.executor.Prepare(&r.Job)
		_, _, run := s.executor.Watch(ready.At, r.Sequence.Last(), nil)
		s.learn(t, ready.At.World, run)
	}
}

// learn adds the state before the goal of a trial.
func (s *Plans) learn(t *trial, at *evm.World, goal *cover.Run) {
	p := t.plan
	if len(p.nodes) >= maxNodes || s.search.Corpus.Covered(p.branch) {
		return
	}
	f := p.fitnessOf(goal.Branches, goal.Costs)
	id := s.identity(t, at)
	if known := p.seen[id]; known != nil {
		if !p.better(known, t, f) && f.level > 0 && t.repairs > 0 && t.repairs < maxRepairs {
			p.block(t, f, known.away)
		}
		return
	}
	n := p.add(t, f, p.awayOf(at))
	n.state, n.version = id, p.version
	p.seen[id] = n
	if t.from == nil || t.via < 0 {
		return
	}
	if f.less(&t.from.fitness) || n.away.Lt(&t.from.away) {
		s.helped(p, t, goal)
	}
	if p.best == f {
		p.repeat(n, t)
	}
}

// identity returns the identity of the state before the goal of a trial: from that of
// the node that it started from, if its World is known.
func (s *Plans) identity(t *trial, at *evm.World) uint64 {
	p, start := t.plan, s.search.Subject.Start.World
	since := func(of uint64, before, at *evm.World) uint64 {
		return p.identity(of, at.Diff(before), start, s.variable, s.balances)
	}
	if t.via < 0 {
		return since(0, start, at)
	}
	known, ok := s.executor.Prefixes.State(t.from.digest)
	if !ok {
		return since(0, start, at)
	}
	if t.from.version != p.version { // other variables count now
		t.from.state, t.from.version = since(0, start, known.World), p.version
	}
	return since(t.from.state, known.World, at)
}

// awayOf returns how far the storage is from what is wanted.
func (p *plan) awayOf(w *evm.World) uint256.Int {
	least := *new(uint256.Int).SetAllOne()
	for i := range p.wants {
		goal := &p.wants[i]
		word := w.Storage(goal.Address, goal.Key)
		if away := goal.Away(new(uint256.Int).SetBytes32(word[:])); away.Lt(&least) {
			least = away
		}
	}
	return least
}

// helped remembers the path of a call that came nearer to the goal. Others learn from the run
// of the goal, so that it is kept from the next one.
func (s *Plans) helped(p *plan, t *trial, goal *cover.Run) {
	c := &p.calls[t.via]
	if c.like != nil {
		return
	}
	goal.Keep()
	at := s.executor.Prepare(&exec.Job{Sequence: input.Sequence{Txs: append(t.from.sequence(), c.tx)}, Start: &s.search.Subject.Start})
	_, _, run := s.executor.Watch(at.At, &c.tx, nil)
	c.like = slices.Clone(run.Branches)
}

// variable returns the variable of a storage word.
func (s *Plans) variable(slot evm.Slot) demand.Variable {
	return s.search.Generator.Demand.Preimages.Resolve(slot.Address, slot.Key).Variable
}

// fitnessOf says how near a goal that took some branches came to the plan's branch.
func (p *plan) fitnessOf(branches []cover.Branch, costs []cover.Cost) fitness {
	f := farthest()
	f.level = 0
	for _, b := range p.like {
		if b != p.branch && !slices.Contains(branches, b) {
			f.level++
		}
	}
	f.cost = p.costOf(costs)
	return f
}

// costOf returns the distance from the plan's branch; the greatest if it is unknown.
func (p *plan) costOf(costs []cover.Cost) uint256.Int {
	least := *new(uint256.Int).SetAllOne()
	for i := range costs {
		if b, ok := costs[i].Metric.Branch(); ok && b == p.branch && costs[i].Value.Lt(&least) {
			least = costs[i].Value
		}
	}
	return least
}
