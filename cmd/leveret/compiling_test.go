package main

import (
	"bytes"
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
	p.ended(sampleRun, 49*time.Second)
	if got := screen(b.String()); len(got) > 0 {
		t.Errorf("the screen still shows %q", got)
	}
}

// Without a terminal, a compilation of some seconds is two lines, and a shorter
// one none.
func TestCompileProgressInPlainLines(t *testing.T) {
	for _, row := range []struct {
		seconds int
		want    string
	}{
		{0, ""},
		{3, "Compiling 152 files with solc 0.8.30, via IR\nCompiled 152 files with solc 0.8.30, via IR, in 48 s\n"},
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
		ended()
		if b.String() != row.want {
			t.Errorf("%d s: %q, want %q", row.seconds, b.String(), row.want)
		}
	}
}
