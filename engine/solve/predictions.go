package solve

import (
	"slices"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/direct"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/predict"
	"leveret/engine/search"
)

// Predictions make inputs that predict.Sessions propose [HARVEY 4.1]. The first
// few of a session run before anything else, even if the parent's energy is
// spent; the later ones wait for their turn.
type Predictions struct {
	search    *search.Search
	guide     *direct.Guide
	solver    *Solver
	predictor *predict.Predictor
	origin    *search.Origin
	options   Options
	urgent    search.Queue
	later     search.Queue
	answers   map[answerKey]cover.Cost // of inputs of sessions
	sessions  map[cover.Metric]int     // by goal
	pairs     map[cover.Metric]int     // sessions in two parameters, by goal
}

// A prediction is the purpose of an input that a session proposed.
type prediction struct {
	session *predict.LineSearch
	steps   int // inputs of the session so far
}

// Met returns false: a session decides itself when it is over.
func (*prediction) Met(*search.Candidate) bool { return false }

// urgentSteps is how many inputs of a session run before anything else.
const urgentSteps = 3

func newPredictions(s *search.Search, g *direct.Guide, solver *Solver, p *predict.Predictor, o Options) *Predictions {
	all := &Predictions{
		search: s, guide: g, solver: solver, predictor: p, origin: &search.Origin{Name: "predicted"}, options: o,
		answers: map[answerKey]cover.Cost{}, sessions: map[cover.Metric]int{}, pairs: map[cover.Metric]int{},
	}
	p.Admit = all.admits
	p.NoIteration = o.NoIteration
	p.Seen = func(goal cover.Metric) bool {
		b, ok := goal.Branch()
		return ok && s.Corpus.Covered(b) || solver.wraps.Count(goal) > 1
	}
	return all
}

// Origin returns the origin of urgent predictions.
func (p *Predictions) Origin() *search.Origin { return p.origin }

// Stats returns how the sessions went.
func (p *Predictions) Stats() finding.Predicted {
	s := &p.predictor.Stats
	return finding.Predicted{Tried: s.Tried, OneShot: s.OneShot, Succeeded: s.Succeeded, Searches: s.Searches, Found: s.Found}
}

// Next returns the next urgent input.
func (p *Predictions) Next() *search.Candidate { return p.urgent.Take() }

// Iterate returns the next input of a long session: of one whose goal is
// relevant if the choice follows the direction.
func (p *Predictions) Iterate() *search.Candidate {
	if p.guide.Exploit() {
		return p.later.TakeFirst(func(next *search.Candidate) bool {
			b, ok := next.Purpose.(*prediction).session.Goal.Branch()
			return ok && p.guide.Relevant(b)
		})
	}
	return p.later.Take()
}

// Learn continues the session that a result belongs to, follows up inputs that
// missed their aim, or starts a session if the result differs from its parent
// in one parameter.
func (p *Predictions) Learn(r *search.Result) {
	own, _ := r.Purpose.(*prediction)
	switch {
	case r.PrefixFailed && own != nil:
		own.session.Feed(nil, false)
		p.propose(r.Parent, own)
	case !r.Fast():
	case own != nil:
		p.followUp(r)
		p.answered(r, own.session.Goal)
		own.session.Feed(r.Run.Costs, r.Run.Reached(own.session.Goal))
		if own.steps == 1 && !r.Run.Reached(own.session.Goal) {
			p.solver.blockedBy(r, Aim{goal: own.session.Goal, on: r.Parent, corpus: p.search.Corpus})
		}
		p.propose(r.Parent, own)
	default:
		p.followUp(r)
		p.learnAim(r)
		p.start(r)
	}
	p.solver.CatchUp()
}

// An answerKey is an input and a goal.
type answerKey struct {
	digest uint64
	goal   cover.Metric
}

// maxAnswers bounds the costs that are remembered for sessions.
const maxAnswers = 1 << 14

// answered remembers the distance of a session's input from its goal: sessions
// with the same goal often ask for the same input.
func (p *Predictions) answered(r *search.Result, goal cover.Metric) {
	for i := range r.Run.Costs {
		if r.Run.Costs[i].Metric != goal {
			continue
		}
		if len(p.answers) == maxAnswers {
			clear(p.answers)
		}
		p.answers[answerKey{r.Digest, goal}] = r.Run.Costs[i]
	}
}

// Repeat continues the session of an input that was executed before: with its
// cost if a session asked for it, else as if it had left the path.
func (p *Predictions) Repeat(r *search.Repeat) {
	own, ok := r.Purpose.(*prediction)
	if !ok {
		return
	}
	var costs []cover.Cost
	if cost, ok := p.answers[answerKey{r.Digest, own.session.Goal}]; ok {
		costs = []cover.Cost{cost}
	}
	own.session.Feed(costs, false)
	p.propose(r.Parent, own)
}

// followUp solves for the branch that made a run revert in which arithmetic
// wrapped.
func (p *Predictions) followUp(r *search.Result) {
	if !p.options.NoPrediction && p.solver.wraps.followsUp(r) {
		p.solver.flipLast(p.search.Corpus.NewEntry(r))
	}
}

// learnAim notes whether a result reached its aim, and follows up what blocked
// it.
func (p *Predictions) learnAim(r *search.Result) {
	aim, ok := r.Purpose.(*Aim)
	if !ok {
		return
	}
	if b, ok := aim.goal.Branch(); ok && !aim.shared && slices.Contains(r.Run.Branches, b) {
		aim.met = true
	}
	p.solver.blockedBy(r, *aim)
}

// start learns what a change of one parameter did, and starts sessions.
func (p *Predictions) start(r *search.Result) {
	if r.Parent == nil || !r.Change.Single || r.Change.Tx >= len(r.Parent.Sequence.Txs) {
		return
	}
	search.Attached(r.Parent).Effects.Record(r.Change, r.Run.Path != r.Parent.Path || changesCosts(r))
	if p.options.NoPrediction {
		return
	}
	trial := predict.Trial{
		Tx: r.Change.Tx, Param: r.Change.Param,
		Before:    input.Get(&r.Parent.Sequence.Txs[r.Change.Tx], &r.Change.Param),
		After:     input.Get(&r.Sequence.Txs[r.Change.Tx], &r.Change.Param),
		Execution: predict.Execution{Costs: r.Run.Costs, Branches: r.Run.Branches},
	}
	p.startPairs(r, trial)
	if s := p.predictor.Start(&trial, predict.Execution{Costs: r.Parent.Costs, Branches: r.Parent.Branches}); s != nil {
		p.propose(r.Parent, &prediction{session: s})
	}
}

// Bounds of the search in two parameters at once.
const (
	maxTrials       = 6 // remembered for an entry
	maxPairSessions = 8 // for a goal
)

// startPairs looks for two parameters to change together, where changing either
// alone leaves the path on which a goal is in sight.
func (p *Predictions) startPairs(r *search.Result, trial predict.Trial) {
	if r.Run.Path == r.Parent.Path || !p.isBest(r.Parent) {
		return
	}
	a := search.Attached(r.Parent)
	trial.Execution = predict.Execution{Costs: r.Run.Costs}
	for _, b := range p.search.Corpus.Missed() {
		best, _ := p.search.Corpus.Best(b)
		goal := cover.BranchMetric(b, 0)
		if best != r.Parent || p.sessions[goal] < freeSessions || p.pairs[goal] >= maxPairSessions {
			continue
		}
		for _, other := range a.Trials {
			for _, s := range p.predictor.StartPair(goal, r.Parent.Costs, other, trial) {
				p.pairs[goal]++
				p.propose(r.Parent, &prediction{s, urgentSteps})
			}
		}
	}
	if len(a.Trials) < maxTrials {
		trial.Costs = slices.Clone(trial.Costs)
		a.Trials = append(a.Trials, trial)
	}
}

// isBest reports whether e is the nearest entry to a missed branch.
func (p *Predictions) isBest(e *corpus.Entry) bool {
	for _, b := range p.search.Corpus.Missed() {
		if best, _ := p.search.Corpus.Best(b); best == e {
			return true
		}
	}
	return false
}

// freeSessions is how many sessions a goal gets unconditionally.
const freeSessions = 12

// admits keeps goals that resist from using up the campaign: the more sessions a
// goal has had, the rarer they become.
func (p *Predictions) admits(goal cover.Metric) bool {
	b, isBranch := goal.Branch()
	if isBranch && (!p.search.Branches.Wanted(b) || p.guide.Skips(b, nil)) {
		return false
	}
	p.sessions[goal]++
	n := p.sessions[goal]
	if isBranch && p.search.Corpus.Covered(b) {
		n += freeSessions // of little use
	}
	return n <= freeSessions || p.search.Generator.Random.IntN(1+n/4) == 0
}

// propose queues the next input of a session.
func (p *Predictions) propose(parent *corpus.Entry, last *prediction) {
	moves, ok := last.session.Next()
	if !ok {
		return
	}
	next := p.search.Corpus.Child(parent, predict.Apply(parent.Sequence, moves), mutate.Diff{
		Tx: moves[0].Tx, Param: moves[0].Param, First: predict.First(moves),
	})
	own := &prediction{last.session, last.steps + 1}
	next.Purpose = own
	if own.steps <= urgentSteps {
		next.Origin = p.origin
		p.urgent.Add(next)
	} else {
		p.later.Add(next) // counted for the source that offers it
	}
}

// changesCosts reports whether the costs of a result are not its parent's.
func changesCosts(r *search.Result) bool {
	if len(r.Run.Costs) != len(r.Parent.Costs) {
		return true
	}
	for i := range r.Run.Costs {
		was, ok := r.Parent.Cost(r.Run.Costs[i].Metric)
		if !ok || !was.Eq(&r.Run.Costs[i].Value) {
			return true
		}
	}
	return false
}
