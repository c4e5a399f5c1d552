package main

import (
	"testing"
	"time"
)

// Each campaign gets an equal share of the time left at its start.
func TestBudget(t *testing.T) {
	const s = time.Second
	for _, row := range []struct {
		name        string
		each, total time.Duration
		used        []time.Duration // by each campaign
		want        []time.Duration
	}{
		{"each", 10 * s, 0, []time.Duration{10 * s, s, 10 * s}, []time.Duration{10 * s, 10 * s, 10 * s}},
		{"together", 0, 30 * s, []time.Duration{10 * s, 10 * s, 10 * s}, []time.Duration{10 * s, 10 * s, 10 * s}},
		{"the first needs none", 0, 30 * s, []time.Duration{0, 15 * s, 15 * s}, []time.Duration{10 * s, 15 * s, 15 * s}},
		{"the first takes too long", 0, 30 * s, []time.Duration{20 * s, 5 * s, 5 * s}, []time.Duration{10 * s, 5 * s, 5 * s}},
		{"both", 12 * s, 30 * s, []time.Duration{0, 12 * s, 12 * s}, []time.Duration{10 * s, 12 * s, 12 * s}},
		{"overdrawn", 0, 3 * s, []time.Duration{9 * s, 0, 0}, []time.Duration{s, minShare, minShare}},
		{"no limit", 0, 0, []time.Duration{s}, []time.Duration{0}},
	} {
		now := time.Unix(1, 0)
		b := newBudget(row.each, row.total, len(row.used), func() time.Time { return now })
		for i, used := range row.used {
			if got := b.next(); got != row.want[i] {
				t.Errorf("%s: campaign %d got %v, want %v", row.name, i, got, row.want[i])
			}
			now = now.Add(used)
		}
	}
}
