package lookahead

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/solc/solctest"
)

// What is compared of a transaction: more runs show more than longer ones,
// which loop.
const (
	maxCompared = 2500 // moments of a frame
	maxChecked  = 8    // frames, the outermost among them
)

// stackOnly reports whether an instruction changes neither memory nor storage.
func stackOnly(op bytecode.Op) bool {
	return bytecode.IsPush(op) || bytecode.IsDup(op) || bytecode.IsSwap(op) || bytecode.Ops[op].Pure || op == bytecode.POP
}

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
		a.machineFor(p).fresh = func(int, bool) wordID { return a.flow.symbol() }
		b := p.code.Blocks[v.block]
		for k := int(b.First); k <= int(b.Last); k++ {
			if next == min(len(f.moments), maxCompared) || f.moments[next].pc != p.code.Instructions[k].PC {
				return prefix, suffix // halted
			}
			// The probe makes symbols of its own, so their values are not kept.
			values := valuation{}
			if k == int(b.First) {
				values = known
			}
			f.moments[next].quiet = k > int(b.First) && stackOnly(p.code.Instructions[k-1].Op)
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
	byBlock := map[int][]*joinKey{}
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
			if why = (valuation{}).contains(&flow.machine, &p.entry, c); why == "" {
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
		if r.IntN(4) == 0 {
			checkFirst(t, a, f.trace, result)
		}
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

// checkFirst demands that a prefix ends at the first split point that is
// proved, as trying all of them finds it.
func checkFirst(t *testing.T, a *Analyzer, trace *FrameTrace, result Result) {
	t.Helper()
	for _, j := range a.ExplainPath(trace) {
		if j.Reason == Unreachable {
			if !result.Proper || result.Instructions != j.After {
				t.Fatalf("the prefix has %d instructions (proper: %v), but the split point at %#x is proved after %d", result.Instructions, result.Proper, j.PC, j.After)
			}
			return
		}
	}
	if result.Proper {
		t.Fatalf("a prefix of %d instructions is proper, but no split point is proved", result.Instructions)
	}
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
	if !a.Reaches(p.id, Calls{Selector: &selector}) {
		t.Fatalf("selector %x reached a target that it is said not to reach", selector)
	}
	ways, _ := a.Distances(p.id, Calls{Selector: &selector})
	if !ways.Complete() {
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

// TestSound runs contracts of every compiler and setting with random calldata:
// every abstract state contains the concrete one, and no target is reached that
// was called unreachable.
func TestSound(t *testing.T) { checkSound(t, 20) }

func TestSoundLong(t *testing.T) {
	solctest.Long(t)
	checkSound(t, 40)
}

func checkSound(t *testing.T, runs int) {
	for _, c := range contracts(t, tested...) {
		t.Run(c.name(), func(t *testing.T) {
			r := rand.New(rand.NewPCG(1, uint64(len(c.Creation))))
			p := newProving()
			at := p.deploy(t, unhex(t, c.Creation), r)
			known := []common.Address{sender, at, {}, {0xbb}, common.BytesToAddress([]byte{1})}
			selectors := c.selectors(t)
			gas := uint64(300_000)
			if strings.Contains(c.Contract, "Maze") {
				gas = 50_000 // the loops soon repeat themselves
			}
			for range runs {
				p.call(t, known[r.IntN(2)], at, randomInput(r, selectors, known), gas, r)
			}
			p.report(t)
		})
	}
}

var sender = common.Address{0xaa}

// A proving runs transactions and compares each with what the analysis says.
type proving struct {
	*world
	a                                        *Analyzer
	frames, states, placed, proper, outcomes int
}

func newProving() *proving {
	w := newWorld()
	w.full = true
	return &proving{world: w, a: &Analyzer{}}
}

func (p *proving) deploy(t *testing.T, creation []byte, r *rand.Rand) common.Address {
	t.Helper()
	at, frames, err := p.create(sender, creation)
	if err != nil {
		t.Fatal(err)
	}
	p.teach(p.a)
	p.check(t, frames, r)
	return at
}

func (p *proving) call(t *testing.T, from, to common.Address, input []byte, gas uint64, r *rand.Rand) {
	t.Helper()
	all := p.world.call(from, to, input, gas)
	p.teach(p.a)
	if len(p.codes) == 0 {
		return
	}
	p.a.Focus = r.IntN(2) == 0
	p.a.SetTargets(p.randomTargets(r))
	p.check(t, all, r)
	p.proper += checkTargets(t, p.a, all, r)
	p.outcomes += checkWays(t, p.a, all[len(all)-1])
}

func (p *proving) check(t *testing.T, all []*frameRecord, r *rand.Rand) {
	t.Helper()
	for _, f := range all[max(0, len(all)-maxChecked):] {
		x, y := checkFrame(t, p.a, f, r)
		p.states, p.placed, p.frames = p.states+x, p.placed+y, p.frames+1
	}
}

func (p *proving) report(t *testing.T) {
	t.Helper()
	t.Logf("%d frames, %d states along prefixes, %d behind split points, %d proper prefixes, %d outcomes on ways",
		p.frames, p.states, p.placed, p.proper, p.outcomes)
	if p.states == 0 || p.placed == 0 {
		t.Error("nothing was compared")
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

func (s *state) clone() *state {
	to := &state{}
	s.copyTo(to)
	return to
}
