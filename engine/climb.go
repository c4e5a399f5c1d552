package engine

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/engine/mutate"
	"leveret/engine/search"
)

// A climb varies the numbers of the best sequence of a goal one at a time, by powers
// of two up and down, the smallest first. While a step helps, the next one is twice as
// long; then steps halve again [the alternating variable method: Korel, IEEE
// Transactions on Software Engineering 16(8), 1990].
type climb struct {
	numbers []number
	turn    int // of the sweep: which step of which number
	bit     int // of the step
	number  int // index in numbers
	down    bool
	line    line
	helped  bool              // the last candidate was the best so far
	last    *search.Candidate // that the climb made
}

// A number is an argument of a transaction, or its wei.
type number struct {
	tx int
	input.Parameter
}

// A line is the search in the direction of a step that helped.
type line uint8

const (
	noLine line = iota
	longer
	shorter
)

// maxClimbed is how many numbers are varied, those of the last transactions;
// climbEvery is which share of the inputs climbs get.
const (
	maxClimbed = 32
	climbEvery = 4
)

// Turn makes the next step of a climb when it is its turn.
func (m *maximize) Turn() *search.Candidate {
	if m.inputs++; m.inputs%climbEvery != 0 {
		return nil
	}
	for range m.goals {
		m.climbing++
		g := m.goals[m.climbing%len(m.goals)]
		if c := g.climb.next(m, g); c != nil {
			return c
		}
	}
	return nil
}

// newClimb begins at a sequence.
func newClimb(s input.Sequence) climb { return climb{numbers: numbersOf(s)} }

func numbersOf(s input.Sequence) []number {
	var list []number
	for i := len(s.Txs) - 1; i >= 0 && len(list) < maxClimbed; i-- {
		for _, p := range input.Parameters(&s.Txs[i]) {
			if isNumber(&p) && len(list) < maxClimbed {
				list = append(list, number{i, p})
			}
		}
	}
	return list
}

// isNumber reports whether a Parameter counts something.
func isNumber(p *input.Parameter) bool {
	switch p.Kind {
	case input.ParamArg:
		return p.Call == 0 && (p.Of.Kind == input.KindUint || p.Of.Kind == input.KindInt)
	case input.ParamWei:
		return p.Call == 0
	}
	return false
}

// learn notes that a result is the best so far. A line goes on from there; what
// others found begins a new climb.
func (c *climb) learn(r *search.Result) {
	if c.last == nil || r.Candidate != c.last {
		*c = newClimb(r.Sequence)
		return
	}
	c.helped = true
}

// next makes the next candidate from the best sequence; nil if no step helps.
func (c *climb) next(m *maximize, g *goal) *search.Candidate {
	c.last = nil
	if s, change, ok := c.step(g.sequence); ok {
		c.last = m.search.Corpus.Child(g.entry, s, change)
		c.last.Origin = m.origin
	}
	return c.last
}

// step takes the next step from the best sequence; false if none helps.
func (c *climb) step(s input.Sequence) (input.Sequence, mutate.Diff, bool) {
	if !c.move() {
		return s, mutate.Diff{}, false
	}
	n := &c.numbers[c.number]
	tx := &s.Txs[n.tx]
	w, by := input.Get(tx, &n.Parameter), uint256.NewInt(1)
	by.Lsh(by, uint(c.bit))
	if c.down {
		w.Sub(&w, by)
	} else {
		w.Add(&w, by)
	}
	changed := input.Set(tx, &n.Parameter, w)
	return s.WithTx(n.tx, changed), mutate.Diff{Tx: n.tx, First: n.tx, Single: true, Param: n.Parameter}, true
}

// move chooses the next step: along the line of one that helped, or else of the
// sweep. It returns false after the last step.
func (c *climb) move() bool {
	helped := c.helped
	c.helped = false
	switch {
	case helped && c.line == noLine:
		c.line = longer
	case !helped && c.line == longer:
		c.line = shorter
	}
	bits := 0
	if len(c.numbers) > 0 {
		bits = c.numbers[c.number].Word.Bits
	}
	if c.line == longer {
		if c.bit++; c.bit < bits {
			return true
		}
		c.line = shorter
	}
	if c.line == shorter {
		if c.bit--; c.bit >= 0 {
			return true
		}
		c.line, c.turn = noLine, 0 // from the new best on
	}
	return c.sweep()
}

// sweep chooses the next step of the sweep over all numbers: up and down, the shorter
// steps of all first.
func (c *climb) sweep() bool {
	for round := 2 * len(c.numbers); round > 0 && c.turn < 256*round; {
		c.bit, c.number, c.down = c.turn/round, c.turn%round/2, c.turn%2 == 1
		c.turn++
		if c.bit < c.numbers[c.number].Word.Bits {
			return true
		}
	}
	return false
}
