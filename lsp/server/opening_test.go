package server

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.lsp.dev/protocol"
)

// opened lists files of OpenZeppelin 5 with few and with many imports.
var opened = []string{"governance/TimelockController.sol", "finance/VestingWallet.sol", "metatx/ERC2771Forwarder.sol"}

// The time from opening OpenZeppelin (207 files) and one file in it to the
// first lens: Cold with empty caches, Warm with filled caches, Next for another
// file in the running server.
func BenchmarkOpenWorkspace(b *testing.B) {
	tools, leveret := compilers(b), binary(b)
	workspace := b.TempDir()
	if err := os.CopyFS(filepath.Join(workspace, "contracts"), os.DirFS(filepath.Join(tools, "node_modules", "@openzeppelin", "contracts"))); err != nil {
		b.Skip("skipped: ", err)
	}
	const config = "[profile.default]\nsrc = 'contracts'\noptimizer = true\n"
	if err := os.WriteFile(filepath.Join(workspace, "foundry.toml"), []byte(config), 0o600); err != nil {
		b.Fatal(err)
	}
	measured := map[string][]time.Duration{}
	for range samples / 4 {
		home := b.TempDir()
		for _, what := range []string{"Cold", "Warm"} {
			start := time.Now()
			e, p := launchAt(b, leveret, tools, home, workspace, `{"idle":false,"trusted":true}`)
			e.firstLens(opened[0])
			measured[what] = append(measured[what], time.Since(start))
			if what == "Cold" {
				for _, name := range opened[1:] {
					start := time.Now()
					e.firstLens(name)
					measured["Next"] = append(measured["Next"], time.Since(start))
				}
			}
			e.leave(p)
		}
	}
	for _, what := range []string{"Cold", "Warm", "Next"} {
		b.Run(what, func(b *testing.B) { report(b, measured[what]) })
	}
}

// firstLens opens a file with its text on disk and waits for its lenses.
func (e *editor) firstLens(name string) {
	e.t.Helper()
	name = filepath.Join("contracts", filepath.FromSlash(name))
	text, err := os.ReadFile(filepath.Join(e.dir, name))
	e.must(err)
	e.must(e.server.DidOpen(e.ctx(), &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{
		URI: e.uri(name), LanguageID: "solidity", Version: 1, Text: string(text),
	}}))
	deadline := time.After(patience)
	for {
		lenses, err := e.server.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}})
		e.must(err)
		if len(lenses) > 0 {
			return
		}
		select {
		case <-e.mail.News():
		case <-deadline:
			e.t.Fatalf("no lens in %s: %q", name, messages(e.found(name)))
		}
	}
}
