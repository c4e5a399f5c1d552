package session

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
)

// maxTold bounds what is remembered of what was told.
const maxTold = 100

// corpus returns the directory of a contract's corpus: below the user's cache,
// by workspace, so that no workspace is written to and no two share. Empty
// without a cache.
func (s *Session) corpus(path, contract string) string {
	if s.config.Cache == "" {
		return ""
	}
	root := filepath.Dir(path)
	if f, ok := s.Snapshot().Folder(path); ok {
		root = f.Path
	}
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = filepath.Base(path)
	}
	return filepath.Join(s.corpusRoot(root), short(rel), contract)
}

func (s *Session) corpusRoot(root string) string {
	return filepath.Join(s.config.Cache, "corpus", filepath.Base(root)+"-"+short(root))
}

// unkept logs what is wrong with a corpus, once for each reason: a disk that is
// full stays so for a while.
func (s *Session) unkept(err error) {
	s.mu.Lock()
	told := s.told[err.Error()]
	if s.told == nil || len(s.told) >= maxTold {
		s.told = map[string]bool{}
	}
	s.told[err.Error()] = true
	s.mu.Unlock()
	if !told {
		s.config.Log.Sugar().Warnf("%v; findings are reported all the same, but later campaigns may start without saved inputs", err)
	}
}

// ClearCorpus removes what campaigns kept of the workspace, and has the open
// files fuzzed anew.
func (s *Session) ClearCorpus() error {
	if s.config.Cache == "" {
		return nil
	}
	snapshot := s.Snapshot()
	roots := map[string]bool{}
	var requests []request
	for path := range snapshot.Analyses {
		root := filepath.Dir(path)
		if f, ok := snapshot.Folder(path); ok {
			root = f.Path
		}
		roots[s.corpusRoot(root)] = true
		requests = append(requests, request{path: path, fuzz: true})
	}
	s.Stop()
	for root := range roots {
		if err := os.RemoveAll(root); err != nil {
			return err
		}
	}
	s.update(func(next *Snapshot) {
		for path, a := range next.Analyses {
			forgetful := a.clone()
			forgetful.past = nil
			next.Analyses[path] = forgetful
		}
	})
	s.enqueue(requests...)
	return nil
}

// short is a name for a path that is a name.
func short(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:6])
}
