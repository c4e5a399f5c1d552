package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestREADMENamesPackages checks that the list of packages is complete.
func TestREADMENamesPackages(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	rows := parseLayers(t)
	files, _ := parseModule(t)
	for _, f := range files {
		if !f.test && !bytes.Contains(text, []byte("| `"+f.pkg+"` |")) {
			t.Errorf("package %s is missing", f.pkg)
		}
	}
	for _, m := range regexp.MustCompile("(?m)^\\| `((?:cmd|docs|editors|engine|lsp|solc)[a-z/]*)` \\|").FindAllSubmatch(text, -1) {
		if _, ok := rows[string(m[1])]; !ok {
			t.Errorf("package %s has no row in the table of layers", m[1])
		}
	}
}
