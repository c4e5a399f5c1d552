package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"leveret/engine/bench/throughput"
)

// TestRates writes results and reads them again: the latest of each contract
// count.
func TestRates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results", "rates.jsonl")
	var want []rate
	for i, contract := range []string{"pair", "loops", "pair"} {
		want = append(want, rate{
			session{Date: "2026-11-22T00:00:00Z", Revision: "0123456789ab"}, 0.5,
			throughput.Result{Contract: contract, Optimised: true, Calls: 256, Opcodes: 1234.4, Restarts: i, Ways: []throughput.Cost{
				{Way: "bare", Nanos: 2000, Ratio: 1, Turns: []float64{2000}}, {Way: "recorded", Nanos: 500.4, Ratio: 3.997, Turns: []float64{500.4}},
			}},
		})
		if err := appendLine(path, want[i]); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, err := parseRates(string(text))
	if err != nil || !reflect.DeepEqual(got, []rate{want[2], want[1]}) {
		t.Errorf("got %+v, %v", got, err)
	}
	rows := [][]string{
		{"pair, optimised", "bare", "1234", "2/256", "2000", "1.00"}, {"pair, optimised", "recorded", "1234", "2/256", "500", "4.00"},
		{"loops, optimised", "bare", "1234", "1/256", "2000", "1.00"}, {"loops, optimised", "recorded", "1234", "1/256", "500", "4.00"},
	}
	if table := rateTable(got); !reflect.DeepEqual(table.rows, rows) {
		t.Errorf("got %v", table.rows)
	}
	if _, err := parseRates("{}\nno result\n"); err == nil {
		t.Error("a line that is no result is not seen")
	}
}
