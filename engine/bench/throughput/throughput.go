package throughput

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"leveret/engine/bench/subject"
	"leveret/engine/bench/usage"
)

// Folders are where the contracts and their compilers are.
type Folders struct {
	Module string // the root of the module
	Tools  string // a folder whose node_modules has compilers and packages
}

// Options say what to measure.
type Options struct {
	Folders
	Only    []string      // names of mixes and ways; empty: all. The first way is always measured
	Turns   int           // of each way
	Turn    time.Duration // CPU time of a turn
	Profile string        // file for a CPU profile of the turns; empty: none
}

// A Result is what the ways cost on one mix.
type Result struct {
	Contract  string  `json:"contract"`
	Optimised bool    `json:"optimised"`
	Calls     int     `json:"calls"`    // that differ
	Opcodes   float64 `json:"opcodes"`  // per call
	Restarts  int     `json:"restarts"` // calls that begin again in the exact mode
	Ways      []Cost  `json:"ways"`
}

// A Cost is what a call costs in one way.
type Cost struct {
	Way   string    `json:"way"`
	Nanos float64   `json:"ns"`    // CPU time of the process per call, median of the turns
	Ratio float64   `json:"ratio"` // of the first way's cost to this one
	Turns []float64 `json:"turns"` // nanoseconds per call
}

// Means returns the descriptions of the ways, by name, in their order.
func Means() (list [][2]string) {
	for _, w := range ways {
		list = append(list, [2]string{w.name, w.means})
	}
	return list
}

// selected reports whether a name is in Only, which selects all of a kind that it
// has no name of.
func (o Options) selected(name string, kind []string) bool {
	some := slices.ContainsFunc(kind, func(k string) bool { return slices.Contains(o.Only, k) })
	return !some || slices.Contains(o.Only, name)
}

// Measure measures the mixes, each without and with the optimiser, and yields
// each Result. It runs Go code on one thread until it returns.
func Measure(ctx context.Context, o Options, yield func(Result) error) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	tools, err := subject.New(o.Tools)
	if err != nil {
		return err
	}
	defer tools.Close()
	var names []string
	for _, c := range contracts {
		names = append(names, c.name)
	}
	for _, c := range contracts {
		if !o.selected(c.name, names) {
			continue
		}
		for _, optimised := range []bool{false, true} {
			x, err := newMix(ctx, c, tools, o.Folders, optimised)
			if err != nil {
				return err
			}
			r, err := x.measure(ctx, o)
			if err != nil {
				return err
			}
			if err := yield(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure compares the outcomes of all ways, then measures the selected ones.
func (x *mix) measure(ctx context.Context, o Options) (Result, error) {
	r := Result{Contract: x.name, Optimised: x.optimised, Calls: len(x.calls)}
	var prepared []*runner
	var names []string
	for _, w := range ways {
		p, err := w.prepare(x)
		if err != nil {
			return r, err
		}
		prepared, names = append(prepared, p), append(names, w.name)
	}
	if err := compare(x, prepared); err != nil {
		return r, err
	}
	r.Opcodes, r.Restarts = x.count()
	var list []*runner
	for i, name := range names {
		if i == 0 || o.selected(name, names) {
			list, r.Ways = append(list, prepared[i]), append(r.Ways, Cost{Way: name})
		}
	}
	if err := usage.Profile(o.Profile, func() error { return x.turns(ctx, o, list, r.Ways) }); err != nil {
		return r, err
	}
	first := median(r.Ways[0].Turns)
	for i := range r.Ways {
		c := &r.Ways[i]
		c.Nanos = median(c.Turns)
		c.Ratio = first / c.Nanos
	}
	return r, nil
}

// turns measures the ways by turns. A turn begins after a collection and is so
// long that it pays for its own garbage.
func (x *mix) turns(ctx context.Context, o Options, list []*runner, costs []Cost) error {
	passes := make([]int, len(list))
	for i, p := range list {
		x.pass(p, 2) // warms up
		passes[i] = max(1, int(o.Turn/max(1, x.pass(p, 2)/2)))
	}
	for range o.Turns {
		for i, p := range list {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			runtime.GC()
			took := x.pass(p, passes[i])
			costs[i].Turns = append(costs[i].Turns, float64(took.Nanoseconds())/float64(passes[i]*len(x.calls)))
		}
	}
	return nil
}

// pass executes all Calls n times and returns the CPU time that it took.
func (x *mix) pass(p *runner, n int) time.Duration {
	before := usage.CPU()
	for range n {
		for i := range x.calls {
			p.run(&x.calls[i])
		}
	}
	return usage.CPU() - before
}

func median(list []float64) float64 {
	sorted := slices.Sorted(slices.Values(list))
	n := len(sorted)
	if n == 0 {
		return 0
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// String names the mix in tables.
func (r Result) String() string {
	if r.Optimised {
		return fmt.Sprintf("%s, optimised", r.Contract)
	}
	return r.Contract
}
