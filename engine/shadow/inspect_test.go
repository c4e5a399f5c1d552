package shadow

import (
	"leveret/engine/evm"
	"maps"
)

// needsShadow reports whether the cost of the JUMPI at pc cannot be told
// from the Resolutions, or not always, so that a shadow run tells more.
func (r *Resolver) needsShadow(code *evm.Code, pc uint64) bool {
	s := r.code(code).sites[pc]
	return s == nil || s.refused || len(s.list) == 0 && !s.fixed
}

// static returns the static Resolutions of a code, by ascending pc.
func (r *Resolver) static(code *evm.Code) []Resolution {
	c := r.code(code)
	var out []Resolution
	for _, pc := range c.code.Jumpis {
		if s := c.sites[uint64(pc)]; s != nil && s.static {
			out = append(out, s.list...)
		}
	}
	return out
}

// clone returns a State that goes on from here on its own. The two share
// their Sets and so the goroutine.
func (s *State) clone() *State {
	return &State{Sets: s.Sets, Txs: s.Txs, slots: maps.Clone(s.slots), hashes: maps.Clone(s.hashes)}
}

// controlSet returns what decided, by branches within a frame and its callers,
// that the value was computed.
func (w Word) controlSet() Set { return w.node().control }

// byteSources returns what flowed into byte i, 0 the most significant.
func (w Word) byteSources(i int) Set { return w.node().byteSet(&w.o.g, 31-i) }
