package lookahead

// A Judgement is the result of the analysis at one split point of a path.
type Judgement struct {
	SplitPoint
	After  int    // instructions of the frame before it
	Reason Reason // Unreachable: proved
	PC     uint32 // the target's block, call or jump that is the reason; 0 if proved
}

// ExplainPath returns the result at every split point of the outermost frame of a
// path, in order. Unlike the analysis of a campaign, it does not stop at the first
// proof.
func (a *Analyzer) ExplainPath(t *FrameTrace) []Judgement {
	p := a.program(t.Code)
	if p == nil {
		return nil
	}
	a.flow.nodes.reset()
	w := a.newWalk(p, t)
	w.follow()
	var all []Judgement
	for i, v := range w.visits {
		if !v.first || v.after > MaxPrefix || !w.advance(i) {
			continue
		}
		j := Judgement{SplitPoint: SplitPoint{p.id, p.code.Blocks[v.block].Start}, After: v.after}
		if p.relevant[v.block] {
			f := a.machineFor(p)
			f.start(v.block, &w.state)
			if j.Reason = f.run(); j.Reason != Unreachable {
				j.PC = f.pc
			}
		}
		all = append(all, j)
	}
	a.walks = append(a.walks, w)
	return all
}
