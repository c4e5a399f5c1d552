package editors

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// checked lists what the test of each editor checks: the cells of the table in
// README.md with "yes", in the order of its columns. Change a row together with
// its test.
var checked = map[string]struct {
	test  string
	parts []string
}{
	"VS Code":             {"TestCode", []string{"squiggle", "related calls", "actions", "lenses", "trace", "coverage", "status"}},
	"Neovim":              {"TestNeovim", []string{"squiggle", "related calls", "actions", "lenses", "trace", "status"}},
	"Emacs with Eglot":    {"TestEmacs/eglot", []string{"squiggle", "actions", "trace"}},
	"Emacs with lsp-mode": {"TestEmacs/lsp-mode", []string{"squiggle", "actions", "trace"}},
	"Helix":               {"TestHelix", []string{"squiggle", "actions"}},
	"Vim with ALE":        {"TestVim", []string{"squiggle", "actions"}},
}

// The table in README.md lists exactly what the tests check.
func TestTable(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	var columns []string
	rows := 0
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		if cells[0] == "editor" {
			columns = cells
			continue
		}
		name, link, ok := strings.Cut(strings.TrimPrefix(cells[0], "["), "](")
		if !ok || columns == nil || len(cells) != len(columns) {
			continue
		}
		rows++
		if _, err := os.Stat(strings.TrimSuffix(link, ")") + "/README.md"); err != nil {
			t.Error(err)
		}
		var yes []string
		for i, cell := range cells[:len(cells)-1] {
			if cell == "yes" {
				yes = append(yes, columns[i])
			}
		}
		if !slices.Equal(yes, checked[name].parts) {
			t.Errorf("%s: the table lists %q, %s checks %q", name, yes, checked[name].test, checked[name].parts)
		}
	}
	if rows != 9 {
		t.Errorf("%d editors in the table", rows)
	}
}
