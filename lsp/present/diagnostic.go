package present

import (
	"encoding/json"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/session"
	"leveret/solc"
)

// maxRelated bounds the entries of related information.
const maxRelated = 20

// shownCalls bounds the calls that the message lists.
const shownCalls = 3

// Data is the data of a diagnostic or an action.
type Data struct {
	Finding string `json:"finding"`
	Source  string `json:"source"`            // hash of the text it was found in
	Related bool   `json:"related,omitempty"` // the diagnostic is at another place than the finding
}

// Diagnostics returns the diagnostics of a file: findings, most severe first,
// then places on the way to failures of tests, then notes. It is never nil, because an empty list clears.
func (c Client) Diagnostics(s *session.Snapshot, path string) []protocol.Diagnostic {
	list := []protocol.Diagnostic{}
	d := s.Document(path)
	if d == nil || d.Gone {
		return list
	}
	for _, g := range s.Groups(path) {
		list = append(list, c.finding(s, d, g))
	}
	for _, w := range c.waypoints(s, d) {
		list = append(list, c.waypoint(s, d, w))
	}
	if a := s.Analyses[path]; a != nil {
		list = append(list, c.notes(s, d, a)...)
		list = append(list, c.unused(s, a, d)...)
	}
	return list
}

var severities = map[finding.Severity]protocol.DiagnosticSeverity{
	finding.Error:       protocol.DiagnosticSeverityError,
	finding.Warning:     protocol.DiagnosticSeverityWarning,
	finding.Information: protocol.DiagnosticSeverityInformation,
	finding.Hint:        protocol.DiagnosticSeverityHint,
}

// finding returns the diagnostic of a group: its first mark, and the others in
// short.
func (c Client) finding(s *session.Snapshot, d *session.Document, g session.Group) protocol.Diagnostic {
	m := g[0]
	f := m.Finding
	diagnostic := protocol.Diagnostic{
		Range:    c.rangeOf(d.Lines, m.Span.Start, m.Span.End()),
		Severity: severities[m.Severity],
		Code:     protocol.String(f.Oracle),
		Source:   protocol.NewOptional(Source),
		Message:  protocol.String(strings.Join(append([]string{message(m)}, others(g)...), "\n")),
		Data:     FindingData(m),
	}
	if m.Stale && diagnostic.Severity < protocol.DiagnosticSeverityInformation {
		diagnostic.Severity = protocol.DiagnosticSeverityInformation
	}
	if url := oracleURL(s, f); url != "" {
		diagnostic.CodeDescription = protocol.CodeDescription{Href: uri.URI(url)}
	}
	if c.Related {
		diagnostic.RelatedInformation = append(c.related(s, m), c.contracts(s, g)...)
	}
	return diagnostic
}

// FindingData returns the data of a mark's diagnostic and actions.
func FindingData(m session.ContractMark) protocol.LSPAny { return dataOf(m, false) }

func dataOf(m session.ContractMark, related bool) protocol.LSPAny {
	raw, err := json.Marshal(Data{Finding: m.Finding.ID, Source: m.SourceHash(), Related: related})
	if err != nil {
		return nil
	}
	return raw
}

func oracleURL(s *session.Snapshot, f *finding.Finding) string {
	for _, o := range s.Oracles {
		if o.Name == f.Oracle && o.URL != "" {
			return o.URL
		}
	}
	if f.SWC != "" {
		return "https://swcregistry.io/docs/" + f.SWC + "/"
	}
	return ""
}

// message returns the finding's message with its first calls, because some
// clients hide related information.
func message(m session.ContractMark) string {
	f := m.Finding
	var b strings.Builder
	if m.Stale {
		b.WriteString("edited since this was found; save to check it again. ")
	}
	b.WriteString(f.Message)
	if own := notInOwnBuild(m); own != "" {
		b.WriteString(". " + own)
	}
	if m.Accepted {
		b.WriteString(". It is in the baseline")
	}
	if tx := f.Witness.Last(); f.Oracle == engine.TestOracle && len(f.Witness.Txs) == 1 && len(tx.Args) == 0 && tx.Function != nil && tx.Function.Signature == f.Function {
		return b.String() // the message names the test, which is the only call
	}
	if calls := f.Witness.Brief(); len(calls) > 1 || len(calls) == 1 && !strings.Contains(f.Message, calls[0]) {
		b.WriteString("\n")
		for i, call := range calls {
			if i == shownCalls && len(calls) > shownCalls+1 {
				fmt.Fprintf(&b, "… and %d more", len(calls)-i)
				break
			}
			fmt.Fprintf(&b, "%d. %s\n", i+1, call)
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

// notInOwnBuild says that a finding does not show in the project's own build. It
// is empty for others, and for those that must be found again first.
func notInOwnBuild(m session.ContractMark) string {
	if m.Missing == "" || m.Stale {
		return ""
	}
	return "This does not show in the project's own build (" + m.Missing + ")"
}

// related returns a numbered entry for each transaction at the function that
// it calls, then the oracle's related positions, of which at least ten fit.
func (c Client) related(s *session.Snapshot, m session.ContractMark) []protocol.DiagnosticRelatedInformation {
	f := m.Finding
	var list []protocol.DiagnosticRelatedInformation
	calls := f.Witness.Describe(nil)
	for i := range f.Witness.Txs {
		if len(list) == maxRelated-min(len(f.Related), maxRelated/2) {
			break
		}
		at, ok := c.called(s, m, &f.Witness.Txs[i])
		if !ok {
			at = protocol.Location{URI: FileURI(s, m.Path), Range: c.rangeOf(s.Document(m.Path).Lines, m.Span.Start, m.Span.End())}
		}
		list = append(list, protocol.DiagnosticRelatedInformation{Location: at, Message: fmt.Sprintf("%d. %s", i+1, calls[i])})
	}
	for _, r := range f.Related {
		if len(list) == maxRelated {
			break
		}
		if now, ok := s.MoveOf(m.Mark, r.Place.Path, r.Place.Span); ok {
			list = append(list, protocol.DiagnosticRelatedInformation{Location: c.location(s, r.Place.Path, m.Source(r.Place.Path), now), Message: r.Message})
		}
	}
	return list
}

// called returns the declaration of the function that a transaction calls.
func (c Client) called(s *session.Snapshot, m session.ContractMark, tx *input.Tx) (protocol.Location, bool) {
	contract := target(m, tx)
	node := calledNode(contract, tx.Function)
	if node == nil && contract != nil {
		node = contract.Node // no function has the selector
	}
	if node == nil {
		return protocol.Location{}, false
	}
	source := contract.Build.SpanSource(node.Span)
	if source == nil || source.Path == "" {
		return protocol.Location{}, false
	}
	now, ok := s.Move(m.Analysis, source.Path, node.NameSpan(source.Text))
	return c.location(s, source.Path, source.Text, now), ok
}

// target returns the contract that a transaction of a witness calls.
func target(m session.ContractMark, tx *input.Tx) *solc.Contract {
	d := m.Finding.Witness.Deployment
	if d == nil {
		return m.Contract.Contract
	}
	made := d.Find(tx.To)
	if made == nil || made.File == "" {
		return nil
	}
	return m.Contract.Build.Contract(made.File + ":" + made.Class())
}
