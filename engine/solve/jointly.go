package solve

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/joint"
	"leveret/engine/mutate"
	"leveret/engine/search"
	"leveret/engine/shadow"
)

// Jointly makes inputs that meet several conditions at once: that of an uncovered
// branch, or of one that made a transaction revert, and all conditions on the way
// to it that depend on the same words of the sequence. Those of earlier
// transactions are among them, as is what they stored.
type Jointly struct {
	search  *search.Search
	origins [joint.Stages]*search.Origin
	queue   search.Queue
	budget  exec.Budget
	tries   map[jointGoal]int
	fresh   []*jointProblem // wait until cheaper proposals were executed
	later   []*jointProblem // whose budget was too small
	observe func(p *joint.Problem, most int)
	path    []shadow.PathCondition // of the problem that is made
}

// A jointProblem is a problem that may be tried again.
type jointProblem struct {
	*system
	*joint.Problem
	aim  *Aim // nil: a new path
	most int  // instructions of the next try
}

// A jointGoal is a branch, in one call if it belongs to a shared check, or the nth
// condition on the way to a revert.
type jointGoal struct {
	branch cover.Branch
	caller uint64
	callee demand.Callee
	pc     uint64
	n      int
}

// Joint solving may take a share of the work. A goal gets few tries, each more
// thorough than the one before; more as the campaign goes on.
const (
	jointShare    = 0.05
	jointInitial  = 40e6
	jointBrief    = 4e6 // where many campaigns take short turns
	jointTries    = 6
	jointTryEvery = 4096    // inputs
	jointLeast    = 100_000 // instructions of the first try
	jointMost     = 400_000 // of a later one
	jointStep     = 15      // work of an instruction

	maxFresh          = 32        // problems that wait
	maxPostponed      = 16        // problems that are tried again
	maxPostponedNodes = 1 << 11   // of a problem that waits
	postponedMost     = 1_600_000 // instructions
)

// stageNames are the names of the sources, by the last stage that a model needed.
var stageNames = [joint.Stages]string{
	joint.ByInverse: "joint-inverses", joint.ByElimination: "joint-linear", joint.ByDivisors: "joint-divisors", joint.BySearch: "joint-search",
}

func newJointly(s *search.Search, o Options) *Jointly {
	j := &Jointly{search: s, budget: exec.Budget{Share: jointShare, Initial: jointInitial}, tries: map[jointGoal]int{}, observe: o.Joint}
	if o.Brief {
		j.budget.Initial = jointBrief
	}
	for stage, name := range stageNames {
		j.origins[stage] = &search.Origin{Name: name}
	}
	return j
}

// Origins returns the origins of the inputs, by stage.
func (j *Jointly) Origins() []*search.Origin { return j.origins[:] }

// Next returns the next input. If there is none, a problem whose branch is still
// uncovered is solved; if none is fresh and half of the budget is left, one that
// was postponed.
func (j *Jointly) Next() *search.Candidate {
	for {
		next := j.queue.TakeUnmet()
		if next != nil || len(j.fresh) == 0 {
			if next != nil || len(j.later) == 0 {
				return next
			}
			break
		}
		j.first(&j.fresh)
	}
	half := exec.Budget{Share: j.budget.Share / 2, Initial: j.budget.Initial / 2, Spent: j.budget.Spent}
	if half.Allows(j.search.Progress.Work) {
		j.first(&j.later)
	}
	return j.queue.TakeUnmet()
}

// first tries the first problem of a list, unless its branch was covered.
func (j *Jointly) first(list *[]*jointProblem) {
	p := (*list)[0]
	*list = (*list)[1:]
	if p.aim == nil || !p.aim.covered() {
		j.try(p)
	}
	p.solver.taint.graphs.release(p.graph)
}

// allows counts a try for a goal. It returns how many instructions it may take; 0
// if there is to be none.
func (j *Jointly) allows(goal jointGoal) int {
	n := j.tries[goal]
	if n >= jointTries+j.search.Progress.Inputs/jointTryEvery || !j.budget.Allows(j.search.Progress.Work) {
		return 0
	}
	j.tries[goal]++
	return min(jointMost, jointLeast<<min(n, 10))
}

// flip proposes an input that takes the other side of a decision of the taint run
// of p.
func (j *Jointly) flip(p *proposals, d *shadow.Decision, b cover.Branch) {
	observer := p.solver.taint.observer
	key := jointGoal{branch: b + 1}
	if p.aim.shared {
		key.caller = d.Caller
	}
	most := j.allows(key)
	if most == 0 {
		return
	}
	goal := shadow.PathCondition{Word: observer.Expression(d.Cond), Taken: !d.Taken}
	j.path = slices.AppendSeq(j.path[:0], observer.Path(d.Number))
	j.solve(p, j.path, goal, most)
}

// pass proposes an input that passes the last condition before a revert: its
// other side was covered, but not at once with the conditions before it.
func (j *Jointly) pass(p *proposals) {
	if p.entry.Success || p.entry.Rejected {
		return
	}
	path := slices.AppendSeq(j.path[:0], p.solver.taint.observer.Path(1<<30))
	if j.path = path; len(path) < 2 {
		return
	}
	goal := path[len(path)-1]
	key := jointGoal{callee: demand.CalleeOf(p.entry.Sequence.Last()), pc: goal.PC, n: len(path)}
	if most := j.allows(key); most > 0 {
		goal.Taken = !goal.Taken
		p.aim = nil
		j.solve(p, path[:len(path)-1], goal, most)
	}
}

// solve makes a problem of a goal at the end of a path.
func (j *Jointly) solve(p *proposals, path []shadow.PathCondition, goal shadow.PathCondition, most int) {
	x := newSystem(p, goal)
	problem, ok := x.problem(path, goal)
	if !ok {
		return
	}
	j.budget.Spent += uint64(jointStep * len(x.graph.Nodes))
	made := &jointProblem{x, problem, p.aim, most}
	if len(x.graph.Nodes) > maxPostponedNodes {
		j.try(made)
		return
	}
	made.graph.waiting++
	if j.fresh = append(j.fresh, made); len(j.fresh) > maxFresh {
		j.first(&j.fresh)
	}
}

// try solves a problem and queues its model. A problem that takes more than it may
// is postponed.
func (j *Jointly) try(p *jointProblem) {
	if j.observe != nil {
		j.observe(p.Problem, p.most)
	}
	model, spent, ok := p.Solve(j.search.Generator.Random, p.most)
	j.budget.Spent += uint64(jointStep * spent)
	if !ok {
		if p.most *= 2; spent >= p.most/2 && p.most <= postponedMost && len(j.later) < maxPostponed && len(p.graph.Nodes) <= maxPostponedNodes {
			p.graph.waiting++
			j.later = append(j.later, p)
		}
		return
	}
	child, change := p.write(p.Problem, model.Values)
	if change.Tx < 0 || !j.search.Generator.Propose(child) {
		return
	}
	next := j.search.Corpus.Child(p.entry, child, change)
	if p.aim != nil {
		next.Purpose = p.aim
	}
	next.Origin = j.origins[model.By]
	j.queue.Add(next)
}

// A system is what the words of a path depend on.
type system struct {
	*proposals
	graph  *graph
	inputs []joint.Variable // that may change
	on     []uint64         // by Expression: the inputs that it depends on, as bits
	pinned []uint64         // by Expression: the inputs that must not change, as else it is unknown
}

// newSystem finds the inputs of all Expressions, those of goal first.
func newSystem(p *proposals, goal shadow.PathCondition) *system {
	x := &system{proposals: p, graph: p.solver.taint.graphs.latest}
	nodes := x.graph.Nodes
	x.on, x.pinned = make([]uint64, len(nodes)), make([]uint64, len(nodes))
	needed := make([]bool, len(nodes))
	needed[goal.Word] = true
	for e := goal.Word; e >= 0; e-- {
		if n := &nodes[e]; needed[e] {
			needed[n.A], needed[n.B], needed[n.C] = true, true, true
		}
	}
	for _, first := range [...]bool{true, false} {
		for e := range nodes {
			if n := &nodes[e]; needed[e] == first && n.Op == shadow.OpInput {
				x.input(shadow.Expr(e), n)
			}
		}
	}
	var among shadow.Masks
	for e := range nodes {
		n := &nodes[e]
		switch n.Op {
		case shadow.OpConst, shadow.OpInput:
			continue
		case shadow.OpFrozen:
			if among == nil {
				among = x.masks()
			}
			x.pinned[e] = among.Of(p.solver.taint.observer.Sets(), n.Pins)
		}
		x.on[e] |= x.on[n.A] | x.on[n.B] | x.on[n.C]
		x.pinned[e] |= x.pinned[n.A] | x.pinned[n.B] | x.pinned[n.C]
	}
	return x
}

// input adds an input if there is a parameter for it. Lengths are none: another
// one moves all words behind it.
func (x *system) input(e shadow.Expr, n *shadow.Expression) {
	if i := n.Source.Tx; i >= 0 && i < len(x.entry.Sequence.Txs) && len(x.inputs) < joint.MaxVariables {
		tx := &x.entry.Sequence.Txs[i]
		p, ok := x.parameter(i, tx, n.Source)
		if !ok {
			return
		}
		switch p.Kind {
		case input.ParamArg, input.ParamChunk, input.ParamWei, input.ParamRaw, input.ParamAnswer:
		default:
			return
		}
		if word := input.Get(tx, &p); word != n.Value || p.Word.Wrap(&word) != word {
			return
		}
		x.on[e] = 1 << len(x.inputs)
		x.inputs = append(x.inputs, joint.Variable{At: e, Word: p.Word, Value: n.Value})
	}
}

// masks tells which inputs are in a set.
func (x *system) masks() shadow.Masks {
	sources := make([]shadow.TaintSource, len(x.inputs))
	for i := range x.inputs {
		sources[i] = x.graph.Nodes[x.inputs[i].At].Source
	}
	return x.solver.taint.observer.Sets().Masks(sources)
}

// problem returns the goal with the conditions that share inputs with it, with
// one another's inputs; false if no input may change for the goal.
func (x *system) problem(path []shadow.PathCondition, goal shadow.PathCondition) (*joint.Problem, bool) {
	all, pinned := x.on[goal.Word], x.pinned[goal.Word]
	for more := true; more; {
		more = false
		for _, c := range path {
			if on := x.on[c.Word]; on&all != 0 && on&^all != 0 {
				all, more = all|on, true
			}
		}
	}
	for _, c := range path {
		pinned |= x.pinned[c.Word]
	}
	free := all &^ pinned
	if x.on[goal.Word]&free == 0 {
		return nil, false
	}
	problem := &joint.Problem{Graph: x.graph.Expressions}
	for i := range x.inputs {
		if free>>i&1 != 0 {
			problem.Variables = append(problem.Variables, x.inputs[i])
		}
	}
	for _, c := range append(path, goal) {
		if x.on[c.Word]&free != 0 {
			problem.Requirements = append(problem.Requirements, joint.Requirement{Word: c.Word, Nonzero: c.Taken})
		}
	}
	return problem, true
}

// write writes the values of a model into the sequence. The change is of
// transaction -1 if there is none, and single if one parameter changes.
func (x *system) write(p *joint.Problem, values []uint256.Int) (input.Sequence, mutate.Diff) {
	child, change := x.entry.Sequence, mutate.Diff{Tx: -1}
	for i := range p.Variables {
		source := x.graph.Nodes[p.Variables[i].At].Source
		next, diff, ok := x.Write(child, &shadow.Flow{Source: source, Bits: 256}, &values[i])
		if !ok {
			continue
		}
		switch child = next; {
		case change.Tx < 0:
			change = diff
		case diff.First < change.First:
			change = mutate.Diff{Tx: diff.Tx, First: diff.First}
		default:
			change = mutate.Diff{Tx: change.Tx, First: change.First}
		}
	}
	return child, change
}
