package replay

import (
	"testing"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/solc/srcmap"
)

// A name finds its line; one with a source line finds the nearest line of the transaction
// that is there, or none.
func TestFindStop(t *testing.T) {
	at := func(line int) *finding.Place {
		return &finding.Place{File: "A.sol", Start: srcmap.Position{Line: line}}
	}
	write := func(name string, line, instruction int) Item {
		return Item{Kind: ItemWrite, Name: name, Place: at(line), At: instruction}
	}
	root := &Frame{Place: at(1), Status: evm.Success, Ended: 90, Returns: []Argument{{Value: "1"}}, Items: []Item{
		write("a", 5, 10), write("b", 6, 20), write("c", 5, 30), write("d", 7, 40),
	}}
	trace := &Trace{Deployment: []string{"deployer creates A()"}, Txs: []Tx{
		{Opening: Opening{Call: "setUp() prepares", Check: true}, Root: &Frame{Ended: 3}},
		{Opening: Opening{Call: "A.f()", Number: 1}, Root: root, Steps: []Step{{Place: *at(5), At: 8, Times: 1}, {Place: *at(6), At: 18, Times: 1}}},
	}}
	for name, want := range map[string]int{
		"0.1": 3, "1.0": 0, "1.1": 10, "1.3": 30, "1.5": 90, "1.s1": 8, "1.s2": 18,
		"1.1 A.sol:5": 10, "1.3 A.sol:5": 30, "1.4 A.sol:5": 30, "1.9 A.sol:6": 20, "1.s1 A.sol:6": 18, "1.2 A.sol:5": 10,
	} {
		if stop, err := trace.Find(name); err != nil || stop.Instruction != want {
			t.Errorf("%q: instruction %d, %v, want %d", name, stop.Instruction, err, want)
		}
	}
	for _, name := range []string{"", "1", "1.", "s.1", "1.6", "2.0", "1.s3", "1.s0", "1.1 A.sol:8", "1.1 B.sol:5", "1.1 ", "-1.1", "1.1.1"} {
		if stop, err := trace.Find(name); err == nil {
			t.Errorf("%q: %+v", name, stop)
		}
	}
	for _, l := range append(trace.Lines(Full(nil)), trace.StepLines(nil)...) {
		if l.Stop == nil {
			continue
		}
		if stop, err := trace.Find(l.StopName()); err != nil || stop != *l.Stop {
			t.Errorf("%q is %q, which is %+v, %v, want %+v", l.Text, l.StopName(), stop, err, *l.Stop)
		}
	}
}
