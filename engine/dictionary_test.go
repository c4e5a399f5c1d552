package engine

import (
	"context"
	"slices"
	"testing"

	"github.com/holiman/uint256"
)

// The dictionary of a function begins with what it, its modifiers and what it
// calls spell out; what runs bring up follows.
func TestDictionary(t *testing.T) {
	b := compile(t, "testdata/Dictionary.sol")
	c, err := newCampaign(context.Background(), contract(t, b, "Spelled"), b.Contracts, Options{MaxInputs: 200, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	words := func(f string) []uint256.Int { return c.context.Dictionary.Words(f) }
	first := func(f string, n int) []uint256.Int { return words(f)[:n] }
	direct := []uint64{90, 7 * 86400, 40, 1 << 40, 31337, 424242}
	got := first("direct(uint256)", len(direct))
	for _, w := range direct {
		if !slices.Contains(got, *uint256.NewInt(w)) {
			t.Errorf("%d is none of direct's first words %v", w, got)
		}
	}
	if other := first("other(uint256)", 1)[0]; !other.Eq(uint256.NewInt(777777)) {
		t.Errorf("other's first word is %v", &other)
	}
	var text uint256.Int
	text.SetBytes32(append([]byte("inherited"), make([]byte, 23)...))
	if !slices.Contains(words("direct(uint256)"), text) {
		t.Error("the text of the base is not there")
	}
	kept := *uint256.NewInt(5_000_011) // stored by the constructor, in no code that runs
	if slices.Contains(words("direct(uint256)"), kept) {
		t.Error("a word is there that nothing read yet")
	}
	c.loop(context.Background())
	if !slices.Contains(words("direct(uint256)"), kept) {
		t.Error("what was read in storage is not there")
	}
}
