package lookahead

import (
	"slices"

	"leveret/engine/bytecode"
)

// MaxPrefix is the number of instructions of a frame after which split points
// are not tried [V, Prefix length].
const MaxPrefix = 8192

// maxMemo bounds the memoised verdicts.
const maxMemo = 1 << 17

// An Analyzer finds the no-target-ahead prefixes of paths. It memoises proofs,
// so paths with a common prefix cost little. It is not safe for concurrent use.
// The zero value is ready for use; set its fields before the first call.
type Analyzer struct {
	// Contained means that no call reaches a target.
	Contained bool

	// Blind never proves anything: every prefix is the whole path [VI,
	// configuration C].
	Blind bool

	// Focus analyzes each code with targets as a whole once, to find the blocks
	// that reach one in any context. It pays off for few targets that stay.
	Focus bool

	Stats Stats

	codes      map[int]*program
	targets    map[Target]bool
	generation uint32
	prefixes   map[key]verdict // by the path up to a split point
	states     map[key]verdict // by the state at a split point
	flow       flow
	seen       map[SplitPoint]bool
	walks      []*walk // free ones
}

// Stats count the work of an Analyzer.
type Stats struct {
	Calls  int // of Analyze
	Proper int // results with a proper prefix
	Splits int // split points checked
	Checks int // suffix checks that were not memoised
	Steps  int // instructions executed abstractly
}

// A program is a code and its targets.
type program struct {
	id       int
	code     *bytecode.Code
	graph    *graph
	goals    []bool // blocks that contain a target
	relevant []bool // blocks that may reach a target or a call
	near     []int  // distance of each block to a target or a call; nil: unknown
	forms    []bool // blocks that reach a target by their form; nil: unknown
	stale    bool   // goals and relevant must be recomputed
	visited  []uint32
	visit    uint32
	pushed   []wordID // by instruction, valid as long as emptied matches
	emptied  int      // see nodes
}

// A verdict is the result for a split point and the generation of the targets:
// after a target is removed, a negative result may change.
type verdict struct {
	proved     bool
	generation uint32
}

// AddCode registers a code under the caller's number. Frames of other codes are
// opaque. The code must have its immutables and library addresses filled in.
func (a *Analyzer) AddCode(id int, code *bytecode.Code) {
	if a.codes == nil {
		a.codes = map[int]*program{}
	}
	a.codes[id] = &program{
		id: id, code: code, graph: newGraph(code), visited: make([]uint32, len(code.Blocks)), stale: true,
	}
	a.forget()
}

// SetTargets replaces the targets. Proofs stay valid if no target is new.
func (a *Analyzer) SetTargets(targets []Target) {
	old := a.targets
	a.targets = make(map[Target]bool, len(targets))
	grown := false
	for _, t := range targets {
		a.targets[t] = true
		grown = grown || !old[t]
	}
	if grown {
		a.forget()
	} else if len(a.targets) < len(old) {
		a.generation++
	}
	for _, p := range a.codes {
		p.stale = true
	}
}

// RemoveTarget removes a target, after it was reached.
func (a *Analyzer) RemoveTarget(t Target) {
	if !a.targets[t] {
		return
	}
	delete(a.targets, t)
	a.generation++
	for _, p := range a.codes {
		p.stale = p.stale || p.id == t.Code || len(a.targets) == 0
	}
}

func (a *Analyzer) forget() {
	a.generation++
	a.prefixes, a.states = map[key]verdict{}, map[key]verdict{}
}

// program returns a registered code with up-to-date goals; nil if there is
// none.
func (a *Analyzer) program(id int) *program {
	p := a.codes[id]
	if p == nil || len(p.code.Blocks) == 0 {
		return nil
	}
	if p.stale {
		p.stale = false
		a.aim(p)
	}
	return p
}

// aim computes the relevant blocks of a program.
func (a *Analyzer) aim(p *program) {
	p.goals = make([]bool, len(p.code.Blocks))
	for t := range a.targets {
		if block, ok := p.code.BlockAt(uint64(t.PC)); ok && t.Code == p.id {
			p.goals[block] = true
		}
	}
	ends := make([]bool, len(p.goals))
	for b := range ends {
		ends[b] = p.goals[b] || p.graph.calls[b] && len(a.targets) > 0
	}
	p.relevant, p.near = p.graph.reaching(p.code, ends), nil
	p.forms = nil
	if a.Focus && !a.Blind && slices.Contains(p.goals, true) {
		a.focus(p, ends)
	}
}

// machineFor prepares the abstract machine for a program.
func (a *Analyzer) machineFor(p *program) *flow {
	f := &a.flow
	f.conditions = &refinements
	f.code, f.goals, f.relevant, f.near = p.code, p.goals, p.relevant, p.near
	if p.emptied != f.emptied {
		p.pushed, p.emptied = make([]wordID, len(p.code.Instructions)), f.emptied
	}
	f.pushed = p.pushed
	f.harmless = a.harmless
	f.gather, f.bounds, f.trail, f.forms = false, checkBounds, nil, nil
	return f
}

func (a *Analyzer) harmless(m *machine, _ bytecode.Op, address wordID) bool {
	return a.Contained || m.precompiled(address)
}

// Unreachable reports whether no target is reachable from the start of a code
// with any input.
func (a *Analyzer) Unreachable(code int) bool {
	p := a.program(code)
	if p == nil {
		return false
	}
	if a.states == nil {
		a.forget()
	}
	a.flow.nodes.reset()
	w := a.newWalk(p, &FrameTrace{Code: code})
	defer func() { a.walks = append(a.walks, w) }()
	return w.advance(0) && a.judge(p, 0, &w.state)
}

// judge reports whether no target is reachable from the entry of a block in
// state s.
func (a *Analyzer) judge(p *program, block int, s *state) bool {
	if !p.relevant[block] {
		return true
	}
	k := key{uint64(p.id), uint64(block)}
	k = a.flow.hashState(k, s)
	if v, ok := a.states[k]; ok && (v.proved || v.generation == a.generation) {
		return v.proved
	}
	a.Stats.Checks++
	f := a.machineFor(p)
	fresh := f.fresh
	f.start(block, s)
	proved := f.run() == Unreachable
	f.fresh = fresh
	a.Stats.Steps += f.steps
	if len(a.states) >= maxMemo {
		clear(a.states)
	}
	a.states[k] = verdict{proved, a.generation}
	return proved
}
