package lookahead

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// checkFrame replays a recorded frame abstractly, and from some split points
// on computes the whole fixpoint: wherever the concrete execution goes, an
// abstract state contains it. It returns how many moments were compared.
func checkFrame(t *testing.T, a *Analyzer, f *frameRecord, r *rand.Rand) (prefix, suffix int) {
	t.Helper()
	if f.trace == nil || a.codes[f.trace.Code] == nil {
		return 0, 0
	}
	p := a.program(f.trace.Code)
	a.flow.nodes.reset()
	w := a.newWalk(p, f.trace)
	for range f.trace.Calls {
		w.called = append(w.called, Result{})
	}
	w.follow()
	m := &a.machineFor(p).machine
	splits := map[int]bool{}
	for i, v := range w.visits {
		// The earliest and some of the others.
		if v.first && (len(splits) < 2 || r.IntN(6) == 0) {
			splits[i] = true
		}
	}
	known := valuation{}
	next := 0 // moment
	for i, v := range w.visits {
		if i > 0 && !w.advance(i) {
			t.Fatalf("visit %d of block %#x contradicts the trace", i, p.code.Blocks[v.block].Start)
		}
		if i == 0 {
			w.advance(0)
		}
		if splits[i] {
			suffix += checkSuffix(t, a, w, i, f, next)
		}
		probe := w.state.clone()
		a.machineFor(p).fresh = func(int, bool) word { return a.flow.symbol() }
		b := p.code.Blocks[v.block]
		for k := int(b.First); k <= int(b.Last); k++ {
			if next == len(f.moments) || f.moments[next].pc != p.code.Instructions[k].PC {
				return prefix, suffix // halted
			}
			// The probe makes symbols of its own, so their values are not kept.
			values := valuation{}
			if k == int(b.First) {
				values = known
			}
			if why := values.contains(m, probe, &f.moments[next]); why != "" {
				t.Fatalf("pc %#x of %#x: %s", f.moments[next].pc, f.trace.Code, why)
			}
			prefix++
			next++
			if k < int(b.Last) || b.Flow == bytecode.Next {
				if !m.step(probe, k) {
					return prefix, suffix
				}
			}
		}
	}
	return prefix, suffix
}

// checkSuffix computes the fixpoint from visit i and looks up every later
// entry into a block.
func checkSuffix(t *testing.T, a *Analyzer, w *walk, i int, f *frameRecord, next int) int {
	t.Helper()
	flow := a.machineFor(w.p)
	flow.goals, flow.relevant, flow.gather = nil, nil, true
	flow.start(w.visits[i].block, &w.state)
	flow.run()
	if flow.reasons[Exhausted] {
		return 0
	}
	byBlock := map[int][]*place{}
	for _, p := range flow.places {
		byBlock[p.block] = append(byBlock[p.block], p)
	}
	count := 0
	for ; next < len(f.moments) && count < 300; next++ {
		c := &f.moments[next]
		block, ok := w.p.code.BlockAt(uint64(c.pc))
		if !ok || w.p.code.Blocks[block].Start != c.pc {
			continue
		}
		found, why := false, "the block was not reached"
		for _, p := range byBlock[block] {
			if why = (valuation{}).contains(&flow.machine, p.entry, c); why == "" {
				found = true
				break
			}
		}
		if !found {
			if flow.reasons[Unresolved] {
				return count // it went where a jump was not resolved
			}
			t.Fatalf("from split point %#x to block %#x: %s", w.p.code.Blocks[w.visits[i].block].Start, c.pc, why)
		}
		count++
	}
	return count
}

// checkTargets aims at a block and demands that no frame enters it behind the
// end of its proper prefix.
func checkTargets(t *testing.T, a *Analyzer, frames []*frameRecord, r *rand.Rand) (proper int) {
	t.Helper()
	for _, f := range frames {
		if f.trace == nil || a.codes[f.trace.Code] == nil {
			continue
		}
		result := a.Analyze(f.trace)
		if !result.Proper {
			continue
		}
		proper++
		p := a.codes[f.trace.Code]
		steps := 0
		for _, m := range f.moments {
			if steps >= result.Instructions && a.targets[Target{p.id, m.pc}] {
				t.Fatalf("target %#x reached although unreachable after %d instructions", m.pc, result.Instructions)
			}
			steps++
		}
		if result.Instructions <= 0 && len(result.SplitPoints) > 1 {
			t.Fatal("an empty prefix with split points")
		}
	}
	return proper
}

// checkWays demands that the ways of a call's selector have every outcome that
// was taken on the way to a target.
func checkWays(t *testing.T, a *Analyzer, f *frameRecord) (outcomes int) {
	t.Helper()
	if f.trace == nil || len(f.input) < 4 || a.codes[f.trace.Code] == nil {
		return 0
	}
	p := a.codes[f.trace.Code]
	reached := -1
	for i, m := range f.moments {
		if a.targets[Target{p.id, m.pc}] {
			reached = i
		}
	}
	if reached < 0 {
		return 0
	}
	selector := [4]byte(f.input)
	ways, _ := a.Ways(p.id, Calls{Selector: &selector})
	if !ways.Whole() {
		return 0
	}
	if ways.Start < 0 {
		t.Fatalf("selector %x reached a target that it has no way to", selector)
	}
	for i, m := range f.moments[:reached] {
		if at, ok := p.code.InstructionAt(uint64(m.pc)); ok && p.code.Instructions[at].Op == bytecode.JUMPI {
			taken := f.moments[i+1].pc != m.pc+1
			if _, ok := ways.Outcome(uint64(m.pc), taken); !ok {
				t.Fatalf("selector %x: outcome %v of the jump at %#x led to a target, but no way does", selector, taken, m.pc)
			}
			outcomes++
		}
	}
	return outcomes
}

// words are what random calldata is made of.
func randomWord(r *rand.Rand, known []common.Address) []byte {
	var z uint256.Int
	switch r.IntN(6) {
	case 0:
		z.SetUint64(uint64(r.IntN(4)))
	case 1:
		z.SetUint64(uint64(r.IntN(300)))
	case 2:
		z.SetBytes(known[r.IntN(len(known))].Bytes())
	case 3:
		z.SetUint64(uint64(32 * r.IntN(5)))
	case 4:
		z.SetAllOne()
		z.Rsh(&z, uint(r.IntN(256)))
	default:
		z = uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	}
	b := z.Bytes32()
	return b[:]
}

func randomInput(r *rand.Rand, selectors [][]byte, known []common.Address) []byte {
	var input []byte
	if len(selectors) > 0 && r.IntN(20) > 0 {
		input = append(input, selectors[r.IntN(len(selectors))]...)
	}
	for range r.IntN(9) {
		input = append(input, randomWord(r, known)...)
	}
	return input
}

// TestSound runs real contracts with random calldata: every abstract state
// contains the concrete one, and no target is reached that was called
// unreachable.
func TestSound(t *testing.T) {
	runs := 60
	if testing.Short() {
		runs = 20
	}
	for _, c := range contracts(t, tested...) {
		t.Run(c.name(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(c.Creation))))
			w := newWorld()
			w.full = true
			from := common.Address{0xaa}
			at, deployed, err := w.create(from, unhex(t, c.Creation))
			if err != nil {
				t.Fatal(err)
			}
			a := &Analyzer{}
			w.teach(a)
			for _, f := range deployed {
				checkFrame(t, a, f, r)
			}
			known := []common.Address{from, at, {}, {0xbb}, common.BytesToAddress([]byte{1})}
			selectors := c.selectors(t)
			gas := uint64(300_000)
			if strings.Contains(c.Contract, "Maze") {
				gas = 50_000 // the loops soon repeat themselves
			}
			states, placed, proper, frames, outcomes := 0, 0, 0, 0, 0
			for range runs {
				all := w.call(known[r.IntN(2)], at, randomInput(r, selectors, known), gas)
				w.teach(a)
				a.Focus = r.IntN(2) == 0
				a.SetTargets(w.randomTargets(r))
				for _, f := range all {
					x, y := checkFrame(t, a, f, r)
					states, placed, frames = states+x, placed+y, frames+1
				}
				proper += checkTargets(t, a, all, r)
				outcomes += checkWays(t, a, all[len(all)-1])
			}
			t.Logf("%d frames, %d states along prefixes, %d behind split points, %d proper prefixes, %d outcomes on ways", frames, states, placed, proper, outcomes)
			if states == 0 || placed == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// teach adds the codes that have run.
func (w *world) teach(a *Analyzer) {
	for id, code := range w.codes {
		if a.codes[id] == nil {
			a.AddCode(id, code)
		}
	}
}

// randomTargets picks blocks of the codes that have run.
func (w *world) randomTargets(r *rand.Rand) []Target {
	var all []Target
	for range 1 + r.IntN(3) {
		id := r.IntN(len(w.codes))
		blocks := w.codes[id].Blocks
		all = append(all, Target{id, blocks[r.IntN(len(blocks))].Start})
	}
	return all
}
