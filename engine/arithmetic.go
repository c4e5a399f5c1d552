package engine

import (
	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/oracle"
)

// mayWrap are the opcodes that compilers make the user's arithmetic of.
var mayWrap = map[byte]bool{
	bytecode.ADD: true, bytecode.SUB: true, bytecode.MUL: true, bytecode.EXP: true, bytecode.SHL: true,
}

// arithmetic lists the instructions of code that may wrap unseen. There are
// none in most contracts since 0.8.
func (p *program) arithmetic(code *evm.Code) (list []cover.Arith) {
	o := p.owner(code)
	if o.contract == nil {
		return nil
	}
	for i := range o.pcs.Count() {
		pc, _ := o.pcs.IndexPC(i)
		if !mayWrap[code.Bytes[pc]] {
			continue
		}
		b, ok := p.sourceOf(oracle.Site{Code: code, PC: uint64(pc)})
		if !ok {
			continue
		}
		if op, ok := oracle.OperationAt(b, code.Bytes[pc]); ok {
			list = append(list, cover.Arith{PC: uint32(pc), Operator: op.Operator, Op: op.Op, Bits: op.Bits, Signed: op.Signed})
		}
	}
	return list
}

// wrapsPerSite bounds how often new combinations of wraps at one place are
// looked into: the first few tell what becomes of its result.
const wrapsPerSite = 24

// wrapSet identifies which arithmetic wrapped in a run, whatever the order;
// places that were looked at often enough are left out.
func (c *campaign) wrapSet(run *cover.Run) (set uint64) {
	for _, site := range run.Wraps {
		if c.wrapped[site] < wrapsPerSite {
			x := uint64(site) * 0x9e3779b97f4a7c15
			set += x ^ x>>29
		}
	}
	return set
}

// examinedWraps counts the places that are about to be looked at.
func (c *campaign) examinedWraps(run *cover.Run) {
	for _, site := range run.Wraps {
		c.wrapped[site]++
	}
}

// wrapDreams bounds how often made-up storage that lets arithmetic wrap where
// it never did counts as news.
const wrapDreams = 8

// imaginedWrap reports whether a run with made-up storage wrapped where no
// real one did: the function wants other state, though its paths are known.
func (c *campaign) imaginedWrap(r *result) bool {
	if r.outcome.Status != evm.Success {
		return false
	}
	for _, site := range r.run.Wraps {
		if c.wrapped[site] == 0 && c.dreamt[site] < wrapDreams {
			c.dreamt[site]++
			return true
		}
	}
	return false
}
