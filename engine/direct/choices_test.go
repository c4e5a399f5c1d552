package direct

import (
	"reflect"
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/input"
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

// One time in three a transaction before the last one gets the arguments that
// both have.
func TestAgree(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Aimed.sol")
	d := beginGuided(t, b, "Aimed", lines(t, b, "done += much;"))
	plan, run := d.Callee(t, "plan"), d.Callee(t, "run")
	last := d.Generator.NewTx(run.Callee)
	s := input.Sequence{Txs: []input.Tx{d.Generator.NewTx(plan.Callee), d.Generator.NewTx(plan.Callee), last}}
	same := func(tx *input.Tx) bool { return reflect.DeepEqual(tx.Args[:len(last.Args)], last.Args) }
	if same(&s.Txs[0]) || same(&s.Txs[1]) {
		t.Fatal("the arguments agree from the start")
	}
	const draws = 3000
	var changed [2]int // by transaction
	for range draws {
		agreed, first := d.guide.Agree(s, 2)
		if !reflect.DeepEqual(agreed.Last(), &last) {
			t.Fatal("the last transaction changed")
		}
		if first == 2 {
			continue
		}
		changed[first]++
		if !same(&agreed.Txs[first]) || !reflect.DeepEqual(agreed.Txs[1-first], s.Txs[1-first]) {
			t.Fatalf("transaction %d changed to %v", first, agreed.Txs[first])
		}
	}
	if n := changed[0]; n < draws/12-80 || n > draws/12+80 {
		t.Errorf("the first transaction changed %d of %d times", n, draws)
	}
	if n := changed[1]; n < draws/4-100 || n > draws/4+100 {
		t.Errorf("the second transaction changed %d of %d times", n, draws)
	}
}
