// Package oracles holds the pages that explain what Leveret reports, one a
// weakness: for people who read the folder, and for programs that show them.
package oracles

import "embed"

//go:embed *.md
var pages embed.FS

// Page returns the page of the oracle with a name, in Markdown; empty if there
// is none.
func Page(name string) string {
	text, err := pages.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
