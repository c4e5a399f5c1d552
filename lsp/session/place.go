package session

import (
	"bytes"
	"maps"
	"slices"
	"sync"

	"leveret/engine/finding"
	"leveret/solc/change"
	"leveret/solc/srcmap"
)

// Where a finding is shown is computed from the text it was found in and the
// present text, never from the edits between them.

// place brings the marks, the states and the texts of closed files in line
// with what is known. What did not change since before keeps its value.
func (s *Snapshot) place(before *Snapshot) {
	s.sweep()
	for name, a := range s.Analyses {
		old := before.Analyses[name]
		var next *Analysis
		for i, c := range a.Contracts {
			if old != nil && old.Phase == a.Phase && i < len(old.Contracts) && old.Contracts[i] == c && !s.moved(before, c) {
				continue
			}
			if next == nil {
				next = a.clone()
			}
			placed := *c
			placed.Marks = s.marksOf(a, c)
			placed.State = placed.state(a.Phase)
			next.Contracts[i] = &placed
		}
		if next != nil {
			s.Analyses[name] = next
		}
	}
}

// moved reports whether a text with findings of a contract differs from before.
func (s *Snapshot) moved(before *Snapshot, c *Contract) bool {
	return slices.ContainsFunc(c.known, func(k known) bool { return s.Documents[k.path] != before.Documents[k.path] })
}

// marksOf places the findings of a contract in the present texts. Those whose
// lines are gone have no mark, nor have those that the settings hide.
func (s *Snapshot) marksOf(a *Analysis, c *Contract) []Mark {
	set := s.SettingsFor(a.Path)
	var marks []Mark
	for _, k := range c.known {
		severity, chosen := set.Oracles[k.Oracle]
		if !chosen {
			severity = k.Severity
		}
		span, f := s.follow(k.path, k.sources.texts[k.path], k.Place.Span)
		if f == gone || severity == finding.Off {
			continue
		}
		marks = append(marks, Mark{
			Finding: k.Finding, Path: k.path, Span: span, Severity: severity,
			Stale:   f == touched || k.code != c.code,
			sources: k.sources,
		})
	}
	return marks
}

// sweep keeps the texts of closed files that findings are in, and no others.
func (s *Snapshot) sweep() {
	texts := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, c := range a.Contracts {
			for i := range c.known {
				k := &c.known[i]
				if _, seen := texts[k.path]; seen {
					continue
				}
				text, ok := a.built(k.path)
				if !ok {
					text = k.sources.texts[k.path]
				}
				texts[k.path] = text
			}
		}
	}
	maps.DeleteFunc(s.Documents, func(path string, d *Document) bool {
		_, marked := texts[path]
		return !d.Open && !marked
	})
	for path, text := range texts {
		if s.Documents[path] == nil {
			s.Documents[path] = newDocument("", path, 0, false, text)
		}
	}
}

// follow returns where a range of a text of a file is in its present text. A
// file that is neither open nor marked is as it was.
func (s *Snapshot) follow(path string, from []byte, span srcmap.Span) (srcmap.Span, fate) {
	d := s.Documents[path]
	if d == nil {
		return span, moved
	}
	start, end, f := follow(from, d.Text, d.since(from), span.Start, span.End())
	return srcmap.Span{Source: span.Source, Start: start, Length: end - start}, f
}

// maxCompared bounds the older texts that a document remembers the comparison
// with.
const maxCompared = 16

// A history remembers comparisons of a document with older texts: many ranges
// move from the same few texts.
type history struct {
	mu   sync.Mutex
	past []comparison // newest last
}

type comparison struct {
	old   []byte
	edits []change.Edit
}

// since returns what turns old into the document's text.
func (d *Document) since(old []byte) []change.Edit {
	h := d.history
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.past {
		if bytes.Equal(h.past[i].old, old) { // quick for the same bytes in memory
			return h.past[i].edits
		}
	}
	if len(h.past) == maxCompared {
		h.past = h.past[1:]
	}
	edits := change.Diff(old, d.Text)
	h.past = append(h.past, comparison{old, edits})
	return edits
}
