package server

import "context"

// replay runs the witness of a finding again and opens its trace.
func (c *commands) replay(ctx context.Context, a arguments) (any, error) {
	snapshot, m, err := c.finding(a)
	if err != nil {
		return nil, err
	}
	d := document{text: c.client.format.Story(snapshot, m), sources: map[string]string{}}
	if !c.session.CanTrace() {
		d.text += c.client.format.Transactions(snapshot, m)
	} else {
		trace, err := c.session.Trace(ctx, m)
		if err != nil {
			return nil, err
		}
		d.text += "\n" + trace
	}
	for _, source := range m.Contract.Build.Sources {
		if source != nil && source.Path != "" {
			d.sources[source.Path], d.sources[source.Name] = source.Path, source.Path
		}
	}
	u, err := c.documents.open(ctx, "traces", fileName(m.Finding.ID)+".trace", d)
	return string(u), err
}
