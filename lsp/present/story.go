package present

import (
	"fmt"
	"strings"

	"leveret/lsp/session"
)

// Story tells a finding as a document of its own: what fails and where, and
// the values that mattered. Sources have the names that the compiler has for
// them, as everywhere in a trace. What happened, transaction by transaction,
// is the trace's to tell, which stands below it.
func (c Client) Story(s *session.Snapshot, m session.Place) string {
	f := m.Finding
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", f.Oracle, f.Message)
	fmt.Fprintf(&b, "in %s", f.Contract)
	if f.Function != "" {
		fmt.Fprintf(&b, ", function %s", f.Function)
	}
	b.WriteString("\n")
	if d := s.Document(m.Path); d != nil {
		line := d.Lines.OffsetPosition(m.Span.Start).Line
		fmt.Fprintf(&b, "\n%s:%d\n    %s\n", unitName(m, m.Path), line, strings.TrimSpace(string(d.Lines.Text(line))))
	}
	if len(f.Related) > 0 {
		b.WriteString("\nSee also\n")
	}
	for _, r := range f.Related {
		fmt.Fprintf(&b, "  %s:%d: %s\n", unitName(m, r.Place.Path), r.Place.Start.Line, r.Message)
	}
	if len(f.Evidence) > 0 {
		b.WriteString("\nValues\n")
	}
	for _, e := range f.Evidence {
		fmt.Fprintf(&b, "  %s = %s\n", e.Name, e.Value)
	}
	return b.String()
}

// Transactions lists those that lead to a finding, each with the source line of
// what it calls: for where there is no trace.
func (c Client) Transactions(s *session.Snapshot, m session.Place) string {
	var b strings.Builder
	b.WriteString("\nTransactions\n")
	for i, call := range m.Finding.Witness.Describe(nil) {
		fmt.Fprintf(&b, "  %d. %s\n", i+1, call)
		if at, ok := c.called(s, m, &m.Finding.Witness.Txs[i]); ok {
			fmt.Fprintf(&b, "     %s:%d\n", unitName(m, at.URI.FsPath()), at.Range.Start.Line+1)
		}
	}
	return b.String()
}

// unitName is what the compiler calls a file: to people, its path in the
// project.
func unitName(m session.Place, path string) string {
	if source := m.Contract.Build.PathSource(path); source != nil {
		return source.Name
	}
	return path
}
