package cover

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/shadow"
)

// No more than maxOccurrence runs through a jump have costs, each its own.
func TestOccurrences(t *testing.T) {
	l := newLab(loop())
	l.learn(numbers(3)...)
	b, _ := l.m.Branch(l.code(), uint64(slices.Index(l.code().Bytes, byte(bytecode.JUMPI))), true)
	for n := range 20 {
		run, _ := l.run(numbers(uint64(n))...)
		if len(run.Costs) != min(n+1, maxOccurrence) {
			t.Errorf("%d rounds have %d costs", n, len(run.Costs))
		}
		for i, c := range run.Costs {
			goal, want := b, uint64(n-i) // to come to zero
			if i == n {
				goal, want = b.Other(), 1 // to come to anything else
			}
			if c.Metric != BranchMetric(goal, uint32(i)) || c.Value.Uint64() != want {
				t.Errorf("%d rounds, the %dth: %x at %s", n, i, uint64(c.Metric), c.Value.Dec())
			}
		}
	}
}

// After some learning, the costs of nearly all runs through a jump are those
// that the shadow tier finds on the same run.
func TestCostsAgreeWithTheShadowTier(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	compared, all := 0, 0
	for range 60 {
		l := newLab(randomProgram(r, 6))
		for range 40 {
			l.learn(randomArguments(r)...)
		}
		for range 40 {
			args := randomArguments(r)
			o := shadow.New(shadow.NewState())
			l.execute(o.Hooks(), args)
			run, _ := l.run(args...)
			same, total := agree(t, l, run, o.Branches)
			compared, all = compared+same, all+total
		}
	}
	if 100*compared < 95*all {
		t.Errorf("only %d of %d costs are the shadow tier's", compared, all)
	}
	t.Logf("%d of %d costs are the shadow tier's", compared, all)
}

// agree counts the costs of a run, and those that are the shadow tier's. None
// is zero.
func agree(t *testing.T, l *lab, run *Run, list []shadow.Decision) (same, total int) {
	t.Helper()
	costs := map[Metric]uint256.Int{}
	for _, c := range run.Costs {
		if c.Value.IsZero() {
			t.Fatalf("metric %x costs nothing", uint64(c.Metric))
		}
		costs[c.Metric] = c.Value
	}
	nth := map[Branch]uint32{}
	for _, d := range list {
		b, ok := l.m.Branch(d.Code, d.PC, d.Taken)
		if !ok {
			t.Fatalf("no jump at %d", d.PC)
		}
		n := nth[b&^1]
		nth[b&^1]++
		got, ok := costs[BranchMetric(b.Other(), n)]
		if ok != (n < maxOccurrence) {
			t.Fatalf("the %dth run through the jump at %d has a cost: %v", n, d.PC, ok)
		}
		if !ok {
			continue
		}
		total++
		if got == d.Condition.Cost(!d.Taken) {
			same++
		}
	}
	return same, total
}

// Moved by its cost, an operand flips the outcome, and not by less.
func TestCostsLeadToTheOtherOutcome(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, op := range []byte{bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ} {
		a := &assembly{}
		a.argument(1).argument(0).op(op)
		a.jumpi()()
		l := newLab(*a)
		l.run(numbers(0, 0)...) // its opcodes are watched from the next Call on
		for range 300 {
			x, y := operand(r), operand(r)
			run, _ := l.run(x, y)
			took, cost := run.Branches[0], run.Costs[0].Value
			flips := func(moved *uint256.Int) bool {
				run, _ := l.run(*moved, y)
				return run.Branches[0] != took
			}
			up, down := new(uint256.Int).Add(&x, &cost), new(uint256.Int).Sub(&x, &cost)
			if !flips(up) && !flips(down) && !unreachable(op, took.Taken(), &y) {
				t.Fatalf("%s %s %s does not flip by %s", x.Hex(), bytecode.Ops[op].Name, y.Hex(), cost.Hex())
			}
			if up.SubUint64(up, 1); !above(op, &x, &y) && flips(up) {
				t.Fatalf("%s %s %s flips by less than %s", x.Hex(), bytecode.Ops[op].Name, y.Hex(), cost.Hex())
			}
			if down.AddUint64(down, 1); above(op, &x, &y) && flips(down) {
				t.Fatalf("%s %s %s flips by less than %s", x.Hex(), bytecode.Ops[op].Name, y.Hex(), cost.Hex())
			}
		}
	}
}

// Where the jump of "a && b == 7" tests a or the comparison, whichever came to
// it, the distance is of what did: also if it was a that did at first, and in
// a second round of a loop.
func TestShortCircuits(t *testing.T) {
	a := &assembly{}
	a.push(0) // the round
	start := uint64(len(*a))
	a.op(bytecode.JUMPDEST, bytecode.DUP1).push(64).op(bytecode.MUL, bytecode.CALLDATALOAD) // a
	a.op(bytecode.DUP1, bytecode.ISZERO)
	short := a.jumpi()
	a.op(bytecode.POP, bytecode.DUP1).push(64).op(bytecode.MUL).push(32).op(bytecode.ADD, bytecode.CALLDATALOAD) // b
	a.push(7).op(bytecode.EQ)
	short()
	a.op(bytecode.ISZERO)
	a.jumpi()()
	a.push(1).op(bytecode.ADD, bytecode.DUP1).push(2).op(bytecode.GT).push(start).op(bytecode.JUMPI)
	l := newLab(*a)
	for _, args := range [][]uint64{{0, 9, 0, 9}, {1, 9, 1, 9}} {
		l.learn(numbers(args...)...)
	}
	for _, row := range []struct{ args, want []uint64 }{
		{[]uint64{0, 9, 0, 9}, []uint64{1, 1}},
		{[]uint64{1, 9, 1, 3}, []uint64{2, 4}},
		{[]uint64{1, 9, 0, 3}, []uint64{2, 1}},
		{[]uint64{0, 9, 5, 3}, []uint64{1, 4}},
		{[]uint64{1, 7, 5, 1007}, []uint64{1, 1000}},
	} {
		run, _ := l.run(numbers(row.args...)...)
		costs := []uint64{run.Costs[1].Value.Uint64(), run.Costs[4].Value.Uint64()}
		if !slices.Equal(costs, row.want) {
			t.Errorf("%v: costs %d, want %d", row.args, costs, row.want)
		}
	}
}

// above reports whether x is greater than y in the order of a comparison.
func above(op byte, x, y *uint256.Int) bool {
	if op == bytecode.SLT || op == bytecode.SGT {
		return x.Sgt(y)
	}
	return x.Gt(y)
}

// unreachable reports whether no x is less, or greater, than y.
func unreachable(op byte, taken bool, y *uint256.Int) bool {
	var least, most uint256.Int
	most.SetAllOne()
	if op == bytecode.SLT || op == bytecode.SGT {
		least.Lsh(uint256.NewInt(1), 255)
		most.SubUint64(&least, 1)
	}
	less := op == bytecode.LT || op == bytecode.SLT
	return !taken && op != bytecode.EQ && (less && *y == least || !less && *y == most)
}

// A condition whose operands were seen before a call costs the same after it,
// unless the same code ran in between: then nothing is known but the outcome,
// and never are a callee's operands taken for those of its caller.
func TestFrames(t *testing.T) {
	for _, row := range []struct {
		callee common.Address
		costs  []uint64 // of each run through the jump, by the argument's distance; 0: that itself
	}{
		{second, []uint64{0}},
		{first, []uint64{100, 1}}, // the callee comes to the jump first, with 0
	} {
		a := &assembly{}
		a.argument(0).push(100).op(bytecode.EQ)
		a.argument(0).op(bytecode.ISZERO)
		skip := a.jumpi()
		a.push(0).call(row.callee).op(bytecode.POP)
		skip()
		a.jumpi()()
		l := newLab(*a, loop())
		for x := uint64(90); x < 97; x++ {
			list := l.learn(numbers(x)...)
			b, _ := l.m.Branch(l.code(), list[len(list)-1].PC, true)
			run, _ := l.run(numbers(x)...)
			for n, want := range row.costs {
				if want == 0 {
					want = 100 - x
				}
				i := slices.IndexFunc(run.Costs, func(c Cost) bool { return c.Metric == BranchMetric(b, uint32(n)) })
				if i < 0 || run.Costs[i].Value.Uint64() != want {
					t.Errorf("%d with a call of %s, run %d through the jump: %+v, want %d", x, row.callee, n, run.Costs, want)
				}
			}
		}
	}
}

// A write's cost is its distance from the probe slot, and reaching it is
// reaching the goal.
func TestWrites(t *testing.T) {
	l := newLab(*(&assembly{}).push(1).argument(0).op(bytecode.SSTORE))
	l.recorder.Probe = uint256.NewInt(1000).Bytes32()
	goal := WriteMetric(l.code(), uint64(len(l.code().Bytes)-1))
	for _, row := range [][2]uint64{{0, 1000}, {999, 1}, {1001, 1}, {5000, 4000}, {1000, 0}} {
		run, _ := l.run(numbers(row[0])...)
		if reached := run.Reached(goal); reached != (row[1] == 0) || len(run.Costs) != map[bool]int{true: 0, false: 1}[reached] {
			t.Errorf("slot %d: reached %v, %d costs", row[0], reached, len(run.Costs))
		} else if !reached && (run.Costs[0].Metric != goal || run.Costs[0].Value.Uint64() != row[1]) {
			t.Errorf("slot %d: %+v, want %d", row[0], run.Costs[0], row[1])
		}
	}
	if _, ok := goal.Branch(); ok || goal.Arith() || !ArithMetric(l.code(), 3).Arith() {
		t.Error("kinds of goals are mixed up")
	}
	if b, ok := BranchMetric(77, 5).Branch(); !ok || b != 77 {
		t.Errorf("the branch of a metric is %d, %v", b, ok)
	}
}
