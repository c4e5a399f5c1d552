package session

import (
	"context"
	"time"

	"leveret/engine"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/change"
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
		base = s.gitTexts(ctx, p.build, rev)
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
		if spans := change.Code(before, source); len(spans) > 0 {
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

// gitTime bounds how long git's files are read.
const gitTime = 5 * time.Second

// gitTexts returns what the sources of a build said at a revision. Files that
// were not there are missing; so is everything if this is not a repository.
func (s *Session) gitTexts(ctx context.Context, build *solc.Build, rev string) map[string][]byte {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	var paths []string
	for _, source := range build.Sources {
		if source != nil && source.Path != "" {
			paths = append(paths, source.Path)
		}
	}
	texts, err := change.Texts(ctx, paths, rev)
	if err != nil {
		s.config.Log.Sugar().Infof("leveret.baseline git:%s: %v", rev, err)
	}
	return texts
}
