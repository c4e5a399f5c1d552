package server

import (
	"context"
	"errors"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// replay runs the witness of a finding again and opens its trace.
func (c *commands) replay(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := c.finding(a)
	if err != nil {
		return nil, err
	}
	return c.showReplay(ctx, snapshot, m)
}

func (c *commands) showReplay(ctx context.Context, snapshot *session.Snapshot, m session.ContractMark) (any, error) {
	head, debugs := c.client.format.Story(snapshot, m), c.client.format.Debugs(snapshot, m.Analysis.Path)
	if !c.session.CanTrace() {
		head += c.client.format.Transactions(snapshot, m)
		return c.showTrace(ctx, m.Finding.ID, document{text: head}, m.Contract)
	}
	lines, err := c.session.Trace(ctx, m)
	if err != nil {
		return nil, err
	}
	trace := c.client.format.Trace(head+"\n", lines, debugs)
	return c.showTrace(ctx, m.Finding.ID, document{text: trace.Text, trace: trace, traced: m.Finding}, m.Contract)
}

// traceTest shows the trace of the test at a range of a file: of its failure, or else of
// the input that it ended with. The test must have run.
func (c *commands) traceTest(ctx context.Context, a arguments) (any, error) {
	snapshot, t, err := c.testAt(a)
	if err != nil {
		return nil, err
	}
	if m, fails := snapshot.FailureOf(t); fails {
		return c.showReplay(ctx, snapshot, m)
	}
	lines, err := c.session.TraceTest(ctx, t)
	if err != nil {
		return nil, err
	}
	trace := c.client.format.Trace(present.TestStory(t)+"\n", lines, false)
	return c.showTrace(ctx, t.Contract.Name+"."+t.Signature, document{text: trace.Text}, t.Contract)
}

// testAt returns the test at a range of an open file.
func (c *commands) testAt(a arguments) (*session.Snapshot, session.TestMark, error) {
	d, err := c.openFile(a)
	if err != nil {
		return nil, session.TestMark{}, err
	}
	at := c.aim(d, a, 1)
	if at == nil {
		return nil, session.TestMark{}, errors.New("the second argument is not a range")
	}
	snapshot := c.session.Snapshot()
	t, ok := snapshot.TestAt(d.Path, *at)
	if !ok {
		return nil, session.TestMark{}, errors.New("there is no test here")
	}
	return snapshot, t, nil
}

// showTrace shows a trace with links to the sources of a contract.
func (c *commands) showTrace(ctx context.Context, name string, d document, contract *session.Contract) (any, error) {
	d.sources = map[string]string{}
	for _, source := range contract.Build.Sources {
		if source != nil && source.Path != "" {
			d.sources[source.Path], d.sources[source.Name] = source.Path, source.Path
		}
	}
	u, err := c.documents.open(ctx, "traces", fileName(name)+".trace", d)
	return string(u), err
}
