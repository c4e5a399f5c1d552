package server

import (
	"context"
	"errors"
	"fmt"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// debug returns what a client starts the debugger with for a finding. It writes the
// finding to a file, which the debugger reads.
func (c *commands) debug(_ context.Context, a arguments) (any, error) {
	snapshot, m, err := c.finding(a)
	if err != nil {
		return nil, err
	}
	return c.launch(snapshot, m)
}

func (c *commands) launch(snapshot *session.Snapshot, m session.ContractMark) (any, error) {
	if err := mayDebug(snapshot, m.Analysis.Path); err != nil {
		return nil, err
	}
	if m.Stale {
		return nil, errors.New("the code of the finding has changed: save the file, then debug what fails in it")
	}
	text, err := present.WitnessText(snapshot, m)
	if err != nil {
		return nil, err
	}
	file, err := c.documents.write("findings", fileName(m.Finding.ID)+".json", text)
	if err != nil {
		return nil, err
	}
	return present.LaunchOf(m, file), nil
}

// debugTest returns what a client starts the debugger with for the test at a range of a
// file: its failure, or else the test, which the debugger runs.
func (c *commands) debugTest(_ context.Context, a arguments) (any, error) {
	snapshot, t, err := c.testAt(a)
	if err != nil {
		return nil, err
	}
	if m, fails := snapshot.FailureOf(t); fails && !m.Stale {
		return c.launch(snapshot, m)
	}
	if err := mayDebug(snapshot, t.Analysis.Path); err != nil {
		return nil, err
	}
	return present.LaunchOfTest(t), nil
}

// mayDebug reports why a file cannot be debugged: the debugger is a command, which trusts
// the project.
func mayDebug(s *session.Snapshot, path string) error {
	if !s.SettingsFor(path).Trusted {
		return fmt.Errorf("%s is in a workspace that is not trusted: trust it to debug", path)
	}
	return nil
}
