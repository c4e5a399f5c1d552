package present

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/dustin/go-humanize/english"
	"go.lsp.dev/protocol"

	"leveret/engine/report"
	"leveret/lsp/session"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// Hover describes the findings on the line of a position, else the function or
// contract whose name is there. It returns nil if there is none.
func (c Client) Hover(s *session.Snapshot, path string, at protocol.Position) *protocol.Hover {
	d := s.Document(path)
	if d == nil {
		return nil
	}
	offset := c.Offset(d, at)
	if h := c.hoverFindings(s, d, offset); h != nil {
		return h
	}
	a := s.Analyses[path]
	if a == nil || a.Build == nil {
		return nil
	}
	source := a.Build.PathSource(path)
	for _, contract := range a.Contracts {
		if source == nil || contract.Node == nil {
			continue
		}
		nodes := append([]*ast.Node{contract.Node}, reachable(contract.Contract, source.ID)...)
		for _, n := range nodes {
			span, ok := s.Move(a, path, n.NameSpan(source.Text))
			if ok && span.Start <= offset && offset <= span.End() {
				return c.hover(d, span, c.explored(s, a, contract, n))
			}
		}
	}
	return nil
}

func (c Client) hover(d *session.Document, span srcmap.Span, text string) *protocol.Hover {
	at := c.rangeOf(d.Lines, span.Start, span.End())
	kind := protocol.MarkupKindPlainText
	if c.Markdown {
		kind = protocol.MarkupKindMarkdown
	} else {
		text = strings.NewReplacer("**", "", "`", "").Replace(text)
	}
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: kind, Value: text}, Range: &at}
}

// hoverFindings describes the findings on the line of an offset.
func (c Client) hoverFindings(s *session.Snapshot, d *session.Document, offset int) *protocol.Hover {
	line := d.Lines.OffsetPosition(offset).Line
	var parts []string
	var over srcmap.Span
	for _, g := range s.Groups(d.Path) {
		m := g[0]
		first, last := d.Lines.OffsetPosition(m.Span.Start).Line, d.Lines.OffsetPosition(m.Span.End()).Line
		if line < first || line > last {
			continue
		}
		if len(parts) == 0 {
			over = m.Span
		}
		parts = append(parts, strings.Join(append([]string{evidence(m)}, others(g)...), "\n\n"))
	}
	if len(parts) == 0 {
		return nil
	}
	return c.hover(d, over, strings.Join(parts, "\n\n---\n\n"))
}

// evidence returns a finding's message, transactions and values.
func evidence(m session.ContractMark) string {
	f := m.Finding
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** in `%s`: %s\n", f.Oracle, f.Contract, f.Message)
	for i, call := range f.Witness.Brief() {
		fmt.Fprintf(&b, "\n%d. `%s`", i+1, call)
	}
	if len(f.Evidence) > 0 {
		b.WriteString("\n")
	}
	for _, e := range f.Evidence {
		fmt.Fprintf(&b, "\n- %s: `%s`", e.Name, e.Value)
	}
	if own := notInOwnBuild(m); own != "" {
		b.WriteString("\n\n" + own + ".")
	}
	if m.Stale {
		b.WriteString("\n\nThe code was edited since this was found; save to check it again.")
	}
	return b.String()
}

// explored returns the statistics of a contract or function.
func (c Client) explored(s *session.Snapshot, a *session.Analysis, contract *session.Contract, n *ast.Node) string {
	name := contract.Name
	if n != contract.Node {
		name += "." + n.Attr("name")
	}
	text := fmt.Sprintf("**%s**\n\n%s", name, Summary(s, a, contract))
	if contract.State == session.StateSkipped || contract.Stats.Inputs == 0 {
		return text
	}
	if n != contract.Node {
		v, ok := viewOf(contract, a.Path, n)
		if !ok {
			return text
		}
		return fmt.Sprintf("**%s**\n\n%s · %s%s", name, v.text(), count(v.inputs, "input"), v.missed(c, s, a, a.Path))
	}
	st := contract.Stats
	text += fmt.Sprintf("\n\n%s of %d instructions, %s, %s",
		fmt.Sprint(st.Instructions.Covered), st.Instructions.Total, count(st.Inputs, "input"), count(st.Transactions, "transaction"))
	if missed := st.Branches.Total - st.Branches.Covered; missed > 0 {
		text += fmt.Sprintf("\n\n%d %s not covered", missed, english.PluralWord(missed, "branch", "branches"))
	}
	if b := report.BlockerOf(contract.Contract, st, contract.Explored); b != nil {
		text += fmt.Sprintf("\n\n%s: %s.", name, b.Sentence(c.linkTo(s, a, b)))
	}
	return text
}

// linkTo names the line of a condition, where it is in the current text.
func (c Client) linkTo(s *session.Snapshot, a *session.Analysis, b *report.Blocker) string {
	path, line := b.Source.Path, b.Line
	if d := s.Document(path); d != nil {
		if now, ok := s.Move(a, path, b.Span); ok {
			line = d.Lines.OffsetPosition(now.Start).Line
		}
	}
	name := fmt.Sprintf("%s:%d", filepath.Base(path), line)
	if !c.Markdown {
		return name
	}
	return fmt.Sprintf("[%s](%s#L%d)", name, FileURI(s, path), line)
}
