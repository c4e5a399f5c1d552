package predict

import (
	"testing"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A move of an element that an earlier one removed changes nothing; so pairs of a length
// and an element are tried without harm.
func TestApplyAfterALengthShrank(t *testing.T) {
	s := sequence(t, "f(uint8[],bytes[])", "[1, 2, 3]", "[0x01, 0x0203]")
	var moves []Move
	for _, p := range input.Parameters(s.Last()) {
		if p.Kind == input.ParamLength && p.Of.Kind == input.KindSlice {
			moves = append(moves, Move{Param: p, Word: *uint256.NewInt(1)})
		}
	}
	for _, p := range input.Parameters(s.Last()) {
		switch {
		case p.Kind == input.ParamArg:
			moves = append(moves, Move{Param: p, Word: *uint256.NewInt(7)})
		case p.Kind == input.ParamChunk:
			moves = append(moves, Move{Param: p, Data: []byte{7}})
		}
	}
	if got, want := Apply(s, moves), sequence(t, "f(uint8[],bytes[])", "[7]", "[0x07]"); got.String() != want.String() {
		t.Errorf("%s, want %s", got.String(), want.String())
	}
}
