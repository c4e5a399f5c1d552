package present

import (
	"go.lsp.dev/protocol"

	"leveret/lsp/session"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// kindTest is the kind of actions on tests. Editors that show a sign where there are
// quick fixes show none for it.
const kindTest protocol.CodeActionKind = "source.test"

// testActions returns the actions on the test that a range touches, and the replays
// of tests that fail on the way through it.
func (c Client) testActions(s *session.Snapshot, d *session.Document, at srcmap.Span, can Abilities) (list []protocol.CommandOrCodeAction) {
	if t, ok := s.TestAt(d.Path, at); ok {
		list = append(list, c.testAction(c.runCommand("Run "+t.Signature, s, t.Analysis, t.Contract, t.Node)))
		if t.Test != nil && len(t.Test.Witness.Txs) > 0 {
			list = append(list, c.testAction(c.atTest("Trace of "+t.Signature, CommandTraceTest, s, t.Analysis, t.Node)))
		}
		if can.Debug {
			list = append(list, c.testAction(c.atTest("Debug "+t.Signature, CommandDebugTest, s, t.Analysis, t.Node)))
		}
	}
	for _, w := range c.waypoints(s, d) {
		if w.isTest() && d.ShareLine(w.span, at) {
			for _, m := range w.marks {
				list = append(list, c.testAction(protocol.Command{
					Title: "Replay: " + m.Finding.Function, Command: CommandReplay, Arguments: []protocol.LSPAny{jsonValue(m.Finding.ID)},
				}))
			}
		}
	}
	return list
}

func (c Client) testAction(command protocol.Command) protocol.CommandOrCodeAction {
	if !c.Literals {
		return &command
	}
	kind := kindTest
	return &protocol.CodeAction{Title: command.Title, Kind: &kind, Command: command}
}

// runCommand returns the command that fuzzes or tests a function.
func (c Client) runCommand(title string, s *session.Snapshot, a *session.Analysis, contract *session.Contract, f *ast.Node) protocol.Command {
	arguments := []protocol.LSPAny{jsonValue(string(FileURI(s, a.Path))), jsonValue(contract.Name)}
	if at, ok := c.nodeRange(s, a, f); ok {
		arguments = append(arguments, jsonValue(at))
	}
	return protocol.Command{Title: title, Command: CommandFuzz, Arguments: arguments}
}

// atTest returns a command on a test.
func (c Client) atTest(title, command string, s *session.Snapshot, a *session.Analysis, f *ast.Node) protocol.Command {
	arguments := []protocol.LSPAny{jsonValue(string(FileURI(s, a.Path)))}
	if at, ok := c.nodeRange(s, a, f); ok {
		arguments = append(arguments, jsonValue(at))
	}
	return protocol.Command{Title: title, Command: command, Arguments: arguments}
}

// nodeRange returns where a declaration of an analysed file is in the current text.
func (c Client) nodeRange(s *session.Snapshot, a *session.Analysis, n *ast.Node) (protocol.Range, bool) {
	span, ok := s.Move(a, a.Path, n.Span)
	if !ok {
		return protocol.Range{}, false
	}
	return c.rangeOf(s.Document(a.Path).Lines, span.Start, span.End()), true
}
