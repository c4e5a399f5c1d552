package cover

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/shadow"
)

// A returnSite is a function whose returned boolean is a branch.
type returnSite struct {
	pc     uint64 // its shadow.ReturnPC
	branch Branch // returns false
}

// returnAt returns the outcome false of the boolean at a ReturnPC.
func (c *codeMap) returnAt(pc uint64) (Branch, bool) {
	for _, site := range *c.returns.Load() {
		if site.pc == pc {
			return site.branch, true
		}
	}
	return 0, false
}

// numbered returns the first outcome of the branch of a Decision that the resolver
// learned from. It numbers that of a returned boolean once a comparison is known that
// decides it.
func (m *Map) numbered(c *codeMap, d *shadow.Decision) (Branch, bool) {
	b, ok := c.branchAt(d.PC)
	if ok || len(m.resolver.Lookup(c.of, d.PC)) == 0 {
		return b, ok
	}
	n := *m.numbering.Load()
	site := returnSite{d.PC, Branch(2 * len(n.branches))}
	n.branches = append(n.branches, BranchSite{Code: c.of, PC: c.entry(d.PC), Returned: true})
	m.numbering.Store(&n)
	sites := append(slices.Clip(*c.returns.Load()), site)
	c.returns.Store(&sites)
	return site.branch, true
}

// entry returns where the function begins that a ReturnPC belongs to.
func (c *codeMap) entry(pc uint64) uint64 {
	id := shadow.ReturnSelector(pc)
	for _, f := range c.Selectors() {
		if f.ID == id {
			return uint64(f.Entry)
		}
	}
	return 0
}

// An answer is a boolean that a function returns, as a branch.
type answer struct {
	branch Branch // returns false
	rules  []rule
	counts [2]uint32 // of false and true, in the generation
	gen    uint32
}

// returning prepares for the booleans that functions return.
func (l *local) returning() {
	l.returned = map[uint64]*answer{}
	for i, rules := range l.sites.returns {
		site := (*l.returns.Load())[i]
		l.returned[site.pc] = &answer{branch: site.branch, rules: rules}
	}
}

func isBoolean(output []byte) bool {
	return len(output) == 32 && output[31] <= 1 && [31]byte(output) == [31]byte{}
}

// returns records the boolean that a frame returns as a branch, taken if it is true. It
// has no cost if no comparison is known that decided it: those of the jumps before
// it tell.
func (r *Recorder) returns(f *evm.Frame, output []byte) {
	l := r.current.code
	pc, ok := shadow.ReturnPC(f)
	if !ok || !isBoolean(output) {
		return
	}
	a := l.returned[pc]
	if a == nil {
		*r.nextCost() = Cost{Metric: returnMetric(l.of, pc), Value: *uint256.NewInt(1)}
		return
	}
	taken := output[31] == 1
	missed, occurrence := r.count(a, taken)
	cost := Cost{Metric: BranchMetric(missed, occurrence)}
	if occurrence < maxOccurrence && r.resolved(&cost, a.rules, taken) {
		r.run.Costs = append(r.run.Costs, cost)
	}
}

// count counts an outcome. It returns the other one, and how often a came by before.
func (r *Recorder) count(a *answer, taken bool) (missed Branch, occurrence uint32) {
	if a.gen != r.gen {
		a.gen, a.counts = r.gen, [2]uint32{}
	}
	occurrence = a.counts[0] + a.counts[1]
	b, n := a.branch, &a.counts[0]
	if taken {
		b, n = b+1, &a.counts[1]
	}
	if *n++; *n == 1 {
		r.run.Branches = append(r.run.Branches, b)
	}
	if bucketStart(*n) {
		r.mix(uint64(b)<<32 | uint64(*n)<<1)
	}
	return b.Other(), occurrence
}
