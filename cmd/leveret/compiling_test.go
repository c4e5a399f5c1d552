package main

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/version"
)

var sampleRun = compiler.Run{Version: version.Version{Minor: 8, Patch: 30}, Settings: solc.Settings{ViaIR: true}, Files: 152}

// TestCompileProgressOnTerminal compares what a terminal shows.
func TestCompileProgressOnTerminal(t *testing.T) {
	var b bytes.Buffer
	p := &compileProgress{w: &b, width: func() int { return 50 }}
	p.running(sampleRun, time.Second, false)
	p.running(sampleRun, 48*time.Second, true)
	if got := strings.Join(screen(b.String()), "\n"); got != "Compiling 152 files with solc 0.8.30, via IR, 48…" {
		t.Errorf("the screen shows %q", got)
	}
	p.ended(sampleRun, 29*time.Second, nil)
	if got := screen(b.String()); len(got) > 0 {
		t.Errorf("the screen still shows %q", got)
	}
}

// What was given up stays on a terminal, and a long run via IR has one note.
func TestCompileProgressGivenUp(t *testing.T) {
	const givenUp, note = "Gave up compiling 152 files with solc 0.8.30, via IR, after 120 s", "note: with --fast, code that does not need IR compiles without it, which takes much less time"
	for _, row := range []struct {
		hint bool
		want []string
	}{{true, []string{givenUp, note, givenUp}}, {false, []string{givenUp, givenUp}}} {
		var b bytes.Buffer
		p := &compileProgress{w: &b, hint: row.hint, width: func() int { return 120 }}
		for range 2 {
			p.running(sampleRun, time.Second, false)
			p.ended(sampleRun, 2*time.Minute, context.DeadlineExceeded)
		}
		if got := screen(b.String()); !slices.Equal(got, row.want) {
			t.Errorf("hint %v: the screen shows %q, want %q", row.hint, got, row.want)
		}
	}
}

// Without a terminal, a compilation of some seconds is two lines, and a shorter
// one none.
func TestCompileProgressInPlainLines(t *testing.T) {
	for _, row := range []struct {
		seconds int
		failed  error
		want    string
	}{
		{0, nil, ""},
		{0, context.DeadlineExceeded, ""},
		{3, context.DeadlineExceeded, "Compiling 152 files with solc 0.8.30, via IR\nGave up compiling 152 files with solc 0.8.30, via IR, after 48 s\n"},
		{3, &solc.Failure{Kind: solc.CompilerFailed, Sentence: "solc 0.8.30 failed: it ran out of memory", Remedy: "buy some"},
			"Compiling 152 files with solc 0.8.30, via IR\nGave up compiling 152 files with solc 0.8.30, via IR, after 48 s: solc 0.8.30 failed: it ran out of memory\n"},
		{3, nil, "Compiling 152 files with solc 0.8.30, via IR\nCompiled 152 files with solc 0.8.30, via IR, in 48 s\n"},
	} {
		var b bytes.Buffer
		var started bool
		ticks := make(chan time.Time)
		p := &compileProgress{w: &b, tick: func() (<-chan time.Time, func()) { return ticks, func() {} }, now: func() time.Time {
			if !started {
				started = true
				return time.Unix(0, 0)
			}
			return time.Unix(48, 0)
		}}
		ended := p.follow(sampleRun)
		for range row.seconds {
			ticks <- time.Time{}
		}
		ended(row.failed)
		if b.String() != row.want {
			t.Errorf("%d s: %q, want %q", row.seconds, b.String(), row.want)
		}
	}
}

// Failures that one command repairs are explained once; all others stay as they are.
func TestJoined(t *testing.T) {
	missing := func(name, library string) error {
		return &solc.Failure{File: "/" + name, Name: name, Line: 1, Sentence: "cannot find the import " + library + "/" + name, Remedy: "run npm install " + library}
	}
	plain := errors.New("plain")
	var got []string
	for _, err := range joined([]error{missing("A.sol", "x"), plain, missing("B.sol", "y"), missing("C.sol", "x"), plain,
		missing("D.sol", "x"), missing("E.sol", "x"), missing("F.sol", "x"), missing("G.sol", "x"), missing("H.sol", "y")}) {
		got = append(got, err.Error())
	}
	want := []string{
		"A.sol:1: cannot find the import x/A.sol; run npm install x",
		"the same for C.sol:1, D.sol:1, E.sol:1 and 2 other files",
		"plain",
		"B.sol:1: cannot find the import y/B.sol; run npm install y",
		"the same for H.sol:1",
		"plain",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
