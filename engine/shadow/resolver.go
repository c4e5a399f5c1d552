package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/holiman/uint256"
)

// A Shape is a kind of Resolution.
type Shape uint8

// The shapes. All have a Cost; the first two also have a direct form.
const (
	Tree    Shape = iota // several leaves, or a leaf with a mask: use Cost
	Pair                 // one comparison of the two topmost words at ComparePC
	NonZero              // one word at ComparePC compared with zero
)

// A Resolution describes how to compute the Condition of a JUMPI without a
// graph: from the two topmost words of the stack at certain instructions.
type Resolution struct {
	JumpPC uint64
	Shape  Shape
	PCs    []uint64 // instructions to record, ascending; may include JumpPC

	// Pair: with the topmost words l and r at ComparePC, the cost of an outcome
	// is Cost(Relation, Signed, l, r, outcome != Negated). NonZero: the same
	// with l the word at Operand, Relation Differ and r zero.
	ComparePC uint64
	Operand   int // NonZero: 0 the topmost
	Relation  Relation
	Signed    bool
	Negated   bool

	// Learned resolutions come from shadow runs. If a JUMPI has several, the
	// one with the most recently executed recorded instruction in this frame
	// applies. A resolution that gives the outcome taken a nonzero cost does
	// not apply. The recorded instruction of a Tail runs right before the JUMPI
	// whichever condition was computed: it applies if no other resolution's ran
	// since the last execution of the JUMPI.
	Learned, Tail bool

	pattern *Condition
}

// A Seen returns the two topmost words at the last execution of the instruction
// at a pc in this frame; nil if it did not run.
type Seen func(pc uint64) (top, next *uint256.Int)

// An Evaluator computes the costs of Resolutions from what was seen. It belongs to
// one goroutine.
type Evaluator struct {
	seen        Seen
	words       func(*Condition) (left, right *uint256.Int) // the method of this Evaluator
	missing     bool                                        // a word that a pattern needs was not seen
	left, right uint256.Int
}

// NewEvaluator returns an Evaluator with a Seen.
func NewEvaluator(seen Seen) *Evaluator {
	e := &Evaluator{seen: seen}
	e.words = e.wordsOf
	return e
}

// Cost sets z to the distance of the JUMPI of a Resolution from an outcome, zero if
// and only if the condition has it; false if a value is missing.
func (e *Evaluator) Cost(z *uint256.Int, r *Resolution, outcome bool) bool {
	e.missing = false
	r.pattern.measure(z, outcome, e.words)
	return !e.missing
}

// wordsOf returns the words of a comparison that were seen; nil if one was not. They
// are valid until the next call.
func (e *Evaluator) wordsOf(c *Condition) (left, right *uint256.Int) {
	l, r := e.seen(c.Place.PC)
	constant := c.Form == Truthy || c.right != nil
	if l == nil || r == nil && (!constant || c.Place.Operand != 0) {
		e.missing = true
		return nil, nil
	}
	if c.Place.Operand == 1 {
		l = r
	}
	switch {
	case c.Form == Truthy:
		return l, &nothing
	case c.right != nil:
		r = c.right
	}
	if c.mask != nil {
		e.left.And(l, c.mask)
		e.right.And(r, c.mask)
		return &e.left, &e.right
	}
	return l, r
}

// maxLearned bounds the resolutions of one JUMPI.
const maxLearned = 4

// A Resolver holds the Resolutions of the JUMPIs of many codes. The static ones
// come from basic blocks, the others from an Observer with this Resolver. It
// belongs to one goroutine.
type Resolver struct {
	codes map[*evm.Code]*resolved
}

// A resolved holds the Resolutions of one code.
type resolved struct {
	code  *bytecode.Code
	sites map[uint64]*resolvedSite
}

type resolvedSite struct {
	list    []Resolution
	static  bool
	fixed   bool // a constant Condition was seen
	refused bool // a Condition without a Resolution was seen
}

// NewResolver returns an empty Resolver.
func NewResolver() *Resolver { return &Resolver{codes: map[*evm.Code]*resolved{}} }

// Lookup returns the Resolutions of the JUMPI at pc; none if unknown. A static
// one is the only one.
func (r *Resolver) Lookup(code *evm.Code, pc uint64) []Resolution {
	if s := r.code(code).sites[pc]; s != nil {
		return s.list
	}
	return nil
}

// code returns the Resolutions of a code and computes the static ones on first
// use.
func (r *Resolver) code(code *evm.Code) *resolved {
	c, ok := r.codes[code]
	if ok {
		return c
	}
	p := newProgram(code.Analysis())
	c = &resolved{code: p.code, sites: map[uint64]*resolvedSite{}}
	for _, pc := range p.code.Jumpis {
		if pattern, ok := p.pattern(pc); ok {
			c.sites[uint64(pc)] = &resolvedSite{list: []Resolution{resolve(uint64(pc), pattern)}, static: true}
		}
	}
	r.codes[code] = c
	return c
}

// Learn adds the Resolution of a Decision and reports whether it was new.
func (r *Resolver) Learn(d *Decision) bool {
	c := r.code(d.Code)
	s := c.sites[d.PC]
	if s == nil {
		s = &resolvedSite{}
		c.sites[d.PC] = s
	}
	if s.static {
		return s.surpassed(c.code, d)
	}
	if d.Condition.Fixed() {
		fresh := !s.fixed
		s.fixed = true
		return fresh
	}
	if !d.local() || len(s.list) == maxLearned && !s.knows(d.Condition) {
		fresh := !s.refused
		s.refused = true
		return fresh
	}
	if s.knows(d.Condition) {
		return false
	}
	return s.add(c.code, d)
}

// surpassed replaces a static Resolution if the graph of a run saw more than
// its basic block, and reports whether it did.
func (s *resolvedSite) surpassed(code *bytecode.Code, d *Decision) bool {
	if d.Condition.Fixed() || !d.local() || s.knows(d.Condition) {
		return false
	}
	s.static, s.list = false, nil
	return s.add(code, d)
}

func (s *resolvedSite) add(code *bytecode.Code, d *Decision) bool {
	r := resolve(d.PC, d.Condition.blank())
	r.Learned = true
	block, ok := code.BlockAt(d.PC)
	from, known := code.BlockAt(r.PCs[0])
	r.Tail = ok && known && from == block
	s.list = append(s.list, r)
	return true
}

func (s *resolvedSite) knows(c *Condition) bool {
	for i := range s.list {
		if s.list[i].pattern.like(c) {
			return true
		}
	}
	return false
}

// local reports whether all leaves of a Decision occur in its frame.
func (d *Decision) local() bool {
	for l := range d.Condition.Leaves {
		if l.Const || l.Place.Frame != d.Frame {
			return false
		}
	}
	return true
}
