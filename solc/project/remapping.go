package project

import (
	"strings"
)

// A remapping rewrites the start of an import path in files whose name starts
// with context, as the compiler's settings.remappings do.
type remapping struct {
	context, prefix, target string
}

// parseRemapping reads "context:prefix=target". The target of a folder is one, with
// a slash at its end or without, as in forge.
func parseRemapping(s string) (remapping, bool) {
	left, target, ok := strings.Cut(strings.TrimSpace(s), "=")
	if !ok || left == "" {
		return remapping{}, false
	}
	context, prefix, ok := strings.Cut(left, ":")
	if !ok {
		context, prefix = "", left
	}
	if target != "" && strings.HasSuffix(prefix, "/") && !strings.HasSuffix(target, "/") {
		target += "/"
	}
	return remapping{context, prefix, target}, prefix != ""
}

func (r remapping) String() string {
	if r.context == "" {
		return r.prefix + "=" + r.target
	}
	return r.context + ":" + r.prefix + "=" + r.target
}

// parseRemappings reads a remappings.txt, one remapping a line. It skips comments
// and invalid lines.
func parseRemappings(text string) []remapping {
	var list []remapping
	for line := range strings.Lines(text) {
		if r, ok := parseRemapping(line); ok && !strings.HasPrefix(strings.TrimSpace(line), "#") {
			list = append(list, r)
		}
	}
	return list
}

// remap applies the remapping that the compiler would choose: the longest
// context wins, then the longest prefix, then the last one.
func remap(list []remapping, importer, path string) (string, bool) {
	best := -1
	for i, r := range list {
		if !strings.HasPrefix(importer, r.context) || !strings.HasPrefix(path, r.prefix) {
			continue
		}
		if best >= 0 {
			b := list[best]
			if len(r.context) < len(b.context) || len(r.context) == len(b.context) && len(r.prefix) < len(b.prefix) {
				continue
			}
		}
		best = i
	}
	if best < 0 {
		return path, false
	}
	return list[best].target + path[len(list[best].prefix):], true
}
