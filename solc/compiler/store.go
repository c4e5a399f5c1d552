package compiler

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"leveret/solc/atomicfile"
)

// storeVersion is part of the path. A change of the format needs a new one.
const storeVersion = "v1"

const (
	defaultStoreSize = 256 << 20
	maxStored        = 512 << 20 // bytes of one uncompressed output: guards against zip bombs
	pruneEvery       = 32        // writes
)

// A store caches compiler output on disk, by the hash of the input. Entries that
// cannot be read or written are ignored.
type store struct {
	dir   string // empty: caches nothing
	limit int64

	pending sync.WaitGroup
	mu      sync.Mutex
	writes  int
}

func newStore(env Env) *store {
	s := &store{limit: env.CacheSize}
	if env.CacheDir != "" {
		s.dir = filepath.Join(env.CacheDir, "leveret", "solc", storeVersion)
	}
	if s.limit <= 0 {
		s.limit = defaultStoreSize
	}
	return s
}

// storeKey identifies a compilation: compiler, sources and settings.
func storeKey(with Installation, input []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\x00%s\x00", with.Version, with.Path)
	h.Write(input)
	return hex.EncodeToString(h.Sum(nil))
}

func (s *store) path(key string) string {
	return filepath.Join(s.dir, key[:2], key[2:]+".json.gz")
}

// get returns a cached output, or nil. It removes a damaged entry.
func (s *store) get(key string) []byte {
	if s.dir == "" {
		return nil
	}
	path := s.path(key)
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	text, err := unzip(file)
	if err != nil {
		os.Remove(path)
		return nil
	}
	now := time.Now()
	os.Chtimes(path, now, now) // last use, for prune
	return text
}

func unzip(r io.Reader) ([]byte, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(z, maxStored+1))
	if err == nil && (len(text) > maxStored || len(text) == 0 || text[0] != '{') {
		err = fmt.Errorf("no compiler output")
	}
	return text, err
}

// put caches output, in the background. The caller must not change it later.
func (s *store) put(key string, output []byte) {
	if s.dir == "" || len(output) > maxStored {
		return
	}
	s.mu.Lock()
	prune := s.writes%pruneEvery == 0
	s.writes++
	s.mu.Unlock()
	s.pending.Go(func() {
		if s.write(s.path(key), output) == nil && prune {
			s.prune()
		}
	})
}

// wait waits for pending writes.
func (s *store) wait() { s.pending.Wait() }

// write writes an entry atomically.
func (s *store) write(path string, output []byte) error {
	var zipped bytes.Buffer
	z, err := gzip.NewWriterLevel(&zipped, gzip.BestSpeed)
	if err != nil {
		return err
	}
	z.Write(output)
	z.Close()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return atomicfile.WriteFile(path, zipped.Bytes(), 0o600)
}

// prune removes the least recently used entries until the rest fits.
func (s *store) prune() {
	type entry struct {
		path string
		size int64
		used time.Time
	}
	var entries []entry
	var total int64
	filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			entries = append(entries, entry{path, info.Size(), info.ModTime()})
			total += info.Size()
		}
		return nil
	})
	slices.SortFunc(entries, func(a, b entry) int { return a.used.Compare(b.used) })
	for _, e := range entries {
		if total <= s.limit {
			return
		}
		if os.Remove(e.path) == nil {
			total -= e.size
		}
	}
}
