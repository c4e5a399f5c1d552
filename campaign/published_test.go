package campaign

import (
	"math"
	"slices"
	"testing"

	"github.com/nats-io/nats.go"
)

// What workers publish says what was spent by then, so that a page has coverage over time
// from the beginning.
func TestPublishedSaysWhatWasSpent(t *testing.T) {
	l := newLab(t, 64<<20, "Steps")
	stop := l.work(l.join(l.broker.URL(false)))
	l.await("inputs of a second turn", func() bool {
		e, _, err := l.owner.effort(t.Context(), 0)
		return err == nil && e.Slices >= 2
	})
	stop()
	inputs, witnesses, err := l.owner.Published(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	e, _, err := l.owner.effort(t.Context(), 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, list := range [][]Published{inputs, witnesses} {
		if len(list) == 0 || list[len(list)-1].Inputs == 0 || list[len(list)-1].Seconds == 0 {
			t.Errorf("%d messages, the last one after %+v", len(list), list[len(list)-1:])
		}
		InOrder(list, Spent{e.Seconds, e.Inputs})
		if !slices.IsSortedFunc(list, func(a, b Published) int { return a.Inputs - b.Inputs }) || list[len(list)-1].Seconds > e.Seconds {
			t.Errorf("what was spent falls, or is more than %+v", e)
		}
	}
	if witnesses[0].Finding == "" || inputs[0].Finding != "" {
		t.Error("witnesses name findings, and inputs do not")
	}
}

// A worker may say anything.
func TestSpentOfHostileHeader(t *testing.T) {
	for text, want := range map[string]Spent{
		`{"seconds":1.5,"inputs":20}`: {1.5, 20},
		`{"seconds":-1,"inputs":20}`:  {},
		`{"seconds":1,"inputs":-20}`:  {},
		`{"seconds":1e13}`:            {},
		`{"seconds":1e999}`:           {},
		`{"seconds":"NaN"}`:           {},
		`rubbish`:                     {},
		``:                            {},
		`{"seconds":1` + string(slices.Repeat([]byte(" "), maxSpent)) + `}`: {},
	} {
		if got := spentOf(nats.Header{spentHeader: {text}}); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
	list := []Published{{Spent: Spent{5, 50}}, {Spent: Spent{3, 70}}, {Spent: Spent{1e11, math.MaxInt}}}
	InOrder(list, Spent{9, 90})
	for i, want := range []Spent{{5, 50}, {5, 70}, {9, 90}} {
		if list[i].Spent != want {
			t.Errorf("%d: %+v, want %+v", i, list[i].Spent, want)
		}
	}
}
