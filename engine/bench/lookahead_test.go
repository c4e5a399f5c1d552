package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Targets are drawn one per bracket, latest first, measured in the unit of the
// budget.
func TestBrackets(t *testing.T) {
	firsts := []first{
		{PC: 1, Inputs: 90, Seconds: 1}, {PC: 2, Inputs: 300, Seconds: 20}, {PC: 3, Inputs: 300, Seconds: 20},
		{PC: 4, Inputs: 800, Seconds: 29}, {PC: 5, Inputs: 990, Seconds: 31},
	}
	pcs := func(o *options) (list []uint64) {
		for _, target := range bracketed(o, subject{contract: "C", file: "C.sol"}, firsts) {
			list = append(list, target.pc)
		}
		return list
	}
	for _, row := range []struct {
		what  string
		flags flags
		each  int
		want  []uint64 // for each drawn target: the targets in its bracket
	}{
		{"seconds", flags{time: time.Minute}, 5, []uint64{5, 2 | 3<<8 | 4<<16}},
		{"inputs", flags{inputs: 1000, time: time.Minute}, 5, []uint64{4 | 5<<8, 2 | 3<<8, 1}},
		{"the latest", flags{time: time.Minute}, 1, []uint64{5}},
	} {
		got := pcs(&options{flags: row.flags, each: row.each})
		if len(got) != len(row.want) {
			t.Errorf("%s: drew %v", row.what, got)
			continue
		}
		for i, pc := range got {
			among := false
			for all := row.want[i]; all > 0; all >>= 8 {
				among = among || all&0xff == pc
			}
			if !among {
				t.Errorf("%s: drew %d as number %d", row.what, pc, i+1)
			}
		}
	}
}

// The untargeted runs use a separate seed.
func TestDrawSeed(t *testing.T) {
	m := matrix{subjects: []subject{{contract: "C", file: "C.sol"}}, configs: []string{"firsts"}, seeds: []int{1000}}
	list := m.runs(&options{flags: flags{seeds: 24}})
	if len(list) != 1 || list[0].Seed != 1000 {
		t.Errorf("runs: %v", list)
	}
}

// Runs that miss their target count as equal, independent of their overtime.
func TestMissesAreEqual(t *testing.T) {
	o := &options{flags: flags{time: time.Minute}}
	a, b := o.within([]float64{60.1, 60.3, 60.2}), o.within([]float64{60, 60.01, 60.02})
	if p, effect := mannWhitney(a, b), smaller(a, b); p != 1 || effect != 0.5 {
		t.Errorf("p %v, A12 %v", p, effect)
	}
}

// If the untargeted runs are missing, the error names them.
func TestNoTargets(t *testing.T) {
	o := &options{flags: flags{list: "packages/large.txt", time: time.Minute}, each: 1, draw: 1000}
	o.results = filepath.Join(t.TempDir(), "own.jsonl")
	if _, err := pickTargets(o); err == nil || !strings.Contains(err.Error(), "own-targets.jsonl") {
		t.Errorf("got error %v", err)
	}
	o.drawn = "results/lookahead-targets.jsonl"
	if list, err := pickTargets(o); err != nil {
		t.Errorf("%d targets, %v", len(list), err)
	}
}
