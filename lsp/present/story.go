package present

import (
	"fmt"
	"strings"

	"leveret/lsp/session"
)

// Story returns the head of a trace document: message, source line, related
// positions and values of a finding. Sources have the compiler's names, as in
// the trace below.
func (c Client) Story(s *session.Snapshot, m session.ContractMark) string {
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

// TestStory returns the head of a trace document of a test that did not fail.
func TestStory(t session.TestMark) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\nin %s\n", t.Signature, testText(t.Test), t.Contract.Name)
	if status := testStatus(t.Test); len(status.Lines) > 0 {
		fmt.Fprintf(&b, "\nPrinted\n  %s\n", strings.Join(status.Lines, "\n  "))
	}
	return b.String()
}

// Transactions lists the transactions of a finding with the source lines of
// the called functions. It replaces a trace if there is none.
func (c Client) Transactions(s *session.Snapshot, m session.ContractMark) string {
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

// unitName returns the compiler's name of a file, which is its path in the
// project.
func unitName(m session.ContractMark, path string) string {
	if source := m.Contract.Build.PathSource(path); source != nil {
		return source.Name
	}
	return path
}
