package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/selection"
	"leveret/solc/srcmap"
)

func sampleEvents(c *solc.Contract) []engine.Event {
	stats := finding.Stats{Inputs: 4000, Seconds: 2, Paths: 7, Instructions: finding.Coverage{Covered: 1, Total: 2}, Branches: finding.Coverage{Covered: 3, Total: 8}}
	dir, _ := os.Getwd()
	place := finding.Place{File: "A.sol", Path: filepath.Join(dir, "sub", "A.sol"), Start: srcmap.Position{Line: 3, Column: 5}}
	found := &finding.Finding{Severity: finding.Error, Message: "it breaks", Place: place}
	return []engine.Event{
		{Kind: engine.EventProgress, Contract: c, Stats: stats, Left: 8 * time.Second},
		{Kind: engine.EventFound, Contract: c, Finding: found},
		{Kind: engine.EventShrunk, Contract: c, Finding: found},
		{Kind: engine.EventProgress, Contract: c, Stats: stats, Left: 4 * time.Second},
		{Kind: engine.EventDone, Contract: c, Stats: stats},
	}
}

// TestProgressOnTerminal interprets the output as a terminal does, and compares
// the final screen.
func TestProgressOnTerminal(t *testing.T) {
	c := &solc.Contract{Name: "A", File: "A.sol"}
	var b bytes.Buffer
	p := &progress{w: &b, file: textOptions(&b, false).File, width: func() int { return 60 }, now: time.Now, total: 2}
	p.start(selection.Candidate{Contract: c}, "for 10s, seed 1", 10*time.Second)
	events := sampleEvents(c)
	for _, e := range events[:4] {
		p.observe(e)
	}
	want := []string{
		"error at sub/A.sol:3:5: it breaks",
		"A, 1 of 2 ██████████████░░░░░░░░░░, 4s left",
		"  4000 inputs, 2000 a second, 7 paths, 50 % of instruction…",
	}
	if got := screen(b.String()); strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("the screen shows\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	p.observe(events[4])
	if got := screen(b.String()); strings.Join(got, "\n") != want[0] {
		t.Errorf("the status area is still there: %q", got)
	}
}

// screen interprets the two control sequences that the status area uses: move up
// n lines, and erase to the end of the screen.
func screen(out string) []string {
	var lines []string
	for _, line := range strings.SplitAfter(out, "\n") {
		for strings.HasPrefix(line, "\x1b[") {
			sequence := line[:strings.IndexAny(line, "AJ")+1]
			if n := strings.TrimSuffix(sequence, "A"); n != sequence {
				lines = lines[:len(lines)-int(n[2]-'0')]
			}
			line = line[len(sequence):]
		}
		if line != "" {
			lines = append(lines, strings.TrimSuffix(line, "\n"))
		}
	}
	return lines
}

func TestProgressInPlainLines(t *testing.T) {
	c := &solc.Contract{Name: "A", File: "A.sol"}
	var b bytes.Buffer
	clock := time.Unix(0, 0)
	p := &progress{w: &b, file: textOptions(&b, false).File, now: func() time.Time { return clock }, total: 1}
	p.start(selection.Candidate{Contract: c}, "for 10s, seed 1", 10*time.Second)
	for range 3 { // the second and third round fall into one interval
		clock = clock.Add(plainInterval / 2)
		for _, e := range sampleEvents(c) {
			p.observe(e)
		}
	}
	want := "Fuzzing A (A.sol) for 10s, seed 1\n" +
		"error at sub/A.sol:3:5: it breaks\n" +
		"A: 4000 inputs, 2000 a second, 7 paths, 50 % of instructions, 3 of 8 branches, 1 found, 8s left\n"
	if b.String() != want {
		t.Errorf("got\n%swant\n%s", b.String(), want)
	}
}

// A finding is printed once: when its witness is shrunk, or at the end of the
// campaign.
func TestProgressPrintsFindingsOnce(t *testing.T) {
	c := &solc.Contract{Name: "A", File: "A.sol"}
	var b bytes.Buffer
	p := &progress{w: &b, file: textOptions(&b, false).File, now: time.Now, total: 1}
	p.start(selection.Candidate{Contract: c}, "for 10s, seed 1", 10*time.Second)
	event := func(kind engine.EventKind, id, message string, line int) {
		at := finding.Place{File: "A.sol", Span: srcmap.Span{Start: 10 * line, Length: 1}, Start: srcmap.Position{Line: line, Column: 1}}
		p.observe(engine.Event{Kind: kind, Contract: c, Finding: &finding.Finding{ID: id, Severity: finding.Error, Message: message, Place: at}})
	}
	event(engine.EventFound, "1", "one, long", 1)
	event(engine.EventFound, "2", "two, long", 2)
	event(engine.EventFound, "3", "two in a contract that inherits it", 2)
	event(engine.EventShrunk, "2", "two", 2)
	event(engine.EventShrunk, "3", "two in a contract that inherits it", 2)
	p.observe(engine.Event{Kind: engine.EventDone, Contract: c})
	p.observe(engine.Event{Kind: engine.EventDone, Contract: c})
	_, findings, _ := strings.Cut(b.String(), "\n")
	if want := "error at A.sol:2:1: two\nerror at A.sol:1:1: one, long\n"; findings != want || len(p.found) != 2 {
		t.Errorf("%d found, printed\n%swant\n%s", len(p.found), findings, want)
	}
}

// Runs of several contracts that take more than a minute are announced unless
// another flag limits them.
func TestAnnounceDuration(t *testing.T) {
	for _, row := range []struct {
		contracts int
		limits    limitFlags
		want      string
	}{
		{7, limitFlags{time: duration(10 * time.Second)}, "Fuzzing 7 contracts for 10s each takes up to 1m10s; limit the run with --contract or --total-time.\n"},
		{6, limitFlags{time: duration(10 * time.Second)}, ""},
		{1, limitFlags{time: duration(time.Hour)}, ""},
		{7, limitFlags{time: duration(10 * time.Second), totalTime: duration(time.Hour)}, ""},
		{7, limitFlags{time: duration(10 * time.Second), maxInputs: 5}, ""},
	} {
		var b bytes.Buffer
		r := &fuzzRun{fuzzFlags: &fuzzFlags{limitFlags: row.limits}, console: console{err: &b}}
		if r.announceDuration(row.contracts); b.String() != row.want {
			t.Errorf("%d contracts: %q, want %q", row.contracts, b.String(), row.want)
		}
	}
}

// Of tests no coverage is measured, so none is shown.
func TestFiguresWithoutCoverage(t *testing.T) {
	e := engine.Event{Stats: finding.Stats{Inputs: 5, Paths: 2, Seconds: 1}}
	if got, want := new(progress).figures(e), "5 inputs, 5 a second, 2 paths, 0 found"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
	e.Stats.Instructions = finding.Coverage{Covered: 1, Total: 2}
	if got, want := new(progress).figures(e), "5 inputs, 5 a second, 2 paths, 50 % of instructions, 0 of 0 branches, 0 found"; got != want {
		t.Errorf("%q, not %q", got, want)
	}
}
