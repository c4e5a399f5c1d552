package present

import (
	"strings"

	"go.lsp.dev/protocol"

	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// notes returns why a file or its contracts are not fuzzed: the compiler's
// messages if the settings enable them, else one note.
func (c Client) notes(s *session.Snapshot, d *session.Document, a *session.Analysis) []protocol.Diagnostic {
	var list []protocol.Diagnostic
	verbose := s.SettingsFor(a.Path).CompilerDiagnostics
	if verbose {
		list = c.compiler(s, d, a)
	}
	if a.Failure != nil && !(verbose && hasErrors(list)) {
		list = append(list, c.failure(s, d, a))
	}
	if a.Failure != nil {
		return list
	}
	for _, contract := range a.Contracts {
		if contract.State == session.StateSkipped || contract.Note == "" || contract.Node == nil {
			continue // shown in lenses and hovers
		}
		source := a.Build.PathSource(a.Path)
		span, ok := s.Move(a, a.Path, contract.Node.NameSpan(source.Text))
		if ok {
			list = append(list, note(c.rangeOf(d.Lines, span.Start, span.End()), contract.Note))
		}
	}
	return list
}

func note(at protocol.Range, text string) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range:    at,
		Severity: protocol.DiagnosticSeverityInformation,
		Code:     protocol.String("not-fuzzed"),
		Source:   protocol.NewOptional(Source),
		Message:  protocol.String(text),
	}
}

// failure returns the note in the first line that says why a file is not fuzzed.
func (c Client) failure(s *session.Snapshot, d *session.Document, a *session.Analysis) protocol.Diagnostic {
	n := note(c.firstLine(d), "not fuzzed: "+a.Failure.Text)
	if !c.Related || a.Failure.Path == "" || a.Failure.Line == 0 {
		return n
	}
	if line, ok := s.MoveLine(a, a.Failure.Path, a.Failure.Line); ok {
		n.RelatedInformation = []protocol.DiagnosticRelatedInformation{{
			Location: protocol.Location{URI: FileURI(s, a.Failure.Path), Range: lineRange(line)},
			Message:  "this error blocks fuzzing",
		}}
	}
	return n
}

func lineRange(line int) protocol.Range {
	at := protocol.Position{Line: uint32(line - 1)}
	return protocol.Range{Start: at, End: at}
}

func hasErrors(list []protocol.Diagnostic) bool {
	for _, d := range list {
		if d.Severity == protocol.DiagnosticSeverityError {
			return true
		}
	}
	return false
}

var compilerSeverities = map[string]protocol.DiagnosticSeverity{
	"error":   protocol.DiagnosticSeverityError,
	"warning": protocol.DiagnosticSeverityWarning,
	"info":    protocol.DiagnosticSeverityInformation,
}

// compiler returns the compiler's messages about a file.
func (c Client) compiler(s *session.Snapshot, d *session.Document, a *session.Analysis) []protocol.Diagnostic {
	var list []protocol.Diagnostic
	for _, m := range a.Messages {
		if m.File != a.SourceName && m.File != "" {
			continue
		}
		at, ok := c.messageRange(s, d, a, m)
		if !ok {
			continue // its lines were deleted
		}
		list = append(list, protocol.Diagnostic{
			Range:    at,
			Severity: compilerSeverities[m.Severity],
			Code:     protocol.String(m.Code),
			Source:   protocol.NewOptional("solc"),
			Message:  protocol.String(m.Text),
		})
	}
	return list
}

func (c Client) messageRange(s *session.Snapshot, d *session.Document, a *session.Analysis, m solc.Message) (protocol.Range, bool) {
	if m.File == "" || m.Span.Source < 0 {
		return c.firstLine(d), true
	}
	span, ok := s.MoveMessage(a, d.Path, srcmap.Span{Start: m.Span.Start, Length: m.Span.Length})
	return c.rangeOf(d.Lines, span.Start, span.End()), ok
}

// unused returns hints on suppression comments that match no finding, once all
// contracts of the file were fuzzed.
func (c Client) unused(s *session.Snapshot, a *session.Analysis, d *session.Document) []protocol.Diagnostic {
	var list []protocol.Diagnostic
	if !a.Settled() {
		return list
	}
	for _, comment := range s.Unused(d) {
		message := "unused suppression comment"
		if len(comment.Oracles) > 0 {
			message += ": no finding of " + strings.Join(comment.Oracles, ", ")
		}
		list = append(list, protocol.Diagnostic{
			Range:    c.rangeOf(d.Lines, comment.Directive.Start, comment.Directive.End()),
			Severity: protocol.DiagnosticSeverityHint,
			Code:     protocol.String("unused-suppression"),
			Source:   protocol.NewOptional(Source),
			Message:  protocol.String(message),
			Tags:     protocol.NewDiagnosticTags(protocol.DiagnosticTagUnnecessary),
		})
	}
	return list
}
