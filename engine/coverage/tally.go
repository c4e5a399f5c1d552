package coverage

import (
	"maps"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/finding"
	"leveret/engine/input"
)

// A Tally is what one or several Counters counted. It does not change.
type Tally struct {
	hits    []int // inputs, by cover.Block
	inputs  map[*input.Function]int
	paths   map[*input.Function]int
	covered []bool // by cover.Branch
	near    map[cover.Branch]uint256.Int
}

// Tally returns what was counted so far.
func (c *Counter) Tally() Tally {
	t := Tally{
		hits: slices.Clone(c.hits), inputs: maps.Clone(c.inputs), covered: c.corpus.AllCovered(),
		paths: c.corpus.Paths(), near: map[cover.Branch]uint256.Int{},
	}
	for _, b := range c.corpus.Missed() {
		_, distance := c.corpus.Best(b)
		t.near[b] = *distance
	}
	return t
}

// Merge adds tallies of several workers up. Paths that several found count for
// each.
func Merge(list []Tally) Tally {
	if len(list) == 1 {
		return list[0]
	}
	sum := Tally{inputs: map[*input.Function]int{}, paths: map[*input.Function]int{}, near: map[cover.Branch]uint256.Int{}}
	for i := range list {
		t := &list[i]
		sum.hits = append(sum.hits, make([]int, max(0, len(t.hits)-len(sum.hits)))...)
		for b, n := range t.hits {
			sum.hits[b] += n
		}
		sum.covered = append(sum.covered, make([]bool, max(0, len(t.covered)-len(sum.covered)))...)
		for b, covered := range t.covered {
			sum.covered[b] = sum.covered[b] || covered
		}
		for f, n := range t.inputs {
			sum.inputs[f] += n
		}
		for f, n := range t.paths {
			sum.paths[f] += n
		}
		for b, distance := range t.near {
			if had, ok := sum.near[b]; !ok || distance.Lt(&had) {
				sum.near[b] = distance
			}
		}
	}
	return sum
}

// Covered reports whether an outcome was covered.
func (t *Tally) Covered(b cover.Branch) bool { return int(b) < len(t.covered) && t.covered[b] }

func (t *Tally) hitsOf(b cover.BlockID) int {
	if int(b) >= len(t.hits) {
		return 0
	}
	return t.hits[b]
}

// Jumps counts the outcomes from first to end: those covered, and two for each
// jump that ran.
func (t *Tally) Jumps(first, end cover.Branch) (n finding.Jumps) {
	for at := first; at < end; at += 2 {
		jump, fall := t.Covered(at+1), t.Covered(at)
		if jump || fall {
			n.Seen += 2
		}
		if jump {
			n.Covered++
		}
		if fall {
			n.Covered++
		}
	}
	return n
}

// functionsCovered counts inputs and paths of functions.
func (t *Tally) functionsCovered(functions []*input.Function) (list []finding.FunctionCoverage) {
	for _, f := range functions {
		list = append(list, finding.FunctionCoverage{Function: f, Inputs: t.inputs[f], Paths: t.paths[f]})
	}
	return list
}
