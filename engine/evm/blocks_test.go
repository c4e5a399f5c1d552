package evm

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
)

func TestBlocks(t *testing.T) {
	for _, tt := range []struct {
		code string
		want map[uint64]int // size by pc of the block's first instruction
	}{
		{"6004565b5b60035b6001900380600757", map[uint64]int{0: 2, 3: 1, 4: 2, 7: 7, 16: 0}},
		{"605b5b", map[uint64]int{0: 1, 2: 1}},         // pushed, not a destination
		{"5b00", map[uint64]int{0: 2}},                 // begins with a destination
		{"57570061", map[uint64]int{0: 1, 1: 1, 2: 2}}, // the last PUSH is cut off
		{"", map[uint64]int{0: 0, 100: 0}},             // nothing
	} {
		c := &Code{Bytes: common.FromHex(tt.code)}
		c.blocks = blocks(c.Bytes)
		for pc, want := range tt.want {
			if got := c.ahead(pc, true); got != want {
				t.Errorf("%s: the block at %d has %d instructions, want %d", tt.code, pc, got, want)
			}
		}
	}
}
