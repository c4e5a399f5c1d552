package cover

import (
	"github.com/holiman/uint256"

	"leveret/engine/shadow"
)

// sites are, for one code, the instructions whose operands are recorded and how
// to compute the costs of each conditional jump from them.
type sites struct {
	register  []uint16 // by pc: 1-based register that the instruction there fills
	registers int      // number of registers
	at        [][]rule // by number of the JUMPI within the code
	returns   [][]rule // of codeMap.returns
}

// A rule is a Resolution and the register that the comparison fills, 0 if none.
type rule struct {
	shadow.Resolution
	register uint16
	pricing  pricing
}

// newSites assigns the registers for what resolver knows about a code.
func newSites(resolver *shadow.Resolver, c *codeMap) *sites {
	s := &sites{register: make([]uint16, len(c.of.Bytes)+1), at: make([][]rule, len(c.Jumpis))}
	for i, pc := range c.Jumpis {
		s.at[i] = s.rules(resolver.Lookup(c.of, uint64(pc)))
	}
	for _, at := range *c.returns.Load() {
		s.returns = append(s.returns, s.rules(resolver.Lookup(c.of, at.pc)))
	}
	return s
}

// rules assigns the registers for some resolutions.
func (s *sites) rules(resolutions []shadow.Resolution) (list []rule) {
	for _, r := range resolutions {
		for _, at := range r.PCs {
			if s.register[at] == 0 && s.registers < 1<<16-1 {
				s.registers++
				s.register[at] = uint16(s.registers)
			}
		}
		list = append(list, rule{r, s.register[r.ComparePC], pricingOf(&r)})
	}
	return list
}

// A register holds the operands of the last execution of an instruction.
type register struct {
	frame, tick uint32 // the frame, and the time
	before      uint32 // time of the execution before, in the same frame; 0 if none
	top, next   uint256.Int
}

// ran returns the time at which the register was filled, as far as it decides
// whether res applies.
func (reg *register) ran(res *shadow.Resolution) uint32 {
	if res.Tail {
		return reg.before
	}
	return reg.tick
}

// remember records the operands of an instruction.
func (r *Recorder) remember(number uint16, top, next *uint256.Int) {
	reg := &r.current.code.registers[number-1]
	r.tick++
	reg.before = 0
	if reg.frame == r.current.number {
		reg.before = reg.tick
	}
	reg.frame, reg.tick = r.current.number, r.tick
	reg.top, reg.next = *top, *next
}

// distance sets c to the distance of a JUMPI from its other outcome, by the rules
// of the JUMPI. If none applies, it is the distance of the condition itself from zero
// or from one.
func (r *Recorder) distance(c *Cost, condition *uint256.Int, rules []rule, taken bool) {
	if !r.resolved(c, rules, taken) {
		distanceOfCondition(c, condition, taken)
	}
}

// resolved sets c to the distance from the other outcome by some rules; false if none
// applies. A resolution that contradicts the outcome taken does not apply; of several
// that agree, the one whose operands are the most recent does.
func (r *Recorder) resolved(c *Cost, rules []rule, taken bool) (found bool) {
	newest := uint32(0)
	for i := range rules {
		res := &rules[i]
		if res.Shape == shadow.Tree {
			var cost uint256.Int
			if tick, ok := r.priceTree(&cost, &res.Resolution, taken); ok && (!found || tick > newest) {
				newest, found = tick, true
				c.Value, c.Side = cost, AnySide
			}
			continue
		}
		if res.register == 0 {
			continue
		}
		reg := &r.current.code.registers[res.register-1]
		if reg.frame != r.current.number || found && reg.ran(&res.Resolution) <= newest {
			continue
		}
		if !found {
			found = res.pricing.price(c, &reg.top, &reg.next, taken)
			newest = reg.ran(&res.Resolution)
			continue
		}
		other := Cost{Metric: c.Metric}
		if res.pricing.price(&other, &reg.top, &reg.next, taken) {
			newest, *c = reg.ran(&res.Resolution), other
		}
	}
	return found
}

// distanceOfCondition sets c to the distance of a condition from zero or from
// one.
func distanceOfCondition(c *Cost, condition *uint256.Int, taken bool) {
	if taken {
		c.Value, c.Side = *condition, Above
	} else {
		c.Value, c.Side = *uint256.NewInt(1), AnySide
	}
}

// priceTree sets cost to that of a resolution of several comparisons for the outcome
// not taken.
func (r *Recorder) priceTree(cost *uint256.Int, res *shadow.Resolution, taken bool) (tick uint32, ok bool) {
	r.evaluated, r.latest = res, 0
	ok = r.evaluator.Cost(cost, res, !taken)
	return r.latest, ok && !cost.IsZero() // zero: the condition has that outcome
}

// lastSeen is the shadow.Seen of the resolution that is evaluated.
func (r *Recorder) lastSeen(pc uint64) (top, next *uint256.Int) {
	reg := r.current.code.at(pc, r.current.number)
	if reg == nil {
		return nil, nil
	}
	r.latest = max(r.latest, reg.ran(r.evaluated))
	return &reg.top, &reg.next
}

// A pricing is what the cost of a resolution of one comparison depends on.
type pricing struct {
	relation        shadow.Relation
	signed, negated bool
	nonZero, second bool // the word is compared with zero; it is the second one
}

func pricingOf(res *shadow.Resolution) pricing {
	return pricing{res.Relation, res.Signed, res.Negated, res.Shape == shadow.NonZero, res.Operand == 1}
}

// price sets c to the cost for the outcome not taken; false, and a wrong cost, if
// the operands contradict the one taken.
func (p *pricing) price(c *Cost, left, right *uint256.Int, taken bool) bool {
	outcome := taken != p.negated
	if p.nonZero {
		if p.second {
			left = right
		}
		if !p.signed && p.relation == shadow.Differ { // a short cut: what is not zero is that far from it
			c.Value = *left
			if c.Side = AnySide; outcome {
				c.Side = Above
			} else {
				c.Value.AddUint64(&c.Value, 1)
			}
			return left.IsZero() != outcome
		}
		right = &zero
	}
	holds, less := shadow.Miss(&c.Value, p.relation, p.signed, left, right)
	if holds != outcome {
		return false
	}
	c.Side = p.side(less, !outcome)
	return true
}

// side is the Side of the comparison for the wanted outcome. less is whether the
// first operand is less than the second.
func (p *pricing) side(less, outcome bool) Side {
	switch {
	case p.relation == shadow.Less || p.relation == shadow.Greater:
		return Bound
	case (p.relation == shadow.Equal) != outcome:
		return AnySide
	case less:
		return Below
	}
	return Above
}

var zero uint256.Int

// at returns the register that the instruction at pc filled in a frame; nil if
// it did not run there.
func (l *local) at(pc uint64, frame uint32) *register {
	n := l.sites.register[pc]
	if n == 0 || l.registers[n-1].frame != frame {
		return nil
	}
	return &l.registers[n-1]
}
