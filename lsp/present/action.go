package present

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine"
	"leveret/engine/report/foundry"
	"leveret/engine/suppress"
	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// The commands of workspace/executeCommand. Each action has one, for clients
// that show neither lenses nor actions.
const (
	CommandFuzz            = "leveret.fuzz"            // [uri, contract?, range?]
	CommandStop            = "leveret.stop"            // []
	CommandReplay          = "leveret.replay"          // [finding id]
	CommandExportTest      = "leveret.exportTest"      // [finding id]
	CommandSilence         = "leveret.silence"         // [finding id]
	CommandExplain         = "leveret.explain"         // [oracle or finding id]
	CommandCopyWitness     = "leveret.copyWitness"     // [finding id]; returns JSON
	CommandClearCorpus     = "leveret.clearCorpus"     // []
	CommandRestartCompiler = "leveret.restartCompiler" // []
	CommandInstallCompiler = "leveret.installCompiler" // [version]
	CommandDoctor          = "leveret.doctor"          // [uri?]
	CommandTraceTest       = "leveret.traceTest"       // [uri, range]
	CommandDebug           = "leveret.debug"           // [finding id]; returns a Launch
	CommandDebugTest       = "leveret.debugTest"       // [uri, range]; returns a Launch
	CommandDebugLine       = "leveret.debugLine"       // [uri of a finding's trace, line from 0]; returns a Launch
)

// Commands lists the commands.
var Commands = []string{
	CommandFuzz, CommandStop, CommandReplay, CommandExportTest, CommandSilence, CommandExplain,
	CommandCopyWitness, CommandClearCorpus, CommandRestartCompiler, CommandInstallCompiler, CommandDoctor,
	CommandTraceTest, CommandDebug, CommandDebugTest, CommandDebugLine,
}

// ActionKinds are the kinds of the code actions.
var ActionKinds = []protocol.CodeActionKind{protocol.CodeActionKindQuickFix, kindTest}

// An offer is a row of the table of actions on findings.
type offer struct {
	title     string
	command   string // empty: only for clients that show edits
	preferred bool
	edit      func(c Client, s *session.Snapshot, m session.ContractMark) *protocol.WorkspaceEdit // nil: the command makes the edit, if any
	offered   func(a Abilities) bool                                                              // nil: always
	on        func(s *session.Snapshot, m session.ContractMark) bool                              // the findings it is offered on; nil: all
}

// Abilities are optional abilities of the server.
type Abilities struct {
	Test    bool // write regression tests
	Install bool // download compilers
	Debug   bool // name what a debugger starts, to a client that can start it
}

var offers = []offer{
	{title: "Replay", command: CommandReplay, preferred: true},
	{title: "Debug this finding", command: CommandDebug, offered: func(a Abilities) bool { return a.Debug }},
	{title: "Add regression test", command: CommandExportTest, offered: func(a Abilities) bool { return a.Test }, on: ofCode},
	{title: "Keep as a unit test", edit: Client.keep, on: hasExample},
	{title: "Silence here", command: CommandSilence, edit: Client.silence},
	{title: "Explain", command: CommandExplain, on: ofCode},
	{title: "Copy witness as JSON", command: CommandCopyWitness},
}

// Actions returns the actions on the findings that a range touches, the installation
// of a missing compiler, and the actions on the test there.
func (c Client) Actions(s *session.Snapshot, path string, at protocol.Range, only []protocol.CodeActionKind, can Abilities) []protocol.CommandOrCodeAction {
	list := []protocol.CommandOrCodeAction{}
	d := s.Document(path)
	if d == nil {
		return list
	}
	span := c.Span(d, at)
	if wanted(only, protocol.CodeActionKindQuickFix) {
		list = append(list, c.quickFixes(s, d, span, can)...)
	}
	if wanted(only, kindTest) {
		list = append(list, c.testActions(s, d, span, can)...)
	}
	return list
}

// quickFixes returns the actions on the findings that a range touches, and the
// installation of a missing compiler.
func (c Client) quickFixes(s *session.Snapshot, d *session.Document, at srcmap.Span, can Abilities) (list []protocol.CommandOrCodeAction) {
	if a := s.Analyses[d.Path]; can.Install && a != nil && a.Failure != nil && a.Failure.Install != "" && d.Lines.Line(at.Start) == 1 {
		list = append(list, c.install(s, d, a))
	}
	for _, g := range s.Groups(d.Path) {
		if !d.ShareLine(g[0].Span, at) {
			continue
		}
		m := g[0]
		for _, o := range offersOn(s, m, can) {
			if o.command != "" || c.Literals {
				list = append(list, c.action(s, m, c.finding(s, d, g), o))
			}
		}
		list = append(list, c.longer(s, m))
	}
	for _, w := range c.waypoints(s, d) {
		if w.isTest() || !d.ShareLine(w.span, at) {
			continue
		}
		for _, m := range w.marks {
			for _, o := range offersOn(s, m, can) {
				if o.edit == nil { // an edit is where the finding is
					list = append(list, c.action(s, m, c.waypoint(s, d, w), o))
				}
			}
		}
	}
	return list
}

// offersOn returns the rows of the table that are offered on a finding.
func offersOn(s *session.Snapshot, m session.ContractMark, can Abilities) (list []offer) {
	for _, o := range offers {
		if (o.offered == nil || o.offered(can)) && (o.on == nil || o.on(s, m)) {
			list = append(list, o)
		}
	}
	return list
}

// wanted reports whether the requested kinds include a kind.
func wanted(only []protocol.CodeActionKind, kind protocol.CodeActionKind) bool {
	return len(only) == 0 || slices.ContainsFunc(only, func(k protocol.CodeActionKind) bool {
		return k == protocol.CodeActionKindEmpty || k == kind || strings.HasPrefix(string(k), string(kind)+".") || strings.HasPrefix(string(kind), string(k)+".")
	})
}

// action returns an action on a finding, which a diagnostic shows.
func (c Client) action(s *session.Snapshot, m session.ContractMark, shown protocol.Diagnostic, o offer) protocol.CommandOrCodeAction {
	title := o.title + ": " + m.Finding.Oracle
	argument := m.Finding.ID
	command := protocol.Command{Title: title, Command: o.command, Arguments: []protocol.LSPAny{jsonValue(argument)}}
	if !c.Literals {
		return &command
	}
	kind := protocol.CodeActionKindQuickFix
	action := &protocol.CodeAction{
		Title:       title,
		Kind:        &kind,
		Diagnostics: []protocol.Diagnostic{shown},
		Data:        FindingData(m),
	}
	if o.preferred {
		yes := true
		action.IsPreferred = &yes
	}
	switch {
	case o.edit == nil:
		action.Command = command
	case !c.Resolve:
		action.Edit = o.edit(c, s, m)
	}
	return action
}

// ResolveAction adds the edit of an action that was sent without one.
func (c Client) ResolveAction(s *session.Snapshot, action *protocol.CodeAction) *protocol.CodeAction {
	if action.Edit != nil || action.Command.Command != "" {
		return action
	}
	var data Data
	if json.Unmarshal(action.Data, &data) != nil {
		return action
	}
	m, ok := s.Find(data.Finding)
	if !ok {
		return action // fixed meanwhile
	}
	for _, o := range offers {
		if o.edit != nil && strings.HasPrefix(action.Title, o.title+":") {
			resolved := *action
			resolved.Edit = o.edit(c, s, m)
			return &resolved
		}
	}
	return action
}

// longer returns the action that fuzzes the function of a finding longer.
func (c Client) longer(s *session.Snapshot, m session.ContractMark) protocol.CommandOrCodeAction {
	command := protocol.Command{
		Title:   "Fuzz this function longer",
		Command: CommandFuzz,
		Arguments: []protocol.LSPAny{
			jsonValue(string(FileURI(s, m.Analysis.Path))), jsonValue(m.Contract.Name),
			jsonValue(c.rangeOf(s.Document(m.Path).Lines, m.Span.Start, m.Span.End())),
		},
	}
	if !c.Literals {
		return &command
	}
	kind := protocol.CodeActionKindQuickFix
	return &protocol.CodeAction{Title: command.Title, Kind: &kind, Command: command}
}

// install returns the action that downloads the missing compiler.
func (c Client) install(s *session.Snapshot, d *session.Document, a *session.Analysis) protocol.CommandOrCodeAction {
	command := protocol.Command{
		Title:     "Download solc " + a.Failure.Install,
		Command:   CommandInstallCompiler,
		Arguments: []protocol.LSPAny{jsonValue(a.Failure.Install)},
	}
	if !c.Literals {
		return &command
	}
	kind, preferred := protocol.CodeActionKindQuickFix, true
	return &protocol.CodeAction{Title: command.Title, Kind: &kind, IsPreferred: &preferred, Diagnostics: []protocol.Diagnostic{c.failure(s, d, a)}, Command: command}
}

func jsonValue(v any) protocol.LSPAny {
	raw, err := protocol.Marshal(v)
	if err != nil {
		raw, err = json.Marshal(v)
	}
	if err != nil {
		return protocol.LSPAny("null")
	}
	return raw
}

// ofCode reports whether a finding is not a failing test, which has no page and needs
// no regression test.
func ofCode(_ *session.Snapshot, m session.ContractMark) bool {
	return m.Finding.Oracle != engine.TestOracle
}

// hasExample reports whether a finding is a counterexample that a unit test can be
// made of.
func hasExample(s *session.Snapshot, m session.ContractMark) bool {
	_, text, _ := example(s, m)
	return text != ""
}

// example returns the unit test of a counterexample, and where it belongs in the
// current text of a file: after the fuzz test. The text is empty if there is none.
func example(s *session.Snapshot, m session.ContractMark) (path, text string, at int) {
	txs := m.Finding.Witness.Txs
	if m.Finding.Oracle != engine.TestOracle || len(txs) != 1 || len(txs[0].Args) == 0 {
		return "", "", 0
	}
	node := calledNode(m.Contract.Contract, txs[0].Function)
	if node == nil || txs[0].Function.Signature != m.Finding.Function {
		return "", "", 0
	}
	source := m.Analysis.Build.SpanSource(node.Span)
	if source == nil || s.Document(source.Path) == nil {
		return "", "", 0
	}
	span, ok := s.Move(m.Analysis, source.Path, node.Span)
	if !ok {
		return "", "", 0
	}
	d := s.Document(source.Path)
	name := txs[0].Function.Name + "_Example"
	for n := 2; strings.Contains(string(d.Text), "function "+name+"("); n++ {
		name = fmt.Sprintf("%s_Example%d", txs[0].Function.Name, n)
	}
	text, ok = foundry.Example(name, txs[0].Function, txs[0].Args)
	if !ok {
		return "", "", 0
	}
	start, _ := d.Lines.LineSpan(d.Lines.OffsetPosition(span.Start).Line)
	indent := string(d.Text[start:span.Start])
	if strings.TrimSpace(indent) != "" {
		indent = ""
	}
	end := lineEnd(d.Text)
	return source.Path, end + end + indent + text, span.End()
}

// keep adds the unit test of a counterexample.
func (c Client) keep(s *session.Snapshot, m session.ContractMark) *protocol.WorkspaceEdit {
	path, text, offset := example(s, m)
	if text == "" {
		return nil
	}
	at := c.position(s.Document(path).Lines, offset)
	return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{
		FileURI(s, path): {{Range: protocol.Range{Start: at, End: at}, NewText: text}},
	}}
}

// silence inserts a suppression comment above the line of a finding, for all
// oracles that describe its cause.
func (c Client) silence(s *session.Snapshot, m session.ContractMark) *protocol.WorkspaceEdit {
	d := s.Document(m.Path)
	line := d.Lines.OffsetPosition(m.Span.Start).Line
	start, end := d.Lines.LineSpan(line)
	indent := start
	for indent < end && (d.Text[indent] == ' ' || d.Text[indent] == '\t') {
		indent++
	}
	comment := string(d.Text[start:indent]) + "// " + suppress.NextLine(s.GroupOf(m).Oracles()...) + lineEnd(d.Text)
	at := c.position(d.Lines, start)
	return &protocol.WorkspaceEdit{Changes: map[uri.URI][]protocol.TextEdit{
		FileURI(s, m.Path): {{Range: protocol.Range{Start: at, End: at}, NewText: comment}},
	}}
}

// Silence returns the edit that suppresses a finding; nil if there is no such
// finding.
func (c Client) Silence(s *session.Snapshot, id string) *protocol.WorkspaceEdit {
	m, ok := s.Find(id)
	if !ok || s.Document(m.Path) == nil {
		return nil
	}
	return c.silence(s, m)
}

// lineEnd returns the line ending of a text.
func lineEnd(text []byte) string {
	if strings.Contains(string(text[:min(len(text), 4096)]), "\r\n") {
		return "\r\n"
	}
	return "\n"
}
