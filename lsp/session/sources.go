package session

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"sync"

	"leveret/solc"
	"leveret/solc/trust"
)

// sources are the immutable texts of a build, by path.
type sources struct {
	texts map[string][]byte

	mu     sync.Mutex
	hashes map[string]string
}

// newSources returns the texts of a build.
func newSources(build *solc.Build) *sources {
	s := &sources{texts: map[string][]byte{}, hashes: map[string]string{}}
	for _, source := range build.Sources {
		if source != nil && source.Path != "" {
			s.texts[source.Path] = source.Text
		}
	}
	return s
}

// links returns the files that have another path if symbolic links are resolved, as have
// the packages of a monorepo in node_modules: by that path.
func (s *sources) links() map[string]bool {
	links := map[string]bool{}
	folders := map[string]string{}
	for path := range s.texts {
		dir, name := filepath.Split(path)
		if folders[dir] == "" {
			folders[dir] = trust.Resolve(dir)
		}
		real := filepath.Join(folders[dir], name)
		if _, err := os.Readlink(real); err == nil {
			real = trust.Resolve(real)
		}
		if real != path {
			links[real] = true
		}
	}
	return links
}

// reuse replaces texts by equal older ones, which saves memory and makes
// comparisons fast.
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

// hash identifies the text of a file.
func (s *sources) hash(path string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.hashes[path] == "" {
		s.hashes[path] = shortHash(string(s.texts[path]))
	}
	return s.hashes[path]
}
