package cover

import (
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A Metric names a goal that has a distance: an outcome of the nth execution of
// a conditional jump, a write to the probe slot by one SSTORE, or a result of
// one instruction that does not fit its type. A fourth kind has none: to learn what
// decides a boolean that a function returns.
type Metric uint64

const (
	branchKind = Metric(0) << 62
	writeKind  = Metric(1) << 62
	arithKind  = Metric(2) << 62
	returnKind = Metric(3) << 62
)

// BranchMetric is the distance from the outcome b at the nth execution of its
// jump, counted from 0.
func BranchMetric(b Branch, nth uint32) Metric {
	return branchKind | Metric(b)<<8 | Metric(nth)
}

// WriteMetric is the distance of the slot that the SSTORE at pc writes from
// the probe slot.
func WriteMetric(code *evm.Code, pc uint64) Metric {
	return writeKind | Metric(code.ID)<<32 | Metric(pc)
}

// ArithMetric is the distance of the first result of the instruction at pc from
// the nearest one that wraps.
func ArithMetric(code *evm.Code, pc uint64) Metric {
	return arithKind | Metric(code.ID)<<32 | Metric(pc)
}

// returnMetric stands for the returned boolean at a ReturnPC of which no comparison is
// known.
func returnMetric(code *evm.Code, pc uint64) Metric {
	return returnKind | Metric(code.ID)<<32 | Metric(uint32(pc))
}

// Returned reports whether m stands for a returned boolean of which no comparison is
// known: a taint run may see one.
func (m Metric) Returned() bool { return m>>62 == returnKind>>62 }

// Arith reports whether m measures the distance from a wrap.
func (m Metric) Arith() bool { return m>>62 == arithKind>>62 }

// Branch returns the outcome that m measures the distance from; false if m
// measures something else.
func (m Metric) Branch() (Branch, bool) {
	return Branch(m >> 8), m>>62 == branchKind>>62
}

// A Cost is the distance of one execution from one goal; never zero.
type Cost struct {
	Metric Metric
	Value  uint256.Int
	Side   Side
}

// A Side is the side of its goal that an execution is on.
type Side uint8

// The sides. Above and Below belong to goals of equality.
const (
	AnySide Side = iota // several comparisons, or an unknown one
	Bound               // an inequality: the goal is everything beyond a bound
	Above               // an equality, and the difference of the operands must fall
	Below               // an equality, and the difference of the operands must rise
)

// Point reports whether the goal is a single point.
func (s Side) Point() bool { return s == Above || s == Below }
