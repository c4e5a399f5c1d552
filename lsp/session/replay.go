package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"leveret/solc"
	"leveret/solc/trust"
)

// NoFinding is the error of a request for a finding that is gone.
func NoFinding(id string) error { return fmt.Errorf("there is no finding %q any more", id) }

// Trace runs a finding's witness again and returns the readable trace.
func (s *Session) Trace(ctx context.Context, id string) (string, error) {
	m, ok := s.Snapshot().Find(id)
	if !ok {
		return "", NoFinding(id)
	}
	if s.config.Trace == nil {
		return "", errors.New("this build cannot replay")
	}
	trace, err := s.config.Trace(ctx, m.Finding, m.Contract.Contract, m.Contract.Build.Contracts)
	return trace, s.logPanic(err)
}

// A TestFile is a file with regression tests, before and after one was added.
type TestFile struct {
	Path      string
	Exists    bool
	Old, Text []byte
}

// Test returns the file that a regression test for a finding belongs in, with
// the test.
func (s *Session) Test(id string) (TestFile, error) {
	snapshot := s.Snapshot()
	m, ok := snapshot.Find(id)
	if !ok {
		return TestFile{}, NoFinding(id)
	}
	if s.config.Test == nil {
		return TestFile{}, errors.New("this build cannot write tests")
	}
	root := snapshot.projectRoot(m)
	file := TestFile{Path: filepath.Join(root, "test", m.Contract.Name+solc.TestSuffix)}
	if !snapshot.SettingsFor(m.Analysis.Path).Trusted && trust.LeadsOut(root, file.Path) {
		return TestFile{}, fmt.Errorf("%s leads out of the project by a link, and the workspace is not trusted; remove the link", file.Path)
	}
	old, err := snapshot.read(file.Path)
	switch {
	case err == nil:
		file.Old, file.Exists = old, true
	case !errors.Is(err, fs.ErrNotExist):
		return TestFile{}, err
	}
	file.Text, err = s.config.Test(root, file.Old, m.Finding, m.Contract.Contract)
	if err != nil {
		return TestFile{}, fmt.Errorf("%s cannot be made a test: %w", id, err)
	}
	return file, nil
}

// projectRoot returns the folder that the names of a contract's sources are
// relative to.
func (s *Snapshot) projectRoot(m Place) string {
	if source := m.Contract.Build.Source(m.Contract.File); source != nil {
		if root, ok := strings.CutSuffix(source.Path, string(filepath.Separator)+filepath.FromSlash(source.Name)); ok && root != "" {
			return root
		}
	}
	if f, ok := s.Folder(m.Analysis.Path); ok {
		return f.Path
	}
	return filepath.Dir(m.Analysis.Path)
}

// read returns what a file says now: in the editor, else on disk.
func (s *Snapshot) read(path string) ([]byte, error) {
	if d := s.Documents[path]; d != nil && d.Open {
		return d.Text, nil
	}
	return trust.ReadRegular(path, maxDocument)
}

// maxDocument is the size of the largest source that is read.
const maxDocument = 4 << 20

// Sources returns the files that went into what is analysed and are not open.
func (s *Session) Sources() []string {
	snapshot := s.Snapshot()
	seen := map[string]bool{}
	var paths []string
	for _, a := range snapshot.Analyses {
		for path := range a.texts {
			if d := snapshot.Documents[path]; (d == nil || !d.Open) && !seen[path] {
				seen[path] = true
				paths = append(paths, path)
			}
		}
	}
	return paths
}
