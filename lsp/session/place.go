package session

import (
	"bytes"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"sync"

	"leveret/engine/finding"
	"leveret/solc/change"
	"leveret/solc/srcmap"
	"leveret/solc/trust"
)

// The position of a finding follows from the text it was found in and the
// current text, not from the edits between them.

// place updates the marks, the states and the texts of closed files. Values
// that did not change since before are shared.
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

// moved reports whether a text with findings of a contract changed since
// before.
func (s *Snapshot) moved(before *Snapshot, c *Contract) bool {
	return slices.ContainsFunc(c.known, func(k knownFinding) bool {
		return slices.ContainsFunc(k.paths(), func(path string) bool { return s.Documents[path] != before.Documents[path] })
	})
}

// paths lists the files with the places where a comment suppresses a finding, its own first.
func (k knownFinding) paths() []string {
	paths := []string{k.path}
	for _, place := range k.Suppressible()[1:] {
		if _, ok := k.sources.texts[place.Path]; ok {
			paths = append(paths, place.Path)
		}
	}
	return paths
}

// A spot is an offset in the current text of a file.
type spot struct {
	document *Document
	offset   int
}

// suppressible lists where in the current texts a comment suppresses a finding of a file.
func (s *Snapshot) suppressible(f *finding.Finding, path string, from *sources) (list []spot) {
	for i, place := range f.Suppressible() {
		if i > 0 {
			path = place.Path
		}
		d, text := s.Documents[path], from.texts[path]
		if d == nil || text == nil {
			continue
		}
		if span, effect := s.follow(path, text, place.Span); effect != deleted {
			list = append(list, spot{d, span.Start})
		}
	}
	return list
}

// marksOf returns the positions of a contract's findings in the current texts,
// without findings whose lines or files were deleted and those that the settings hide.
func (s *Snapshot) marksOf(a *Analysis, c *Contract) []Mark {
	set := s.SettingsFor(a.Path)
	var marks []Mark
	for _, k := range c.known {
		severity, chosen := set.Oracles[k.Oracle]
		if !chosen {
			severity = k.Severity
		}
		accepted := severity > finding.Hint && set.Accepted[k.GroupID()]
		if accepted {
			severity = finding.Hint
		}
		span, effect := s.follow(k.path, k.sources.texts[k.path], k.Place.Span)
		if effect == deleted || severity == finding.Off || s.Documents[k.path].Gone {
			continue
		}
		marks = append(marks, Mark{
			Finding: k.Finding, Path: k.path, Span: span, Severity: severity,
			Stale:    effect == touched || k.code != c.code,
			Accepted: accepted,
			Silenced: slices.ContainsFunc(s.suppressible(k.Finding, k.path, k.sources), func(at spot) bool { return at.document.silenced(k.Oracle, at.offset) }),
			Missing:  k.check.missing,
			sources:  k.sources,
		})
	}
	return marks
}

// sweep keeps the texts of closed files with findings, and with their failed assertions, and
// drops those of others.
func (s *Snapshot) sweep() {
	texts := map[string][]byte{}
	for _, name := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[name]
		for _, c := range a.Contracts {
			for i := range c.known {
				k := &c.known[i]
				for _, path := range k.paths() {
					if _, seen := texts[path]; seen {
						continue
					}
					text, ok := a.built(path)
					if !ok {
						text = k.sources.texts[path]
					}
					texts[path] = text
				}
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

// reread takes the text of a closed file with findings from the disk, and notes that of
// an open one. If the file does not exist, the last text stays, for the case that the
// file comes back.
func (s *Snapshot) reread(path string) {
	d := s.Documents[path]
	if d == nil {
		return
	}
	text, err := trust.ReadRegular(path, maxDocument)
	switch {
	case d.Open:
		noted := *d
		noted.disk = text
		s.Documents[path] = &noted
	case err == nil:
		s.Documents[path] = newDocument("", path, 0, false, text)
	case errors.Is(err, fs.ErrNotExist):
		gone := *d
		gone.Gone = true
		s.Documents[path] = &gone
	}
}

// follow returns where a range of an older text of a file is in the current
// one. A file without a Document has not changed.
func (s *Snapshot) follow(path string, from []byte, span srcmap.Span) (srcmap.Span, editEffect) {
	d := s.Documents[path]
	if d == nil {
		return span, kept
	}
	start, end, effect := follow(from, d.Text, d.since(from), span.Start, span.End())
	return srcmap.Span{Source: span.Source, Start: start, Length: end - start}, effect
}

// maxCompared bounds the older texts in a document's history.
const maxCompared = 16

// A history caches the differences of a document to older texts: many ranges
// come from the same few texts.
type history struct {
	mu   sync.Mutex
	past []comparison // newest last
}

type comparison struct {
	old   []byte
	edits []change.Edit
}

// since returns the edits that turn old into the document's text.
func (d *Document) since(old []byte) []change.Edit {
	h := d.history
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.past {
		if bytes.Equal(h.past[i].old, old) { // fast if both share memory
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
