package solc

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// askTime bounds how long others may take to tell a configuration.
const askTime = 30 * time.Second

// A forgeAnswer is what forge said about a project.
type forgeAnswer struct {
	stamp      string         // of the files that it depends on
	config     map[string]any // forge config --json
	remappings []string       // forge remappings; nil if it did not tell
	err        error
}

// forge asks forge about a project, once for as long as its configuration stays
// as it is; nil if there is none, or none may be run: only one that the user
// installed is, never one that lies in the project, and none at all for a
// project that is not trusted.
func (t *Toolchain) forge(p *Project) *forgeAnswer {
	if t.env.Untrusted {
		return nil
	}
	forge := t.findForge(p.Root)
	if forge == "" {
		return nil
	}
	now := stamps(forge, p.Config, filepath.Join(p.Root, "remappings.txt"), filepath.Join(p.Root, ".env"), filepath.Join(p.Root, "lib"))
	t.mu.Lock()
	known := t.forged[p.Root]
	t.mu.Unlock()
	if known != nil && known.stamp == now {
		return known
	}
	answer := askForge(forge, p.Root)
	answer.stamp = now
	t.mu.Lock()
	defer t.mu.Unlock()
	t.forged[p.Root] = answer
	return answer
}

// findForge returns the user's forge.
func (t *Toolchain) findForge(root string) string {
	forge := lookPath(t.env.Path, "forge")
	if forge == "" && t.env.Home != "" {
		forge = lookPath(filepath.Join(t.env.Home, ".foundry", "bin"), "forge")
	}
	if forge == "" || within(root, forge) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(forge); err != nil || within(root, real) {
		return ""
	}
	return forge
}

// within reports whether path lies in a folder.
func within(folder, path string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// stamps tells states of files apart.
func stamps(paths ...string) string {
	var b strings.Builder
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

func askForge(forge, root string) *forgeAnswer {
	text, err := runIn(root, forge, "config", "--json")
	answer := &forgeAnswer{err: err}
	if err != nil {
		return answer
	}
	if err := json.Unmarshal(text, &answer.config); err != nil {
		answer.err = errors.New("forge config --json gave no JSON")
		return answer
	}
	if text, err := runIn(root, forge, "remappings"); err == nil {
		answer.remappings = []string{}
		for _, r := range parseRemappings(string(text)) {
			answer.remappings = append(answer.remappings, r.String())
		}
	}
	return answer
}

// runIn runs a program in a folder and returns what it prints.
func runIn(dir, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), askTime)
	defer cancel()
	c := newChild(ctx, program, args...)
	c.Dir = dir
	out, complaint, err := c.capture(maxTold)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s gave no answer within %v", filepath.Base(program), askTime)
	case errors.As(err, new(*exec.ExitError)):
		return nil, fmt.Errorf("%s %s failed%s", filepath.Base(program), args[0], lastLine(complaint))
	case errors.As(err, new(overflowError)):
		return nil, fmt.Errorf("%s %s failed: %w", filepath.Base(program), args[0], err)
	}
	return out, err
}
