package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/trust"
)

// CanTrace reports whether Trace can return traces.
func (s *Session) CanTrace() bool { return s.config.Engine.Trace != nil }

// Trace runs a finding's witness again and returns a readable trace.
func (s *Session) Trace(ctx context.Context, m ContractMark) ([]TraceLine, error) {
	return s.trace(ctx, m.Analysis, m.Contract, m.Finding)
}

// TraceTest runs the input that a test ended with again and returns a readable trace.
func (s *Session) TraceTest(ctx context.Context, m TestMark) ([]TraceLine, error) {
	t := m.Test
	switch {
	case t == nil:
		return nil, fmt.Errorf("%s has not run yet: run it first", m.Signature)
	case len(t.Witness.Txs) == 0:
		return nil, fmt.Errorf("%s ended without an input that could be traced", m.Signature)
	}
	return s.trace(ctx, m.Analysis, m.Contract, &finding.Finding{Function: t.Signature, Witness: t.Witness})
}

func (s *Session) trace(ctx context.Context, a *Analysis, c *Contract, f *finding.Finding) ([]TraceLine, error) {
	out, closed, err := s.hosts.open(ctx, c.Contract, s.Snapshot().SettingsFor(a.Path), f.Witness.Deployment, true)
	defer closed()
	if err != nil {
		return nil, err
	}
	trace, err := s.config.Engine.Trace(ctx, f, c.Contract, c.Build.Contracts, out)
	return trace, logPanic(s.config.Log, err)
}

// A TestFile is a file with regression tests, before and after one was added.
type TestFile struct {
	Path      string
	Exists    bool
	Old, Text []byte
}

// CanTest reports whether Test can write tests.
func (s *Session) CanTest() bool { return s.config.Test != nil }

// Test returns the file for a finding's regression test, with the test added.
func (s *Session) Test(snapshot *Snapshot, m ContractMark) (TestFile, error) {
	if s.config.Test == nil {
		return TestFile{}, errors.New("this server cannot write tests")
	}
	root := snapshot.ProjectRoot(m)
	file := TestFile{Path: filepath.Join(root, filepath.FromSlash(solc.TestFile(m.Contract.Name)))}
	if !snapshot.SettingsFor(m.Analysis.Path).Trusted && trust.LeadsOut(root, file.Path) {
		return TestFile{}, fmt.Errorf("%s leads out of the project by a link, and the workspace is not trusted: remove the link", file.Path)
	}
	old, err := snapshot.read(file.Path)
	switch {
	case err == nil:
		file.Old, file.Exists = old, true
	case !errors.Is(err, fs.ErrNotExist):
		return TestFile{}, err
	}
	file.Text, err = s.config.Test(file.Old, m.Finding, m.Contract.Contract)
	if err != nil {
		return TestFile{}, fmt.Errorf("cannot write a test for %s: %w", m.Finding.ID, err)
	}
	return file, nil
}

// ProjectRoot returns the folder that the names of a contract's sources are
// relative to.
func (s *Snapshot) ProjectRoot(m ContractMark) string {
	if source := m.Contract.Build.Source(m.Contract.File); source != nil {
		if root, ok := strings.CutSuffix(source.Path, string(filepath.Separator)+filepath.FromSlash(source.Name)); ok && root != "" {
			return root
		}
	}
	return s.workspaceRoot(m.Analysis.Path)
}

// read returns the current text of a file, from the editor or the disk.
func (s *Snapshot) read(path string) ([]byte, error) {
	if d := s.Documents[path]; d != nil && d.Open {
		return d.Text, nil
	}
	return trust.ReadRegular(path, maxDocument)
}

// maxDocument bounds the size of a source in bytes.
const maxDocument = 4 << 20

// Sources returns the files that analyses compiled.
func (s *Session) Sources() []string {
	paths := map[string]bool{}
	for _, a := range s.Snapshot().Analyses {
		for path := range a.texts {
			paths[path] = true
		}
	}
	return slices.Sorted(maps.Keys(paths))
}
