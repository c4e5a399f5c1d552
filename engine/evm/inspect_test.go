package evm

// list returns the Codes in the order of their IDs.
func (c *Codes) list() []*Code {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[:len(c.all):len(c.all)]
}
