package lookahead

import (
	"encoding/hex"
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"testing"

	"leveret/solc/solctest"
)

// A compiled contract, as bytecode/testdata/compile.js prints it.
type compiled struct {
	Contract string
	Solc     string
	Settings json.RawMessage
	Runtime  string
	Creation string
	Methods  map[string]string
}

func (c *compiled) name() string { return c.Contract + " " + c.Solc + " " + string(c.Settings) }

func unhex(t testing.TB, s string) []byte {
	code, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// selectors returns the function selectors in a fixed order.
func (c *compiled) selectors(t testing.TB) [][]byte {
	var names []string
	for name := range c.Methods {
		names = append(names, name)
	}
	sort.Strings(names)
	var all [][]byte
	for _, name := range names {
		all = append(all, unhex(t, c.Methods[name]))
	}
	return all
}

type job struct {
	Solc     string          `json:"solc"`
	Settings json.RawMessage `json:"settings"`
	Files    []string        `json:"files"`
}

const (
	script    = "../bytecode/testdata/compile.js"
	modules   = "../../solc/testdata/npm/node_modules"
	mixed     = "../bytecode/testdata/Mixed.sol"
	maze      = "testdata/Maze.sol"
	tokens    = "testdata/Tokens.sol"
	plain     = `{"optimizer":{"enabled":false}}`
	optimised = `{"optimizer":{"enabled":true,"runs":200}}`
	viaIR     = `{"viaIR":true,"optimizer":{"enabled":true,"runs":200}}`
	viaIRslow = `{"viaIR":true,"optimizer":{"enabled":false}}`
)

var jobs = []job{
	{"solc-0.4.26", json.RawMessage(plain), []string{mixed}},
	{"solc-0.4.26", json.RawMessage(optimised), []string{mixed}},
	{"solc-0.5.17", json.RawMessage(optimised), []string{mixed}},
	{"solc-0.6.12", json.RawMessage(plain), []string{mixed}},
	{"solc-0.7.6", json.RawMessage(optimised), []string{mixed}},
	{"solc-0.8.19", json.RawMessage(viaIR), []string{mixed}},
	{"solc-0.8.30", json.RawMessage(plain), []string{mixed, maze, tokens}},
	{"solc-0.8.30", json.RawMessage(optimised), []string{mixed, maze, tokens}},
	{"solc-0.8.30", json.RawMessage(viaIR), []string{maze}},
	{"solc-0.8.30", json.RawMessage(viaIRslow), []string{mixed, maze}},
	{"solc-0.5.16", json.RawMessage(optimised), []string{"@uniswap/v2-core/contracts/UniswapV2Pair.sol"}},
}

// tested are the contracts of the sources above that are worth running.
var tested = []string{"Mixed", "LoopMaze", "LoopMazeHard", "Coin", "Deed", "UniswapV2Pair"}

// contracts returns the compiled contracts of the given names, or skips.
func contracts(t testing.TB, names ...string) []*compiled {
	t.Helper()
	in, err := json.Marshal(jobs)
	if err != nil {
		t.Fatal(err)
	}
	out := solctest.Node(t, []string{script, modules}, in, script, mixed, maze, tokens)
	var all []*compiled
	if err := json.Unmarshal(out, &all); err != nil {
		t.Fatal(err)
	}
	var found []*compiled
	for _, c := range all {
		if _, name, _ := strings.Cut(c.Contract, ":"); slices.Contains(names, name) {
			found = append(found, c)
		}
	}
	if len(found) == 0 {
		t.Fatalf("no contract is one of %v", names)
	}
	return found
}
