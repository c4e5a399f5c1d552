// Package oracles embeds the pages that explain the findings of each oracle.
package oracles

import "embed"

//go:embed *.md
var pages embed.FS

// Page returns the Markdown page of the oracle with a name, or "" if there is none.
func Page(name string) string {
	text, err := pages.ReadFile(name + ".md")
	if err != nil {
		return ""
	}
	return string(text)
}
