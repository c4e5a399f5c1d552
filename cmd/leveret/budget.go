package main

import "time"

// A budget divides the time of a run among its campaigns.
type budget struct {
	each     time.Duration // limit of one campaign; 0: none
	deadline time.Time     // of the run; zero: none
	left     int           // campaigns that have not started
	now      func() time.Time
}

func newBudget(each, total time.Duration, campaigns int, now func() time.Time) *budget {
	b := &budget{each: each, left: campaigns, now: now}
	if total > 0 {
		b.deadline = now().Add(total)
	}
	return b
}

// minShare is the share of a campaign after the deadline: 0 would mean no limit.
const minShare = time.Millisecond

// next returns the time of the next campaign: an equal share of the time left.
func (b *budget) next() time.Duration {
	share := b.each
	if !b.deadline.IsZero() {
		fair := max(minShare, b.deadline.Sub(b.now())/time.Duration(max(1, b.left)))
		if share == 0 || fair < share {
			share = fair
		}
	}
	b.left--
	return share
}
