package lookahead

import (
	"math/rand/v2"
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

// corpusOf runs random calls and returns the traces of those that take a new
// path, as a campaign would analyse them.
func corpusOf(tb testing.TB, c *compiled, runs int) (*world, []*FrameTrace) {
	tb.Helper()
	r := rand.New(rand.NewPCG(7, 7))
	w := newWorld()
	from := common.Address{0xaa}
	at, _, err := w.create(from, unhex(tb, c.Creation))
	if err != nil {
		tb.Fatal(err)
	}
	w.codes, w.ids = nil, nil
	known := []common.Address{from, at, {}, {0xbb}, common.BytesToAddress([]byte{1})}
	selectors := c.selectors(tb)
	blind := &Analyzer{Blind: true}
	seen := map[ID]bool{}
	var traces []*FrameTrace
	for range runs {
		all := w.call(known[r.IntN(2)], at, randomInput(r, selectors, known), 1_000_000)
		w.teach(blind)
		root := all[len(all)-1]
		if root.trace == nil {
			continue
		}
		if id := blind.Analyze(root.trace).ID; !seen[id] {
			seen[id] = true
			traces = append(traces, root.trace)
		}
	}
	return w, traces
}

// assertions are the default targets without changed lines: assertion and
// panic sites.
func (w *world) assertions() []Target {
	var all []Target
	for id, code := range w.codes {
		for _, pc := range append(panicSites(code, panicAssert), invalidSites(code)...) {
			all = append(all, Target{id, pc})
		}
	}
	return all
}

// uncovered are the blocks of the contract that no trace enters.
func (w *world) uncovered(a *Analyzer, traces []*FrameTrace) []Target {
	entered := map[Target]bool{}
	for _, t := range traces {
		for _, p := range a.Analyze(t).SplitPoints {
			entered[Target(p)] = true
		}
	}
	var all []Target
	for id, code := range w.codes {
		for _, b := range code.Blocks {
			if t := (Target{id, b.Start}); int(b.Start) < code.End && !entered[t] {
				all = append(all, t)
			}
		}
	}
	return all
}

// BenchmarkAnalyze measures one analysis of a path that is new, as a mean
// over a corpus that begins empty.
func BenchmarkAnalyze(b *testing.B) {
	for _, c := range contracts(b, tested...) {
		w, traces := corpusOf(b, c, 1000)
		if len(traces) < 2 {
			continue
		}
		blind := &Analyzer{Blind: true}
		w.teach(blind)
		// Aim at what the second half of the corpus discovers.
		late := w.uncovered(blind, traces[:len(traces)/2])
		rows := []struct {
			name    string
			targets []Target
		}{{"assertions", w.assertions()}, {"uncovered", late}}
		for _, row := range rows {
			b.Run(c.name()+"/"+row.name, func(b *testing.B) {
				var stats Stats
				b.ReportAllocs()
				for i := 0; i < b.N; {
					a := &Analyzer{}
					w.teach(a)
					a.SetTargets(row.targets)
					for k := 0; k < len(traces) && i < b.N; k++ {
						a.Analyze(traces[k])
						i++
					}
					stats.Calls += a.Stats.Calls
					stats.Proper += a.Stats.Proper
					stats.Checks += a.Stats.Checks
					stats.Steps += a.Stats.Steps
				}
				b.ReportMetric(float64(stats.Proper)/float64(stats.Calls), "proper/op")
				b.ReportMetric(float64(stats.Checks)/float64(stats.Calls), "checks/op")
				b.ReportMetric(float64(stats.Steps)/float64(stats.Calls), "steps/op")
				b.ReportMetric(float64(len(traces)), "paths")
			})
		}
	}
}
