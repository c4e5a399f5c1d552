package search

import (
	"slices"
	"testing"
)

// purpose is a Purpose that is met or not.
type purpose bool

func (p purpose) Met(*Candidate) bool { return bool(p) }

func queueOf(all ...*Candidate) *Queue {
	q := &Queue{}
	for _, c := range all {
		q.Add(c)
	}
	return q
}

// An emptied queue takes candidates again.
func TestQueue(t *testing.T) {
	a, b, c := &Candidate{}, &Candidate{}, &Candidate{}
	q := queueOf(a, b)
	if q.Len() != 2 || !slices.Equal(q.All(), []*Candidate{a, b}) {
		t.Fatalf("%d candidates wait", q.Len())
	}
	for i, want := range []*Candidate{a, b, nil, nil} {
		if got := q.Take(); got != want {
			t.Errorf("candidate %d is another", i)
		}
	}
	q.Add(c)
	if q.Len() != 1 || q.Take() != c || q.Len() != 0 {
		t.Error("the queue lost a candidate")
	}
}

// Candidates whose purpose is met are dropped; the others come in order.
func TestQueueTakesUnmet(t *testing.T) {
	met := func() *Candidate { return &Candidate{Purpose: purpose(true)} }
	open, none, again := &Candidate{Purpose: purpose(false)}, &Candidate{}, &Candidate{Purpose: purpose(false)}
	q := queueOf(met(), met(), open, none, met(), again, met())
	for i, want := range []*Candidate{open, none, again, nil, nil} {
		if got := q.TakeUnmet(); got != want {
			t.Errorf("candidate %d is another", i)
		}
	}
	if q.Len() != 0 {
		t.Errorf("%d candidates are left", q.Len())
	}
}

// TakeUnmet asks about a candidate when it is taken, not when it is added.
func TestQueueAsksLate(t *testing.T) {
	goal := new(laterMet)
	first, second := &Candidate{Purpose: goal}, &Candidate{Purpose: goal}
	q := queueOf(first, second)
	if q.TakeUnmet() != first {
		t.Error("an unmet candidate is dropped")
	}
	*goal = true
	if q.TakeUnmet() != nil {
		t.Error("a met candidate is taken")
	}
}

type laterMet bool

func (p *laterMet) Met(*Candidate) bool { return bool(*p) }

// TakeFirst leaves all other candidates in order, and does not touch lists that
// All returned before.
func TestQueueTakesFirstThatSuits(t *testing.T) {
	a, b, c, d := &Candidate{}, &Candidate{}, &Candidate{}, &Candidate{}
	q := queueOf(a, b, c, d)
	before := q.All()
	either := func(next *Candidate) bool { return next == b || next == d }
	for i, want := range []*Candidate{b, d, nil} {
		if got := q.TakeFirst(either); got != want {
			t.Errorf("candidate %d is another", i)
		}
	}
	if !slices.Equal(q.All(), []*Candidate{a, c}) {
		t.Errorf("%d candidates are left, or in another order", q.Len())
	}
	if !slices.Equal(before, []*Candidate{a, b, c, d}) {
		t.Error("an earlier list is changed")
	}
	if (&Queue{}).TakeFirst(either) != nil {
		t.Error("an empty queue has a candidate")
	}
}
