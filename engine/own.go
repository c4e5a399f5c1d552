package engine

import (
	"bytes"

	"leveret/engine/cover"
	"leveret/engine/oracle"
	"leveret/engine/program"
)

// worthwhile reports whether an outcome is one that somebody wrote: a branch
// of the user's, or a check of the compiler's that ends in a panic. The
// dispatcher, the checks of the ABI decoder and the like turn only on inputs
// that no caller encodes, and so do not attract the search; unless they are on
// the way to a target that somebody named.
func (c *campaign) worthwhile(b cover.Branch) bool {
	if c.direction.ahead(b) {
		return true
	}
	site := b / 2
	for int(site) >= len(c.written) {
		c.written = append(c.written, unknown)
	}
	if c.written[site] == unknown {
		c.written[site] = pointless
		if c.isWritten(c.cover.BranchSite(b)) {
			c.written[site] = worthwhile
		}
	}
	return c.written[site] == worthwhile
}

// worth is what is known of a conditional jump.
type worth uint8

const (
	unknown worth = iota
	worthwhile
	pointless
)

func (c *campaign) isWritten(site cover.BranchSite) bool {
	o := c.program.InfoOf(site.Code)
	if o.Contract == nil {
		return true // nothing is known of it
	}
	entry, ok := o.PCs.PCEntry(int(site.PC))
	if !ok || entry.Source < 0 {
		return false
	}
	for i := range o.Code.Generated {
		if g := &o.Code.Generated[i]; g.ID == entry.Source {
			return entry.End() <= len(g.Text) && bytes.Contains(g.Text[max(0, entry.Start):entry.End()], []byte("panic"))
		}
	}
	b, ok := c.program.LocateSite(oracle.Site{Code: site.Code, PC: site.PC})
	if !ok || b.Node == nil {
		return ok
	}
	return !program.IsDefinition(b.Node) || b.Node.Span != b.Place.Span
}
