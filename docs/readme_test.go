package docs

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestPackagesAreListed checks that the lists of packages in the README and in
// the description of the architecture are complete.
func TestPackagesAreListed(t *testing.T) {
	for _, file := range []string{"README.md", "docs/ARCHITECTURE.md"} {
		t.Run(file, func(t *testing.T) { checkPackages(t, file) })
	}
}

func checkPackages(t *testing.T, file string) {
	text, err := os.ReadFile(filepath.Join(root, file))
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
	for _, m := range regexp.MustCompile("(?m)^\\| `((?:campaign|cmd|dap|docs|editors|engine|lsp|solc)[a-z/]*)` \\|").FindAllSubmatch(text, -1) {
		if _, ok := rows[string(m[1])]; !ok {
			t.Errorf("package %s has no row in the table of layers", m[1])
		}
	}
}
