package engine

import (
	"math/rand/v2"
	"testing"
)

// A source that brings nothing new to light gets less, but a quarter always,
// and one that is switched off nothing.
func TestShares(t *testing.T) {
	count := func(dry int) (n int) {
		one, other, off := &source{weight: 8, dry: dry}, &source{weight: 8}, &source{}
		for _, s := range []*source{one, other, off} {
			s.make = func() *candidate { return &candidate{} }
		}
		s := strategy{
			waiting: func() *candidate { return nil },
			shared:  []*source{one, off, other},
			random:  rand.New(rand.NewPCG(1, 1)),
		}
		for _, next := range s.next(10000) {
			switch next.source {
			case one:
				n++
			case off:
				t.Fatal("what is switched off made an input")
			}
		}
		return n
	}
	for _, row := range []struct{ dry, least, most int }{
		{0, 4800, 5200},
		{tiring, 3133, 3533}, // half against one
		{100 * tiring, 1800, 2200},
	} {
		if n := count(row.dry); n < row.least || n > row.most {
			t.Errorf("after %d inputs: %d of 10000", row.dry, n)
		}
	}
}

// After a drought half of the inputs come from elsewhere though Dreams wait.
func TestDroughtLetsOthersGoFirst(t *testing.T) {
	b := compile(t, "testdata/Aimed.sol")
	c, err := newCampaign(t.Context(), contract(t, b, "Aimed"), b.Contracts, Options{MaxInputs: 1, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	digressions := func() (n int) {
		for range 1000 {
			if c.digresses() {
				n++
			}
		}
		return n
	}
	c.result.Stats.Inputs, c.news = 5000, 5000-drought
	if n := digressions(); n != 0 {
		t.Errorf("%d of 1000 digressions before the drought", n)
	}
	c.news--
	if n := digressions(); n < 440 || n > 560 {
		t.Errorf("%d of 1000 digressions in a drought", n)
	}
}
