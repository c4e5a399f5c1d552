package session

import (
	"context"
	"slices"

	"leveret/engine"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// targets turns what changed since the last completed campaign on a contract
// into places to aim at. Which of them are part of the contract's code, by
// inheritance, by import or not at all, the engine finds out.
func (s *Session) targets(ctx context.Context, p *plan, c *Contract, set settings.Settings) []engine.Lines {
	if len(p.spans) > 0 {
		return aimed(p)
	}
	base := c.base
	if base == nil && p.guest {
		base = p.before
	}
	if rev := set.GitBaseline(); rev != "" {
		base = gitTexts(ctx, p.build, rev)
	}
	if base == nil {
		return nil // never fuzzed before: everything is of the same interest
	}
	var lines []engine.Lines
	for _, source := range p.build.Sources {
		if source == nil || source.Path == "" {
			continue
		}
		before, known := base[source.Path]
		if !known {
			continue // new to the contract; its code is reached from what changed
		}
		if spans := changedSpans(before, source); len(spans) > 0 {
			lines = append(lines, engine.Lines{File: source.Name, Spans: spans})
		}
	}
	return lines
}

// aimed turns a range that the user chose in the present text into targets.
func aimed(p *plan) []engine.Lines {
	for _, source := range p.build.Sources {
		if source != nil && source.Path == p.path {
			var spans []srcmap.Span
			for _, span := range p.spans {
				span.Source = source.ID
				spans = append(spans, span)
			}
			return []engine.Lines{{File: source.Name, Spans: spans}}
		}
	}
	return nil
}

// changedSpans returns the code of a source that differs from its text before:
// the statements on changed lines, whole functions where their heads changed,
// the functions that use a changed state variable. What was deleted leaves
// behind what follows it and the ends of its function.
func changedSpans(before []byte, source *solc.Source) (spans []srcmap.Span) {
	for _, h := range lineHunks(before, source.Text) {
		changed := srcmap.Span{Source: source.ID, Start: h.at, Length: h.Size}
		if source.Unit == nil {
			spans = append(spans, changed)
			continue
		}
		for _, n := range source.Unit.Changed(changed) {
			if !slices.Contains(spans, n.Span) {
				spans = append(spans, n.Span)
			}
		}
	}
	return spans
}
