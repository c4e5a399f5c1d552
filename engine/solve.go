package engine

func (c *campaign) solve(r *result)    {}
func (c *campaign) unsolved(r *result) {}
