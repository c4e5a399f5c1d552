package session

import (
	"sync"
	"sync/atomic"
)

// A store holds the current Snapshot.
type store struct {
	mu      sync.Mutex // held while the next Snapshot is made
	current atomic.Pointer[Snapshot]
	changed func() // called after each new Snapshot
}

func newStore(first *Snapshot, changed func()) *store {
	s := &store{changed: changed}
	s.current.Store(first)
	return s
}

func (s *store) snapshot() *Snapshot { return s.current.Load() }

// update makes the next Snapshot. f may change the maps of its argument, and
// must replace, not change, their values. then runs after the Snapshot became
// current and before the next one is made.
func (s *store) update(f func(next *Snapshot), then ...func()) {
	s.mu.Lock()
	before := s.current.Load()
	next := before.clone()
	f(next)
	next.place(before)
	s.current.Store(next)
	for _, do := range then {
		do()
	}
	s.mu.Unlock()
	s.changed()
}

// updateAnalysis replaces an analysis by a copy that f changed. It does nothing
// if the file was closed.
func (s *store) updateAnalysis(path string, f func(a *Analysis, next *Snapshot)) {
	s.update(func(next *Snapshot) {
		a := next.Analyses[path]
		if a == nil {
			return
		}
		a = a.clone()
		f(a, next)
		next.Analyses[path] = a
	})
}

// updateContract replaces a contract of an analysis by a copy that f changed.
// It does nothing if the build or the enabled oracles changed.
func (s *store) updateContract(path string, of *Contract, f func(c *Contract, next *Snapshot)) {
	s.updateAnalysis(path, func(a *Analysis, next *Snapshot) {
		for i, c := range a.Contracts {
			if c.Contract == of.Contract && c.off == of.off {
				changed := *c
				f(&changed, next)
				a.Contracts[i] = &changed
			}
		}
	})
}

func (s *store) setActivity(a Activity) {
	s.update(func(next *Snapshot) {
		a.Serial = next.Activity.Serial
		if a.Kind != next.Activity.Kind || a.Path != next.Activity.Path || a.Contract != next.Activity.Contract {
			a.Serial++
		}
		next.Activity = a
	})
}
