package engine

import (
	"leveret/engine/input"
	"leveret/engine/search"
)

// An exchange is the source of a worker that executes what other workers covered
// something new with. What is new here too becomes an entry. It publishes what
// this worker covers by itself. A single worker without peers has none.
type exchange struct {
	hub    *hub
	worker int
	search *search.Search
	origin *search.Origin
	queue  search.Queue
	taken  int // inputs of the hub
	next   int // number of inputs at which to take more

	witnesses []input.Sequence // of findings of peers, to be executed
}

// exchangeInterval is after how many inputs a worker takes what others published.
const exchangeInterval = 32

// Next returns an input of another worker; nil if there is none.
func (x *exchange) Next() *search.Candidate {
	if inputs := x.search.Progress.Inputs; inputs >= x.next {
		x.next = inputs + exchangeInterval
		if x.hub.hears() {
			x.receive()
		}
		list, taken := x.hub.take(x.worker, x.taken)
		x.taken = taken
		for _, s := range list {
			next := x.search.Generator.FromStart(s)
			next.Origin = x.origin
			x.queue.Add(next)
		}
	}
	return x.queue.Take()
}

// Learn publishes a result that covered something new.
func (x *exchange) Learn(r *search.Result) {
	if r.Entry != nil && r.Origin != x.origin && x.search.Progress.SinceNew() == 0 {
		x.hub.publish(x.worker, r.Sequence, r.Digest)
	}
}
