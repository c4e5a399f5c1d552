package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/uri"

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

func (c *commands) launch(snapshot *session.Snapshot, m session.ContractMark) (l present.Launch, err error) {
	if err := mayDebug(snapshot, m.Analysis.Path); err != nil {
		return l, err
	}
	if m.Stale {
		return l, errors.New("the code of the finding has changed: save the file, then debug what fails in it")
	}
	text, err := present.WitnessText(snapshot, m)
	if err != nil {
		return l, err
	}
	file, err := c.documents.write("findings", fileName(m.Finding.ID)+".json", text)
	if err != nil {
		return l, err
	}
	return present.LaunchOf(m, file), nil
}

// debugLine returns what a client starts the debugger with to stop at a line of the trace
// of a finding.
func (c *commands) debugLine(_ context.Context, a arguments) (any, error) {
	u, err := a.text(0)
	if err != nil {
		return nil, err
	}
	var line int
	if len(a) < 2 || json.Unmarshal(a[1], &line) != nil {
		return nil, errors.New("the second argument is not the number of a line")
	}
	d, ok := c.documents.find(uri.URI(u))
	switch {
	case !ok:
		return nil, errors.New("this trace is not known any more: replay the finding again")
	case d.traced == nil:
		return nil, errors.New("this is not the trace of a finding")
	case d.trace.Stops[line] == "":
		return nil, errors.New("no debugger can stand at this line: choose one with a call, a change of storage, an event, a failure or a statement")
	}
	snapshot := c.session.Snapshot()
	m, ok := snapshot.Find(d.traced.ID)
	if !ok || !slices.Equal(m.Finding.Witness.Describe(nil), d.traced.Witness.Describe(nil)) {
		return nil, errors.New("the finding is gone or has other transactions now: replay it again")
	}
	l, err := c.launch(snapshot, m)
	l.Step = d.trace.Stops[line]
	return l, err
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
