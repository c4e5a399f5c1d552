package plan

import "container/heap"

// orders are the orders in which nodes have turns.
const orders = 3

// Turns are those of the nodes with a call to try, in several orders.
type turns struct {
	n      int // so far
	queues [orders]queue
	filled [orders]bool // the others are filled when they are asked for
}

// first returns the first of some nodes in the order of this turn that has one of so many
// calls to try; nil if there is none.
func (t *turns) first(nodes []*node, calls int) *node {
	order := t.n % orders
	q := &t.queues[order]
	if !t.filled[order] {
		t.filled[order] = true
		*q = queue{nodes: q.nodes[:0], order: order}
		for _, n := range nodes {
			if n.next < calls {
				q.nodes = append(q.nodes, n)
			}
		}
		heap.Init(q)
	}
	for len(q.nodes) > 0 {
		if n := q.nodes[0]; n.next < calls {
			return n
		}
		heap.Pop(q)
	}
	return nil
}

// arrive takes in a new node.
func (t *turns) arrive(n *node) {
	for order := range t.queues {
		if t.filled[order] {
			heap.Push(&t.queues[order], n)
		}
	}
}

// reorder is called when a node has another place, or more calls to try.
func (t *turns) reorder() { t.filled = [orders]bool{} }

// A queue is a heap of nodes; of those that are alike the oldest comes first.
type queue struct {
	nodes []*node
	order int
}

func (q *queue) Len() int { return len(q.nodes) }

func (q *queue) Less(i, j int) bool {
	a, b := q.nodes[i], q.nodes[j]
	return before(a, b, q.order) || !before(b, a, q.order) && a.number < b.number
}

func (q *queue) Swap(i, j int) { q.nodes[i], q.nodes[j] = q.nodes[j], q.nodes[i] }

func (q *queue) Push(n any) { q.nodes = append(q.nodes, n.(*node)) }

func (q *queue) Pop() any {
	last := len(q.nodes) - 1
	n := q.nodes[last]
	q.nodes[last], q.nodes = nil, q.nodes[:last]
	return n
}

// before reports whether a node that is younger than another comes before it all the
// same: the one whose goal came nearer to the branch, in the next order the one whose
// storage is nearer to what is wanted, and in the last order none.
func before(n, other *node, turn int) bool {
	switch turn % orders {
	case 0:
		return n.fitness.less(&other.fitness)
	case 1:
		return n.away.Lt(&other.away)
	}
	return false
}
