package shadow

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// An Observer at rest holds no buffers, those of another are good for it, and it sees the
// same of the next transaction as one that never rested.
func TestRest(t *testing.T) {
	at := common.Address{1}
	w := evm.NewWorld(evm.NewCodes())
	w.SetBalance(sender, uint256.NewInt(1))
	// jumpi(…, calldataload(i) > 3), and a call of itself, until the gas is used up
	w.SetCode(at, common.FromHex("5b600360243511600b57005b365f5f375f5f365f5f305af1"))
	m := evm.NewMachine()
	input := common.FromHex(strings.Repeat("01", 68))
	observe := func(o *Observer) (decisions int) {
		m.Execute(w.Fork(), now, evm.Call{From: sender, To: at, Data: input, Gas: 100_000}, o.Hooks())
		for i := range o.Branches {
			if len(o.Sets().Sources(o.Branches[i].Cond.Sources())) > 0 {
				decisions++
			}
		}
		return decisions
	}
	rested, other := New(NewState()), New(NewState())
	first := observe(rested)
	if first == 0 {
		t.Fatal("no condition depends on the input")
	}
	rested.Rest()
	rested.Rest()
	if rested.g.nodes != nil || rested.frames != nil || len(rested.Branches) > 0 {
		t.Errorf("at rest it holds %d words and %d frames", cap(rested.g.nodes), len(rested.frames))
	}
	for range 3 {
		if n := observe(other); n != first {
			t.Errorf("%d conditions, not %d", n, first)
		}
		other.Rest()
		if n := observe(rested); n != first || rested.Desyncs > 0 {
			t.Errorf("after a rest %d conditions, not %d; %d words lost", n, first, rested.Desyncs)
		}
		rested.Rest()
	}
	observe(rested)
	if rested.Lend(); rested.g.nodes == nil {
		t.Error("small buffers are left to others")
	}
	rested.g.nodes = append(make([]node, 0, lendable), rested.g.nodes...)
	if rested.Lend(); rested.g.nodes != nil {
		t.Error("large buffers are not left to others")
	}
	if n := observe(rested); n != first {
		t.Errorf("after large buffers %d conditions, not %d", n, first)
	}
}

// A State and a graph that were cleared are like new ones: Observers see the same with
// either, call after call.
func TestClear(t *testing.T) {
	type sight struct {
		Nodes   []Expression
		Path    []PathCondition
		Sources [][]TaintSource
	}
	conditions := 0
	for _, c := range named(t, "Flows") {
		s := deploy(t, c.code(), nil)
		s.machine.Steps = 20000
		cleared := New(NewState())
		graph := NewExpressions()
		observe := func(o *Observer, x *Expressions, calls [][]byte) (seen sight) {
			o.Attach(o.State())
			o.state.Expressions = x
			world := s.world.Fork()
			for _, data := range calls {
				s.machine.Execute(world, now, evm.Call{From: sender, To: s.at, Data: data}, o.Hooks())
			}
			for c := range o.Path(len(o.log)) {
				seen.Path = append(seen.Path, c)
			}
			for i := range o.Branches {
				seen.Sources = append(seen.Sources, o.Sets().Sources(o.Branches[i].Cond.Sources()))
			}
			seen.Nodes = x.Nodes
			return seen
		}
		for _, calls := range expressed(t, &c) {
			cleared.State().Clear()
			graph.Clear()
			got := observe(cleared, graph, calls)
			if want := observe(New(NewState()), NewExpressions(), calls); !reflect.DeepEqual(got, want) {
				t.Fatalf("%s: with cleared memory %+v, not %+v", c.name(), got, want)
			}
			conditions += len(got.Path)
		}
	}
	if conditions == 0 {
		t.Error("no condition depends on the input")
	}
}

// A State that held much takes new maps, since clearing them takes as long as they ever
// were large; one that held very much takes new lists, too.
func TestClearLarge(t *testing.T) {
	s := NewState()
	for _, row := range []struct {
		sources     int
		maps, lists bool // are new
	}{{1, false, false}, {maxReused, true, false}, {1, false, false}, {mostReused, true, true}, {1, false, true}} {
		for n := range row.sources {
			s.Sets.Of(TaintSource{Kind: FromCalldata, Offset: uint64(n)})
		}
		index := reflect.ValueOf(s.Sets.index).Pointer()
		s.Clear()
		if changed := reflect.ValueOf(s.Sets.index).Pointer() != index; changed != row.maps || len(s.Sets.index) > 0 {
			t.Errorf("after %d sources: new maps %t", row.sources, changed)
		}
		if small := cap(s.Sets.members) < maxReused; len(s.Sets.members) != 1 || row.lists && !small || row.maps && !row.lists && small {
			t.Errorf("after %d sources: room for %d sets", row.sources, cap(s.Sets.members))
		}
	}
}
