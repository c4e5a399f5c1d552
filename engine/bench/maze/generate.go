package maze

import (
	"math/rand/v2"
	"slices"
)

// A generator adds functions to a maze.
type generator struct {
	maze   *Maze
	random *rand.Rand
	size   Size
	worlds []*world // that transactions of complete functions lead to
	next   []*world // that those of the function in work lead to
}

// A world is the storage after some calls.
type world struct {
	variables []uint64
	history   []Call
}

// A point is a call in a world: a concrete way through a function.
type point struct {
	arguments []uint64
	world     *world
	variables []uint64 // after the part of the function that is generated
}

// A step is a part of the way to a node: a gate that is passed, or a side of a
// condition.
type step struct {
	gate *gate
	cond *condition
	side bool
}

// Limits of the generator.
const (
	pool       = 48  // points that are known of each way, at most
	attempts   = 600 // to find more points of a way
	candidates = 40  // conditions that are tried until one divides the points
	worlds     = 128 // that are kept
	history    = 4   // calls that lead to a world, at most
)

// chance reports true in n of 100 cases.
func (g *generator) chance(n int) bool { return g.random.IntN(100) < n }

// addFunction adds a function and the worlds that it leads to.
func (g *generator) addFunction() {
	f := &function{parameters: g.size.Parameters}
	first := point{world: g.worlds[0]}
	for range f.parameters {
		first.arguments = append(first.arguments, g.word())
	}
	points, way := g.explore(nil, []point{first}), []step(nil)
	for range g.size.Gates {
		cond, _, _ := g.divide(points)
		if cond == nil {
			continue
		}
		gate := &gate{cond: cond, write: g.write()}
		f.gates, way = append(f.gates, gate), append(way, step{gate: gate})
		for i := range points {
			points[i].variables = slices.Clone(points[i].variables)
			gate.pass(points[i].arguments, points[i].variables)
		}
	}
	f.body = g.node(g.size.Depth, way, points)
	g.maze.functions = append(g.maze.functions, f)
	g.worlds = append(g.worlds, g.next...)
	g.worlds, g.next = g.worlds[:min(len(g.worlds), worlds)], nil
}

// node generates what follows a way of which points are known, at least one.
func (g *generator) node(depth int, way []step, points []point) *node {
	if depth == 0 || depth < g.size.Depth-2 && g.chance(15) {
		return &node{end: g.end(points)}
	}
	points = g.explore(way, points)
	cond, then, other := g.divide(points)
	if cond == nil {
		return &node{end: g.end(points)}
	}
	return &node{
		cond:  cond,
		then:  g.node(depth-1, append(slices.Clip(way), step{cond: cond, side: true}), then),
		other: g.node(depth-1, append(slices.Clip(way), step{cond: cond}), other),
	}
}

// explore finds more points of a way.
func (g *generator) explore(way []step, points []point) []point {
	points = slices.Clone(points)
	for tries := 0; len(points) < pool && tries < attempts; tries++ {
		p := g.vary(points[g.random.IntN(len(points))])
		if g.chance(75) {
			p.follow(way, true) // may turn an earlier condition, so it is followed again
		}
		if p.follow(way, false) {
			points = append(points, p)
		}
	}
	for i := range points {
		points[i].follow(way, false)
	}
	return points
}

// follow computes the variables at the end of a way and reports whether the
// point takes it. If told to, it first changes an argument wherever an equality
// is missed.
func (p *point) follow(way []step, repair bool) bool {
	p.variables = slices.Clone(p.world.variables)
	for _, s := range way {
		switch {
		case s.gate != nil:
			s.gate.pass(p.arguments, p.variables)
		case s.cond.holds(p.arguments, p.variables) == s.side:
		case repair && s.side && s.cond.relation == equal:
			s.cond.meet(p.arguments, p.variables)
		default:
			return false
		}
	}
	return true
}

// vary changes an argument or two, or the world.
func (g *generator) vary(p point) point {
	p.arguments = slices.Clone(p.arguments)
	if g.chance(30) {
		p.world = g.worlds[g.random.IntN(len(g.worlds))]
	}
	for range 1 + g.random.IntN(2) {
		a := &p.arguments[g.random.IntN(len(p.arguments))]
		switch g.random.IntN(4) {
		case 0:
			*a += g.random.Uint64N(64)
		case 1:
			*a = p.arguments[g.random.IntN(len(p.arguments))]
		default:
			*a = g.word()
		}
	}
	return p
}

// word returns a random word of random length.
func (g *generator) word() uint64 { return g.random.Uint64() >> g.random.IntN(60) }

// divide returns a condition and the points on its sides, none of them empty;
// nil if it finds none.
func (g *generator) divide(points []point) (cond *condition, then, other []point) {
	for range candidates {
		cond, then, other = g.condition(points), nil, nil
		for _, p := range points {
			if cond.holds(p.arguments, p.variables) {
				then = append(then, p)
			} else {
				other = append(other, p)
			}
		}
		if len(then) > 0 && len(other) > 0 {
			return cond, then, other
		}
	}
	return nil, nil, nil
}

// end generates the end of a way. Early functions write more often, so that
// there is storage for later ones to depend on.
func (g *generator) end(points []point) (e end) {
	writes := 15
	if len(g.worlds) < worlds/4 {
		writes = 35
	}
	switch {
	case g.chance(writes):
		e = end{kind: endWrite, write: g.write()}
	case g.chance(90):
		// The witness has as few calls as any point.
		p := slices.MinFunc(points, func(a, b point) int { return len(a.world.history) - len(b.world.history) })
		g.maze.Witnesses = append(g.maze.Witnesses, g.calls(p))
		return end{kind: endAssertion, assertion: len(g.maze.Witnesses) - 1}
	}
	for range min(3, len(points)) {
		g.addWorld(points[g.random.IntN(len(points))], &e)
	}
	return e
}

// addWorld keeps the world that a point leads to through an end.
func (g *generator) addWorld(p point, e *end) {
	after := &world{slices.Clone(p.variables), g.calls(p)}
	if e.kind == endWrite {
		e.apply(p.arguments, after.variables)
	}
	if len(after.history) <= history && !slices.Equal(after.variables, p.world.variables) {
		g.next = append(g.next, after)
	}
}

// calls are those that lead to the world of p, then p, a call of the function
// in work.
func (g *generator) calls(p point) []Call {
	return append(slices.Clip(p.world.history), Call{len(g.maze.functions), p.arguments})
}
