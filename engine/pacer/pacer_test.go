package pacer

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// A small heap may grow by nearly all of the Headroom, and never by more; a large
// one doubles.
func TestPercent(t *testing.T) {
	for live := uint64(smallest); live < 4*Headroom; live += 1 << 20 {
		percent := percentOf(live, Headroom)
		growth := live * uint64(percent) / usual
		switch {
		case live >= Headroom && percent != usual, percent < usual:
			t.Errorf("%d bytes: %d %%", live, percent)
		case live < Headroom && (growth > Headroom || growth < Headroom*9/10):
			t.Errorf("%d bytes may grow by %d", live, growth)
		}
	}
	for _, live := range []uint64{0, 1 << 20, smallest - 1} {
		if percentOf(live, Headroom) != percentOf(smallest, Headroom) {
			t.Errorf("%d bytes have another setting than the smallest heap", live)
		}
	}
}

// The limit leaves what GOGC allows, and a 32nd to an eighth more.
func TestLimit(t *testing.T) {
	for live := uint64(0); live < 4*Headroom; live += 1 << 20 {
		next := live + max(live, Headroom)
		if limit := uint64(limitOf(live, Headroom)); limit < next*33/32 || limit > next*9/8 {
			t.Errorf("%d bytes: a limit of %d, where the next collection is at %d", live, limit, next)
		}
	}
}

// Collections that take more than their share get rarer, up to a limit, and those that take
// less become as frequent as before. What does not last changes nothing.
func TestAdapt(t *testing.T) {
	p := &pacer{headroom: Headroom}
	now := p.since
	spend := func(wall, cpu time.Duration, collecting float64) uint64 {
		now.at, now.all, now.collecting = now.at+wall, now.all+cpu, now.collecting+time.Duration(float64(cpu)*collecting)
		p.adapt(now)
		return p.headroom
	}
	if got := spend(time.Second, window/2, 10*share); got != Headroom {
		t.Errorf("half a window: %d", got)
	}
	if got := spend(time.Second, window/2, 2*share); got != 2*Headroom {
		t.Errorf("a window with six times the share: %d", got)
	}
	if got := spend(time.Second, window, share); got > 2*Headroom+1 || got < 2*Headroom-1<<10 {
		t.Errorf("a window with the share: %d", got)
	}
	for range 9 {
		spend(time.Second, window, 10*share)
	}
	if p.headroom != MaxHeadroom {
		t.Errorf("ten times the share for long: %d", p.headroom)
	}
	if got := spend(time.Second, window, share/2); got != MaxHeadroom/2 {
		t.Errorf("half the share: %d", got)
	}
	if got := spend(patience/2, window/2, 0); got != MaxHeadroom/2 {
		t.Errorf("half the patience: %d", got)
	}
	if got := spend(patience/2, 0, 0); got != Headroom {
		t.Errorf("an idle program: %d", got)
	}
	if got := spend(time.Second, window, 0); got != Headroom {
		t.Errorf("no collections: %d", got)
	}
}

// The CPU time of collections is part of all that a program used.
func TestNow(t *testing.T) {
	was := now()
	for range 20 {
		runtime.GC()
	}
	is := now()
	if is.collecting <= was.collecting || is.all-was.all < is.collecting-was.collecting || is.at <= was.at {
		t.Errorf("%+v, then %+v", was, is)
	}
}

// setting returns GOGC.
func setting() int {
	percent := debug.SetGCPercent(usual)
	debug.SetGCPercent(percent)
	return percent
}

// The settings follow what is in use; those of the user stay.
func TestStart(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(usual))
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(-1))
	debug.SetGCPercent(150)
	if Start(); setting() != 150 {
		t.Fatalf("the user's setting became %d", setting())
	}
	debug.SetGCPercent(usual)
	Start()
	until := func(what string, holds func() bool) {
		t.Helper()
		for range 2000 {
			if runtime.GC(); holds() {
				return
			}
			time.Sleep(5 * time.Millisecond) // cleanups run some time after a collection
		}
		t.Errorf("%s: the setting is %d", what, setting())
	}
	until("a small heap", func() bool { return setting() > usual })
	kept := make([]byte, 2*Headroom)
	until("a large heap", func() bool { return setting() == usual })
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	until("the limit of a large heap", func() bool { return limit() >= 4*Headroom })
	const bound = 3 * Headroom
	Bound(bound)
	Bound(2 * bound)
	runtime.GC()
	runtime.KeepAlive(kept)
	until("the limit of a small heap", func() bool { return limit() < bound })
	kept = make([]byte, 2*Headroom)
	until("the limit of the user", func() bool { return limit() == bound && setting() == usual })
	runtime.KeepAlive(kept)
}
