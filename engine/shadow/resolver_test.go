package shadow

import (
	"testing"

	"leveret/engine/evm"

	"github.com/holiman/uint256"
)

// hot is what a tier without a graph keeps: by frame and pc the two topmost
// words of the latest run, and when that was.
type hot struct {
	o      *Observer
	words  map[[2]uint64]*pairSeen
	clock  int
	exact  int // branches for which a Resolution gave the shadow's costs
	wrong  int // static ones that did not
	silent int // branches without a Resolution that applies
}

type pairSeen struct {
	top, next *uint256.Int
	when      int
}

func (h *hot) hooks() *evm.Hooks {
	hooks := h.o.Hooks()
	step := hooks.Step
	hooks.Step = func(s *evm.Step) {
		h.clock++
		seen := &pairSeen{when: h.clock}
		if n := len(s.Stack); n > 0 {
			seen.top = s.Stack[n-1].Clone()
			if n > 1 {
				seen.next = s.Stack[n-2].Clone()
			}
		}
		h.words[[2]uint64{uint64(s.Frame.Number), s.PC}] = seen
		step(s)
	}
	return hooks
}

// choose returns the costs by the Resolution of which an instruction ran last.
func (h *hot) choose(b *Branch) (taken, other uint256.Int, r *Resolution) {
	seen := func(pc uint64) (top, next *uint256.Int) {
		if s := h.words[[2]uint64{uint64(b.Frame.Number), pc}]; s != nil {
			return s.top, s.next
		}
		return nil, nil
	}
	latest, e := -1, NewEvaluator(seen)
	list := h.o.Resolver.Lookup(b.Frame.Code, b.PC)
	for i := range list {
		c := &list[i]
		var t uint256.Int
		if !e.Cost(&t, c, b.Taken) || !t.IsZero() {
			continue
		}
		when := 0
		for _, pc := range c.PCs {
			if pc != b.PC {
				when = max(when, h.words[[2]uint64{uint64(b.Frame.Number), pc}].when)
			}
		}
		if when >= latest {
			latest, r, taken = when, c, t
			e.Cost(&other, c, !b.Taken)
		}
	}
	return taken, other, r
}

func (h *hot) branch(t *testing.T, round int) func(*Branch) {
	return func(b *Branch) {
		c := b.Condition()
		taken, other, r := h.choose(b)
		want := c.Cost(!b.Taken)
		list := h.o.Resolver.Lookup(b.Frame.Code, b.PC)
		static := len(list) == 1 && !list[0].Learned
		switch {
		case r == nil && static:
			t.Errorf("pc %d: the static resolution does not give the outcome taken no cost; %s", b.PC, c)
		case r == nil:
			h.silent++
		case taken.IsZero() && other == want:
			h.exact++
		case static && round > 0:
			h.wrong++
			t.Errorf("pc %d: cost %s by the resolution, %s by the graph: %s", b.PC, other.Hex(), want.Hex(), c)
		}
	}
}

// TestResolver compares the costs by Resolutions, static and learned in
// earlier rounds, with those of the graph.
func TestResolver(t *testing.T) {
	for _, c := range contracts(t) {
		t.Run(c.name(), func(t *testing.T) {
			h := &hot{o: New(NewState()), words: map[[2]uint64]*pairSeen{}}
			h.o.Resolver = NewResolver()
			s := deploy(t, c.code(), nil)
			for round := range 2 {
				h.exact, h.silent = 0, 0
				h.o.Events.Branch = h.branch(t, round)
				for _, row := range conditions {
					clear(h.words)
					s.call(c.pack(t, row.method, row.args), row.wei, h.hooks())
				}
				total := h.exact + h.silent + h.wrong
				if round > 0 && 100*h.exact < 98*total {
					t.Errorf("exact for %d of %d branches only", h.exact, total)
				}
				t.Logf("%-24s round %d: exact %d of %d branches (%.1f %%), none for %d", c.name(), round, h.exact, total, 100*float64(h.exact)/float64(total), h.silent)
			}
			static := h.o.Resolver.static(s.world.Code(s.at))
			if len(static) == 0 {
				t.Error("no static resolution")
			}
		})
	}
}
