package shadow

import (
	"fmt"
	"math/bits"

	"github.com/holiman/uint256"
)

// A Form is a kind of Condition.
type Form uint8

// The forms of Conditions. Truthy means "Left is not zero".
const (
	Compare Form = iota
	Truthy
	And // A and B
	Or  // A or B
	Xor // exactly one of A and B
	Not // not A
)

// A Relation is the relation of a comparison.
type Relation uint8

// The relations. The EVM has no ≤ and ≥; they are Not of these.
const (
	Equal Relation = iota
	Differ
	Less
	Greater
)

var relationNames = [...]string{Equal: "==", Differ: "!=", Less: "<", Greater: ">"}

// An OperandPlace is where the words of a Compare or Truthy occur: as operands
// of the instruction at PC in frame Frame, the topmost first.
type OperandPlace struct {
	PC      uint64
	Frame   int
	Operand int // index of Left, 0 the topmost; 1 only if Right is a constant or missing
}

// A Condition is an expression tree over the comparisons that made the
// condition of a JUMPI. It is immutable.
type Condition struct {
	Form     Form
	Relation Relation     // Compare
	Signed   bool         // Compare: the words are two's complement; set for Equal and Differ if known
	Inferred bool         // a constant that an earlier branch with this condition selected
	Const    bool         // Compare, Truthy: of constants of the code, which no input changes
	Width    int          // Compare, Truthy: number of bits of the values; 256 if unknown
	Place    OperandPlace // Compare, Truthy
	L, R     uint256.Int
	Left     Word // Compare, Truthy
	Right    Word // Compare
	A, B     *Condition

	mask  *uint256.Int // Compare: of both operands; nil: none
	right *uint256.Int // Compare: the right operand, if it is a constant and not at Place; else nil
}

// Holds returns the value of the condition.
func (c *Condition) Holds() bool {
	switch c.Form {
	case Compare:
		return Holds(c.Relation, c.Signed, &c.L, &c.R)
	case Truthy:
		return !c.L.IsZero()
	case And:
		return c.A.Holds() && c.B.Holds()
	case Or:
		return c.A.Holds() || c.B.Holds()
	case Xor:
		return c.A.Holds() != c.B.Holds()
	}
	return !c.A.Holds()
}

// Holds reports whether l and r are in a relation.
func Holds(rel Relation, signed bool, l, r *uint256.Int) bool {
	switch {
	case rel == Equal:
		return l.Eq(r)
	case rel == Differ:
		return !l.Eq(r)
	case rel == Greater:
		l, r = r, l
	}
	if signed {
		return l.Slt(r)
	}
	return l.Lt(r)
}

// Cost returns the distance of the condition from an outcome: zero if and only
// if it had that outcome [HARVEY 4.3]. A conjunction costs the sum of its
// parts, a disjunction the minimum; sums saturate.
func (c *Condition) Cost(outcome bool) (cost uint256.Int) {
	c.measure(&cost, outcome, (*Condition).words)
	return cost
}

// words returns the words of a Compare or Truthy.
func (c *Condition) words() (left, right *uint256.Int) {
	if c.Form == Truthy {
		return &c.L, &nothing
	}
	return &c.L, &c.R
}

// nothing is the word zero.
var nothing uint256.Int

// measure sets z to the Cost of an outcome. words returns those of a Compare or
// Truthy, or nil if they are not known; then its cost is zero.
func (c *Condition) measure(z *uint256.Int, outcome bool, words func(*Condition) (left, right *uint256.Int)) {
	switch c.Form {
	case Compare, Truthy:
		l, r := words(c)
		if l == nil {
			z.Clear()
			return
		}
		relation, signed := c.relation()
		setCost(z, relation, signed, l, r, outcome)
	case Not:
		c.A.measure(z, !outcome, words)
	case And, Or:
		var b uint256.Int
		c.A.measure(z, outcome, words)
		c.B.measure(&b, outcome, words)
		if outcome == (c.Form == And) {
			addSaturated(z, &b)
		} else if b.Lt(z) {
			*z = b
		}
	case Xor:
		c.measureXor(z, outcome, words)
	}
}

// measureXor is measure of an Xor: A and not B, or B and not A.
func (c *Condition) measureXor(z *uint256.Int, outcome bool, words func(*Condition) (left, right *uint256.Int)) {
	var other, part uint256.Int
	c.A.measure(z, true, words)
	c.B.measure(&part, !outcome, words)
	addSaturated(z, &part)
	c.A.measure(&other, false, words)
	c.B.measure(&part, outcome, words)
	addSaturated(&other, &part)
	if other.Lt(z) {
		*z = other
	}
}

// addSaturated adds y to z.
func addSaturated(z, y *uint256.Int) {
	if _, over := z.AddOverflow(z, y); over {
		z.SetAllOne()
	}
}

// relation returns what a comparison compares, and whether its words are signed.
func (c *Condition) relation() (Relation, bool) {
	if c.Form == Truthy {
		return Differ, false
	}
	return c.Relation, c.Signed
}

// Cost returns the distance of l and r from being, or not being, in a relation:
// the cost functions of [HARVEY 4.3], on signed words for signed relations.
func Cost(rel Relation, signed bool, l, r *uint256.Int, outcome bool) (cost uint256.Int) {
	setCost(&cost, rel, signed, l, r, outcome)
	return cost
}

// setCost sets z to Cost.
func setCost(z *uint256.Int, rel Relation, signed bool, l, r *uint256.Int, outcome bool) {
	if holds, _ := Miss(z, rel, signed, l, r); holds == outcome {
		z.Clear()
	}
}

// Miss sets z to the Cost of the outcome that l and r do not have, and returns the
// one that they have, and whether l is less than r, or greater for Greater.
func Miss(z *uint256.Int, rel Relation, signed bool, l, r *uint256.Int) (holds, less bool) {
	if rel == Greater {
		l, r = r, l
	}
	if l[1]|l[2]|l[3]|r[1]|r[2]|r[3] == 0 {
		return missSmall(z, rel, l[0], r[0])
	}
	_, less = z.SubOverflow(l, r)
	if signed {
		less = l.Slt(r)
	}
	if less {
		z.Sub(r, l)
	}
	switch rel {
	case Less, Greater:
		if !less && !z.Eq(allOnes) {
			z.AddUint64(z, 1)
		}
		return less, less
	}
	equal := z.IsZero()
	if equal {
		z.SetOne()
	}
	return equal == (rel == Equal), less
}

// missSmall is Miss for words that fit 64 bits, signed or not.
func missSmall(z *uint256.Int, rel Relation, l, r uint64) (holds, less bool) {
	by, carry := l-r, uint64(0)
	if less = l < r; less {
		by = r - l
	}
	holds = less
	if rel == Less || rel == Greater {
		if !less {
			by, carry = bits.Add64(by, 1, 0)
		}
	} else {
		holds = (l == r) == (rel == Equal)
		by = max(by, 1)
	}
	*z = uint256.Int{by, carry}
	return holds, less
}

// allOnes is the largest word.
var allOnes = new(uint256.Int).SetAllOne()

// Leaves calls yield with every Compare and Truthy of the tree.
func (c *Condition) Leaves(yield func(*Condition) bool) { c.leaves(yield) }

func (c *Condition) leaves(yield func(*Condition) bool) bool {
	if c.Form == Compare || c.Form == Truthy {
		return yield(c)
	}
	return c.A.leaves(yield) && (c.B == nil || c.B.leaves(yield))
}

// Resolved reports whether every leaf is a comparison, or a word that an input
// can change. A boolean constant without a known deciding branch is neither.
func (c *Condition) Resolved() bool {
	for l := range c.Leaves {
		if l.Const && l.Form == Truthy && l.L.LtUint64(2) {
			return false
		}
	}
	return true
}

// Fixed reports whether all leaves are constants, as in a check of a constant
// divisor: no input flips such a branch.
func (c *Condition) Fixed() bool {
	if !c.Resolved() {
		return false
	}
	for l := range c.Leaves {
		if !l.Const {
			return false
		}
	}
	return true
}

func (c *Condition) String() string {
	switch c.Form {
	case Compare:
		sign := ""
		if c.Signed {
			sign = "s"
		}
		return fmt.Sprintf("%s %s%s %s", c.L.Hex(), relationNames[c.Relation], sign, c.R.Hex())
	case Truthy:
		return c.L.Hex()
	case And:
		return fmt.Sprintf("(%s && %s)", c.A, c.B)
	case Or:
		return fmt.Sprintf("(%s || %s)", c.A, c.B)
	case Xor:
		return fmt.Sprintf("(%s ^ %s)", c.A, c.B)
	}
	return fmt.Sprintf("!(%s)", c.A)
}

// Mirror returns the relation with the operands swapped.
func (r Relation) Mirror() Relation {
	switch r {
	case Less:
		return Greater
	case Greater:
		return Less
	}
	return r
}

// Targets returns the values of the left operand that flip a comparison with
// other, the nearest first. holds is its present value.
func (r Relation) Targets(other *uint256.Int, holds bool) []*uint256.Int {
	one := uint256.NewInt(1)
	more, less := new(uint256.Int).Add(other, one), new(uint256.Int).Sub(other, one)
	switch {
	case r == Equal && !holds, r == Differ && holds:
		return []*uint256.Int{other}
	case r == Equal, r == Differ:
		return []*uint256.Int{more, less}
	case r == Less && !holds:
		return []*uint256.Int{less}
	case r == Greater && !holds:
		return []*uint256.Int{more}
	}
	return []*uint256.Int{other}
}
