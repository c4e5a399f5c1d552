package demand

import (
	"math/rand/v2"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Effects go back over writes: the calls that change a word, and those that change what
// these read; not what changes nothing, or another word. A sender that is written is
// replaced by all.
func TestEffects(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	add := func(tx input.Tx, read, written evm.Slot, before, after uint64) {
		d.AddSample(r, nil, tx, []evm.Slot{read}, []evm.Slot{written}, words(before), words(after))
	}
	add(calling(open, 3), plain(2), plain(1), 0, 1)       // changes the word
	add(calling(close, 4), plain(3), plain(2), 0, 1)      // changes what that read
	add(calling(deposit, 1, 2), plain(1), plain(9), 0, 1) // changes another word
	add(calling(open, 5), plain(2), plain(1), 1, 1)       // changes nothing
	e := d.Effects([]evm.Slot{plain(1)})
	if len(e.Calls) != 2 || show(input.Sequence{Txs: e.Calls})[0] != "open 3" || show(input.Sequence{Txs: e.Calls})[1] != "close 4" {
		t.Errorf("%v", show(input.Sequence{Txs: e.Calls}))
	}
	for n, want := range map[uint64]bool{1: true, 2: true, 3: true, 9: false} {
		if at := plain(n); e.Variables[d.Preimages.Resolve(at.Address, at.Key).Variable] != want {
			t.Errorf("word %d matters: %v", n, !want)
		}
	}
	tx := calling(close, 6)
	from := tx.From.Address()
	d.AddSample(r, nil, tx, nil, []evm.Slot{plain(7)}, words(0), []uint256.Int{*new(uint256.Int).SetBytes20(from[:])})
	if e := d.Effects([]evm.Slot{plain(7)}); len(e.Calls) != len(input.Actors) {
		t.Errorf("%d senders", len(e.Calls))
	}
}

// A word is away from a goal by the distance of the bits that matter.
func TestAway(t *testing.T) {
	goal := SlotGoal{Have: *uint256.NewInt(0x500), Want: *uint256.NewInt(0x900), Mask: *uint256.NewInt(0xf00)}
	for word, want := range map[uint64]uint64{0x9ff: 0, 0x700: 2, 0xb01: 2, 0: 9} {
		if away := goal.Away(uint256.NewInt(word)); away.Uint64() != want {
			t.Errorf("%#x is %v away, want %d", word, &away, want)
		}
	}
	goal.Accept = Beyond
	if away := goal.Away(uint256.NewInt(0xb00)); !away.IsZero() {
		t.Errorf("a word beyond is %v away", &away)
	}
}
