package main

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// TestVersions compares what else has a version with that of the command. Releases take
// theirs from version.go, see the Makefile.
func TestVersions(t *testing.T) {
	var extension struct{ Version string }
	var lock struct {
		Version  string
		Packages map[string]struct{ Version string }
	}
	read := func(file string, value any) {
		t.Helper()
		if err := json.Unmarshal(readFile(t, file), value); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
	}
	read("editors/vscode/package.json", &extension)
	read("editors/vscode/package-lock.json", &lock)
	for file, version := range map[string]string{
		"editors/vscode/package.json":                  extension.Version,
		"editors/vscode/package-lock.json":             lock.Version,
		"editors/vscode/package-lock.json, packages":   lock.Packages[""].Version,
		"editors/vscode/CHANGELOG.md, the first title": match(t, "editors/vscode/CHANGELOG.md", `(?m)^## (\S+)`),
		"CHANGELOG.md, the next or the last release":   match(t, "CHANGELOG.md", `(?m)^(?:The (?:first|next) release will be |## \[)([0-9.]*[0-9])`),
		"Makefile": match(t, "cmd/leveret/version.go", makefileVersion(t)),
	} {
		if version != toolVersion {
			t.Errorf("%s has version %s; version.go says %s", file, version, toolVersion)
		}
	}
}

// makefileVersion is the expression by which the Makefile reads version.go.
func makefileVersion(t *testing.T) string {
	return `(?m)` + regexp.MustCompile(`\\([()])`).ReplaceAllString(match(t, "Makefile", `VERSION .*sed -n 's/(.*)/\\1/p' cmd/leveret/version.go`), "$1")
}

// match returns the first group of the first match in a file of the module.
func match(t *testing.T, file, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindSubmatch(readFile(t, file))
	if m == nil {
		t.Fatalf("%s has no match of %s", file, pattern)
	}
	return string(m[1])
}

func readFile(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(root + file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
