package bytecode

import "github.com/holiman/uint256"

// Role says what a pushed constant is probably for.
type Role uint8

// The roles of constants. Only RolePlain and RoleLabel may be values that a
// program compares with; a label only if a number happens to be a jump
// destination.
const (
	RolePlain    Role = iota
	RoleLabel         // is a jump destination, but not of an adjacent jump
	RoleJump          // destination of the jump that follows
	RoleSelector      // function selector in the dispatcher
	RoleMask          // a run of whole bytes set, or clear, in an otherwise empty, or full, word
)

// A Constant is a word that the code pushes.
type Constant struct {
	PC   uint32
	Word uint256.Int
	Role Role
}

// Constants returns the pushed constants before End, in order, those that
// occur twice twice.
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
		k := Constant{PC: in.PC}
		c.Push(i, &k.Word)
		k.Role = c.role(i, &k.Word, tests)
		all = append(all, k)
	}
	return all
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
