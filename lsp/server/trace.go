package server

import (
	"context"
	"leveret/lsp/session"
)

// replay runs a finding's witness again and opens its trace.
func (s *server) replay(ctx context.Context, id string) (string, error) {
	snapshot := s.session.Snapshot()
	m, ok := snapshot.Find(id)
	if !ok {
		return "", session.NoFinding(id)
	}
	d := document{text: s.client.Story(snapshot, m), sources: map[string]string{}}
	if s.session.Config().Trace == nil {
		d.text += s.client.Transactions(snapshot, m)
	} else {
		trace, err := s.session.Trace(ctx, id)
		if err != nil {
			return "", err
		}
		d.text += "\n" + trace
	}
	for _, source := range m.Contract.Build.Sources {
		if source != nil && source.Path != "" {
			d.sources[source.Path], d.sources[source.Name] = source.Path, source.Path
		}
	}
	u, err := s.openDocument(ctx, "traces", fileName(id)+".trace", d)
	return string(u), err
}
