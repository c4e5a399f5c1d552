package shadow

import (
	"sync"

	"leveret/engine/bounded"
)

// buffers are the large slices of an Observer, of up to 60 MB after a long transaction:
// the words of a graph, and the mirrors of frames.
type buffers struct {
	graph  graph
	frames []*frame
	cells  bounded.Arena[cell]
}

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
	o.g.sets = nil
	spare.Put(&buffers{graph: o.g, frames: o.frames, cells: o.cells})
	o.g, o.frames, o.cells = graph{sets: o.state.Sets}, nil, newCells()
}

// rise takes buffers of an Observer at rest, if it has none.
func (o *Observer) rise() {
	if o.g.nodes != nil {
		return
	}
	if b, ok := spare.Get().(*buffers); ok {
		o.g, o.frames, o.cells = b.graph, b.frames, b.cells
		o.g.sets = o.state.Sets
	}
}
