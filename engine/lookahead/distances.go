package lookahead

import (
	"maps"
	"slices"

	"leveret/engine/bytecode"
)

// distanceBounds are larger: Distances runs once per function and campaign, not
// once per path.
var distanceBounds = bounds{contexts: 250, keys: 500, work: 200_000}

// maxFocused is the maximal number of blocks of a code that is analyzed as a
// whole; larger codes exceed these limits.
const maxFocused = 1000

// Distances are the distances of the calls of a function to the targets of a
// code. They result from one forward fixpoint that separates the calls of
// internal functions, so that the results of one caller do not affect another.
type Distances struct {
	Reasons []Reason // reasons other than Unreachable
	Start   int      // distance of the start of the call from a target; -1: unreachable

	code   *bytecode.Code
	near   []int     // by block: distance to a target; -1: unreachable
	beyond []bool    // by block: has a target, or may run after one
	turns  [][2]int  // by block that ends in a conditional jump: near after each outcome, jumping second
	passed [][2]bool // by block: feasible outcomes
	whole  bool      // complete: nothing was skipped
}

// A trail records the edges of a fixpoint.
type trail struct {
	on  [][]edge // from each join key
	via int8     // outcome of the conditional jump being executed
}

// An edge is a transition between join keys.
type edge struct {
	from, to int
	via      int8 // outcome of a conditional jump; -1: none
}

// turn records the outcome being followed.
func (f *flow) turn(outcome int8) {
	if f.trail != nil {
		f.trail.via = outcome
	}
}

// went records an edge from the current join key.
func (f *flow) went(to int) {
	if f.trail == nil || f.at == nil {
		return
	}
	e := edge{f.at.number, to, -1}
	if f.code.Blocks[f.at.block].Flow == bytecode.Branches {
		e.via = f.trail.via
	}
	for len(f.trail.on) <= e.from {
		f.trail.on = append(f.trail.on, nil)
	}
	if on := &f.trail.on[e.from]; !slices.Contains(*on, e) {
		*on = append(*on, e)
	}
}

// Distances analyzes calls from the start of a code. It counts distances in
// conditional jumps. In a code without targets, instructions that open a frame
// count as targets, because the targets are in other codes. It returns false
// for unknown codes.
func (a *Analyzer) Distances(code int, calls Calls) (*Distances, bool) {
	p := a.program(code)
	if p == nil {
		return nil, false
	}
	return a.explore(p, nil, calls, p.ends()), true
}

// explore computes the distances to some of a program's blocks. It skips blocks
// that are not relevant; nil means none.
func (a *Analyzer) explore(p *program, relevant []bool, calls Calls, ends []bool) *Distances {
	a.flow.nodes.reset()
	f := a.machineFor(p)
	f.relevant, f.near, f.gather, f.bounds = relevant, nil, true, distanceBounds
	f.trail = &trail{}
	s := &state{returned: f.number(0)}
	f.restrict(s, calls)
	f.start(0, s)
	f.run()
	a.Stats.Steps += f.steps
	w := &Distances{code: p.code, whole: !f.reasons[Unresolved] && !f.reasons[Exhausted]}
	for reason := Reached; reason <= Exhausted; reason++ {
		if f.reasons[reason] {
			w.Reasons = append(w.Reasons, reason)
		}
	}
	w.measure(f, ends)
	f.trail = nil
	return w
}

// focus removes blocks from relevant that reach none of the ends in any call,
// as far as the analysis can tell.
func (a *Analyzer) focus(p *program, ends []bool) {
	if len(p.code.Blocks) > maxFocused {
		return
	}
	w := a.explore(p, p.relevant, Calls{}, ends)
	for b := range p.relevant {
		p.relevant[b] = p.relevant[b] && (w.near[b] >= 0 || !w.whole)
	}
	if w.whole {
		p.near = w.near
	}
}

// ends are the blocks to which distances are measured.
func (p *program) ends() []bool {
	if slices.Contains(p.goals, true) {
		return p.goals
	}
	return p.graph.calls
}

// measure reverses the trail and computes distances from the ends.
func (w *Distances) measure(f *flow, ends []bool) {
	count := len(f.places)
	back := make([][]edge, count)
	for _, on := range f.trail.on {
		for _, e := range on {
			back[e.to] = append(back[e.to], e)
		}
	}
	var goals []int
	for k, p := range f.places {
		if ends[p.block] {
			goals = append(goals, k)
		}
	}
	near := distances(count, goals, back)
	w.summarise(f, near, reachable(count, goals, f.trail.on))
}

// distances counts the conditional jumps from each join key to the nearest
// goal; -1 if there is no path.
func distances(count int, goals []int, back [][]edge) []int {
	near := make([]int, count)
	for k := range near {
		near[k] = -1
	}
	ring, next := slices.Clone(goals), []int(nil)
	for d := 0; len(ring) > 0; d, ring, next = d+1, next, nil {
		for len(ring) > 0 {
			k := ring[len(ring)-1]
			ring = ring[:len(ring)-1]
			if near[k] >= 0 {
				continue
			}
			near[k] = d
			for _, e := range back[k] {
				switch {
				case near[e.from] >= 0:
				case e.via < 0:
					ring = append(ring, e.from)
				default:
					next = append(next, e.from)
				}
			}
		}
	}
	return near
}

// reachable marks the goals and what is reachable from them.
func reachable(count int, goals []int, on [][]edge) []bool {
	reached := make([]bool, count)
	work := slices.Clone(goals)
	for len(work) > 0 {
		k := work[len(work)-1]
		work = work[:len(work)-1]
		if reached[k] {
			continue
		}
		reached[k] = true
		if k < len(on) {
			for _, e := range on[k] {
				work = append(work, e.to)
			}
		}
	}
	return reached
}

// summarise combines the contexts of each block.
func (w *Distances) summarise(f *flow, near []int, beyond []bool) {
	blocks := len(f.code.Blocks)
	w.near, w.beyond = make([]int, blocks), make([]bool, blocks)
	w.turns, w.passed = make([][2]int, blocks), make([][2]bool, blocks)
	for b := range blocks {
		w.near[b], w.turns[b] = -1, [2]int{-1, -1}
	}
	for k, p := range f.places {
		w.near[p.block] = nearer(w.near[p.block], near[k])
		w.beyond[p.block] = w.beyond[p.block] || beyond[k]
	}
	for from, on := range f.trail.on {
		b := f.places[from].block
		for _, e := range on {
			if e.via >= 0 {
				w.turns[b][e.via] = nearer(w.turns[b][e.via], near[e.to])
				w.passed[b][e.via] = true
			}
		}
	}
	w.Start = w.near[0]
}

// nearer is the smaller of two distances, where -1 means none.
func nearer(a, b int) int {
	if a < 0 || b >= 0 && b < a {
		return b
	}
	return a
}

// Met reports whether the analysis met a reason.
func (w *Distances) Met(r Reason) bool { return slices.Contains(w.Reasons, r) }

// Complete reports whether the analysis skipped nothing: then what it does not
// call reachable is unreachable.
func (w *Distances) Complete() bool { return w.whole }

// Outcome returns the distance after an outcome of the conditional jump at pc
// to a target; false if there is no path.
func (w *Distances) Outcome(pc uint64, taken bool) (int, bool) {
	b, ok := w.code.BlockAt(pc)
	if !ok {
		return 0, false
	}
	d := w.turns[b][outcome(taken)]
	return d, d >= 0
}

// Beyond reports whether an outcome of the conditional jump at pc can come
// after a target, in the same block or a later one.
func (w *Distances) Beyond(pc uint64, taken bool) bool {
	b, ok := w.code.BlockAt(pc)
	return ok && w.beyond[b] && w.passed[b][outcome(taken)]
}

// ConstantJumps lists the conditional jumps that have one feasible outcome in
// all Distances although the other outcome leads to a target by its form. If no
// target is reachable, one of them is the cause. If constant jumps alone lead
// from some of them to a target, it lists only those, because a return may lead
// anywhere.
func (a *Analyzer) ConstantJumps(all []*Distances) []Target {
	var strict, loose []Target
	for _, id := range slices.Sorted(maps.Keys(a.codes)) {
		p := a.codes[id]
		passed := make([][2]bool, len(p.code.Blocks))
		for _, w := range all {
			for b := range passed {
				if w.code == p.code {
					passed[b][0] = passed[b][0] || w.passed[b][0]
					passed[b][1] = passed[b][1] || w.passed[b][1]
				}
			}
		}
		forms := p.graph.reaching(p.code, p.ends())
		for b, turn := range passed {
			if turn[0] == turn[1] {
				continue
			}
			for _, to := range p.graph.next[b] {
				if turn[outcome(int(to) != b+1)] || !forms[to] {
					continue
				}
				jump := Target{p.id, p.code.Instructions[p.code.Blocks[b].Last].PC}
				loose = append(loose, jump)
				if p.leads(int(to)) {
					strict = append(strict, jump)
				}
			}
		}
	}
	if len(strict) > 0 {
		return strict
	}
	return loose
}

// leads reports whether constant jumps lead from a block to a target.
func (p *program) leads(block int) bool {
	ends, seen := p.ends(), make([]bool, len(p.code.Blocks))
	work := []int{block}
	for len(work) > 0 {
		b := work[len(work)-1]
		work = work[:len(work)-1]
		if ends[b] {
			return true
		}
		if seen[b] {
			continue
		}
		seen[b] = true
		for _, to := range p.graph.next[b] {
			work = append(work, int(to))
		}
	}
	return false
}

func outcome(taken bool) int {
	if taken {
		return 1
	}
	return 0
}
