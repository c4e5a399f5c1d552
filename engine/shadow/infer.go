package shadow

// A boolean constant of the code was selected by a branch: "if (x > 5) return
// true; return false;" leaves a pushed 0 or 1. Which branch it was is a guess
// that fits compiled code: the innermost one open when the constant was pushed;
// else, if a region ended since then, the branch of that region, which skipped
// an assignment; else the latest branch before the push.

// maxInferences bounds chains of inferences.
const maxInferences = 4

// decider returns the branch, as an index in Observer.log, that selected what f
// pushes now, and whether its region is still open.
func (f *frame) decider() (branch uint32, strong bool) {
	if n := len(f.control.stack); n > 0 {
		return uint32(f.control.stack[n-1].branch), true
	}
	return uint32(f.branches), false
}

// infer returns the condition of the branch that selected the constant r,
// negated if needed so that it holds if the constant is nonzero; nil if there
// is none.
func (b *builder) infer(r ref) *Condition {
	n := &b.g.nodes[r]
	at := int(n.aux)
	if b.inferred++; b.inferred > maxInferences {
		return nil
	}
	f := b.o.top()
	if c := &f.control; !n.strong && n.frame == f.number && c.merged != 0 && c.when > r {
		at = c.merged
	}
	br := b.o.log[at]
	c := b.build(br.cond, OperandPlace{PC: uint64(br.pc), Frame: int(n.frame), Operand: 1}, termDepth)
	c = notIf(c.Holds() == n.val.IsZero(), c)
	return c.inferred()
}

// inferred returns a copy with all leaves marked Inferred.
func (c *Condition) inferred() *Condition {
	out := *c
	out.Inferred = true
	if c.A != nil {
		out.A = c.A.inferred()
	}
	if c.B != nil {
		out.B = c.B.inferred()
	}
	return &out
}
