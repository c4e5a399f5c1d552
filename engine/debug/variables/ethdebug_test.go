package variables

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"leveret/solc/solctest"
)

// ethdebug compiles a file via IR with the newest compiler and prints the output
// "ethdebug" of the contract Changed beside its source map.
const ethdebug = `
const solc = require(process.argv[1] + '/node_modules/solc-0.8.37')
const content = require('fs').readFileSync(0, 'utf8')
const outputs = ['evm.deployedBytecode.ethdebug', 'evm.deployedBytecode.sourceMap']
const settings = { viaIR: true, experimental: true, outputSelection: { '*': { '*': outputs } } }
const output = JSON.parse(solc.compile(JSON.stringify({ language: 'Solidity', sources: { 'C.sol': { content } }, settings })))
const { ethdebug, sourceMap } = output.contracts['C.sol'].Changed.evm.deployedBytecode
let entry = []
const map = sourceMap.split(';').map(text => entry = text.split(':').reduce((e, v, i) => { if (v) e[i] = v; return e }, entry.slice()))
console.log(JSON.stringify({ program: ethdebug, map: map.map(e => e.slice(0, 3).map(Number)) }))
`

// The output "ethdebug" of solc says nothing that its source map does not: ranges of
// sources, without variables, types or kinds of jumps. Once this fails, the debugger has
// something to gain from it.
func TestEthdebug(t *testing.T) {
	const file = "../../triage/testdata/Changed.sol"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var output struct {
		Program struct {
			Contract     map[string]any
			Environment  string
			Instructions []map[string]any
		}
		Map [][3]int
	}
	if err := json.Unmarshal(solctest.Node(t, []string{"-e", ethdebug, solctest.Tools(t)}, text, file), &output); err != nil {
		t.Fatal(err)
	}
	instructions, entries := output.Program.Instructions, output.Map
	if len(instructions) < 1000 || len(instructions) != len(entries) {
		t.Fatalf("%d instructions, and %d in the source map", len(instructions), len(entries))
	}
	for i, in := range instructions {
		keys := strings.Join(slices.Sorted(maps.Keys(in)), " ")
		var context struct {
			Context map[string]struct {
				Source struct{ ID int }
				Range  struct{ Offset, Length int }
			}
		}
		part, err := json.Marshal(in)
		if err == nil {
			err = json.Unmarshal(part, &context)
		}
		code, known := context.Context["code"]
		have := [3]int{code.Range.Offset, code.Range.Length, code.Source.ID}
		switch want := entries[i]; {
		case err != nil:
			t.Fatalf("instruction %d: %v", i, err)
		case keys == "offset operation" && want[2] == -1:
		case keys != "context offset operation" || len(context.Context) != 1 || !known:
			t.Fatalf("instruction %d says more than a source map: %v", i, in)
		case have != want:
			t.Fatalf("instruction %d is of %v, in the source map of %v", i, have, want)
		}
	}
}
