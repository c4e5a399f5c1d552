package main

import (
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Targets are drawn by what limits the runs: one from each bracket, the latest
// first.
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
		want  []uint64 // for each that is drawn: all in its bracket
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

// The untargeted runs have a seed of their own, and no other is made.
func TestDrawSeed(t *testing.T) {
	m := matrix{subjects: []subject{{contract: "C", file: "C.sol"}}, configs: []string{"firsts"}, seeds: []int{1000}}
	list := m.runs(&options{flags: flags{seeds: 24}})
	if len(list) != 1 || list[0].Seed != 1000 {
		t.Errorf("the runs are %v", list)
	}
}

// Runs that all miss their target do not differ, however late they end.
func TestMissesAreEqual(t *testing.T) {
	o := &options{flags: flags{time: time.Minute}}
	a, b := o.within([]float64{60.1, 60.3, 60.2}), o.within([]float64{60, 60.01, 60.02})
	if p, effect := mannWhitney(a, b), smaller(a, b); p != 1 || effect != 0.5 {
		t.Errorf("p %v, A12 %v", p, effect)
	}
}

// Results without the runs that their targets are from say what is missing.
func TestNoTargets(t *testing.T) {
	o := &options{flags: flags{list: "packages/large.txt", time: time.Minute}, each: 1, draw: 1000}
	o.results = filepath.Join(t.TempDir(), "own.jsonl")
	if _, err := pickTargets(o); err == nil || !strings.Contains(err.Error(), "own-targets.jsonl") {
		t.Errorf("the error is %v", err)
	}
	o.drawn = "results/lookahead-targets.jsonl"
	if list, err := pickTargets(o); err != nil {
		t.Errorf("%d targets, %v", len(list), err)
	}
}
