package present

import (
	"fmt"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"
	"go.lsp.dev/protocol"

	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/ast"
)

// Lenses returns the code lenses of contracts and functions. It is never nil.
func (c Client) Lenses(s *session.Snapshot, path string) []protocol.CodeLens {
	list := []protocol.CodeLens{}
	a, d := s.Analyses[path], s.Document(path)
	if a == nil || d == nil || a.Build == nil || !s.SettingsFor(path).CodeLens {
		return list
	}
	source := a.Build.PathSource(path)
	if source == nil {
		return list
	}
	above := func(n *ast.Node, command protocol.Command) {
		span, ok := s.Move(a, path, n.NameSpan(source.Text))
		if ok {
			list = append(list, protocol.CodeLens{Range: c.rangeOf(d.Lines, span.Start, span.End()), Command: command})
		}
	}
	for _, contract := range a.Contracts {
		if contract.Node == nil {
			continue
		}
		above(contract.Node, c.contractLens(s, a, contract))
		if contract.State == session.StateSkipped {
			continue
		}
		for _, f := range functionsOf(contract, source.ID) {
			above(f, c.functionLens(s, a, contract, f))
			for _, command := range c.moreLenses(s, a, contract, f) {
				above(f, command)
			}
		}
	}
	return list
}

func (c Client) contractLens(s *session.Snapshot, a *session.Analysis, contract *session.Contract) protocol.Command {
	title := Summary(s, a, contract)
	switch {
	case contract.State == session.StateSkipped:
		return protocol.Command{Title: title} // nothing to run
	case contract.State == session.StateRunning:
		return protocol.Command{Title: title + " · stop", Command: CommandStop}
	}
	return protocol.Command{
		Title: title + " · " + runVerb(contract), Command: CommandFuzz,
		Arguments: []protocol.LSPAny{jsonValue(string(FileURI(s, a.Path))), jsonValue(contract.Name)},
	}
}

func (c Client) functionLens(s *session.Snapshot, a *session.Analysis, contract *session.Contract, f *ast.Node) protocol.Command {
	title := runVerb(contract)
	if t := contract.TestOf(f); t != nil {
		title = testText(t) + " · " + title
	} else if n := session.Places(marksIn(s, a, contract, f)); n > 0 {
		title = count(n, "finding") + " · " + title
	}
	if v, ok := viewOf(contract, a.Path, f); ok && contract.State != session.StateRunning {
		title = v.text() + " · " + title
	}
	return c.runCommand(title, s, a, contract, f)
}

// moreLenses returns the lenses of a function beside the first one: the trace and the
// debugger for a test, the debugger for each place and cause of findings inside.
func (c Client) moreLenses(s *session.Snapshot, a *session.Analysis, contract *session.Contract, f *ast.Node) (list []protocol.Command) {
	debugs := c.Debugs(s, a.Path)
	if contract.RunsTests() {
		if t := contract.TestOf(f); t != nil && len(t.Witness.Txs) > 0 {
			list = append(list, c.atTest("trace", CommandTraceTest, s, a, f))
		}
		if debugs {
			list = append(list, c.atTest("debug", CommandDebugTest, s, a, f))
		}
		return list
	}
	if debugs {
		for _, m := range session.Distinct(marksIn(s, a, contract, f)) {
			list = append(list, protocol.Command{Title: "debug " + m.Finding.Oracle, Command: CommandDebug, Arguments: []protocol.LSPAny{jsonValue(m.Finding.ID)}})
		}
	}
	return list
}

// runVerb says what the lens of a contract does.
func runVerb(c *session.Contract) string {
	if c.RunsTests() && c.Harness() == nil {
		return "run"
	}
	return "fuzz"
}

// marksIn returns the findings inside a function.
func marksIn(s *session.Snapshot, a *session.Analysis, contract *session.Contract, f *ast.Node) (inside []session.Mark) {
	span, ok := s.Move(a, a.Path, f.Span)
	if !ok {
		return nil
	}
	for _, m := range contract.Marks {
		if m.Path == a.Path && span.Start <= m.Span.Start && m.Span.End() <= span.End() {
			inside = append(inside, m)
		}
	}
	return inside
}

// Summary describes the state of a contract in a line.
func Summary(s *session.Snapshot, a *session.Analysis, c *session.Contract) string {
	switch {
	case c.State == session.StateSkipped:
		return c.Note
	case c.State == session.StateRunning:
		return "● " + string(s.Activity.Kind) + statistics(s.Activity)
	case a.Failure != nil && a.Failure.Kind == solc.CompileError:
		return "not fuzzed: the file does not compile"
	case a.Failure != nil:
		return "not fuzzed: " + string(a.Failure.Kind)
	case a.Phase != session.Ready && c.State == session.StateQueued:
		return "waiting to be fuzzed"
	case c.Note != "":
		return c.Note
	case len(c.Tests) > 0:
		return testsText(c)
	case c.Stats.Inputs == 0:
		return "not fuzzed yet"
	}
	parts := []string{"fuzzed " + seconds(c.Spent), count(c.Stats.Paths, "path")}
	if b := c.Stats.Branches; b.Total > 0 {
		parts = append(parts, fmt.Sprintf("%d/%d branches", b.Covered, b.Total))
	}
	if n := session.Places(c.Marks); n > 0 {
		parts = append(parts, count(n, "finding"))
	}
	return strings.Join(parts, " · ")
}

// statistics returns the speed and paths of a running campaign.
func statistics(a session.Activity) string {
	if a.Stats.Seconds <= 0 || a.Stats.Inputs == 0 {
		return ""
	}
	return fmt.Sprintf(" · %.0f inputs/s · %s", float64(a.Stats.Inputs)/a.Stats.Seconds, count(a.Stats.Paths, "path"))
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1f s", d.Seconds()) }

// count formats a number with its noun, in the plural if it is not 1.
func count(n int, noun string) string {
	return fmt.Sprintf("%d %s", n, english.PluralWord(n, noun, ""))
}
