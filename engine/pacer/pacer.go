// Package pacer adapts Go's garbage collection to campaigns: they allocate much
// and keep little, so the default, which collects whenever the heap has doubled,
// collects a small heap many times a second. A long campaign with several workers keeps
// more, and gets more room if its collections take much of the CPU time.
//
// Programs start it; it knows nothing of campaigns.
package pacer

import (
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"sync/atomic"
	"time"
)

// Headroom is how many bytes the heap may grow between two collections, whatever
// is in use, and so what a program needs more at most than by default. Much is slow for a
// second or two, as memory costs most when a program touches it first. Where it leaves
// collections more than their share, it is up to MaxHeadroom.
const (
	Headroom    = 128 << 20
	MaxHeadroom = 512 << 20
)

// share is how much of the CPU time collections may take. It is looked at after each
// window of CPU time: what lasts for a second or two gets no more than Headroom. A program
// that has not used as much in patience is idle, and does with Headroom.
const (
	share    = 0.025
	window   = 2 * time.Second
	patience = time.Minute
)

// usual is Go's default of GOGC: the heap may double.
const usual = 100

// smallest is what counts as in use at least. A setting for less would let a heap that
// has grown since then grow too far: the minimum of Go's heap is 4 MB times GOGC.
const smallest = 16 << 20

// most is the memory limit that the user has set, in bytes.
var most atomic.Int64

// Start lets the heap grow by Headroom between collections as long as less than
// that is in use; a larger heap is collected as by default. It does nothing if the user
// has set GOGC.
func Start() {
	most.Store(debug.SetMemoryLimit(-1))
	if was := debug.SetGCPercent(usual); was != usual {
		debug.SetGCPercent(was)
		return
	}
	p := &pacer{percent: usual, headroom: Headroom, since: now()}
	p.pace()
}

// Bound sets a limit of memory in bytes, unless GOMEMLIMIT is lower.
func Bound(limit int64) {
	most.Store(min(limit, most.Load()))
	debug.SetMemoryLimit(min(limit, debug.SetMemoryLimit(-1)))
}

// A pacer sets GOGC and the memory limit after each collection.
type pacer struct {
	percent  int
	limit    int64
	headroom uint64
	since    spent // when the headroom was last looked at
}

// A spent is what a program had used at a time.
type spent struct {
	at              time.Duration // that each processor was available
	collecting, all time.Duration // CPU time; marking by processors that had nothing else to do is not in it
}

// A token becomes garbage at once, so that its cleanup runs after the next
// collection. It is large enough not to share its memory with other objects.
type token [64]byte

func (p *pacer) pace() {
	p.adapt(now())
	inUse := live()
	if want := percentOf(inUse, p.headroom); want != p.percent {
		p.percent = want
		debug.SetGCPercent(want)
	}
	if want := min(limitOf(inUse, p.headroom), most.Load()); want != p.limit {
		p.limit = want
		debug.SetMemoryLimit(want)
	}
	runtime.AddCleanup(new(token), func(p *pacer) { p.pace() }, p)
}

// adapt changes the headroom so that collections, which become rarer as it grows, take
// their share.
func (p *pacer) adapt(n spent) {
	switch used := n.all - p.since.all; {
	case used >= window:
		took := float64(n.collecting-p.since.collecting) / float64(used)
		p.headroom = uint64(min(max(float64(p.headroom)*took/share, Headroom), 2*float64(p.headroom), MaxHeadroom))
	case n.at-p.since.at >= patience:
		p.headroom = Headroom
	default:
		return
	}
	p.since = n
}

// percentOf returns the GOGC that gives a heap with so many bytes in use its
// headroom, in steps of a 16th: a change stops the program. A heap below smallest
// grows by less.
func percentOf(live, headroom uint64) int {
	const step = 1 + 1./16
	exact := float64(headroom) / float64(max(live, smallest))
	return max(usual, int(usual*math.Pow(step, math.Floor(math.Log(exact)/math.Log(step)))))
}

// limitOf returns the memory limit of a heap with so many bytes in use: what it may
// become, and a 32nd, in steps of 4 MB. It holds while a heap grows faster than cleanups
// run, which set GOGC some hundred milliseconds late where all processors are busy.
func limitOf(live, headroom uint64) int64 {
	const step = 4 << 20
	next := live + max(live, headroom)
	return int64((next + next/32 + step - 1) / step * step)
}

// now returns what the program has used until the last collection.
func now() spent {
	samples := []metrics.Sample{
		{Name: "/cpu/classes/gc/total:cpu-seconds"}, {Name: "/cpu/classes/gc/mark/idle:cpu-seconds"}, {Name: "/cpu/classes/user:cpu-seconds"},
		{Name: "/cpu/classes/total:cpu-seconds"},
	}
	metrics.Read(samples)
	seconds := func(n int) time.Duration { return time.Duration(samples[n].Value.Float64() * float64(time.Second)) }
	collecting := seconds(0) - seconds(1)
	return spent{seconds(3) / time.Duration(runtime.GOMAXPROCS(0)), collecting, collecting + seconds(2)}
}

// live returns the bytes that the last collection found in use.
func live() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
