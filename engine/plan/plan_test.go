package plan

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/search"
)

// A step calls a function that its number tells apart.
func step(n uint64) input.Tx {
	return input.Tx{From: input.User1, Function: &input.Function{Name: "step"}, Value: *uint256.NewInt(n)}
}

// A state is a fitness and how far it is away from the wanted storage.
type state struct {
	level      int
	cost, away uint64
}

// reach adds the node that a trial of calls led to.
func reach(p *plan, t trial, s state) *node {
	return p.add(&t, fitness{s.level, *uint256.NewInt(s.cost)}, *uint256.NewInt(s.away))
}

// begin returns a plan with calls, and nodes behind different first transactions.
func begin(t *testing.T, calls int, states ...state) *plan {
	t.Helper()
	p, goal := newPlan(cover.Branch(1)), step(1000)
	for i := range calls {
		call := step(uint64(i))
		p.learn(&call, 0)
		p.learn(&call, 1) // it is known
	}
	if len(p.calls) != calls {
		t.Fatalf("%d calls are learned, want %d", len(p.calls), calls)
	}
	for i, s := range states {
		first, ok := p.at(nil, -1, 0, []input.Tx{step(uint64(100 + i))}, &goal)
		if !ok {
			t.Fatal("a new sequence is no trial")
		}
		reach(p, first, s)
	}
	return p
}

// values returns the numbers of the steps of a trial.
func values(t *trial) (list []uint64) {
	for i := range t.txs {
		list = append(list, t.txs[i].Value.Uint64())
	}
	return list
}

// The nodes have turns: the nearest to the branch, the one with the nearest storage, and the
// oldest. Each gets each call once.
func TestNodesHaveTurns(t *testing.T) {
	p := begin(t, 2, state{2, 9, 9}, state{1, 50, 8}, state{1, 60, 3})
	want := [][]uint64{
		{102, 0, 1000}, // storage
		{100, 0, 1000}, // age
		{101, 0, 1000}, // branch
		{102, 1, 1000},
		{100, 1, 1000},
		{101, 1, 1000},
	}
	for i, w := range want {
		got, ok := p.take()
		if !ok || !slices.Equal(values(&got), w) {
			t.Fatalf("trial %d is %v, %v; want %v", i, values(&got), ok, w)
		}
	}
	if again, ok := p.take(); ok {
		t.Errorf("all calls were tried, but %v comes", values(&again))
	}
}

// A call that brings as much each time is repeated as often as the rest takes.
func TestCallsAreRepeated(t *testing.T) {
	p := begin(t, 1, state{0, 100, 0})
	once, ok := p.take()
	if !ok {
		t.Fatal("no trial")
	}
	n := reach(p, once, state{0, 93, 0})
	p.repeat(n, &once)
	more, ok := p.take()
	if !ok || more.times != 93/7 || len(more.txs) != 2+93/7+1 {
		t.Fatalf("%v times in %v, want %d", more.times, values(&more), 93/7)
	}
	if more.txs[0].Value.Uint64() != 100 || more.txs[len(more.txs)-1].Value.Uint64() != 1000 {
		t.Errorf("the sequence is %v", values(&more))
	}
	n = reach(p, more, state{0, 2, 0})
	another := step(7)
	p.learn(&another, 0) // the calls move to other memory
	behind := trial{txs: n.sequence()}
	if want := values(&more); !slices.Equal(values(&behind), want[:len(want)-1]) {
		t.Errorf("the node is behind %v, its trial was %v", values(&behind), want)
	}
}

// No call is repeated that brings nothing, only a little each time, or leaves the path.
func TestCallsAreNotRepeated(t *testing.T) {
	for name, s := range map[string]state{"nothing": {0, 1_000_000, 0}, "little": {0, 999_999, 0}, "the last one": {0, 1, 0}, "another path": {1, 10, 0}} {
		p := begin(t, 1, state{0, 1_000_000, 0})
		once, _ := p.take()
		p.repeat(reach(p, once, s), &once)
		if len(p.pending) > 0 {
			t.Errorf("%s: repeated %d times", name, p.pending[0].times)
		}
	}
}

// A state keeps the goal that comes nearest to the branch.
func TestBetterGoalsAreTaken(t *testing.T) {
	p := begin(t, 1, state{1, 10, 5})
	n, goal := p.nodes[0], step(2000)
	if len(p.blocked) != 1 {
		t.Fatalf("%d goals are to be repaired, want the one that left the path", len(p.blocked))
	}
	other, ok := p.at(nil, -1, 0, []input.Tx{step(100)}, &goal)
	if !ok {
		t.Fatal("the goal is new")
	}
	if p.better(n, &other, fitness{1, *uint256.NewInt(11)}) || !p.better(n, &other, fitness{0, *uint256.NewInt(400)}) {
		t.Error("a goal is better if it leaves the path later, or else at less cost")
	}
	if n.goal.Value.Uint64() != 2000 || p.best.level != 0 {
		t.Errorf("goal %v, best %+v", n.goal.Value, p.best)
	}
	if _, ok := p.at(nil, -1, 0, []input.Tx{step(100)}, &goal); ok {
		t.Error("the same sequence is tried twice")
	}
}

// Progress is a distance that some hundred steps of this length bridge.
func TestProgress(t *testing.T) {
	for _, row := range []struct {
		before, after uint64
		want          bool
	}{{1 << 20, 1<<20 - 1<<11, true}, {1 << 20, 1<<20 - 1<<10, false}, {3, 2, true}, {2, 2, false}, {2, 3, false}, {1, 0, true}} {
		if got := isProgress(uint256.NewInt(row.before), uint256.NewInt(row.after)); got != row.want {
			t.Errorf("from %d to %d: %v", row.before, row.after, got)
		}
	}
}

// Whatever becomes of nodes and calls, the node that has its turn is the first of all in
// the order of the turn.
func TestHeads(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := begin(t, 2)
	goal, calls, chosen := step(1000), uint64(2), 0
	draw := func() state { return state{r.IntN(3), r.Uint64N(8), r.Uint64N(8)} }
	for i := range 2000 {
		switch n := len(p.nodes); {
		case n == 0 || r.IntN(8) == 0:
			if first, ok := p.at(nil, -1, 0, []input.Tx{step(uint64(100 + i))}, &goal); ok {
				reach(p, first, draw())
			}
		case r.IntN(8) == 0:
			better := trial{plan: p, txs: []input.Tx{goal}}
			s := draw()
			p.better(p.nodes[r.IntN(n)], &better, fitness{s.level, *uint256.NewInt(s.cost)})
		case r.IntN(64) == 0:
			call := step(calls)
			calls++
			p.learn(&call, 0)
		}
		p.turns.n++
		var want *node
		for _, n := range p.nodes {
			if n.next < len(p.calls) && (want == nil || before(n, want, p.turns.n)) {
				want = n
			}
		}
		got := p.turns.first(p.nodes, len(p.calls))
		if got != want {
			t.Fatalf("step %d: turn %d has %+v, want %+v", i, p.turns.n, got, want)
		}
		if got != nil {
			got.next++
			chosen++
		}
	}
	if chosen < 500 {
		t.Errorf("only %d nodes were chosen", chosen)
	}
}

// A state has one identity, whatever state it is compared with. What does not matter
// does not count.
func TestIdentity(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	address, other := common.Address{1}, common.Address{2}
	p := newPlan(cover.Branch(1))
	p.counted = map[demand.Variable]bool{{Address: address, Base: common.Hash{31: 1}}: true, {Address: address, Base: common.Hash{31: 2}}: true}
	variable := func(s evm.Slot) demand.Variable { return demand.Variable{Address: s.Address, Base: s.Key} }
	start := evm.NewWorld(evm.NewCodes())
	start.SetBalance(address, uint256.NewInt(1))
	start.SetStorage(address, common.Hash{31: 1}, common.Hash{31: 7})
	start.SetBalance(other, uint256.NewInt(5))
	type known struct {
		*evm.World
		id uint64
	}
	states, ids := []known{{start, 0}}, map[[3]string]uint64{}
	for range 500 {
		from := states[r.IntN(len(states))]
		w := from.Fork()
		w.SetStorage(address, common.Hash{31: byte(1 + r.IntN(3))}, common.Hash{31: byte(r.IntN(8))})
		w.SetBalance(other, uint256.NewInt(r.Uint64N(8)))
		id := p.identity(0, w.Diff(start), start, variable, true)
		if step := p.identity(from.id, w.Diff(from.World), start, variable, true); step != id {
			t.Fatalf("a state has the identities %x and %x", id, step)
		}
		balance := w.Balance(other)
		content := [3]string{w.Storage(address, common.Hash{31: 1}).Hex(), w.Storage(address, common.Hash{31: 2}).Hex(), balance.Hex()}
		if was, ok := ids[content]; ok && was != id {
			t.Fatalf("%v has the identities %x and %x", content, was, id)
		}
		ids[content] = id
		states = append(states, known{w, id})
	}
	distinct := map[uint64]bool{}
	for _, id := range ids {
		distinct[id] = true
	}
	if len(distinct) != len(ids) || len(ids) < 50 {
		t.Errorf("%d states have %d identities", len(ids), len(distinct))
	}
}

// Variables that count are added while there are nodes, and not removed, until there are many.
// Then, and if they stay the same, the nodes keep their version.
func TestCount(t *testing.T) {
	of := func(numbers ...byte) map[demand.Variable]bool {
		list := map[demand.Variable]bool{}
		for _, n := range numbers {
			list[demand.Variable{Base: common.Hash{n}}] = true
		}
		return list
	}
	expect := func(p *plan, version int, want map[demand.Variable]bool) {
		t.Helper()
		if p.version != version || !maps.Equal(p.counted, want) {
			t.Errorf("version %d with %d variables, want %d with %d", p.version, len(p.counted), version, len(want))
		}
	}
	p := newPlan(cover.Branch(1))
	p.count(of(1, 2))
	expect(p, 1, of(1, 2))
	p.count(of(2, 3))
	expect(p, 2, of(2, 3))
	p.nodes = []*node{{}}
	p.count(of(3))
	expect(p, 2, of(2, 3))
	p.count(of(3, 4))
	expect(p, 3, of(2, 3, 4))
	for n := range byte(maxCounted) {
		p.count(of(n))
	}
	full := maps.Clone(p.counted)
	p.count(of(100, 101))
	expect(p, 3+maxCounted-3, full)
	p.restart()
	p.count(of(100))
	expect(p, 4+maxCounted-3, of(100))
}

// The identity of a state is the same whether that of the node before it is known, was
// made when other variables counted, or has been forgotten with its World.
func TestIdentityOfOtherVersions(t *testing.T) {
	address, first, second := common.Address{1}, common.Hash{31: 1}, common.Hash{31: 2}
	start := evm.NewWorld(evm.NewCodes())
	start.SetBalance(address, uint256.NewInt(1))
	from := start.Fork()
	from.SetStorage(address, first, common.Hash{31: 5})
	from.SetStorage(address, second, common.Hash{31: 6})
	at := from.Fork()
	at.SetStorage(address, second, common.Hash{31: 7})
	s := &Plans{
		search: &search.Search{
			Subject: &search.Subject{Start: exec.State{World: start}}, Generator: &search.Generator{Demand: demand.New()},
		},
		executor: &exec.Executor{Prefixes: exec.NewPrefixes(1<<20, 1)},
	}
	s.executor.Prefixes.Put(1, exec.State{World: from})
	p := newPlan(cover.Branch(1))
	count := func(keys ...common.Hash) {
		p.version++
		p.counted = map[demand.Variable]bool{}
		for _, key := range keys {
			p.counted[s.variable(evm.Slot{Address: address, Key: key})] = true
		}
	}
	count(first)
	n := &node{digest: 1, version: p.version, state: s.identity(&trial{plan: p, via: -1}, from)}
	seen := map[uint64]bool{}
	for _, keys := range [][]common.Hash{{first}, {second}, {first, second}} {
		count(keys...)
		want := s.identity(&trial{plan: p, via: -1}, at)
		for range 2 {
			if got := s.identity(&trial{plan: p, from: n}, at); got != want {
				t.Errorf("%v: %x from a node of another version, %x from the start", keys, got, want)
			}
		}
		if got := s.identity(&trial{plan: p, from: &node{digest: 2}}, at); got != want {
			t.Errorf("%v: %x from a node without a World, %x from the start", keys, got, want)
		}
		seen[want] = true
	}
	if len(seen) != 3 || n.version != p.version {
		t.Errorf("%d identities, the node is of version %d of %d", len(seen), n.version, p.version)
	}
}
