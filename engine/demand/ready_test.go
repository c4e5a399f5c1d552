package demand

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

var close, approve = parse("close(uint256)"), parse("approve(address,uint256)")

// ready lists all that waits.
func ready(r *rand.Rand, d *Demand) (out [][]string, origins []any) {
	for {
		a, ok := d.Ready(r)
		if !ok {
			return out, origins
		}
		out, origins = append(out, show(a.Sequence)), append(origins, a.Origin)
	}
}

// A Dream of a state gets the Txs that once led there, whichever of the two is
// known first.
func TestReadyKnowsTheWay(t *testing.T) {
	way := []string{"open 3", "deposit 1 2", "close 7"}
	s := sequence(calling(close, 7))
	dream := Dream{Sequence: s, Wishes: wishes([]Slot{plain(opened)}, 5), Origin: "close"}
	reach := func(r *rand.Rand, d *Demand) {
		d.Wrote(r, sequence(calling(open, 3)).Txs, calling(deposit, 1, 2), nil, []Slot{plain(opened)}, words(3), words(5))
	}
	for _, first := range []bool{true, false} {
		r := rand.New(rand.NewPCG(1, 2))
		d := New()
		if first {
			reach(r, d)
		}
		d.Imagine(r, dream)
		if !first {
			reach(r, d)
		}
		all, origins := ready(r, d)
		if !slices.ContainsFunc(all, func(s []string) bool { return slices.Equal(s, way) }) {
			t.Errorf("state known first %v: %v", first, all)
		}
		if slices.ContainsFunc(origins, func(o any) bool { return o != "close" }) {
			t.Errorf("%v", origins)
		}
		if again, _ := ready(r, d); len(again) > 0 {
			t.Errorf("told twice: %v", again)
		}
	}
}

// Only the bits that matter have to be as wished for.
func TestMask(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, test := range []struct {
		mask    uint64
		granted bool
	}{{0, false}, {0xff, true}, {0xfff, false}} {
		d := New()
		d.Wrote(r, nil, calling(open, 1), nil, []Slot{plain(opened)}, words(0), words(0xa05))
		d.Imagine(r, Dream{Sequence: sequence(calling(close, 7)), Wishes: []Wish{{Slot: plain(opened), Want: *uint256.NewInt(5), Mask: *uint256.NewInt(test.mask)}}})
		if granted := len(d.granted) > 0; granted != test.granted {
			t.Errorf("mask %#x: %v", test.mask, granted)
		}
	}
}

// What counts up is called as often as it takes.
func TestCounting(t *testing.T) {
	for _, test := range []struct {
		before, after, have, want uint64
		times                     int
	}{{0, 1, 0, 5, 5}, {4, 7, 1, 10, 3}, {9, 8, 6, 2, 4}, {0, 3, 0, 5, 1}, {0, 1, 0, 1000, 1}, {3, 3, 0, 2, 1}, {0, 1, 5, 2, 1}} {
		s := Sample{Before: words(test.before), Values: words(test.after)}
		wish := Wish{Have: *uint256.NewInt(test.have), Want: *uint256.NewInt(test.want)}
		if times := s.times(0, &wish); times != test.times {
			t.Errorf("%+v: %d", test, times)
		}
	}
	r := rand.New(rand.NewPCG(1, 2))
	d := New()
	d.Wrote(r, nil, calling(open, 1), nil, []Slot{plain(opened)}, words(0), words(1))
	s := sequence(calling(close, 7))
	counted := 0
	for range 200 {
		if longer, _, _ := d.fulfil(r, &Dream{Sequence: s, Wishes: wishes([]Slot{plain(opened)}, 5)}); len(longer.Txs) == 6 {
			counted++
		}
	}
	if counted < 20 {
		t.Errorf("of 200, %d count", counted)
	}
}

// Where an address is both the actor's and an argument, either may be the key
// that is to be another.
func TestAlignmentOfTheSameAddressTwice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	one, two := input.User1.Address(), input.User2.Address()
	word := func(a common.Address) uint256.Int { return *new(uint256.Int).SetBytes20(a[:]) }
	tx := input.Tx{From: input.User1, To: here, Function: approve, Args: approve.Zero()}
	tx.Args[0].Word = word(one)
	have := Place{Keys: []uint256.Int{word(one), word(one)}}
	want := Place{Keys: []uint256.Int{word(two), word(one)}}
	right := 0
	for range 100 {
		aligned, at := alignTo(r, tx, have, want)
		if aligned.From == input.User2 && aligned.Args[0].Word == word(one) && slices.Equal(at.Keys, want.Keys) {
			right++
		}
	}
	if right < 25 {
		t.Errorf("of 100, %d have another owner", right)
	}
}
