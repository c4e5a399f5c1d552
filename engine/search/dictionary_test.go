package search_test

import (
	"slices"
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/search/searchtest"
)

// The dictionary of a function starts with the constants of the function, its
// modifiers and what it calls; words of runs follow.
func TestDictionary(t *testing.T) {
	d := searchtest.New(t, searchtest.Compile(t, "testdata/Dictionary.sol"), "Spelled", 1)
	words := d.Generator.Mutation.Dictionary.Words
	const direct = "direct(uint256)"
	constants := []uint64{90, 7 * 86400, 40, 1 << 40, 31337, 424242}
	first := words(direct)[:len(constants)]
	for _, w := range constants {
		if !slices.Contains(first, *uint256.NewInt(w)) {
			t.Errorf("%d is not among the first words of direct, %v", w, first)
		}
	}
	if other := words("other(uint256)")[0]; !other.Eq(uint256.NewInt(777777)) {
		t.Errorf("the first word of other is %v", &other)
	}
	var text uint256.Int
	text.SetBytes32(append([]byte("inherited"), make([]byte, 23)...))
	if !slices.Contains(words(direct), text) {
		t.Error("the text of the base contract is missing")
	}
	stored := *uint256.NewInt(5_000_011) // by the constructor; not in the deployed code
	if slices.Contains(words(direct), stored) {
		t.Error("the dictionary has a stored word before a transaction read it")
	}
	d.Run(200, d.Next)
	if !slices.Contains(words(direct), stored) {
		t.Error("the dictionary lacks a stored word that transactions read")
	}
}
