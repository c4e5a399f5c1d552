package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/engine/search/searchtest"
	"leveret/solc"
	"leveret/solc/srcmap"
)

const wrappedEther = "../solc/testdata/npm/node_modules/canonical-weth/contracts/WETH9.sol"

// linesWith returns the place of a text in the sources of a build.
func linesWith(t *testing.T, b *solc.Build, text string) []Lines {
	t.Helper()
	file, span := searchtest.Find(t, b, text)
	return []Lines{{File: file, Spans: []srcmap.Span{span}}}
}

// edited compiles a source with a line inserted after another.
func edited(t *testing.T, file, after, line string) *solc.Build {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err, "(run make tools)")
	}
	if !strings.Contains(string(text), after) {
		t.Fatalf("%s has no %q", file, after)
	}
	path := filepath.Join(t.TempDir(), filepath.Base(file))
	if err := os.WriteFile(path, []byte(strings.Replace(string(text), after, after+"\n"+line, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	return compile(t, path)
}

// A bug behind a narrow condition, in a line inserted into a real contract, is
// found in half the inputs with that line as the target. Both runs start with the
// corpus of a campaign before the edit.
func TestEditedLineIsFoundSooner(t *testing.T) {
	const seeds = 16 // summed, as the remainder of a hash is met by chance
	saved := t.TempDir()
	run(t, compile(t, wrappedEther), "WETH9", Options{MaxInputs: 2000, Seed: 1, Corpus: saved})
	aimedAll, wholeAll := 0, 0
	for _, row := range []struct{ after, line string }{
		{"balanceOf[msg.sender] += msg.value;", "assert(uint(keccak256(abi.encode(msg.value))) % 199 != 77);"},
		{"returns (bool) {\n        allowance[msg.sender][guy] = wad;", "assert(uint(keccak256(abi.encode(wad))) % 199 != 77);"},
	} {
		b := edited(t, wrappedEther, row.after, row.line)
		search := func(seed uint64, lines []Lines) int {
			corpus := t.TempDir()
			if err := os.CopyFS(corpus, os.DirFS(saved)); err != nil {
				t.Fatal(err)
			}
			r := run(t, b, "WETH9", Options{
				MaxInputs: 6000, Seed: seed, Corpus: corpus, Lines: lines, StopOnFirst: true, Oracles: []string{"assertion"},
			})
			if len(failing(r)) == 0 && lines != nil {
				t.Errorf("seed %d: %s is not found in %d inputs", seed, row.line, r.Stats.Inputs)
			}
			return r.Stats.Inputs
		}
		aimed, whole := 0, 0
		for seed := range uint64(seeds) {
			aimed += search(seed, linesWith(t, b, row.line))
			whole += search(seed, nil)
		}
		t.Logf("%s: %d inputs, %d without targets", row.line, aimed/seeds, whole/seeds)
		if aimed > whole {
			t.Errorf("%s: %d inputs with the line as the target, %d without", row.line, aimed, whole)
		}
		aimedAll, wholeAll = aimedAll+aimed, wholeAll+whole
	}
	if 2*aimedAll > wholeAll {
		t.Errorf("%d inputs with the lines as targets, %d without", aimedAll, wholeAll)
	}
}
