// Package cover records one execution for the search: its path, the
// instructions and branch outcomes it covered, its distance from the outcomes
// not taken, the storage it touched, and suspicious events.
//
// A Recorder runs on every input, so it looks at the opcode first and at the
// stack only where needed. Package shadow finds where the operands of a
// condition come from; cover only records them.
//
// Paths follow HARVEY (ESEC/FSE 2020), sections 3.2 and 5: a PathID spans one
// transaction. Costs follow its section 4.3.
package cover

import (
	"slices"
	"sync"
	"sync/atomic"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/shadow"
)

// A PathID identifies the path of one transaction: a hash of its jump sites and
// destinations, with loop iterations counted in AFL's buckets.
type PathID uint64

// A Branch is one outcome of one conditional jump: twice the dense number of
// the site, plus one if the jump is taken.
type Branch uint32

// Other returns the other outcome of the same jump.
func (b Branch) Other() Branch { return b ^ 1 }

// Taken reports whether b is the outcome that jumps.
func (b Branch) Taken() bool { return b&1 == 1 }

// A BlockID is the dense number of a basic block.
type BlockID uint32

// A BlockSite is the location of a block.
type BlockSite struct {
	Code         *evm.Code
	PC           uint64
	Instructions int
}

// A BranchSite is the location of a conditional jump, or of a function that returns
// the boolean that decides.
type BranchSite struct {
	Code     *evm.Code
	PC       uint64
	Returned bool
}

// A Map numbers the blocks and branches of all codes of a campaign. It grows
// with each new code. It is safe for concurrent use, and reads take no lock: a
// change publishes new tables and leaves the old ones as they are.
type Map struct {
	Arithmetic func(*evm.Code) []Arith // lists the arithmetic of a code that may wrap; nil: none

	numbering atomic.Pointer[numbering]
	learned   atomic.Uint64            // calls of Learn that changed sites
	changed   atomic.Pointer[[]uint64] // by Branch/2: learned after the last change of its costs

	mu       sync.Mutex // of all changes
	resolver *shadow.Resolver
}

// A numbering is what a Map knows at one time. It does not change.
type numbering struct {
	codes    []*codeMap // by evm.Code.ID; nil: not numbered
	blocks   []BlockSite
	branches []BranchSite // by Branch/2
}

// codeMap numbers one code.
type codeMap struct {
	*bytecode.Code
	of          *evm.Code
	firstBlock  BlockID
	firstBranch Branch
	block       []uint32              // by pc, 1-based number within the code of the block that starts there
	site        []uint32              // by pc, 1-based number within the code of the JUMPI there
	sites       atomic.Pointer[sites] // replaced when more is learned
	returns     atomic.Pointer[[]returnSite]
	wraps       *wrapSites // nil: no arithmetic may wrap
}

// NewMap returns an empty Map.
func NewMap() *Map {
	m := &Map{resolver: shadow.NewResolver()}
	m.numbering.Store(&numbering{})
	m.changed.Store(new([]uint64))
	return m
}

// Learn updates the cost functions from the conditions that a shadow run saw, and
// numbers the returned booleans among them. A Recorder uses both from its next Begin
// on.
func (m *Map) Learn(decisions []*shadow.Decision) {
	m.mu.Lock()
	defer m.mu.Unlock()
	known := m.numbering.Load().codes
	now := m.learned.Load() + 1
	var changed []*codeMap
	var at []uint64
	for _, d := range decisions {
		if d.Code.ID >= len(known) || known[d.Code.ID] == nil {
			continue
		}
		c, same := known[d.Code.ID], *d
		if same.Code = c.of; !same.Returned() && c.siteAt(same.PC) == 0 || !m.resolver.Learn(&same) {
			continue
		}
		b, ok := m.numbered(c, &same)
		if !ok {
			continue
		}
		if at == nil {
			at = append(at, *m.changed.Load()...)
		}
		at = append(at, make([]uint64, len(m.numbering.Load().branches)-len(at))...)
		at[b/2] = now
		if !slices.Contains(changed, c) {
			changed = append(changed, c)
		}
	}
	if len(changed) == 0 {
		return
	}
	for _, c := range changed {
		c.sites.Store(newSites(m.resolver, c))
	}
	m.changed.Store(&at)
	m.learned.Store(now)
}

// Learned counts the changes by Learn. Costs measured before a change are less
// reliable.
func (m *Map) Learned() uint64 { return m.learned.Load() }

// Outdated reports whether some costs may be other ones since Learned returned a
// number.
func (m *Map) Outdated(costs []Cost, since uint64) bool {
	changed := *m.changed.Load()
	for i := range costs {
		if b, ok := costs[i].Metric.Branch(); ok && int(b/2) < len(changed) && changed[b/2] > since {
			return true
		}
	}
	return false
}

// BranchSite returns the location of b's jump.
func (m *Map) BranchSite(b Branch) BranchSite { return m.numbering.Load().branches[b/2] }

// BlockSite returns the location of b.
func (m *Map) BlockSite(b BlockID) BlockSite { return m.numbering.Load().blocks[b] }

// Bytecode returns the static analysis of code.
func (m *Map) Bytecode(code *evm.Code) *bytecode.Code { return m.code(code).Code }

// BlockAt returns the block that contains pc.
func (m *Map) BlockAt(code *evm.Code, pc uint64) (BlockID, bool) {
	c := m.code(code)
	b, ok := c.BlockAt(pc)
	return c.firstBlock + BlockID(b), ok
}

// Branch returns the outcome taken of the jump at pc of code, or of the boolean that a
// function returns, at its ReturnPC; false if there is no conditional jump, or if Learn
// has seen no comparison that decides the boolean.
func (m *Map) Branch(code *evm.Code, pc uint64, taken bool) (Branch, bool) {
	b, ok := m.code(code).branchAt(pc)
	if taken {
		b++
	}
	return b, ok
}

// Branches returns the outcomes of all conditional jumps of code.
func (m *Map) Branches(code *evm.Code) (first, end Branch) {
	c := m.code(code)
	return c.firstBranch, c.firstBranch + Branch(2*len(c.Jumpis))
}

// branch returns the outcome of the nth JUMPI of a code, from 1, that does not jump.
func (c *codeMap) branch(site uint32) Branch { return c.firstBranch + Branch(2*(site-1)) }

// siteAt returns the number within the code of the JUMPI at pc, from 1; 0 if there is
// none.
func (c *codeMap) siteAt(pc uint64) uint32 {
	if pc >= uint64(len(c.site)) {
		return 0
	}
	return c.site[pc]
}

// branchAt returns the outcome of the JUMPI at pc that does not jump, or false as the
// returned boolean at a ReturnPC.
func (c *codeMap) branchAt(pc uint64) (Branch, bool) {
	if site := c.siteAt(pc); site != 0 {
		return c.branch(site), true
	}
	return c.returnAt(pc)
}

// code returns the numbering of code and creates it on first use.
func (m *Map) code(code *evm.Code) *codeMap {
	if c := m.numbering.Load().of(code); c != nil {
		return c
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	n := *m.numbering.Load()
	if c := n.of(code); c != nil {
		return c
	}
	c := m.number(code, &n)
	m.numbering.Store(&n)
	return c
}

// of returns what is known of a code; nil if it is not numbered.
func (n *numbering) of(code *evm.Code) *codeMap {
	if code.ID >= len(n.codes) {
		return nil
	}
	return n.codes[code.ID]
}

// number adds a code to n. It leaves the tables alone that others may read: it
// copies that of the codes, and appends to the others beyond their ends.
func (m *Map) number(code *evm.Code, n *numbering) *codeMap {
	c := &codeMap{
		Code:        code.Analysis(),
		of:          code,
		firstBlock:  BlockID(len(n.blocks)),
		firstBranch: Branch(2 * len(n.branches)),
		block:       make([]uint32, len(code.Bytes)+1),
		site:        make([]uint32, len(code.Bytes)+1),
	}
	for i, b := range c.Blocks {
		last := min(int(b.Last), c.Count-1)
		n.blocks = append(n.blocks, BlockSite{code, uint64(b.Start), max(0, last-int(b.First)+1)})
		c.block[b.Start] = uint32(i + 1)
	}
	for i, pc := range c.Jumpis {
		n.branches = append(n.branches, BranchSite{Code: code, PC: uint64(pc)})
		c.site[pc] = uint32(i + 1)
	}
	c.returns.Store(new([]returnSite))
	c.sites.Store(newSites(m.resolver, c))
	if m.Arithmetic != nil {
		c.wraps = newWrapSites(code, m.Arithmetic(code))
	}
	codes := make([]*codeMap, max(len(n.codes), code.ID+1))
	copy(codes, n.codes)
	codes[code.ID] = c
	n.codes = codes
	return c
}
