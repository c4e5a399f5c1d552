package engine

import (
	"testing"

	"leveret/engine/input"
)

// A climb reaches the most from afar in some hundred steps, also where only long
// steps help, and ends there.
func TestClimb(t *testing.T) {
	f, err := input.ParseSignature("f(int256,address,uint16)")
	if err != nil {
		t.Fatal(err)
	}
	abs := func(x int64) int64 { return max(x, -x) }
	for _, row := range []struct {
		name  string
		value func(a, b int64) int64
		most  int64
		steps int // to reach it
	}{
		{"line", func(a, b int64) int64 { return -abs(a + 123_456) }, 0, 120},
		{"sum", func(a, b int64) int64 { return -abs(a-70_001) - abs(b-40_000) }, 0, 500},
		{"stairs", func(a, b int64) int64 { return -abs(a-5_000_000) / 1000 }, 0, 500},
	} {
		txs := []input.Tx{{Function: f, Args: f.Zero()}, {Function: f, Args: f.Zero()}}
		best := input.Sequence{Txs: txs}
		value := func(s input.Sequence) int64 {
			return row.value(int64(s.Txs[1].Args[0].Word.Uint64()), int64(s.Txs[0].Args[2].Word.Uint64()))
		}
		c, reached, steps := newClimb(best), value(best), 0
		at := 0
		for ; ; steps++ {
			s, change, ok := c.step(best)
			if !ok {
				break
			}
			if change.First != change.Tx || !change.Single {
				t.Fatalf("%s: %+v", row.name, change)
			}
			if v := value(s); v > reached {
				best, reached, c.helped, at = s, v, true, steps
			}
		}
		if reached != row.most || at > row.steps {
			t.Errorf("%s: %d after %d steps", row.name, reached, at)
		}
		if steps > at+2*2*(256+16+87)+40 {
			t.Errorf("%s: %d steps more", row.name, steps-at)
		}
	}
}
