package direct

import (
	"reflect"
	"slices"
	"testing"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// share returns how many of 4000 draws are true.
func share(draw func() bool) (n int) {
	for range 4000 {
		if draw() {
			n++
		}
	}
	return n
}

// Three of four choices follow the direction; half of them on a plateau, until a
// target is covered.
func TestExploit(t *testing.T) {
	d := beginGuided(t, searchtest.Compile(t, "../testdata/Aimed.sol"), "Aimed", Request{PCs: []uint64{0}})
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
		if n := share(d.guide.Exploit); n < row.want-200 || n > row.want+200 {
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

// Three of four choices skip what leads to no target. Pure functions that cannot
// reach one are always skipped.
func TestSkips(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Ways.sol")
	d := beginGuided(t, b, "Ways", lines(t, b, "marked = x;"))
	d.run(400)
	tx := func(name string) *input.Tx { tx := d.Generator.NewTx(d.Callee(t, name).Callee); return &tx }
	relevant, irrelevant := branchOf(d, true), branchOf(d, false)
	const never, mostly, always = 0, 3000, 4000
	for _, row := range []struct {
		what string
		draw func() bool
		want int
	}{
		{"direct", func() bool { return d.guide.SkipsTx(tx("direct")) }, never},
		{"elsewhere", func() bool { return d.guide.SkipsTx(tx("elsewhere")) }, mostly},
		{"looks", func() bool { return d.guide.SkipsTx(tx("looks")) }, always},
		{"a relevant branch", func() bool { return d.guide.Skips(relevant, tx("looks")) }, never},
		{"a branch of direct", func() bool { return d.guide.Skips(irrelevant, tx("direct")) }, mostly},
		{"a branch of no transaction", func() bool { return d.guide.Skips(irrelevant, nil) }, mostly},
		{"a branch of elsewhere", func() bool { return d.guide.Skips(irrelevant, tx("elsewhere")) }, never},
		{"a branch of looks", func() bool { return d.guide.Skips(irrelevant, tx("looks")) }, always},
		{"without a guide", func() bool { return (*Guide)(nil).Skips(irrelevant, tx("looks")) || (*Guide)(nil).SkipsTx(tx("looks")) }, never},
	} {
		n := share(row.draw)
		if certain := row.want == never || row.want == always; certain && n != row.want || n < row.want-200 || n > row.want+200 {
			t.Errorf("%s: skipped %d of 4000 times, want %d", row.what, n, row.want)
		}
	}
}

// branchOf returns a branch of the contract that is relevant or not.
func branchOf(d *directedSearch, relevant bool) cover.Branch {
	b, end := d.Subject.Cover.Branches(d.Subject.Code)
	for b < end && d.guide.Relevant(b) != relevant {
		b++
	}
	return b
}

// Entries of functions that can reach no target get little energy, and fewer
// draws.
func TestEntriesThatReachNoTarget(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Ways.sol")
	d := beginGuided(t, b, "Ways", lines(t, b, "marked = x;"))
	d.run(400)
	for _, row := range []struct {
		name         string
		energy, want int
	}{{"direct", 9, 9}, {"elsewhere", 9, 1}, {"elsewhere", 0, 0}, {"looks", 9, 1}} {
		e := d.Corpus.ByCallee(d.Callee(t, row.name).Callee)[0]
		if got := d.guide.Energy(e, row.energy); got != row.want {
			t.Errorf("%s: energy %d of %d, want %d", row.name, got, row.energy, row.want)
		}
		if got := (*Guide)(nil).Energy(e, row.energy); got != row.energy {
			t.Errorf("%s: energy %d of %d without a guide", row.name, got, row.energy)
		}
	}
	drawn := map[string]int{}
	for range 4000 {
		drawn[d.guide.AnyEntry(d.Corpus, d.Generator.Random).Function().Name]++
	}
	fourth := 1000 * len(d.Corpus.ByCallee(d.Callee(t, "elsewhere").Callee)) / len(d.Corpus.Entries)
	if n := drawn["elsewhere"]; n < fourth/2 || n > 2*fourth || drawn["looks"] > 0 || drawn["direct"] == 0 || drawn["through"] == 0 {
		t.Errorf("drawn: %v; want about %d of elsewhere and none of looks", drawn, fourth)
	}
}

// Marks of functions that can reach a target come first if there are any.
func TestMarks(t *testing.T) {
	b := searchtest.Compile(t, "../testdata/Ways.sol")
	d := beginGuided(t, b, "Ways", lines(t, b, "marked = x;"))
	through, elsewhere := &demand.Mark{Callee: d.Callee(t, "through").Callee}, &demand.Mark{Callee: d.Callee(t, "elsewhere").Callee}
	both, others := []*demand.Mark{elsewhere, through}, []*demand.Mark{elsewhere}
	if n := share(func() bool { return slices.Equal(d.guide.Marks(both), []*demand.Mark{through}) }); n < 2800 || n > 3200 {
		t.Errorf("only marks that can reach a target: %d of 4000 times", n)
	}
	if n := share(func() bool { return slices.Equal(d.guide.Marks(others), others) }); n != 4000 {
		t.Errorf("other marks alone: %d of 4000 times", n)
	}
	if n := share(func() bool { return slices.Equal((*Guide)(nil).Marks(both), both) }); n != 4000 {
		t.Errorf("all marks without a guide: %d of 4000 times", n)
	}
}
