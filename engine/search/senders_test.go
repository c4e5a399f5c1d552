package search

import (
	"slices"
	"testing"

	"leveret/engine/input"
)

// Subjects know the senders of their functions, if these have some of their own.
func TestSendersOfFunctions(t *testing.T) {
	plain := &input.Function{}
	if got := sendersOf([]*input.Function{plain}); got != nil {
		t.Errorf("%v", got)
	}
	own := plain.SentBy([]input.Actor{{1}, input.User1})
	if got := sendersOf([]*input.Function{own}); !slices.Equal(got, Actors{{1}, input.User1}) {
		t.Errorf("%v", got)
	}
	if got := sendersOf([]*input.Function{own, plain}); !slices.Equal(got, Actors{{1}, input.User1, input.Deployer, input.User2, input.Attacker}) {
		t.Errorf("%v", got)
	}
}
