package bytecode

import "github.com/holiman/uint256"

// A Role is the probable purpose of a pushed constant.
type Role uint8

// The roles of constants. Programs compare values only with constants of
// RolePlain and RoleLabel.
const (
	RolePlain    Role = iota
	RoleLabel         // a valid jump destination, but not of the next instruction
	RoleJump          // destination of the next instruction, a jump
	RoleSelector      // function selector in the dispatcher
	RoleMask          // a run of set or clear bytes in an otherwise empty or full word
)

// A Constant is a word that the code pushes.
type Constant struct {
	PC    uint32
	Bytes int // that the instruction pushes
	Word  uint256.Int
	Role  Role
}

// Constants returns the pushed constants before End in order, with duplicates.
func (c *Code) Constants() []Constant {
	tests := map[uint32]bool{}
	for _, s := range c.Selectors() {
		tests[s.Test] = true
	}
	var all []Constant
	for i, in := range c.Instructions[:c.Count] {
		if !IsPush(in.Op) {
			continue
		}
		k := Constant{PC: in.PC, Bytes: int(Ops[in.Op].Immediate)}
		c.Push(i, &k.Word)
		k.Role = c.role(i, &k.Word, tests)
		all = append(all, k)
	}
	return all
}

// Computed returns the words before End that blocks compute from constants that they push.
// Optimizers write those with many zeros so: PUSH1 2 PUSH1 0x43 PUSH1 0x98 SHL ADD.
func (c *Code) Computed() map[uint256.Int]bool {
	words := map[uint256.Int]bool{}
	for _, b := range c.Blocks {
		if int(b.First) >= c.Count {
			break
		}
		r := walker{at: int(b.First)}
		for ; r.at <= int(b.Last); r.at++ {
			op := c.Instructions[r.at].Op
			if missing := int(Ops[op].Pops) - len(r.stack); missing > 0 {
				r.stack = append(make([]value, missing), r.stack...)
			}
			r.step(c, op)
			if top := len(r.stack) - 1; folds[op] != nil && r.stack[top].token == constant {
				words[r.stack[top].word] = true
			}
		}
	}
	return words
}

func (c *Code) role(i int, word *uint256.Int, tests map[uint32]bool) Role {
	if i+1 < c.Count {
		if flow := Ops[c.Instructions[i+1].Op].Flow; flow == Jumps || flow == Branches {
			return RoleJump
		}
	}
	last := c.Instructions[c.Blocks[c.block[i]].Last].PC
	if c.Instructions[i].Op == PUSH4 && tests[last] {
		return RoleSelector
	}
	if _, ok := c.Label(i); ok {
		return RoleLabel
	}
	if isMask(word) {
		return RoleMask
	}
	return RolePlain
}

// isMask reports whether word is one run of set bytes that starts or ends the
// word, at least two bytes and at most 31.
func isMask(word *uint256.Int) bool {
	b := word.Bytes32()
	changes, set := 0, 0
	for i, x := range b {
		if x != 0 && x != 0xff {
			return false
		}
		if x != 0 {
			set++
		}
		if i > 0 && x != b[i-1] {
			changes++
		}
	}
	return changes == 1 && set >= 2 || changes == 2 && b[0] == 0xff && set >= 2
}
