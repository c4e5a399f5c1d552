// Package joint solves several conditions over the same inputs at once. The
// conditions are words of a graph of pure instructions (shadow.Expressions); a
// model gives each input a value for which every condition has the outcome that
// is asked for.
//
// In order of cost:
//
//   - Inverses: bits that an equality fixes are followed backwards through
//     rotations, masks, exclusive ors, sums and odd factors (invert.go).
//   - Linear systems: equations whose sides are linear modulo a power of two
//     are eliminated exactly (linear.go).
//   - Products: an equation of a product of linear words and a constant is tried
//     with the constant's divisors (factor.go).
//   - Local search on what is left, in the variables that elimination left free
//     (search.go), on the graph as a flat program (program.go).
//
// The package knows no executions: what a model does, its caller has to see.
package joint

import (
	"math/rand/v2"

	"leveret/engine/input"
	"leveret/engine/shadow"

	"github.com/holiman/uint256"
)

// MaxVariables bounds the variables of a Problem.
const MaxVariables = 64

// A Variable is an input that may change.
type Variable struct {
	At    shadow.Expr // an OpInput of the graph
	Word  input.WordType
	Value uint256.Int // where the search starts
}

// A Requirement is a word that has to be zero, or not zero.
type Requirement struct {
	Word    shadow.Expr
	Nonzero bool
}

// A Problem is a set of Requirements on words of a graph. Inputs that are no
// Variables keep their values.
type Problem struct {
	Graph        *shadow.Expressions
	Variables    []Variable // at most MaxVariables
	Requirements []Requirement
	Without      [Stages]bool // stages that are off, to measure them
}

// A Stage is a part of solving.
type Stage uint8

// The stages, in order. A model is credited to the latest that it needed.
const (
	ByInverse Stage = iota
	ByElimination
	ByDivisors
	BySearch
	Stages
)

// A Model gives each Variable of a Problem a value.
type Model struct {
	Values []uint256.Int
	By     Stage
}

// A solver solves one Problem.
type solver struct {
	*Problem
	random *rand.Rand
	spent  int // evaluated instructions
	most   int
	scratch
}

// Solve looks for a model. It evaluates about most instructions at most, and
// returns how many it did. Equal arguments give equal models.
func (p *Problem) Solve(random *rand.Rand, most int) (m Model, spent int, ok bool) {
	s := &solver{Problem: p, random: random, most: most}
	products := maxProducts
	if p.Without[ByDivisors] {
		products = 0
	}
	m, ok = s.attempt(newDomains(p.Variables), nil, products)
	return m, s.spent, ok
}

// maxRounds bounds how often deductions are repeated.
const maxRounds = 16

// attempt solves within domains and with additional equations. products is how
// many products may still be tried with divisors.
func (s *solver) attempt(domains []domain, more []equation, products int) (Model, bool) {
	by := ByInverse
	for range maxRounds {
		p := build(s.Problem, domains, &s.scratch)
		s.spent += len(p.nodes)
		if p.false || s.spent > s.most {
			return Model{}, false
		}
		if !s.Without[ByInverse] {
			if fixed, ok := p.deduce(domains); !ok {
				return Model{}, false
			} else if fixed {
				continue
			}
		}
		l := linearSystem{program: p, domains: domains}
		if !s.Without[ByElimination] {
			if !l.eliminate(more) {
				return Model{}, false
			}
			if fixed, ok := l.settle(domains); !ok {
				return Model{}, false
			} else if fixed {
				by = max(by, ByElimination)
				continue
			}
		}
		if len(p.roots) > 0 && len(l.known) > 0 && products > 0 {
			if product, ok := l.product(); ok {
				return s.divide(domains, more, product, products)
			}
		}
		x := newSearch(s, p, l.solved, domains)
		if len(l.solved) > 0 {
			by = max(by, ByElimination)
		}
		if x.done() {
			return x.model(by), true
		}
		if s.Without[BySearch] {
			return Model{}, false
		}
		return x.run()
	}
	return Model{}, false
}
