package main

import (
	"context"
	"fmt"

	"leveret/solc"
	"leveret/solc/change"
	"leveret/solc/selection"
)

// changedSince lists the files of units that differ from a git revision.
func changedSince(ctx context.Context, root, revision string, units []selection.Unit) ([]fileLines, error) {
	var sources []*solc.Source
	seen := map[string]bool{}
	for _, u := range units {
		for _, s := range u.Build.Sources {
			if s != nil && !seen[s.Path] {
				seen[s.Path] = true
				sources = append(sources, s)
			}
		}
	}
	changed, err := change.Since(ctx, root, revision, sources)
	if err != nil {
		return nil, fmt.Errorf("--since %s: %s: %w", revision, root, err)
	}
	var files []fileLines
	for _, f := range changed {
		files = append(files, fileLines{path: f.Path, since: &f})
	}
	return files, nil
}
