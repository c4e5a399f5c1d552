package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/holiman/uint256"
)

// A Shape tells Resolutions apart.
type Shape uint8

// The shapes. All have a Cost; the first two can do without.
const (
	Tree    Shape = iota // several leaves, or a leaf with a mask: use Cost
	Pair                 // one comparison of the two topmost words at ComparePC
	NonZero              // one word at ComparePC is not zero
)

// A Resolution says how to get at the Condition of a JUMPI without a graph:
// by remembering the two topmost words when certain instructions run.
type Resolution struct {
	JumpPC uint64
	Shape  Shape
	PCs    []uint64 // instructions to remember at, ascending; JumpPC itself can be among them

	// Pair: with the topmost words l and r at ComparePC, the cost of the
	// JUMPI coming to an outcome is Cost(Relation, Signed, l, r, outcome !=
	// Negated). NonZero: the same with l the word at Operand, Relation Differ
	// and r zero.
	ComparePC uint64
	Operand   int // NonZero: 0 the topmost
	Relation  Relation
	Signed    bool
	Negated   bool

	// Learned resolutions come from shadow runs. Of several for one JUMPI the
	// one applies of which a remembered instruction ran last in this frame. A
	// resolution that gives the outcome taken a cost other than zero did not
	// apply. What a Tail remembers runs right before every JUMPI, whichever of
	// the conditions that meet there was computed: it applies where no other
	// ran since the JUMPI last did.
	Learned, Tail bool

	pattern *Condition
}

// Cost returns the cost of the JUMPI coming to outcome. Seen returns the two
// words on top of the stack when the instruction at a pc last ran in this
// frame; nil if it did not.
func (r *Resolution) Cost(seen func(pc uint64) (top, next *uint256.Int), outcome bool) (cost uint256.Int, ok bool) {
	c := r.pattern.fill(seen)
	if c == nil {
		return cost, false
	}
	return c.Cost(outcome), true
}

// fill returns a copy of a pattern with values; nil if one is missing.
func (c *Condition) fill(seen func(pc uint64) (top, next *uint256.Int)) *Condition {
	out := *c
	if c.Form == Compare || c.Form == Truthy {
		l, r := seen(c.Place.PC)
		if l == nil || r == nil && (c.right == nil || c.Place.Operand == 1) && (c.Form == Compare || c.Place.Operand == 1) {
			return nil
		}
		if c.Place.Operand == 1 {
			l = r
		}
		if r == nil {
			r = l
		}
		out.bind(l, r)
		return &out
	}
	if out.A = c.A.fill(seen); out.A == nil {
		return nil
	}
	if c.B != nil {
		if out.B = c.B.fill(seen); out.B == nil {
			return nil
		}
	}
	return &out
}

// maxLearned bounds the resolutions of one JUMPI.
const maxLearned = 4

// A Resolver knows the Resolutions of the JUMPIs of many codes. The static
// ones come from basic blocks, the others from what an Observer with this
// Resolver sees. It belongs to one goroutine.
type Resolver struct {
	codes map[*evm.Code]*resolved
}

// resolved are the Resolutions of one code.
type resolved struct {
	code  *bytecode.Code
	sites map[uint64]*resolvedSite
}

type resolvedSite struct {
	list    []Resolution
	static  bool
	fixed   bool // a Condition of constants was seen
	refused bool // a Condition was seen that no Resolution can tell
}

// NewResolver returns a Resolver that knows nothing yet.
func NewResolver() *Resolver { return &Resolver{codes: map[*evm.Code]*resolved{}} }

// Lookup returns the Resolutions of the JUMPI at pc; none if it is unknown
// where its condition comes from. A static one stands alone.
func (r *Resolver) Lookup(code *evm.Code, pc uint64) []Resolution {
	if s := r.code(code).sites[pc]; s != nil {
		return s.list
	}
	return nil
}

// NeedsShadow reports whether the cost of the JUMPI at pc cannot be told
// from the Resolutions, or not always, so that a shadow run tells more.
func (r *Resolver) NeedsShadow(code *evm.Code, pc uint64) bool {
	s := r.code(code).sites[pc]
	return s == nil || s.refused || len(s.list) == 0 && !s.fixed
}

// Static returns the static Resolutions of a code, by ascending pc.
func (r *Resolver) Static(code *evm.Code) []Resolution {
	c := r.code(code)
	var out []Resolution
	for _, pc := range c.code.Jumpis {
		if s := c.sites[uint64(pc)]; s != nil && s.static {
			out = append(out, s.list...)
		}
	}
	return out
}

// code returns what is known of a code, the static part found at first use.
func (r *Resolver) code(code *evm.Code) *resolved {
	c, ok := r.codes[code]
	if ok {
		return c
	}
	p := newProgram(bytecode.New(code.Bytes))
	c = &resolved{code: p.code, sites: map[uint64]*resolvedSite{}}
	for _, pc := range p.code.Jumpis {
		if pattern, ok := p.pattern(pc); ok {
			c.sites[uint64(pc)] = &resolvedSite{list: []Resolution{resolve(uint64(pc), pattern)}, static: true}
		}
	}
	r.codes[code] = c
	return c
}

// Learn adds what a Decision shows about its JUMPI. It reports whether that
// was new.
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

// surpassed replaces a static Resolution by what the graph saw beyond its
// basic block. It reports whether it did.
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

// local reports whether all leaves of a Decision can be seen in its frame.
func (d *Decision) local() bool {
	for l := range d.Condition.Leaves {
		if l.Const || l.Place.Frame != d.Frame {
			return false
		}
	}
	return true
}
