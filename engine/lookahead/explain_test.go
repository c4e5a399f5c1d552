package lookahead

// A reach is what a call can reach in a code, for any state and input that
// fits, as far as the analysis can tell.
type reach struct {
	Blocks  []blockReach // all of the code's, in order
	Reasons []Reason     // what was met on the way, but Unreachable; none: no target can be reached
	Steps   int          // instructions executed abstractly
}

// A blockReach is one basic block in a reach.
type blockReach struct {
	Start, End uint32
	Target     bool // contains one
	Calls      bool // opens frames, from which targets may be reached
	Contexts   int  // abstract states that enter it; 0: proved unreachable, unless Reasons hold Unresolved or Exhausted
}

// explain tells which blocks of a code calls may reach from its beginning. It
// returns false if the code is not known.
func (a *Analyzer) explain(code int, calls Calls) (reach, bool) {
	p := a.program(code)
	if p == nil {
		return reach{}, false
	}
	a.flow.nodes.reset()
	f := a.machineFor(p)
	f.relevant, f.gather = nil, true
	s := &state{returned: f.number(0)}
	f.restrict(s, calls)
	f.start(0, s)
	f.run()
	r := reach{Steps: f.steps}
	for reason := Reached; reason <= Exhausted; reason++ {
		if f.reasons[reason] {
			r.Reasons = append(r.Reasons, reason)
		}
	}
	for b, blk := range p.code.Blocks {
		r.Blocks = append(r.Blocks, blockReach{blk.Start, blk.End, p.goals[b], p.graph.calls[b], int(f.per[b])})
	}
	return r, true
}
