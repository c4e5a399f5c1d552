package cheat

// entrySize estimates the bytes of what a cheatcode remembers besides its
// arguments.
const entrySize = 256

// Work of a cheatcode on what is remembered, for each thing that it compares, and of
// parsing a byte of text.
const (
	compareWork = 4
	parseWork   = 8
)

// comparesWith counts the work of comparing something with n others.
func (c *Cheats) comparesWith(n int) { c.state.Work(compareWork * uint64(n)) }

// remember counts bytes that the groups keep for later cheatcodes and Calls. They
// share a bound with what the chain keeps (evm.Bounds.Held).
func (c *Cheats) remember(bytes int) {
	c.memory.held += bytes
	c.count()
}

// rememberArgs counts the arguments of a cheatcode that keeps them.
func (c *call) rememberArgs() { c.remember(entrySize + len(c.message.Input)) }

// size estimates the bytes that the groups keep.
func (m *memory) size() int { return m.held + m.recorded.size + m.diff.size }

// count tells the Machine what the groups keep since it was told last.
func (c *Cheats) count() {
	if size := c.memory.size(); size != c.counted {
		c.state.Hold(size - c.counted)
		c.counted = size
	}
}
