package engine

import "time"

// A clock measures the time budget.
type clock struct {
	now    func() time.Time
	began  time.Time
	budget time.Duration // 0: none
}

func (c *clock) elapsed() time.Duration { return c.now().Sub(c.began) }

// late reports whether the time budget is spent.
func (c *clock) late() bool { return c.budget > 0 && c.elapsed() >= c.budget }

// left returns the rest of the time budget; 0 without one.
func (c *clock) left() time.Duration {
	if c.budget == 0 {
		return 0
	}
	return max(0, c.budget-c.elapsed())
}
