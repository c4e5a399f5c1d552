package oracle

import (
	"testing"

	"leveret/engine/input"
	"leveret/engine/shadow"
)

// Two Monitors share an Observer: between two transactions of one, the other
// judges a whole Sequence. Each hears of its own transactions only, and goes
// on with what its own have stored.
func TestPanelsShareAnObserver(t *testing.T) {
	observer := shadow.New(shadow.NewState())
	heard := map[string]int{}
	panel := func(name string) *Monitor {
		o := &Oracle{Name: name, Watch: func(*Env) Watcher {
			return Watcher{Flows: &shadow.Events{Branch: func(*shadow.Branch) { heard[name]++ }}}
		}}
		return NewMonitor([]*Oracle{o}, &Env{}, observer)
	}
	begin := func(p *Monitor) *shadow.State {
		p.Begin(&input.Tx{}, nil)
		observer.Events.Branch(nil)
		return observer.State()
	}
	outer := panel("outer")
	first := begin(outer)
	inner := begin(panel("inner"))
	if again := begin(outer); again != first || inner == first {
		t.Error("the outer panel does not go on with its own state")
	}
	if heard["outer"] != 2 || heard["inner"] != 1 {
		t.Errorf("heard: %v", heard)
	}
}
