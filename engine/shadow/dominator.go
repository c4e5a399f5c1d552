package shadow

// postDominators returns the immediate post-dominator of every node of a graph;
// exitBlock if that is the virtual exit node, or if a node cannot reach an
// exit. It is the iterative algorithm of Cooper, Harvey and Kennedy, "A Simple,
// Fast Dominance Algorithm", on the reversed graph.
func postDominators(edges [][]int) []int {
	n := len(edges)
	exit := n
	reverse := make([][]int, n+1)
	for b, succ := range edges {
		for _, s := range succ {
			if s < 0 {
				s = exit
			}
			reverse[s] = append(reverse[s], b)
		}
	}
	order, number := postorder(reverse, exit)
	idom := make([]int, n+1)
	for i := range idom {
		idom[i] = noBlock
	}
	idom[exit] = exit
	for changed := true; changed; {
		changed = false
		for i := len(order) - 2; i >= 0; i-- {
			b := order[i]
			if d := meet(edges[b], exit, idom, number); d != idom[b] {
				idom[b], changed = d, true
			}
		}
	}
	for b := range idom[:n] {
		if idom[b] == exit || idom[b] == noBlock {
			idom[b] = exitBlock
		}
	}
	return idom[:n]
}

// meet returns the closest common post-dominator of the successors.
func meet(succ []int, exit int, idom, number []int) int {
	d := noBlock
	for _, s := range succ {
		if s < 0 {
			s = exit
		}
		switch {
		case idom[s] == noBlock:
		case d == noBlock:
			d = s
		default:
			for d != s {
				for number[d] < number[s] {
					d = idom[d]
				}
				for number[s] < number[d] {
					s = idom[s]
				}
			}
		}
	}
	return d
}

// postorder returns the nodes reachable from root in postorder, and the
// position of each in it, -1 for others.
func postorder(edges [][]int, root int) (order, number []int) {
	number = make([]int, len(edges))
	for i := range number {
		number[i] = -1
	}
	type visit struct{ node, next int }
	work := []visit{{root, 0}}
	seen := make([]bool, len(edges))
	seen[root] = true
	for len(work) > 0 {
		top := &work[len(work)-1]
		if top.next < len(edges[top.node]) {
			to := edges[top.node][top.next]
			top.next++
			if !seen[to] {
				seen[to] = true
				work = append(work, visit{to, 0})
			}
			continue
		}
		number[top.node] = len(order)
		order = append(order, top.node)
		work = work[:len(work)-1]
	}
	return order, number
}
