package lookahead

import (
	"slices"
	"testing"

	"leveret/engine/bytecode"
)

// waysOf follows all calls of a program to its block "hit".
func waysOf(t *testing.T, parts ...any) (*Analyzer, *Distances, map[string]uint32) {
	t.Helper()
	code, labels := assemble(append(parts, "hit:", "on", jump, "on:", 3, load, "end", jumpi, stop, "end:", stop)...)
	a := &Analyzer{}
	a.AddCode(0, bytecode.New(code))
	a.SetTargets([]Target{{0, labels["hit"]}})
	w, ok := a.Distances(0, Calls{})
	if !ok {
		t.Fatal("the code is not known")
	}
	return a, w, labels
}

// jumpAt is the pc of the conditional jump that ends the block at a label.
func jumpAt(a *Analyzer, label uint32) uint64 {
	c := a.codes[0].code
	b, _ := c.BlockAt(uint64(label))
	return uint64(c.Instructions[c.Blocks[b].Last].PC)
}

// Distances count conditional jumps, and an internal function returns to its
// own caller.
func TestWaysKeepCallersApart(t *testing.T) {
	a, w, labels := waysOf(t,
		0, load, "second", jumpi,
		"first:", "afterFirst", "double", jump,
		"afterFirst:", 1, load, "hit", jumpi, stop,
		"second:", "afterSecond", "double", jump,
		"afterSecond:", 2, load, "end", jumpi, stop,
		"double:", bytecode.CALLVALUE, "more", jumpi, jump,
		"more:", jump)
	if w.Start != 3 {
		t.Errorf("the target is %d conditional jumps ahead, want 3", w.Start)
	}
	for _, row := range []struct {
		label string
		taken bool
		far   int
		leads bool
	}{
		{"afterFirst", true, 0, true}, {"afterFirst", false, 0, false},
		{"afterSecond", true, 0, false}, {"afterSecond", false, 0, false},
		{"double", true, 1, true}, {"double", false, 1, true},
	} {
		far, leads := w.Outcome(jumpAt(a, labels[row.label]), row.taken)
		if leads != row.leads || leads && far != row.far {
			t.Errorf("behind %s, %v: %d, %v", row.label, row.taken, far, leads)
		}
	}
	if _, leads := w.Outcome(uint64(labels["first"])-1, true); leads {
		t.Error("the call that goes to second leads to the target")
	}
	if !w.Beyond(jumpAt(a, labels["on"]), true) || w.Beyond(jumpAt(a, labels["afterFirst"]), true) {
		t.Error("what comes after the target is mistaken")
	}
	if never := a.ConstantJumps([]*Distances{w}); len(never) != 0 {
		t.Errorf("jumps at %v are said to go one way only", never)
	}
}

// A target behind a constant condition is unreachable, and the condition is
// reported.
func TestWaysNameTheGuard(t *testing.T) {
	a, w, labels := waysOf(t, "guard:", 7, 8, eq, "hit", jumpi, stop)
	if w.Start != -1 || w.Met(Reached) || !w.Complete() {
		t.Errorf("the target is said to be %d ahead: %v", w.Start, w.Reasons)
	}
	if never := a.ConstantJumps([]*Distances{w}); !slices.Equal(never, []Target{{0, uint32(jumpAt(a, labels["guard"]))}}) {
		t.Errorf("jumps at %v are said to go one way only", never)
	}
}

// A function is told by its selector, and what gets calls without one by that.
func TestWaysOfCalls(t *testing.T) {
	code, labels := assemble(
		4, bytecode.CALLDATASIZE, bytecode.LT, "bare", jumpi,
		0, load, bytecode.PUSH1, byte(224), bytecode.SHR,
		dup1, 0x1234, eq, "named", jumpi, stop,
		"named:", stop, "bare:", stop)
	a := &Analyzer{Focus: true}
	a.AddCode(0, bytecode.New(code))
	own, foreign := [4]byte{0, 0, 0x12, 0x34}, [4]byte{1}
	for _, row := range []struct {
		target string
		calls  Calls
		met    bool
	}{
		{"named", Calls{Selector: &own}, true}, {"named", Calls{Selector: &foreign}, false}, {"named", Calls{Short: true}, false},
		{"bare", Calls{Selector: &own}, false}, {"bare", Calls{Selector: &foreign}, false}, {"bare", Calls{Short: true}, true},
		{"named", Calls{}, true}, {"bare", Calls{}, true},
	} {
		a.SetTargets([]Target{{0, labels[row.target]}})
		if w, _ := a.Distances(0, row.calls); w.Met(Reached) != row.met {
			t.Errorf("%s by %+v: %v", row.target, row.calls, w.Reasons)
		}
		if a.Reaches(0, row.calls) != row.met {
			t.Errorf("%s by %+v: Reaches says %v", row.target, row.calls, !row.met)
		}
	}
}

// Calls without wei do not pass a check of msg.value.
func TestWaysWithoutWei(t *testing.T) {
	code, labels := assemble(bytecode.CALLVALUE, "refused", jumpi, stop, "refused:", stop)
	a := &Analyzer{Focus: true}
	a.AddCode(0, bytecode.New(code))
	a.SetTargets([]Target{{0, labels["refused"]}})
	for _, free := range []bool{false, true} {
		if w, _ := a.Distances(0, Calls{Free: free}); w.Met(Reached) == free || a.Reaches(0, Calls{Free: free}) == free {
			t.Errorf("without wei: %v, but %v", free, w.Reasons)
		}
	}
}

// Removing blocks that reach no target does not change the distances of the
// others.
func TestFocusLeavesNothingOut(t *testing.T) {
	compared := 0
	for _, c := range contracts(t, tested...) {
		w, _ := corpusOf(t, c, 20)
		a := &Analyzer{}
		w.teach(a)
		for _, target := range w.assertions() {
			a.SetTargets([]Target{target})
			p := a.program(target.Code)
			if p == nil {
				continue
			}
			all := a.explore(p, nil, Calls{}, p.goals)
			some := a.explore(p, p.graph.reaching(p.code, p.goals), Calls{}, p.goals)
			if !all.whole {
				continue
			}
			compared++
			if !some.whole || !slices.Equal(all.near, some.near) {
				t.Errorf("%s, target %x: the distances differ", c.name(), target.PC)
			}
		}
	}
	if compared < 20 {
		t.Errorf("%d targets were compared", compared)
	}
}
