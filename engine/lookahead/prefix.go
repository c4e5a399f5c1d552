package lookahead

import (
	"crypto/sha256"
	"encoding/binary"
	"sort"

	"leveret/engine/bytecode"
)

// A visit is one entry of a basic block on a path.
type visit struct {
	block int
	after int  // instructions executed before
	calls int  // frames opened before
	first bool // first visit of this block in this frame
}

// A walk follows the path of one frame.
type walk struct {
	a      *Analyzer
	p      *program
	trace  *FrameTrace
	visits []visit
	called []Result // results of the frames it opened
	state  state
	at     int // number of visits that state has executed
	splits []split
	known  int  // number of splits with known states
	broken bool // trace and abstract execution disagree: nothing is proved
	bytes  []byte
}

// Analyze is Algorithm 2: it finds the shortest prefix of a path, ending at a
// split point, from which no target is reachable.
func (a *Analyzer) Analyze(t *FrameTrace) Result {
	a.Stats.Calls++
	if a.prefixes == nil {
		a.forget()
	}
	if len(a.prefixes) >= maxMemo {
		clear(a.prefixes)
	}
	a.flow.nodes.reset()
	r := a.frame(t)
	if r.Proper {
		a.Stats.Proper++
	}
	return r
}

// unique removes duplicate split points; frames of one code share them.
func (a *Analyzer) unique(all []SplitPoint) []SplitPoint {
	if a.seen == nil {
		a.seen = map[SplitPoint]bool{}
	}
	clear(a.seen)
	kept := all[:0]
	for _, p := range all {
		if !a.seen[p] {
			a.seen[p] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// frame analyzes one frame after the frames it opened: each occurs in the path
// as its own lookahead id [IV-C, Calls].
func (a *Analyzer) frame(t *FrameTrace) Result {
	p := a.program(t.Code)
	if p == nil {
		return Result{ID: opaque(t)}
	}
	w := a.newWalk(p, t)
	defer func() { a.walks = append(a.walks, w) }()
	for _, c := range t.Calls {
		var r Result
		if c.Trace != nil {
			r = a.frame(c.Trace)
		}
		w.called = append(w.called, r)
	}
	w.follow()
	r := w.search()
	r.SplitPoints = a.unique(r.SplitPoints)
	return r
}

func (a *Analyzer) newWalk(p *program, t *FrameTrace) *walk {
	w := &walk{}
	if n := len(a.walks); n > 0 {
		w, a.walks = a.walks[n-1], a.walks[:n-1]
	}
	w.a, w.p, w.trace = a, p, t
	w.visits, w.called, w.at, w.broken = w.visits[:0], w.called[:0], 0, false
	w.splits, w.known = w.splits[:0], 0
	w.state.stack, w.state.facts = w.state.stack[:0], w.state.facts[:0]
	w.state.storage, w.state.transient = w.state.storage[:0], w.state.transient[:0]
	w.state.memory = memory{cells: w.state.memory.cells[:0]}
	w.state.returned = unknown
	return w
}

// follow lists the blocks that the trace enters.
func (w *walk) follow() {
	c := w.p.code
	w.p.visit++
	block, after, dest, calls := 0, 0, 0, 0
	for {
		first := w.p.visited[block] != w.p.visit
		w.p.visited[block] = w.p.visit
		w.visits = append(w.visits, visit{block, after, calls, first})
		b := c.Blocks[block]
		after += int(b.Last-b.First) + 1
		for calls < len(w.trace.Calls) && w.trace.Calls[calls].After <= dest && b.Start <= w.trace.Calls[calls].PC && w.trace.Calls[calls].PC < b.End {
			calls++
		}
		switch b.Flow {
		case bytecode.Next:
			if block++; block == len(c.Blocks) {
				return
			}
		case bytecode.Ends:
			return
		default:
			if dest == len(w.trace.Dests) {
				return
			}
			to := w.trace.Dests[dest]
			next, ok := c.BlockAt(uint64(to))
			if !ok || c.Blocks[next].Start != to {
				return
			}
			block = next
			dest++
		}
	}
}

// A split is a split point that may end the prefix.
type split struct {
	visit int
	key   key   // of the path up to it
	state state // kept once the walk reached it
}

// search finds the first split point with a proof. If no target is reachable
// from one split point, none is from a later one, whose state is more precise:
// so a binary search with few checks suffices. On the contracts of the tests it
// found the same as a linear search, in a half to a third of the steps for long
// prefixes, and in slightly more for short ones (21 November 2026).
func (w *walk) search() Result {
	if !w.a.Blind {
		w.list()
		first := sort.Search(len(w.splits), w.proved)
		if first < len(w.splits) {
			return w.result(w.splits[first].visit+1, true)
		}
	}
	return w.result(len(w.visits), false)
}

// list finds the split points after the last obstacle.
func (w *walk) list() {
	obstacle := w.lastTargetVisit()
	k := key{uint64(w.p.id), 1}
	calls := 0
	for i, v := range w.visits {
		for ; calls < v.calls; calls++ {
			k = k.with(binary.LittleEndian.Uint64(w.called[calls].ID[:8]))
			k = k.with(binary.LittleEndian.Uint64(w.called[calls].ID[8:]))
		}
		k = k.with(uint64(v.block))
		if v.after > MaxPrefix {
			return
		}
		if v.first && i > obstacle {
			w.add(i, k)
		}
	}
}

// add appends a split and reuses the memory of an old one.
func (w *walk) add(visit int, k key) {
	n := len(w.splits)
	if n < cap(w.splits) {
		w.splits = w.splits[:n+1]
	} else {
		w.splits = append(w.splits, split{})
	}
	w.splits[n].visit, w.splits[n].key = visit, k
}

// lastTargetVisit returns the last visit from which the path itself reaches a
// target or opens an observed frame while there are targets: no split point up
// to it can be proved. It returns -1 if there is none.
func (w *walk) lastTargetVisit() int {
	for i := len(w.visits) - 1; i >= 0; i-- {
		if w.p.goals[w.visits[i].block] {
			return i
		}
		if len(w.a.targets) > 0 && i+1 < len(w.visits) &&
			w.observed(w.visits[i].calls, w.visits[i+1].calls) {
			return i
		}
	}
	return -1
}

// observed reports whether one of the opened frames ran known code.
func (w *walk) observed(from, to int) bool {
	for _, c := range w.trace.Calls[from:to] {
		if c.Trace != nil {
			return true
		}
	}
	return false
}

// proved reports whether no target is reachable from a split.
func (w *walk) proved(n int) bool {
	a, at := w.a, &w.splits[n]
	if v, ok := a.prefixes[at.key]; ok && (v.proved || v.generation == a.generation) {
		return v.proved
	}
	a.Stats.Splits++
	v := verdict{generation: a.generation}
	if !w.p.relevant[w.visits[at.visit].block] {
		v.proved = true
	} else if w.reach(n) {
		v.proved = a.judge(w.p, w.visits[at.visit].block, &at.state)
	}
	a.prefixes[at.key] = v
	return v.proved
}

// reach computes the states of a split and those before it. It returns false if
// the trace contradicts the code.
func (w *walk) reach(n int) bool {
	for ; w.known <= n; w.known++ {
		if !w.advance(w.splits[w.known].visit) {
			return false
		}
		w.state.copyTo(&w.splits[w.known].state)
	}
	return true
}

// result returns the Result of the first n visits.
func (w *walk) result(n int, proper bool) Result {
	r := Result{Proper: proper, Instructions: w.visits[n-1].after}
	data := binary.LittleEndian.AppendUint64(w.bytes[:0], uint64(w.p.id))
	calls := 0
	include := func(to int) {
		for ; calls < to; calls++ {
			id := w.called[calls].ID
			data = append(append(data, 0xff, 0xff, 0xff, 0xff), id[:]...)
			r.SplitPoints = append(r.SplitPoints, w.called[calls].SplitPoints...)
		}
	}
	for _, v := range w.visits[:n] {
		include(v.calls)
		start := w.p.code.Blocks[v.block].Start
		data = binary.LittleEndian.AppendUint32(data, start)
		if v.first && v.after <= MaxPrefix {
			r.SplitPoints = append(r.SplitPoints, SplitPoint{w.p.id, start})
		}
	}
	if !proper {
		include(len(w.called))
		data = binary.LittleEndian.AppendUint64(append(data, 0xfe, 0xff, 0xff, 0xff), w.trace.Rest)
	}
	w.bytes = data
	sum := sha256.Sum256(data)
	r.ID = ID(sum[:16])
	return r
}

// opaque is the id of a frame of unknown code: a hash of its whole record.
func opaque(t *FrameTrace) ID {
	data := binary.LittleEndian.AppendUint64(nil, uint64(t.Code))
	for _, d := range t.Dests {
		data = binary.LittleEndian.AppendUint32(data, d)
	}
	data = binary.LittleEndian.AppendUint64(data, t.Rest)
	sum := sha256.Sum256(data)
	return ID(sum[:16])
}
