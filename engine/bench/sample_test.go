package main

import (
	"math"
	"testing"
)

// TestSampleStatistics checks the statistics of disjoint, identical and constant
// samples.
func TestSampleStatistics(t *testing.T) {
	low, high := []float64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{11, 12, 13, 14, 15, 16, 17, 18}
	for _, row := range []struct {
		name        string
		a, b        []float64
		p, effect   float64
		significant bool
	}{
		{"apart", low, high, 2.0 / 12870, 1, true}, // 2 of the 16 over 8 orders are as extreme
		{"the other way", high, low, 2.0 / 12870, 0, true},
		{"one", low, low, 1, 0.5, false},
		{"all equal", []float64{3, 3}, []float64{3, 3}, 1, 0.5, false},
	} {
		p, effect := mannWhitney(row.a, row.b), smaller(row.a, row.b)
		if math.Abs(p-row.p) > 1e-9 && row.significant || (p < significant) != row.significant || effect != row.effect {
			t.Errorf("%s: p %v, effect %v", row.name, p, effect)
		}
	}
	if m := median([]float64{4, 1, 3, 2}); m != 2.5 {
		t.Errorf("median %v", m)
	}
}

// A run without the bug counts with its whole budget.
func TestCensoredRunsCount(t *testing.T) {
	hit := record{Findings: []finding{{Oracle: "x", Inputs: 7, Seconds: 0.5}, {Oracle: "x", Inputs: 3, Seconds: 0.1}}}
	miss := record{Findings: []finding{{Oracle: "y", Inputs: 1}}}
	hit.Stats.Inputs, miss.Stats.Inputs = 100, 90
	seconds, inputs, found := searches([]record{hit, miss}, 30, func(f finding) bool { return f.Oracle == "x" })
	if found != 1 || seconds[0] != 0.1 || inputs[0] != 3 || seconds[1] != 30 || inputs[1] != 90 {
		t.Errorf("%v %v %v", seconds, inputs, found)
	}
}

// The p-values equal those of printed tables of the sign test.
func TestSignTest(t *testing.T) {
	for _, row := range []struct {
		up, down int
		p        float64
	}{{5, 0, 0.0625}, {0, 6, 0.03125}, {9, 1, 22.0 / 1024}, {3, 3, 1}, {0, 0, 1}} {
		if p := signTest(row.up, row.down); math.Abs(p-row.p) > 1e-9 {
			t.Errorf("%d up, %d down: p %v, want %v", row.up, row.down, p, row.p)
		}
	}
}
