package engine

import "time"

// A clock measures the time budget.
type clock struct {
	now    func() time.Time
	began  time.Time
	budget time.Duration // 0: none
	turn   time.Duration // elapsed time when the turn ends; 0: it has no limit of time
}

func (c *clock) elapsed() time.Duration { return c.now().Sub(c.began) }

// late reports whether the time budget is spent.
func (c *clock) late() bool { return c.budget > 0 && c.elapsed() >= c.budget }

// rests reports whether the time budget or that of the turn is spent.
func (c *clock) rests() bool {
	if c.turn == 0 {
		return c.late()
	}
	elapsed := c.elapsed()
	return elapsed >= c.turn || c.budget > 0 && elapsed >= c.budget
}

// begin begins a turn.
func (c *clock) begin(t turn) {
	if c.turn = 0; t.time > 0 {
		c.turn = c.elapsed() + t.time
	}
}

// skip leaves the time out that f takes.
func (c *clock) skip(f func()) {
	from := c.now()
	f()
	c.began = c.began.Add(c.now().Sub(from))
}

// left returns the rest of the time budget; 0 without one.
func (c *clock) left() time.Duration {
	if c.budget == 0 {
		return 0
	}
	return max(0, c.budget-c.elapsed())
}
