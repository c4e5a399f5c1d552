package direct

import (
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/search/searchtest"
)

// Three of four choices follow the direction; half of them on a plateau, until a
// target is covered.
func TestExploit(t *testing.T) {
	d := beginGuided(t, searchtest.Compile(t, "../testdata/Aimed.sol"), "Aimed", Request{PCs: []uint64{0}})
	count := func() (n int) {
		for range 4000 {
			if d.guide.Exploit() {
				n++
			}
		}
		return n
	}
	const half, most = 2000, 3000
	for _, row := range []struct {
		inputs  int // since the last new path
		arrived bool
		want    int
	}{
		{0, false, most},
		{plateauLength, false, most},
		{plateauLength + 1, false, half},
		{plateauLength + 1, true, most},
	} {
		d.Progress.Inputs, d.lookahead.arrived = d.guide.lastNew+row.inputs, row.arrived
		if n := count(); n < row.want-200 || n > row.want+200 {
			t.Errorf("%d inputs after the last new path, covered: %v: %d of 4000 choices follow the direction, want %d",
				row.inputs, row.arrived, n, row.want)
		}
	}
}

// The turn of entries leaves out those of functions that have nothing to do
// with the state, and comes to all others.
func TestNextEntry(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Ways.sol")
	d := beginGuided(t, b, "Ways", lines(t, b, "marked = x;"))
	d.run(400)
	entries, turn := d.Corpus.Entries, 0
	other := func() *corpus.Entry { turn++; return entries[turn%len(entries)] }
	known, drawn := map[string]bool{}, map[string]bool{}
	for _, e := range entries {
		known[e.Function().Name] = true
	}
	for range 20 * len(entries) {
		drawn[d.guide.NextEntry(other).Function().Name] = true
	}
	if !known["looks"] || drawn["looks"] {
		t.Errorf("looks, which is pure: has entries: %v; drawn: %v", known["looks"], drawn["looks"])
	}
	for _, name := range []string{"direct", "through", "elsewhere"} {
		if !known[name] || !drawn[name] {
			t.Errorf("%s: has entries: %v; drawn: %v", name, known[name], drawn[name])
		}
	}
}
