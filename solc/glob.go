package solc

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// MatchPath reports whether a glob of forge (match_path, no_match_path, skip)
// matches a file of a project with a root, both with slashes and absolute: its
// path, or that below the root. "*" also matches slashes, as in the library that
// forge uses. A pattern that is part of the file's name matches too.
func MatchPath(pattern, root, path string) bool {
	name := path[strings.LastIndexByte(path, '/')+1:]
	if pattern == "" || strings.Contains(name, pattern) {
		return pattern != ""
	}
	relative, below := strings.CutPrefix(path, strings.TrimSuffix(root, "/")+"/")
	return matchGlob(pattern, path) || below && (matchGlob(pattern, relative) || matchGlob(pattern, "./"+relative))
}

// matchGlob matches with "*" that crosses slashes: they are hidden from the
// library by another character.
func matchGlob(pattern, path string) bool {
	hide := strings.NewReplacer("/", "\x01")
	for {
		if ok, err := doublestar.Match(hide.Replace(pattern), hide.Replace(path)); ok && err == nil {
			return true
		}
		rest, ok := strings.CutPrefix(pattern, "**/") // also matches no folder
		if !ok {
			return false
		}
		pattern = rest
	}
}
