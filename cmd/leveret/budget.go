package main

import "time"

// A budget shares the time of a run among its campaigns.
type budget struct {
	each     time.Duration // at most for one; 0: no limit
	deadline time.Time     // of all; zero: none
	left     int           // campaigns to come
	now      func() time.Time
}

func newBudget(each, total time.Duration, campaigns int, now func() time.Time) *budget {
	b := &budget{each: each, left: campaigns, now: now}
	if total > 0 {
		b.deadline = now().Add(total)
	}
	return b
}

// atLeast is what a campaign gets even if the time is up: 0 would be no limit.
const atLeast = time.Millisecond

// next returns the time of the next campaign: an equal share of what is left.
func (b *budget) next() time.Duration {
	share := b.each
	if !b.deadline.IsZero() {
		fair := max(atLeast, b.deadline.Sub(b.now())/time.Duration(max(1, b.left)))
		if share == 0 || fair < share {
			share = fair
		}
	}
	b.left--
	return share
}
