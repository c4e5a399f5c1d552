package shadow

import (
	"sync"

	"leveret/engine/bounded"
)

// buffers are the large slices of an Observer, of up to 60 MB after a long transaction.
type buffers struct {
	g      graph
	frames []*frame // by depth-1
	cells  bounded.Arena[cell]
}

// newBuffers returns buffers without memory.
func newBuffers(sets *Sets) buffers { return buffers{g: graph{sets: sets}, cells: newCells()} }

// spare holds buffers of Observers at rest. The garbage collector empties it.
var spare sync.Pool

// Rest discards what is known of the latest transaction, and leaves the buffers to
// Observers that go on. The next transaction takes such ones again. Campaigns that take
// turns rest between them.
func (o *Observer) Rest() {
	if o.g.nodes == nil {
		return
	}
	o.forget()
	for _, f := range o.frames {
		f.reset()
	}
	left := o.buffers
	left.g.sets = nil
	spare.Put(&left)
	o.buffers = newBuffers(o.state.Sets)
}

// lendable is how many words a graph has room for that Lend leaves to others: as many as
// long transactions have.
const lendable = 1 << 14

// Lend is Rest if the buffers are large: Observers of one goroutine need not have such ones
// each.
func (o *Observer) Lend() {
	if cap(o.g.nodes) >= lendable {
		o.Rest()
	}
}

// rise takes buffers of an Observer at rest, if it has none.
func (o *Observer) rise() {
	if o.g.nodes != nil {
		return
	}
	if b, ok := spare.Get().(*buffers); ok {
		o.buffers = *b
		o.g.sets = o.state.Sets
	}
}
