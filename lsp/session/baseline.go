package session

import (
	"context"
	"os/exec"
	"path/filepath"
	"time"

	"leveret/solc"
)

// gitTime bounds one question to git.
const gitTime = 5 * time.Second

// gitTexts returns what the sources of a build said at a revision. Files that
// were not there are missing; so is everything if this is not a repository.
func gitTexts(ctx context.Context, build *solc.Build, rev string) map[string][]byte {
	texts := map[string][]byte{}
	for _, source := range build.Sources {
		if source == nil || source.Path == "" {
			continue
		}
		if text, err := gitText(ctx, source.Path, rev); err == nil {
			texts[source.Path] = text
		}
	}
	return texts
}

// gitText reads the plain object: no filter, pager or hook that the
// repository configures has a say in it.
func gitText(ctx context.Context, path, rev string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", "cat-file", "blob", rev+":./"+filepath.Base(path))
	cmd.Dir = filepath.Dir(path)
	return cmd.Output()
}
