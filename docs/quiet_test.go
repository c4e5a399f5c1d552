package docs

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// quietImports lists packages that the engine must not import: it has no logger, and
// randomness is a parameter.
var quietImports = []string{"log", "log/slog", "math/rand", "crypto/rand", "go.uber.org/zap", "github.com/spf13/cobra"}

// quietNames lists names of other packages that the engine must not use: it does not
// print, read the environment or have a clock.
var quietNames = map[string][]string{
	"fmt":  {"Print", "Printf", "Println"},
	"os":   {"Getenv", "LookupEnv", "Environ", "ExpandEnv", "Stdout", "Stderr", "Stdin", "Exit", "Args"},
	"time": {"Now", "Since", "Until", "Sleep"},
}

// seededNames lists the names of math/rand/v2 that do not use its global source.
var seededNames = []string{"New", "NewPCG", "NewChaCha8", "NewZipf", "Rand", "PCG", "ChaCha8", "Zipf", "Source"}

// TestEngineIsQuiet checks quietImports and quietNames. The only exception is time.Now
// as the default of Options.Now. Programs in engine/bench and helpers of tests are not
// checked.
func TestEngineIsQuiet(t *testing.T) {
	files, fset := parseModule(t)
	for _, f := range files {
		inEngine := f.pkg == "engine" || strings.HasPrefix(f.pkg, "engine/")
		if f.test || !inEngine || strings.HasPrefix(f.pkg, "engine/bench") || f.pkg == "engine/search/searchtest" {
			continue
		}
		for _, imp := range f.imports() {
			if slices.Contains(quietImports, imp) || strings.HasPrefix(imp, "go.uber.org/zap/") {
				t.Errorf("%s: the engine may not import %s", f.path, imp)
			}
		}
		for _, found := range loud(f) {
			t.Errorf("%s: the engine may not use %s", fset.Position(found.at), found.what)
		}
	}
}

// A loudUse is a forbidden use.
type loudUse struct {
	at   token.Pos
	what string
}

// loud lists the forbidden uses in f.
func loud(f *sourceFile) []loudUse {
	var out []loudUse
	called := map[ast.Node]bool{}
	ast.Inspect(f.File, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			called[n.Fun] = true
		case *ast.SelectorExpr:
			if what := loudName(f, n, called[n]); what != "" {
				out = append(out, loudUse{n.Pos(), what})
			}
		}
		return true
	})
	return out
}

// loudName describes a forbidden use by sel, else it returns "".
func loudName(f *sourceFile, sel *ast.SelectorExpr, called bool) string {
	base, ok := sel.X.(*ast.Ident)
	if !ok {
		return ""
	}
	name := sel.Sel.Name
	switch imp := importOf(f, base.Name); {
	case imp == "math/rand/v2":
		if !slices.Contains(seededNames, name) {
			return "the global random source (rand." + name + ")"
		}
	case imp == "time" && name == "Now" && !called && f.pkg == "engine":
		return "" // the default of Options.Now
	case slices.Contains(quietNames[imp], name):
		return imp + "." + name
	}
	return ""
}

// importOf resolves a package identifier to its import path, or "".
func importOf(f *sourceFile, ident string) string {
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		name := path.Base(p)
		if name == "v2" {
			name = path.Base(path.Dir(p))
		}
		if spec.Name != nil {
			name = spec.Name.Name
		}
		if name == ident {
			return p
		}
	}
	return ""
}

// TestRulesRejectViolations checks the rules on forbidden and allowed code.
func TestRulesRejectViolations(t *testing.T) {
	rows := parseLayers(t)
	for _, c := range []struct {
		path, text string
		imports    int // imports that must be refused
		uses       int // uses that must be refused
	}{
		{"engine/cover/a.go", `import "leveret/engine/evm"`, 0, 0},
		{"engine/cover/a.go", `import "leveret/engine/corpus"`, 1, 0},
		{"engine/cover/a_test.go", `import "leveret/engine/corpus"`, 1, 0},
		{"engine/cover/a_test.go", `import "leveret/engine/bytecode"`, 0, 0},
		{"engine/cover/a.go", `import "github.com/ethereum/go-ethereum/core/vm"`, 1, 0},
		{"engine/cover/a_test.go", `import "github.com/ethereum/go-ethereum/core/vm"`, 0, 0},
		{"engine/evm/a.go", `import "github.com/ethereum/go-ethereum/core/vm"`, 0, 0},
		{"engine/input/a.go", `import "github.com/ethereum/go-ethereum/common/math"`, 0, 0},
		{"solc/compiler/find.go", `import "leveret/lsp/settings"`, 1, 0},
		{"engine/a.go", `import "time"; var now = time.Now`, 0, 0},
		{"engine/a.go", `import "time"; var t = time.Now()`, 0, 1},
		{"engine/cover/a.go", `import "time"; var now = time.Now`, 0, 1},
		{"engine/a.go", `import "math/rand/v2"; var r = rand.New(rand.NewPCG(1, 2))`, 0, 0},
		{"engine/a.go", `import "math/rand/v2"; var n = rand.IntN(3)`, 0, 1},
		{"engine/a.go", `import clock "time"; var t = clock.Since(x)`, 0, 1},
	} {
		parsed, err := parser.ParseFile(token.NewFileSet(), c.path, "package p; "+c.text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		f := &sourceFile{c.path, path.Dir(c.path), strings.HasSuffix(c.path, "_test.go"), parsed}
		refused := 0
		for _, imp := range f.imports() {
			if checkImport(rows, f, rows[f.pkg], imp) != nil {
				refused++
			}
		}
		if uses := len(loud(f)); refused != c.imports || uses != c.uses {
			t.Errorf("%s %q: rejected %d imports and %d uses, want %d and %d", c.path, c.text, refused, uses, c.imports, c.uses)
		}
	}
}
