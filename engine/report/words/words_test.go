package words

import (
	"testing"

	"leveret/engine/input"
)

func TestLater(t *testing.T) {
	for d, want := range map[input.Delay]string{
		{}:                          "",
		{Blocks: 1}:                 "1 block later",
		{Seconds: 60}:               "1 minute later",
		{Blocks: 1200, Seconds: 5}:  "1,200 blocks (5 seconds) later",
		{Seconds: 86400 + 7200 + 1}: "about 1 day 2 hours later",
	} {
		if got := later(d); got != want {
			t.Errorf("later(%v) = %q, want %q", d, got, want)
		}
	}
}
