package corpus

import (
	"cmp"
	"maps"
	"slices"

	"leveret/engine/cover"
	"leveret/engine/input"
)

// maxForgotten bounds the paths of forgotten Entries that are known. Of more, some are
// new again when they are met.
const maxForgotten = 1 << 18

// Size returns the bytes that all Entries take, about.
func (c *Corpus) Size() int { return c.size }

// Forgets returns how often Forget was called.
func (c *Corpus) Forgets() int { return c.begun }

// Forgotten reports whether an Entry is not in the Corpus any more.
func (e *Entry) Forgotten() bool { return e.forgot }

// Forget forgets Entries until the others take half of limit bytes, those whose paths
// were taken most often first, then the oldest. It keeps every Entry that covered
// something first, and knows the paths of the others. Entries get new numbers.
func (c *Corpus) Forget(limit int) {
	c.begun++
	idle := make([]*Entry, 0, len(c.Entries))
	for _, e := range c.Entries {
		if !e.First {
			idle = append(idle, e)
		}
	}
	slices.SortStableFunc(idle, func(a, b *Entry) int { return cmp.Compare(c.Runs(b), c.Runs(a)) })
	for _, e := range idle {
		if c.size <= limit/2 {
			break
		}
		e.forgot = true
		c.size -= e.Size
		c.forget(e.Path)
	}
	c.Entries = slices.DeleteFunc(c.Entries, (*Entry).Forgotten)
	for i, e := range c.Entries {
		e.Number = i
	}
}

// forget keeps the runs of the path of a forgotten Entry alone.
func (c *Corpus) forget(path cover.PathID) {
	if was, had := c.gone.Put(uint64(path), uint64(c.paths[path].runs)); had {
		c.total -= int(was)
	}
	delete(c.paths, path)
}

// hitForgotten counts one more run of a path; false if no forgotten Entry has it.
func (c *Corpus) hitForgotten(path cover.PathID) bool {
	runs, known := c.gone.Get(uint64(path))
	if known {
		c.gone.Put(uint64(path), runs+1)
		c.total++
	}
	return known
}

// Paths returns how many paths were added, by the function of the last Tx. The caller owns
// the map.
func (c *Corpus) Paths() map[*input.Function]int { return maps.Clone(c.added) }

// TakePaths returns the paths that were added since the last call.
func (c *Corpus) TakePaths() []cover.PathID {
	list := c.fresh
	c.fresh = nil
	return list
}
