package evm

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A travelModel says what an overlay that switches between Worlds must have: the
// state of each World, of which one is current, as maps.
type travelModel struct {
	worlds  []model
	current int
	fresh   model // the current World right after the last switch
	keep    common.Address
	marks   []travelMark // snapshots
	round   int          // switches so far
}

type travelMark struct {
	length, round int
	state         model
}

// revert undoes to a mark: after a switch only in the account that is kept.
func (m *travelModel) revert(mark travelMark) {
	if mark.round == m.round {
		m.worlds[m.current] = mark.state.fork()
		return
	}
	state := m.fresh.fork()
	delete(state, m.keep)
	if a := mark.state.fork()[m.keep]; a != nil {
		state[m.keep] = a
	}
	m.worlds[m.current] = state
}

// switchTo makes another World the current one.
func (m *travelModel) switchTo(to int) {
	left := m.worlds[m.current].fork()
	m.current = to
	m.round++
	delete(m.worlds[to], m.keep)
	if a := left[m.keep]; a != nil {
		m.worlds[to][m.keep] = a
	}
	for _, w := range m.worlds {
		w.settle()
	}
	m.fresh = m.worlds[to].fork()
}

// TestSwitchesAreAsMaps changes accounts of one transaction that switches between
// Worlds, with frames that fail, and compares what it leads to with maps.
func TestSwitchesAreAsMaps(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 6))
		codes := NewCodes()
		m := &travelModel{keep: fewAddress(r)}
		worlds := make([]*World, 2)
		for i := range worlds {
			s := &modelSource{model: randomModel(r)}
			m.worlds = append(m.worlds, s.model.fork())
			worlds[i] = NewBacking(codes, s).World()
		}
		m.fresh = m.worlds[0].fork()
		var o overlay
		o.words.reset()
		start := worlds[0].Fork()
		o.begin(start)
		for range 60 {
			travel(r, &o, m, worlds)
		}
		m.worlds[m.current].settle()
		o.commit(start)
		readAll(start)
		if got, want := worldString(t, start), m.worlds[m.current].String(); got != want {
			t.Fatalf("seed %d after %d switches\n got %s\nwant %s", seed, m.round, got, want)
		}
	}
}

// travel does one random thing to an overlay and its model.
func travel(r *rand.Rand, o *overlay, m *travelModel, worlds []*World) {
	addr, n := fewAddress(r), uint64(1+r.IntN(3))
	now := m.worlds[m.current]
	switch r.IntN(12) {
	case 0:
		to := 1 - m.current
		worlds[m.current] = o.switchTo(worlds[to], []common.Address{m.keep})
		m.switchTo(to)
	case 1:
		m.marks = append(m.marks, travelMark{o.snapshot(), m.round, now.fork()})
	case 2:
		if len(m.marks) > 0 {
			i := r.IntN(len(m.marks))
			o.revert(m.marks[i].length)
			m.revert(m.marks[i])
			m.marks = m.marks[:i]
		}
	case 3, 4:
		a := o.make(&addr)
		o.setBalance(a, uint256.NewInt(n))
		now.account(addr).wei = n
	case 5:
		o.setNonce(&addr, n)
		now.account(addr).nonce = n
	case 6:
		o.setCode(&addr, make([]byte, n))
		now.account(addr).code = string(make([]byte, n))
	default:
		if now[addr] == nil {
			return
		}
		a, key, value := o.account(&addr), common.Hash{31: byte(r.IntN(40))}, fewHash(r)
		o.setWord(a, o.loadedWord(a, wordOf(&key)), wordOf(&value))
		now[addr].storage[key] = value
	}
}

// A switcher is an Inspector that switches to a World at calls to bob.
type switcher struct {
	state *State
	to    *World
	keep  []common.Address
}

func (s *switcher) Begin(state *State, _ *Env) { s.state = state }
func (s *switcher) End() *Env                  { return nil }
func (s *switcher) Before(_ *Frame, m *Message) *Ending {
	if m.To != bob {
		return nil
	}
	s.to = s.state.Switch(s.to, s.keep)
	return &Ending{Left: m.Gas}
}
func (s *switcher) After(*Frame, *Message, *Ending) {}
func (s *switcher) Log(*Frame, *Log)                {}
func (s *switcher) Step(*Step)                      {}

// A contract sees the accounts of the World that it switched to, and keeps its
// own storage.
func TestSwitchInCall(t *testing.T) {
	switchWorld := "5f5f5f5f5f" + "620b0b00" + "5af150"
	store := func(key int) string { return fmt.Sprintf("620a11ce3160%02x55", key) } // sstore(key, balance(alice))
	text := store(0) + switchWorld + store(1) + "6001600a5d" + switchWorld + store(2) + switchWorld + store(3) + "00"
	contract := model{here: {code: string(code(t, text)), storage: map[common.Hash]common.Hash{{31: 9}: {31: 9}}}, alice: {wei: 7}}
	for _, exact := range []bool{false, true} {
		codes := NewCodes()
		w := NewBacking(codes, &modelSource{model: contract}).World()
		other := &modelSource{model: model{alice: {wei: 11}, here: {wei: 3, code: "\x00"}}}
		i := &switcher{to: NewBacking(codes, other).World(), keep: []common.Address{here, here}}
		m := NewMachine()
		m.Exact, m.Inspector = exact, i
		out := m.Execute(w, BlockContext{}, Call{From: there, To: here}, nil)
		if out.Status != Success {
			t.Fatalf("%+v", out)
		}
		var got []string
		for key := range 4 {
			got = append(got, w.Storage(here, common.Hash{31: byte(key)}).Big().String())
		}
		if want := "7 11 7 11"; strings.Join(got, " ") != want {
			t.Errorf("the balances are %v, want %s", got, want)
		}
		own, balance, kept := w.Balance(alice), w.Balance(here), w.Storage(here, common.Hash{31: 9})
		if own.Uint64() != 11 || !balance.IsZero() || kept != (common.Hash{31: 9}) {
			t.Errorf("after the Call: %v, %v, %v", &own, &balance, kept)
		}
		if left := i.to.Balance(alice); left.Uint64() != 7 {
			t.Error("the World that was left is another one")
		}
		if out := m.Execute(w.Fork(), BlockContext{}, Call{From: there, To: bob}, nil); out.Status != Success {
			t.Errorf("the next Call: %+v", out)
		}
	}
}

// A Source that fails after a switch ends the Call.
func TestSwitchToFailingSource(t *testing.T) {
	w := testWorld(t, map[common.Address]string{here: "5f5f5f5f5f620b0b005af15062c0de015400"})
	failing := &modelSource{err: errors.New("unplugged")}
	m := NewMachine()
	m.Inspector = &switcher{to: NewBacking(w.codes, failing).World(), keep: []common.Address{here}}
	before := worldString(t, w)
	out := m.Execute(w, BlockContext{}, Call{From: alice, To: here}, nil)
	if !out.Unfinished() || !errors.Is(out.Halt, failing.err) || worldString(t, w) != before {
		t.Errorf("%+v", out)
	}
}
