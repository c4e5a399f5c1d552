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

// targets returns what changed since the last completed campaign on a
// contract, in all sources of its build. The engine determines which of it is
// code of the contract.
func (e *campaigns) targets(ctx context.Context, p *plan, c *Contract, set settings.Settings) []engine.Lines {
	if len(p.spans) > 0 {
		return chosenTargets(p)
	}
	base := c.base
	if base == nil && p.dependent {
		base = p.before
	}
	if rev := set.GitBaseline(); rev != "" {
		base = e.gitTexts(ctx, p.build, rev)
	}
	if base == nil {
		return nil // the first campaign
	}
	var lines []engine.Lines
	for _, source := range p.build.Sources {
		if source == nil || source.Path == "" {
			continue
		}
		before, known := base[source.Path]
		if !known {
			continue // a new import: changed code reaches it
		}
		if spans := change.Code(before, source); len(spans) > 0 {
			lines = append(lines, engine.Lines{File: source.Name, Spans: spans})
		}
	}
	return lines
}

// chosenTargets returns the ranges of the current text that the user chose.
func chosenTargets(p *plan) []engine.Lines {
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

// gitTimeout bounds reading files from git.
const gitTimeout = 5 * time.Second

// CheckBaseline returns why the revision of a git baseline cannot be read in a folder; nil
// if it can.
func CheckBaseline(ctx context.Context, folder, revision string) error {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	_, err := change.Since(ctx, folder, revision, nil)
	return err
}

// gitTexts returns the texts of a build's sources at a revision, without those
// that did not exist. It is nil if git fails.
func (e *campaigns) gitTexts(ctx context.Context, build *solc.Build, rev string) map[string][]byte {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	var paths []string
	for _, source := range build.Sources {
		if source != nil && source.Path != "" {
			paths = append(paths, source.Path)
		}
	}
	texts, err := change.Texts(ctx, paths, rev)
	if err != nil {
		e.log.Sugar().Infof("leveret.baseline git:%s: %v", rev, err)
	}
	return texts
}
