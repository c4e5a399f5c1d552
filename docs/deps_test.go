// Package docs holds the tests that read the whole module: its layers, the
// packages and functions that the engine must not use, and the completeness of
// the documents.
package docs

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers lists the allowed imports of each package within this module. "solc..."
// is solc and the packages below it; GETH is go-ethereum beyond freeGeth, RPC its
// client.
const layers = `
solc/ast: solc/srcmap
solc/srcmap:
solc/layout:
solc/atomicfile:
engine/bytecode:
engine/pacer:
engine/input:
lsp/rpc:
lsp/lsptest:
lsp/demo:         lsp/lsptest
lsp/storm:        engine/hostile lsp/lsptest
engine/hostile:
engine/bench:     engine/bench/forge engine/bench/locals engine/bench/maze engine/bench/obstacles engine/bench/subject engine/bench/throughput
engine/bench/maze:
engine/bench/obstacles:
engine/bench/precision:
engine/bench/forge:
engine/bench/projects: engine/bench/forge
engine/bench/usage:
engine/bench/long:     engine/bench/projects
engine/bench/stages:   engine engine/bench/obstacles engine/bench/subject engine/bytecode engine/input engine/joint engine/shadow
engine/bench/team:     campaign engine engine/bench/projects engine/input
engine/bench/cheatcodes: engine/bench/subject engine/cheat engine/input
engine/bench/harnesses: engine/bench/projects
engine/bench/conformance: engine/bench/forge engine/bench/projects
engine/bench/mutants: engine engine/bench/forge engine/bench/projects engine/bench/usage engine/bytecode engine/finding engine/input engine/pacer engine/suite solc solc/ast solc/compiler solc/host solc/project solc/selection
engine/bench/subject: solc solc/compiler solc/project
engine/bench/statetests: GETH engine/evm engine/evm/evmtest
engine/bench/driver: engine engine/bench/subject engine/bench/usage engine/finding engine/input engine/pacer
engine/bench/locals: engine engine/debug engine/debug/variables engine/evm engine/finding engine/input solc solc/ast solc/compiler solc/project solc/version
engine/bench/differential: engine engine/attacker engine/bench/subject engine/deploy engine/evm engine/evm/evmtest engine/input engine/program
engine/bench/throughput: engine/bench/subject engine/bench/usage engine/evm engine/evm/evmtest engine/exec engine/program engine/search engine/shadow
engine/bench/digests: engine engine/bench/subject engine/finding engine/input solc solc/srcmap
docs/oracles:
docs:
editors:          engine/oracle lsp/settings

solc/trust:
solc/version:
solc/scan:        solc/srcmap
solc:             solc/ast solc/scan solc/srcmap solc/layout
solc/solctest:    solc/atomicfile solc
solc/solctest/privileges:
solc/compiler:    solc solc/atomicfile solc/trust solc/version
solc/project:     solc solc/compiler solc/scan solc/srcmap solc/trust solc/version
solc/release:     solc solc/atomicfile solc/compiler solc/version
solc/change:      solc solc/ast solc/srcmap solc/trust
solc/selection:   solc solc/compiler solc/project solc/trust
solc/doctor:      solc solc/compiler solc/project solc/selection solc/trust
engine/attacker:  engine/input engine/bytecode
engine/mock:      engine/input
engine/evm:       GETH engine/input engine/bounded engine/bytecode
engine/evm/evmtest: GETH engine/bytecode engine/evm
engine/cheat:     solc/trust engine/bytecode engine/evm engine/input
solc/host:        solc solc/ast solc/compiler solc/trust engine/cheat engine/evm engine/fork engine/input
engine/fork:      RPC engine/evm solc/atomicfile
engine/fork/forktest: RPC
engine/conditions: engine/bytecode engine/evm engine/input
engine/shadow:    engine/bounded engine/evm engine/bytecode
engine/joint:     engine/bytecode engine/input engine/shadow
engine/cover:     engine/evm engine/shadow engine/bytecode
engine/oracle:    docs/oracles engine/bytecode engine/cover engine/input engine/evm engine/shadow engine/finding solc/ast solc/srcmap
engine/lookahead: engine/bytecode
engine/mutate:    engine/input
engine/predict:   engine/input engine/cover
engine/demand:    engine/input engine/evm
engine/bounded:
engine/corpus:    engine/bounded engine/input engine/evm engine/cover solc/atomicfile
engine/foreign:   solc/trust engine/input
engine/finding:   engine/input solc/srcmap
engine/program:   solc solc/ast solc/srcmap engine/attacker engine/bytecode engine/cover engine/evm engine/finding engine/input engine/lookahead engine/oracle
engine/coverage:  solc solc/ast solc/srcmap engine/corpus engine/cover engine/evm engine/finding engine/input engine/program
engine/exec:      engine/bounded engine/attacker engine/cover engine/evm engine/finding engine/input engine/program
engine/deploy:    solc solc/ast engine/attacker engine/bytecode engine/demand engine/evm engine/exec engine/input engine/oracle engine/program engine/shadow engine/mock
engine/suppress:  solc/srcmap
engine/suite:     solc solc/srcmap engine/bytecode engine/cheat engine/evm engine/exec engine/finding engine/input engine/oracle engine/program
engine/replay:    engine/input engine/evm engine/oracle engine/finding
engine/debug/variables: solc solc/ast solc/layout solc/srcmap solc/version
engine/debug:     solc solc/ast solc/layout solc/srcmap engine/bytecode engine/debug/variables engine/evm engine/finding engine/input engine/oracle engine/program engine/replay
engine/report/printable:
engine/report/testreport: engine/report/printable
engine/report/words: engine/input engine/mock
engine/report/foundry: solc engine/attacker engine/finding engine/input engine/mock engine/oracle engine/report/printable engine/report/words
engine/report:    docs/oracles solc solc/ast engine/finding engine/input engine/replay engine/report/foundry engine/report/printable engine/report/testreport engine/report/words solc/srcmap
engine/report/baseline: solc/atomicfile solc/srcmap engine/finding engine/report
engine/search:    solc solc/ast engine/attacker engine/bytecode engine/corpus engine/cover engine/demand engine/deploy engine/evm engine/exec engine/finding engine/foreign engine/input engine/lookahead engine/mutate engine/oracle engine/predict engine/program engine/shadow
engine/search/searchtest: solc solc/compiler solc/project solc/solctest solc/srcmap engine/cover engine/coverage engine/demand engine/deploy engine/exec engine/mutate engine/program engine/search
engine/direct:    solc solc/srcmap engine/bytecode engine/corpus engine/cover engine/demand engine/deploy engine/evm engine/exec engine/finding engine/input engine/lookahead engine/mutate engine/oracle engine/program engine/search engine/shadow
engine/solve:     solc/layout engine/attacker engine/corpus engine/cover engine/demand engine/direct engine/evm engine/exec engine/finding engine/input engine/joint engine/mutate engine/predict engine/search engine/shadow
engine/plan:      engine/corpus engine/cover engine/demand engine/direct engine/evm engine/exec engine/input engine/search
engine/attack:    engine/corpus engine/cover engine/demand engine/direct engine/exec engine/input engine/mutate engine/program engine/search
engine/triage:    solc solc/ast solc/layout solc/srcmap engine/bytecode engine/cover engine/debug engine/deploy engine/evm engine/exec engine/finding engine/input engine/oracle engine/program engine/replay engine/search engine/shadow engine/solve engine/suppress
engine:           solc engine/attack engine/bounded engine/bytecode engine/cheat engine/conditions engine/corpus engine/cover engine/coverage engine/debug engine/demand engine/deploy engine/direct engine/evm engine/exec engine/finding engine/foreign engine/input engine/joint engine/lookahead engine/mutate engine/oracle engine/plan engine/program engine/replay engine/search engine/solve engine/suite engine/triage

campaign:         solc solc/atomicfile engine engine/finding engine/input

lsp/settings:     engine engine/finding
lsp/session:      lsp/settings solc... engine engine/finding engine/input engine/replay engine/cheat engine/suppress solc/host
lsp/present:      lsp/session solc... engine/suppress engine/finding engine/input engine engine/report engine/report/foundry
lsp/server:       engine/report/baseline solc/atomicfile lsp/rpc lsp/settings lsp/session lsp/present solc/srcmap engine/finding engine/input
dap:              lsp/rpc solc engine/bytecode engine/debug engine/evm engine/finding
dap/daptest:
cmd/leveret/live: engine/finding engine/report
cmd/leveret:      campaign cmd/leveret/live dap engine/debug engine/fork lsp/server lsp/session lsp/settings solc... engine engine/corpus engine/foreign engine/pacer engine/oracle engine/finding engine/input engine/replay engine/report... engine/program engine/report/testreport engine/suite
`

// root is the folder of the module.
const root = ".."

const (
	module = "leveret"
	geth   = "github.com/ethereum/go-ethereum/"
)

// freeGeth lists the parts of go-ethereum that every package may import.
var freeGeth = []string{"common", "crypto", "accounts/abi", "rlp"}

// parseLayers parses the table: package -> allowed imports.
func parseLayers(t *testing.T) map[string][]string {
	t.Helper()
	rows := map[string][]string{}
	for line := range strings.Lines(layers) {
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, allowed, ok := strings.Cut(line, ":")
		if _, double := rows[name]; !ok || double {
			t.Fatalf("bad row %q", line)
		}
		rows[name] = strings.Fields(allowed)
	}
	return rows
}

// A sourceFile is one parsed Go file of the module.
type sourceFile struct {
	path string // relative to the module, with slashes
	pkg  string // folder
	test bool
	*ast.File
}

// imports lists the import paths of f.
func (f *sourceFile) imports() []string {
	var out []string
	for _, spec := range f.Imports {
		p, _ := strconv.Unquote(spec.Path.Value)
		out = append(out, p)
	}
	return out
}

// parseModule parses every Go file of the module. It reads the files itself, because
// the test cache does not see the files that `go list` reads.
func parseModule(t *testing.T) (files []*sourceFile, fset *token.FileSet) {
	t.Helper()
	fset = token.NewFileSet()
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); p != root && (strings.HasPrefix(name, ".") || name == "bin" || name == "node_modules" || name == "testdata") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(p, ".go") {
			return nil
		}
		text, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		parsed, err := parser.ParseFile(fset, p, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		if p, err = filepath.Rel(root, p); err != nil {
			return err
		}
		p = filepath.ToSlash(p)
		files = append(files, &sourceFile{p, path.Dir(p), strings.HasSuffix(p, "_test.go"), parsed})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files, fset
}

// allows reports whether a row allows target.
func allows(row []string, target string) bool {
	for _, r := range row {
		whole, tree := strings.CutSuffix(r, "...")
		if r == target || tree && (target == whole || strings.HasPrefix(target, whole+"/")) {
			return true
		}
	}
	return false
}

// TestLayers checks every import within the module against the table. A test file may
// also import go-ethereum, as a trusted implementation to compare with, and packages
// that do not depend on the tested one. An external test may also import packages below
// the tested one, which hold its helpers.
func TestLayers(t *testing.T) {
	rows := parseLayers(t)
	files, _ := parseModule(t)
	for name := range rows {
		if !slices.ContainsFunc(files, func(f *sourceFile) bool { return f.pkg == name }) {
			t.Errorf("the table of layers has a row for %s, which does not exist", name)
		}
	}
	for _, f := range files {
		row, known := rows[f.pkg]
		if !known {
			t.Errorf("%s: package %s has no row in the table of layers", f.path, f.pkg)
			continue
		}
		for _, imp := range f.imports() {
			if err := checkImport(rows, f, row, imp); err != nil {
				t.Errorf("%s: %v", f.path, err)
			}
		}
	}
}

func checkImport(rows map[string][]string, f *sourceFile, row []string, imp string) error {
	if rest, ok := strings.CutPrefix(imp, geth); ok {
		free := slices.ContainsFunc(freeGeth, func(p string) bool { return rest == p || strings.HasPrefix(rest, p+"/") })
		if free || f.test || slices.Contains(row, "GETH") || rest == "rpc" && slices.Contains(row, "RPC") {
			return nil
		}
		return fmt.Errorf("%s imports %s; only engine/evm may", f.pkg, imp)
	}
	target, ours := strings.CutPrefix(imp, module+"/")
	if !ours || target == f.pkg || allows(row, target) {
		return nil
	}
	if f.test && !reaches(rows, target, f.pkg, nil) {
		return nil
	}
	if external := strings.HasSuffix(f.Name.Name, "_test"); external && strings.HasPrefix(target, f.pkg+"/") {
		return nil
	}
	return fmt.Errorf("%s imports %s, which its row in the table of layers does not allow", f.pkg, target)
}

// reaches reports whether from may import to, directly or through others.
func reaches(rows map[string][]string, from, to string, seen []string) bool {
	if slices.Contains(seen, from) {
		return false
	}
	seen = append(seen, from)
	for name := range rows {
		if allows(rows[from], name) && (name == to || reaches(rows, name, to, seen)) {
			return true
		}
	}
	return false
}

// TestLayersAcyclic checks that the table has no cycles.
func TestLayersAcyclic(t *testing.T) {
	rows := parseLayers(t)
	for name, row := range rows {
		if reaches(rows, name, name, nil) && !allows(row, name) {
			t.Errorf("%s can reach itself", name)
		}
		for _, r := range row {
			if _, ok := rows[strings.TrimSuffix(r, "...")]; !ok && r != "GETH" && r != "RPC" {
				t.Errorf("row %s names %s, which has no row", name, r)
			}
		}
	}
}

// TestProductUsesOneInterpreter checks that of the product only engine/evm may import
// go-ethereum beyond freeGeth, and that only measurements may import what tests may.
func TestProductUsesOneInterpreter(t *testing.T) {
	rows := parseLayers(t)
	tests := func(pkg string) bool { return pkg == "engine/evm/evmtest" || strings.HasPrefix(pkg, "engine/bench/") }
	for name, row := range rows {
		if slices.Contains(row, "GETH") && name != "engine/evm" && !tests(name) {
			t.Errorf("row %s allows go-ethereum", name)
		}
		if !tests(name) && allows(row, "engine/evm/evmtest") {
			t.Errorf("row %s allows engine/evm/evmtest, which is for tests", name)
		}
	}
}

// TestLanguageServerAndCompilerStayApart checks the most important rule directly:
// neither solc nor the engine imports the language server.
func TestLanguageServerAndCompilerStayApart(t *testing.T) {
	files, _ := parseModule(t)
	for _, f := range files {
		if !strings.HasPrefix(f.pkg, "solc") && !strings.HasPrefix(f.pkg, "engine") {
			continue
		}
		for _, imp := range f.imports() {
			if strings.HasPrefix(imp, module+"/lsp") || strings.HasPrefix(imp, "go.lsp.dev/") {
				t.Errorf("%s imports %s", f.path, imp)
			}
		}
	}
}
