package present

import (
	"fmt"

	"github.com/dustin/go-humanize/english"
	"go.lsp.dev/protocol"

	"leveret/lsp/session"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// maxContracts bounds the contracts of a group that are named.
const maxContracts = 10

// others returns sentences about what a group has besides its first mark: oracles
// that describe the same cause, and contracts.
func others(g session.Group) (sentences []string) {
	if oracles := g.Oracles(); len(oracles) > 1 {
		sentences = append(sentences, "Same cause: "+english.WordSeries(oracles[1:], "and"))
	}
	names := g.Contracts()
	if all := len(names); all > 1 {
		if all > maxContracts {
			names = append(names[:maxContracts:maxContracts], fmt.Sprintf("%d more", all-maxContracts))
		}
		sentences = append(sentences, fmt.Sprintf("In %d contracts: %s", all, english.WordSeries(names, "and")))
	}
	return sentences
}

// contracts returns an entry for each contract of a group but the first mark's, at
// its name.
func (c Client) contracts(s *session.Snapshot, g session.Group) (list []protocol.DiagnosticRelatedInformation) {
	for _, m := range byContract(g)[1:] {
		if len(list) == maxContracts {
			break
		}
		if source, now, ok := nameOf(s, m); ok {
			list = append(list, protocol.DiagnosticRelatedInformation{
				Location: c.location(s, source.Path, source.Text, now), Message: "also in " + m.Contract.Name,
			})
		}
	}
	return list
}

// byContract returns the first mark of each contract of a group.
func byContract(g session.Group) (list []session.ContractMark) {
	seen := map[*session.Contract]bool{}
	for _, m := range g {
		if !seen[m.Contract] {
			seen[m.Contract] = true
			list = append(list, m)
		}
	}
	return list
}

// nameOf returns the source that declares the contract of a mark, and its name in the
// current text; false if there is none.
func nameOf(s *session.Snapshot, m session.ContractMark) (*solc.Source, srcmap.Span, bool) {
	if m.Contract.Node == nil {
		return nil, srcmap.Span{}, false
	}
	source := m.Analysis.Build.SpanSource(m.Contract.Node.Span)
	if source == nil || source.Path == "" {
		return nil, srcmap.Span{}, false
	}
	now, ok := s.Move(m.Analysis, source.Path, m.Contract.Node.NameSpan(source.Text))
	return source, now, ok
}
