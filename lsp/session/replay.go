package session

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Trace runs a finding's witness again and returns the readable trace.
func (s *Session) Trace(ctx context.Context, id string) (string, error) {
	m, ok := s.Snapshot().Find(id)
	if !ok {
		return "", fmt.Errorf("there is no finding %q any more", id)
	}
	if s.config.Trace == nil {
		return "", errors.New("this build cannot replay")
	}
	return s.config.Trace(ctx, m.Finding, m.Contract.Contract, m.Contract.Build.Contracts)
}

// Test returns a regression test for a finding and the file it belongs in.
func (s *Session) Test(ctx context.Context, id string) (text, path string, err error) {
	snapshot := s.Snapshot()
	m, ok := snapshot.Find(id)
	if !ok {
		return "", "", fmt.Errorf("there is no finding %q any more", id)
	}
	if s.config.Test == nil {
		return "", "", errors.New("this build cannot write tests")
	}
	root := filepath.Dir(m.Analysis.Path)
	if f, ok := snapshot.Folder(m.Analysis.Path); ok {
		root = f.Path
	}
	text, err = s.config.Test(ctx, m.Finding, m.Contract.Contract, m.Contract.Build.Contracts)
	return text, filepath.Join(root, "test", m.Contract.Name+".leveret.t.sol"), err
}

// Doctor tells what is found for a file or, without one, for each folder.
func (s *Session) Doctor(ctx context.Context, path string) string {
	if s.config.Doctor == nil {
		return "this build has no doctor"
	}
	snapshot := s.Snapshot()
	if path != "" {
		return s.config.Doctor(ctx, path, snapshot.SettingsFor(path))
	}
	var parts []string
	for _, f := range snapshot.Folders {
		parts = append(parts, s.config.Doctor(ctx, f.Path, f.Settings))
	}
	return strings.Join(parts, "\n")
}

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
