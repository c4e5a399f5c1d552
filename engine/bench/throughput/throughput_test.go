package throughput

import (
	"slices"
	"testing"
	"time"

	"leveret/engine/bench/subject"
	"leveret/engine/evm"
	"leveret/solc/solctest"
)

// loadMix compiles and deploys a mix.
func loadMix(t *testing.T, name string) *mix {
	t.Helper()
	o := folders(t)
	tools, err := subject.New(o.Tools)
	if err != nil {
		t.Fatal(err)
	}
	defer tools.Close()
	i := slices.IndexFunc(contracts, func(c contract) bool { return c.name == name })
	x, err := newMix(t.Context(), contracts[i], tools, o, false)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func folders(t *testing.T) Folders { return Folders{Module: "../../..", Tools: solctest.Tools(t)} }

// prepareAll prepares all ways.
func prepareAll(t *testing.T, x *mix) (list []*runner) {
	t.Helper()
	for _, w := range ways {
		p, err := w.prepare(x)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// TestWaysAreEqual executes all mixes in all ways.
func TestWaysAreEqual(t *testing.T) {
	least := map[string]float64{"ERC-20": 200, "pair": 1000, "loops": 3000}
	for _, c := range contracts {
		x := loadMix(t, c.name)
		if err := compare(x, prepareAll(t, x)); err != nil {
			t.Error(err)
		}
		selectors := map[[4]byte]bool{}
		for _, call := range x.calls {
			selectors[[4]byte(call.Data)] = true
		}
		if opcodes, _ := x.count(); opcodes < least[c.name] || len(x.calls) != callCount || len(selectors) < 3 {
			t.Errorf("%s: %d calls of %d functions with %.0f instructions", c.name, len(x.calls), len(selectors), opcodes)
		}
	}
}

// TestCompareSeesDifferences changes the Outcome of one way in one respect at a
// time.
func TestCompareSeesDifferences(t *testing.T) {
	x := loadMix(t, "ERC-20")
	list := prepareAll(t, x)
	if err := compare(x, list); err != nil {
		t.Fatal(err)
	}
	last := len(list) - 1
	was := list[last].outcome
	for name, change := range map[string]func(*evm.Outcome){
		"gas": func(out *evm.Outcome) { out.GasUsed++ }, "status": func(out *evm.Outcome) { out.Status = evm.Revert },
		"data": func(out *evm.Outcome) { out.Return = []byte{1} }, "refund": func(out *evm.Outcome) { out.Refund++ },
	} {
		list[last].outcome = func(c *evm.Call) evm.Outcome {
			out := was(c)
			change(&out)
			return out
		}
		if compare(x, list) == nil {
			t.Errorf("other %s is not seen", name)
		}
	}
	list[last].outcome = was
	x.calls[3].Data = []byte{1, 2, 3, 4}
	if compare(x, list) == nil {
		t.Error("a call that fails is not seen")
	}
}

// TestMeasure measures two ways of one mix for a moment.
func TestMeasure(t *testing.T) {
	o := Options{Folders: folders(t), Only: []string{"ERC-20", "recorded"}, Turns: 3, Turn: time.Millisecond}
	var results []Result
	if err := Measure(t.Context(), o, func(r Result) error { results = append(results, r); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(results) != 2 || results[0].Optimised || !results[1].Optimised {
		t.Fatalf("%+v", results)
	}
	if results[1].Opcodes >= results[0].Opcodes {
		t.Errorf("%.0f instructions without, %.0f with the optimiser", results[0].Opcodes, results[1].Opcodes)
	}
	for _, r := range results {
		if len(r.Ways) != 2 || r.Ways[0].Way != "bare" || r.Ways[1].Way != "recorded" || r.Ways[0].Ratio != 1 {
			t.Errorf("%+v", r.Ways)
		}
		for _, c := range r.Ways {
			if len(c.Turns) != 3 || c.Nanos <= 0 || c.Nanos != median(c.Turns) {
				t.Errorf("%+v", c)
			}
		}
	}
}

func TestMedian(t *testing.T) {
	for _, row := range []struct {
		list []float64
		want float64
	}{{nil, 0}, {[]float64{3}, 3}, {[]float64{9, 1, 5}, 5}, {[]float64{4, 1, 2, 9}, 3}} {
		if got := median(row.list); got != row.want {
			t.Errorf("median of %v: got %v, want %v", row.list, got, row.want)
		}
	}
}
