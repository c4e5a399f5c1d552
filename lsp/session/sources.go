package session

import (
	"bytes"
	"maps"
	"sync"

	"leveret/solc"
)

// sources are the texts of a build, by path. They are immutable.
type sources struct {
	texts map[string][]byte

	mu     sync.Mutex
	hashes map[string]string
}

// newSources returns the texts that a build was made of.
func newSources(build *solc.Build) *sources {
	s := &sources{texts: map[string][]byte{}, hashes: map[string]string{}}
	for _, source := range build.Sources {
		if source != nil && source.Path != "" {
			s.texts[source.Path] = source.Text
		}
	}
	return s
}

// reuse takes what is equal from older texts: one copy is enough, and the same
// bytes in memory are quick to compare.
func (s *sources) reuse(old map[string][]byte) {
	for path, text := range s.texts {
		if before, ok := old[path]; ok && bytes.Equal(before, text) {
			s.texts[path] = before
		}
	}
}

func (s *sources) equal(other *sources) bool {
	return s == other || maps.EqualFunc(s.texts, other.texts, bytes.Equal)
}

// hash names a text.
func (s *sources) hash(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes[path] == "" {
		s.hashes[path] = short(string(s.texts[path]))
	}
	return s.hashes[path]
}
