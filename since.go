package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// changedSince lists the lines of Solidity files that differ from a git
// revision: those added or changed, and those before which lines were deleted. Files that git does not know yet are new from
// the first line to the last.
func changedSince(ctx context.Context, dir, revision string) ([]fileLines, error) {
	top, err := git(ctx, dir, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, fmt.Errorf("--since %s: %s is in no git repository", revision, dir)
	}
	root := strings.TrimRight(string(top), "\r\n")
	commit, err := git(ctx, root, "rev-parse", "--verify", "--quiet", "--end-of-options", revision+"^{commit}")
	if err != nil {
		return nil, fmt.Errorf("--since %s: git knows no such revision; name a commit, a branch or a tag", revision)
	}
	diff, err := git(ctx, root, "-c", "core.quotePath=false", "diff", "--unified=0", "--no-color", "--no-ext-diff", "--no-textconv", "--no-renames",
		"--diff-filter=d", "--src-prefix=a/", "--dst-prefix=b/", strings.TrimSpace(string(commit)), "--", "*.sol")
	if err != nil {
		return nil, fmt.Errorf("--since %s: %w", revision, err)
	}
	files := parseDiff(diff, root)
	untracked, err := git(ctx, root, "ls-files", "-z", "--others", "--exclude-standard", "--", "*.sol")
	if err != nil {
		return nil, fmt.Errorf("--since %s: %w", revision, err)
	}
	for name := range bytes.SplitSeq(untracked, []byte{0}) {
		if len(name) > 0 {
			files = append(files, fileLines{filepath.Join(root, filepath.FromSlash(string(name))), []lineRange{{1, 1 << 30, edited}}})
		}
	}
	return files, nil
}

// git runs git in dir and returns what it prints.
func git(ctx context.Context, dir string, args ...string) ([]byte, error) {
	out, err := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s: %s", args[0], oneLine(string(exit.Stderr)))
	}
	return out, err
}

// parseDiff reads a patch without context lines.
func parseDiff(diff []byte, root string) []fileLines {
	var files []fileLines
	skip := 0 // lines of the current hunk's body, which may look like anything
	for raw := range bytes.Lines(diff) {
		line := strings.TrimRight(string(raw), "\r\n")
		switch {
		case strings.HasPrefix(line, `\`): // "\ No newline at end of file"
		case skip > 0:
			skip--
		case strings.HasPrefix(line, "+++ "):
			files = append(files, fileLines{path: filepath.Join(root, filepath.FromSlash(patchPath(line[4:])))})
		case strings.HasPrefix(line, "@@ ") && len(files) > 0:
			r, body, ok := parseHunk(line)
			if ok {
				f := &files[len(files)-1]
				f.ranges = append(f.ranges, r)
				skip = body
			}
		}
	}
	return files
}

// patchPath undoes git's quoting and drops the prefix "b/".
func patchPath(s string) string {
	s = strings.TrimSuffix(s, "\t") // git ends names with spaces in them so
	if strings.HasPrefix(s, `"`) {
		if plain, err := strconv.Unquote(s); err == nil {
			s = plain
		}
	}
	return strings.TrimPrefix(s, "b/")
}

// parseHunk reads "@@ -10,2 +12,3 @@ …": the lines of the new text, and how
// many lines of the patch belong to the hunk.
func parseHunk(line string) (r lineRange, body int, ok bool) {
	fields := strings.Fields(line)
	if len(fields) < 3 {
		return r, 0, false
	}
	_, removed, okOld := parseHunkSide(fields[1], "-")
	start, added, okNew := parseHunkSide(fields[2], "+")
	if !okOld || !okNew {
		return r, 0, false
	}
	if added == 0 { // start is the line before what was deleted
		return lineRange{start + 1, start + 1, deleted}, removed, true
	}
	return lineRange{start, start + added - 1, edited}, removed + added, start > 0
}

func parseHunkSide(s, sign string) (start, count int, ok bool) {
	s, ok = strings.CutPrefix(s, sign)
	a, b, several := strings.Cut(s, ",")
	start, err := strconv.Atoi(a)
	count = 1
	if several && err == nil {
		count, err = strconv.Atoi(b)
	}
	const most = 1 << 30
	return start, count, ok && err == nil && start >= 0 && start < most && count >= 0 && count < most
}
