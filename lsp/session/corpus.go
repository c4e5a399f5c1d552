package session

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"sync"

	"go.uber.org/zap"
)

// maxWarnings bounds the remembered warnings.
const maxWarnings = 100

// corpora are the directories of the contracts' corpora: below the user's
// cache, by workspace, so that workspaces are not written to and share
// nothing.
type corpora struct {
	cache string // empty: keep no corpora
	log   *zap.Logger

	mu     sync.Mutex
	warned map[string]bool
}

// dir returns the directory of a contract's corpus; empty without a cache.
func (c *corpora) dir(s *Snapshot, path, contract string) string {
	if c.cache == "" {
		return ""
	}
	root := s.workspaceRoot(path)
	rel, err := filepath.Rel(root, path)
	if err != nil {
		rel = filepath.Base(path)
	}
	return filepath.Join(c.workspace(root), shortHash(rel), contract)
}

// workspaceRoot returns the folder of the workspace that a file is in, else the
// file's own.
func (s *Snapshot) workspaceRoot(path string) string {
	if root := s.root(path); root != "" {
		return root
	}
	return filepath.Dir(path)
}

func (c *corpora) workspace(root string) string {
	return filepath.Join(c.cache, "corpus", filepath.Base(root)+"-"+shortHash(root))
}

// remove deletes the corpora of the workspaces of all analysed files.
func (c *corpora) remove(s *Snapshot) error {
	for path := range s.Analyses {
		if err := os.RemoveAll(c.workspace(s.workspaceRoot(path))); err != nil {
			return err
		}
	}
	return nil
}

// warn logs an error of saving a corpus. It logs each text once, because a
// disk stays full for a while.
func (c *corpora) warn(err error) {
	c.mu.Lock()
	known := c.warned[err.Error()]
	if c.warned == nil || len(c.warned) >= maxWarnings {
		c.warned = map[string]bool{}
	}
	c.warned[err.Error()] = true
	c.mu.Unlock()
	if !known {
		c.log.Sugar().Warnf("%v; findings are still reported, but later campaigns may start without saved inputs", err)
	}
}

// shortHash returns a file name for a text.
func shortHash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:6])
}
