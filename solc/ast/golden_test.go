package ast

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// A golden is one compiled source, as written by testdata/compile.js.
type golden struct {
	Text    string
	Sources map[string]struct {
		AST       json.RawMessage
		LegacyAST json.RawMessage
	}
	Contracts map[string]map[string]struct {
		EVM struct{ MethodIdentifiers map[string]string }
	}
}

// tree returns the JSON of the only syntax tree.
func (g golden) tree() []byte {
	for _, s := range g.Sources {
		if s.AST != nil {
			return s.AST
		}
		return s.LegacyAST
	}
	return nil
}

func readGolden(t testing.TB, path string) golden {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.NewDecoder(unzipped).Decode(&g); err != nil {
		t.Fatal(err)
	}
	return g
}

// goldens runs test with each tree in testdata.
func goldens(t *testing.T, test func(t *testing.T, g golden, u *Unit)) {
	paths, err := filepath.Glob("testdata/*.json.gz")
	if err != nil || len(paths) < 7 {
		t.Fatalf("%d trees under testdata: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			g := readGolden(t, path)
			u, err := Read(g.tree())
			if err != nil {
				t.Fatal(err)
			}
			test(t, g, u)
		})
	}
}

// unit reads the tree with the given name.
func unit(t testing.TB, name string) (*Unit, string) {
	t.Helper()
	g := readGolden(t, "testdata/"+name+".json.gz")
	u, err := Read(g.tree())
	if err != nil {
		t.Fatal(err)
	}
	return u, g.Text
}
