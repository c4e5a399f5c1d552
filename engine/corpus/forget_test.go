package corpus

import (
	"math/rand/v2"
	"slices"
	"testing"

	"leveret/engine/cover"
)

// What covered something first stays, and of the others those whose paths were taken
// least. Their paths stay known, and counted.
func TestForget(t *testing.T) {
	c := New()
	r := rand.New(rand.NewPCG(3, 4))
	runs := map[cover.PathID]int{}
	for path := cover.PathID(1); path <= 200; path++ {
		c.Add(&Entry{Path: path, Size: 10, First: path%20 == 0})
		runs[path] = 1 + r.IntN(5)
		for range runs[path] - 1 {
			c.Hit(path)
		}
	}
	all, mean := slices.Clone(c.Entries), c.MeanRuns()
	c.Forget(1000)
	if len(c.Entries) != 50 || c.Size() != 500 || c.Forgets() != 1 {
		t.Fatalf("%d entries with %d bytes are left", len(c.Entries), c.Size())
	}
	most := 0 // of those that stay without need
	for i, e := range c.Entries {
		if e.Number != i || e.Forgotten() {
			t.Errorf("entry %d: %+v", i, e)
		}
		if !e.First {
			most = max(most, runs[e.Path])
		}
	}
	for _, e := range all {
		if e.Forgotten() && (e.First || runs[e.Path] < most) {
			t.Errorf("path %d with %d runs is forgotten, first: %v", e.Path, runs[e.Path], e.First)
		}
		had, known := c.Hit(e.Path)
		if !known || e.Forgotten() != (had == nil) || !c.Knows(e.Path) {
			t.Errorf("path %d: %v, %v", e.Path, had, known)
		}
	}
	if want := mean + 1; c.MeanRuns() != want {
		t.Errorf("the mean is %v, want %v", c.MeanRuns(), want)
	}
	if list := c.TakePaths(); len(list) != 200 || c.TakePaths() != nil {
		t.Errorf("%d paths were added", len(list))
	}
}

// The paths of forgotten entries are bounded, too: some of more are forgotten, with their
// runs.
func TestForgottenPathsAreBounded(t *testing.T) {
	const paths = maxForgotten + 1<<16
	c := New()
	for path := cover.PathID(1); path <= paths; path++ {
		c.Add(&Entry{Path: path * 0x9e3779b97f4a7c15, Size: 1})
	}
	c.Forget(20)
	known := 0
	for path := cover.PathID(1); path <= paths; path++ {
		if c.Knows(path * 0x9e3779b97f4a7c15) {
			known++
		}
	}
	if len(c.Entries) != 10 || len(c.paths) != 10 || known > maxForgotten+10 || known < maxForgotten/2 || c.MeanRuns() != 1 {
		t.Errorf("%d entries, %d paths, %d known, %v runs", len(c.Entries), len(c.paths), known, c.MeanRuns())
	}
	if e, found := c.Hit(c.Entries[0].Path); e == nil || !found {
		t.Error("the path of an entry is not known")
	}
}
