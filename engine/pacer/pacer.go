// Package pacer adapts Go's garbage collection to campaigns: they allocate much
// and keep little, so the default, which collects whenever the heap has doubled,
// collects a small heap many times a second.
//
// Programs start it; it knows nothing of campaigns.
package pacer

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Headroom is how many bytes the heap may grow between two collections, whatever
// is in use, and so what a program needs more at most than by default.
const Headroom = 256 << 20

// usual is Go's default of GOGC: the heap may double.
const usual = 100

// smallest is what counts as in use at least. A setting for less would let a heap that
// has grown since then grow too far: cleanups run some time after a collection, and
// the minimum of Go's heap is 4 MB times GOGC.
const smallest = 16 << 20

// Start lets the heap grow by Headroom between collections as long as less than
// that is in use; a larger heap is collected as by default. It does nothing if
// the user has set GOGC.
func Start() {
	if was := debug.SetGCPercent(usual); was != usual {
		debug.SetGCPercent(was)
		return
	}
	p := &pacer{percent: usual}
	p.pace()
}

// A pacer sets GOGC after each collection.
type pacer struct{ percent int }

// A token becomes garbage at once, so that its cleanup runs after the next
// collection. It is large enough not to share its memory with other objects.
type token [64]byte

func (p *pacer) pace() {
	if want := percentOf(live()); want != p.percent {
		p.percent = want
		debug.SetGCPercent(want)
	}
	runtime.AddCleanup(new(token), func(p *pacer) { p.pace() }, p)
}

// percentOf returns the GOGC that gives a heap with so many bytes in use its
// Headroom, in steps of a quarter: a change stops the program. A heap below smallest
// grows by less.
func percentOf(live uint64) int {
	exact := float64(Headroom) / float64(max(live, smallest)) * usual
	step := math.Pow(1.25, math.Floor(math.Log(exact/usual)/math.Log(1.25)))
	return max(usual, int(usual*step))
}

// live returns the bytes that the last collection found in use.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
