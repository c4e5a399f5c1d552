package session

import (
	"slices"

	"leveret/solc/change"
	"leveret/solc/srcmap"
)

// setText puts a document in place of the one at its path and moves the marks
// in it. edits is what changed, if the caller knows.
func (s *Snapshot) setText(d *Document, edits []edit) {
	old := s.Documents[d.Path]
	s.Documents[d.Path] = d
	if old == nil {
		return // no mark is in a file without text
	}
	if edits == nil {
		edits = change.Diff(old.Text, d.Text)
	}
	if len(edits) == 0 {
		return
	}
	for name, a := range s.Analyses {
		if moved := a.moveMarks(d.Path, old.Text, d.Text, edits); moved != nil {
			s.Analyses[name] = moved
		}
	}
}

// moveMarks returns a with the marks in a file moved, or nil if there are
// none.
func (a *Analysis) moveMarks(path string, old, text []byte, edits []edit) *Analysis {
	var next *Analysis
	for i, c := range a.Contracts {
		if !slices.ContainsFunc(c.Marks, func(m Mark) bool { return m.Path == path }) {
			continue
		}
		changed := *c
		changed.Marks = nil
		for _, m := range c.Marks {
			if m.Path == path {
				start, end, f := follow(old, text, edits, m.Span.Start, m.Span.End())
				if f == gone {
					continue
				}
				m.Span = srcmap.Span{Source: m.Span.Source, Start: start, Length: end - start}
				m.Stale = m.Stale || f == touched
			}
			changed.Marks = append(changed.Marks, m)
		}
		if next == nil {
			next = a.clone()
		}
		next.Contracts[i] = &changed
	}
	return next
}

func (a *Analysis) clone() *Analysis {
	next := *a
	next.Contracts = slices.Clone(a.Contracts)
	return &next
}

// marked reports whether there is a mark in a file.
func (s *Snapshot) marked(path string) bool {
	for _, a := range s.Analyses {
		for _, c := range a.Contracts {
			if slices.ContainsFunc(c.Marks, func(m Mark) bool { return m.Path == path }) {
				return true
			}
		}
	}
	return false
}

// sweep forgets texts that are neither open nor marked.
func (s *Snapshot) sweep() {
	for path, d := range s.Documents {
		if !d.Open && !s.marked(path) {
			delete(s.Documents, path)
		}
	}
}

// stale marks everything of a contract as seen in older code.
func (c *Contract) stale() {
	c.Marks = slices.Clone(c.Marks)
	for i := range c.Marks {
		c.Marks[i].Stale = true
	}
}
