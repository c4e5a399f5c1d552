package server

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/present"
	"leveret/lsp/session"
)

// fuzz starts a campaign on an open file, optionally on one contract and aimed
// at a range.
func (c *commands) fuzz(_ context.Context, a arguments) (any, error) {
	d, err := c.openFile(a)
	if err != nil {
		return nil, err
	}
	contract, err := a.text(1)
	if err != nil {
		return nil, err
	}
	c.session.Fuzz(d.Path, contract, c.aim(d, a, 2))
	return nil, nil
}

// openFile returns the open file that the first argument names.
func (c *commands) openFile(a arguments) (*session.Document, error) {
	u, err := a.text(0)
	if err != nil {
		return nil, err
	}
	path, ok := filePath(uri.URI(u))
	d := c.session.Snapshot().Document(path)
	if !ok || d == nil || !d.Open {
		return nil, fmt.Errorf("%s is not open", u)
	}
	return d, nil
}

// aim returns the range that an argument is, nil if there is none.
func (c *commands) aim(d *session.Document, a arguments, i int) *session.Span {
	if i >= len(a) {
		return nil
	}
	var at protocol.Range
	if protocol.Unmarshal(a[i], &at) != nil {
		return nil
	}
	span := c.client.format.Span(d, at)
	return &span
}

func (c *commands) stop(context.Context, arguments) (any, error) {
	c.session.Stop()
	return nil, nil
}

// silence adds a suppression comment.
func (c *commands) silence(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := c.finding(a)
	if err != nil {
		return nil, err
	}
	return nil, c.client.apply(ctx, "Silence "+m.Finding.Oracle, c.client.format.Silence(snapshot, m.Finding.ID))
}

// explain opens the page of an oracle and returns its text. The argument is
// the oracle's name or the id of a finding.
func (c *commands) explain(ctx context.Context, a arguments) (any, error) {
	name, err := a.text(0)
	if err != nil {
		return nil, err
	}
	snapshot := c.session.Snapshot()
	if m, ok := snapshot.Find(name); ok {
		name = m.Finding.Oracle
	}
	i := slices.IndexFunc(snapshot.Oracles, func(o session.Oracle) bool { return o.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("unknown oracle %q", name)
	}
	o := snapshot.Oracles[i]
	switch {
	case !c.client.can.showDocument:
		c.client.say(protocol.MessageTypeInfo, "Leveret: "+o.Title)
	case o.URL != "":
		err = c.client.browse(ctx, uri.URI(o.URL))
	case o.Doc != "":
		_, err = c.documents.open(ctx, "oracles", fileName(name)+".md", document{text: o.Doc})
	}
	return strings.TrimSpace(o.Title + "\n\n" + o.Doc), err
}

func (c *commands) copyWitness(_ context.Context, a arguments) (any, error) {
	snapshot, m, err := c.finding(a)
	if err != nil {
		return nil, err
	}
	return present.Witness(snapshot, m), nil
}

func (c *commands) clearCorpus(context.Context, arguments) (any, error) {
	return nil, c.session.ClearCorpus()
}

func (c *commands) restartCompiler(context.Context, arguments) (any, error) {
	c.session.Restart()
	return nil, nil
}

// installCompiler downloads the compiler version of its argument.
func (c *commands) installCompiler(ctx context.Context, a arguments) (any, error) {
	version, err := a.text(0)
	if err != nil {
		return nil, err
	}
	if version == "" {
		return nil, errors.New("missing compiler version, for example 0.8.30")
	}
	return nil, c.installer.run(ctx, version)
}

// doctor describes the set-up of a file or, without an argument, of each
// folder.
func (c *commands) doctor(ctx context.Context, a arguments) (any, error) {
	u, err := a.text(0)
	if err != nil {
		return nil, err
	}
	path, _ := filePath(uri.URI(u))
	return c.session.Doctor(ctx, path), nil
}
