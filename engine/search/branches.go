package search

import (
	"bytes"
	"slices"

	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/oracle"
)

// Branches tells which branches the search is after: those of the user's code,
// and checks of the compiler that end in a panic. The dispatcher, the ABI
// decoder and the like branch only on inputs that no caller encodes; they do
// not attract the search unless they lead to a target of the user.
type Branches struct {
	Leads   func(cover.Branch) bool // lies on a way to a target
	subject *Subject
	known   []answer // by conditional jump: whether it is wanted
	shared  []answer // by conditional jump: whether it belongs to a shared check
}

type answer uint8

const (
	unknown answer = iota
	yes
	no
)

// NewBranches returns the branches of a subject without targets.
func NewBranches(s *Subject) *Branches {
	return &Branches{Leads: func(cover.Branch) bool { return false }, subject: s}
}

// Wanted reports whether a branch is one that the search is after.
func (l *Branches) Wanted(b cover.Branch) bool {
	if l.Leads(b) {
		return true
	}
	return ask(&l.known, b, func() bool { return l.isUserCode(l.subject.Cover.BranchSite(b)) })
}

// Shared reports whether a branch belongs to an assertion that several calls share: in a
// helper that only asserts something of its arguments, or in the routine that compilers
// via IR make of assert. What was seen of one call says nothing of the others.
func (l *Branches) Shared(b cover.Branch) bool {
	return ask(&l.shared, b, func() bool { return l.isShared(l.subject.Cover.BranchSite(b)) })
}

// ask returns an answer about the jump of a branch, and remembers it.
func ask(known *[]answer, b cover.Branch, question func() bool) bool {
	site := int(b / 2)
	if more := site + 1 - len(*known); more > 0 {
		*known = append(*known, make([]answer, more)...)
	}
	if (*known)[site] == unknown {
		(*known)[site] = no
		if question() {
			(*known)[site] = yes
		}
	}
	return (*known)[site] == yes
}

func (l *Branches) isShared(site cover.BranchSite) bool {
	if l.subject.Program.InfoOf(site.Code).Contract == nil || site.Returned {
		return false
	}
	if at, ok := l.subject.Program.LocateSite(oracle.Site{Code: site.Code, PC: site.PC}); ok && at.Node != nil && !oracle.IsDefinition(at.Node) && l.subject.Program.Sources.InAssertion(at.Node) {
		return true
	}
	code := l.subject.Cover.Bytecode(site.Code)
	jump, ok := code.InstructionAt(site.PC)
	return ok && leadsTo(code, site.PC, writesAssertion) && code.Pushes(uint64(code.Blocks[code.BlockOf(jump)].Start)) > 1
}

func (l *Branches) isUserCode(site cover.BranchSite) bool {
	info := l.subject.Program.InfoOf(site.Code)
	if info.Contract == nil || site.Returned {
		return true // nothing is known about it, or it compares
	}
	entry, ok := info.PCs.PCEntry(int(site.PC))
	if !ok || entry.Source < 0 {
		return false
	}
	for i := range info.Code.Generated {
		if g := &info.Code.Generated[i]; g.ID == entry.Source {
			return entry.End() <= len(g.Text) && bytes.Contains(g.Text[max(0, entry.Start):entry.End()], []byte("panic"))
		}
	}
	b, ok := l.subject.Program.LocateSite(oracle.Site{Code: site.Code, PC: site.PC})
	if whole := b.Node != nil && oracle.IsDefinition(b.Node) && b.Node.Span == b.Place.Span; ok && !whole {
		return true
	}
	return len(info.Code.Generated) == 0 && leadsTo(l.subject.Cover.Bytecode(site.Code), site.PC, writesPanic)
}

// panicSelector begins the data of Panic(uint256) [Solidity documentation, "Panic via
// assert and Error via require"].
var panicSelector = []byte{0x4e, 0x48, 0x7b, 0x71}

// leadsTo reports whether one of the ways after a conditional jump has a block that
// writes a panic, at once or in the function that it jumps to. It stands for the sources
// that the compiler generates: builds for the editor lack them (solc.Settings.NoGenerated),
// and via IR there are none, where checks may have the source of the whole contract.
func leadsTo(code *bytecode.Code, pc uint64, writes func(*bytecode.Code, int) bool) bool {
	jump, ok := code.InstructionAt(pc)
	if !ok {
		return false
	}
	ways := []int{code.BlockOf(jump) + 1}
	if to, ok := blockBehind(code, jump); ok {
		ways = append(ways, to)
	}
	return slices.ContainsFunc(ways, func(way int) bool {
		if way >= len(code.Blocks) {
			return false
		}
		to, ok := blockBehind(code, int(code.Blocks[way].Last))
		return writes(code, way) || ok && writes(code, to)
	})
}

// blockBehind returns the block that a jump to a constant leads to.
func blockBehind(code *bytecode.Code, jump int) (int, bool) {
	if flow := bytecode.Ops[code.Instructions[jump].Op].Flow; jump == 0 || flow != bytecode.Jumps && flow != bytecode.Branches {
		return 0, false
	}
	to, ok := code.Label(jump - 1)
	if !ok {
		return 0, false
	}
	return code.BlockAt(uint64(to))
}

func writesPanic(code *bytecode.Code, block int) bool {
	return pushesIn(code, block, func(w []byte) bool { return bytes.HasPrefix(w, panicSelector) })
}

// writesAssertion reports whether a block writes the panic of assert, whose code is 1.
func writesAssertion(code *bytecode.Code, block int) bool {
	return writesPanic(code, block) && pushesIn(code, block, func(w []byte) bool { return len(w) == 1 && w[0] == 1 })
}

// pushesIn reports whether a block pushes a constant that fits.
func pushesIn(code *bytecode.Code, block int, fits func([]byte) bool) bool {
	for i := int(code.Blocks[block].First); i <= int(code.Blocks[block].Last); i++ {
		if fits(code.Immediate(i)) {
			return true
		}
	}
	return false
}
