package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/solc/atomicfile"
	"leveret/solc/compiler"
	"leveret/solc/project"
)

// maxLast is the number of saved reports, one per project.
const maxLast = 100

// lastPath is the file with the report of the last run in a folder's project,
// from which findings are replayed by id. It is empty without a cache directory.
func lastPath(env compiler.Env, folder string) string {
	root := rootOf(env, folder)
	if env.CacheDir == "" || root == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(env.CacheDir, "leveret", "last", fmt.Sprintf("%x.json", sum[:8]))
}

// rootOf returns the root of a folder's project; empty if the folder is unknown.
func rootOf(env compiler.Env, folder string) string {
	folder, err := filepath.Abs(folder)
	if err != nil {
		return ""
	}
	return project.RootOf(folder, env.Home)
}

// elsewherePath is the file with the report of the last run that a folder's
// project started on another one: replay finds its ids, but not without.
func elsewherePath(env compiler.Env, folder string) string {
	path, ok := strings.CutSuffix(lastPath(env, folder), ".json")
	if !ok {
		return ""
	}
	return path + "-elsewhere.json"
}

// isOwn reports whether a project at root belongs to that of the current folder.
func isOwn(env compiler.Env, root string) bool {
	here := rootOf(env, ".")
	return within(here, root) || within(root, here)
}

// within reports whether a path is a folder or below it.
func within(path, folder string) bool {
	rel, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rel)
}

// keepLast saves a report with findings for the project of the current folder and
// for the fuzzed one. It reports whether a replay from here finds it; a failure
// only costs that convenience.
func keepLast(env compiler.Env, out *report.Report) bool {
	path := lastPath(env, ".")
	if path == "" || out.Count(finding.Hint) == 0 || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return false
	}
	var text bytes.Buffer
	if report.JSON(&text, out, report.Options{}) != nil {
		return false
	}
	if !isOwn(env, out.Root) {
		path = elsewherePath(env, ".")
	}
	if there := lastPath(env, out.Root); there != path {
		_ = atomicfile.WriteFile(there, text.Bytes(), 0o600)
	}
	err := atomicfile.WriteFile(path, text.Bytes(), 0o600)
	pruneLast(filepath.Dir(path))
	return err == nil
}

// pruneLast removes the oldest reports.
func pruneLast(dir string) {
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) <= maxLast {
		return
	}
	age := func(e os.DirEntry) int64 {
		info, err := e.Info()
		if err != nil {
			return 0
		}
		return info.ModTime().UnixNano()
	}
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return cmp.Compare(age(b), age(a)) })
	for _, old := range entries[maxLast:] {
		_ = os.Remove(filepath.Join(dir, old.Name()))
	}
}
