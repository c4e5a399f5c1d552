package project

import (
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc/solctest"
)

// TestHarness checks which contracts are harnesses, by which configuration.
func TestHarness(t *testing.T) {
	tools := realTools(t)
	const runs = "    bytes32 constant CHEATS = \"hevm cheat code\";\n    function cheats() external pure returns (bytes32) { return CHEATS; }\n"
	const echidna, medusa = "echidna.yaml", "medusa.json"
	for name, row := range map[string]struct {
		body    string
		configs map[string]string
		want    string // the file of the configuration, or the tool whose defaults hold; empty: no harness
	}{
		"named":              {runs + "function f() external {}", map[string]string{echidna: "testMode: assertion", medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, medusa},
		"another named":      {runs + "function f() external {}", map[string]string{medusa: `{"fuzzing":{"targetContracts":["Other"]}}`}, ""},
		"properties":         {runs + "function checks_f() external returns (bool) {}", map[string]string{echidna: "prefix: checks_"}, echidna},
		"other properties":   {runs + "function echidna_f() external returns (bool) {}", map[string]string{echidna: "prefix: checks_"}, ""},
		"echidna":            {runs + "function echidna_f() external returns (bool) {}", nil, "echidna"},
		"medusa":             {runs + "function property_f() external returns (bool) {}", nil, "medusa"},
		"maximized":          {runs + "function optimize_f() external returns (int256) {}", nil, "medusa"},
		"no result":          {runs + "function property_f() external {}", nil, ""},
		"parameter":          {runs + "function property_f(uint256) external returns (bool) {}", nil, ""},
		"constructor":        {runs + "constructor(uint256) {}\nfunction property_f() external returns (bool) {}", nil, ""},
		"named constructor":  {runs + "constructor(uint256) {}", map[string]string{medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, medusa},
		"needs no runner":    {"function property_f() external returns (bool) {}", map[string]string{medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, ""},
		"another name":       {runs + "function f() external {}", map[string]string{"echidna-a.yaml": "testMode: assertion", "medusa-b.json": `{"fuzzing":{"targetContracts":["T"]}}`}, "medusa-b.json"},
		"usual name first":   {runs + "function p_f() external returns (bool) {}", map[string]string{"echidna-a.yaml": "prefix: p_", echidna: "prefix: p_"}, echidna},
		"no configuration":   {runs + "function echidna_f() external returns (bool) {}", map[string]string{"medusa-corpus.json": `{"calls":[]}`, "echidna-notes.yaml": "a: 1"}, "echidna"},
		"in test":            {"function f() external {}", map[string]string{"test/T.sol": "", medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, medusa},
		"not named in test":  {"function property_f() external returns (bool) {}", map[string]string{"test/T.sol": "", echidna: "prefix: property_"}, ""},
		"handlers in test":   {"function test_f() external {}", map[string]string{"test/T.sol": "", medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, medusa},
		"invariants":         {runs + "function invariant_f() external {}", map[string]string{medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, medusa},
		"set-up":             {runs + "function setUp() external {}\nfunction invariant_f() external {}", map[string]string{medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, ""},
		"tests":              {runs + "function test_f() external {}", map[string]string{medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, ""},
		"same folder":        {"function property_f() external returns (bool) {}", map[string]string{"test/a/T.sol": "", "test/a/echidna.yaml": "prefix: property_"}, "test/a/echidna.yaml"},
		"folder above":       {runs + "function p_f() external returns (bool) {}", map[string]string{"test/a/b/T.sol": "", "test/a/medusa.json": `{"fuzzing":{"testing":{"propertyTesting":{"testPrefixes":["p_"]}}}}`, echidna: "prefix: p_"}, "test/a/medusa.json"},
		"nearest finds none": {runs + "function p_f() external returns (bool) {}", map[string]string{"test/a/T.sol": "", "test/a/echidna.yaml": "prefix: q_", echidna: "prefix: p_"}, echidna},
		"other folder":       {runs + "function p_f() external returns (bool) {}", map[string]string{"test/a/T.sol": "", "test/ab/echidna.yaml": "prefix: p_", "test/a/c/echidna.yaml": "prefix: p_"}, ""},
		"named elsewhere":    {"function f() external {}", map[string]string{"test/a/T.sol": "", "test/conf/medusa.json": `{"fuzzing":{"targetContracts":["T"]}}`}, "test/conf/medusa.json"},
		"named nearer":       {"function f() external {}", map[string]string{"test/a/T.sol": "", "test/a/medusa.json": `{"fuzzing":{"targetContracts":["T"]}}`, medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, "test/a/medusa.json"},
		"own name":           {"function p_f() external returns (bool) {}", map[string]string{"test/AEchidna.yaml": "prefix: p_", "test/TEchidna.yaml": "prefix: p_", "test/TEchidna.sol": ""}, "test/TEchidna.yaml"},
		"script":             {runs + "bool public IS_SCRIPT;", map[string]string{medusa: `{"fuzzing":{"targetContracts":["T"]}}`}, ""},
	} {
		root, path := solctest.Write(t, "foundry.toml", ""), "T.sol"
		for file, text := range row.configs {
			if filepath.Ext(file) == ".sol" {
				path = file
			}
			solctest.WriteIn(t, root, file, text)
		}
		contract := strings.TrimSuffix(filepath.Base(path), ".sol")
		solctest.WriteIn(t, root, path, "pragma solidity ^0.8.0;\ncontract "+contract+" {\n"+row.body+"\n}\ncontract Other {}\n")
		build, err := open(t, root, tools).Compile(t.Context(), []string{filepath.Join(root, path)}, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := build.Contracts[0]
		if c.Name != contract {
			c = build.Contracts[1]
		}
		have := ""
		switch h := c.Harness(); {
		case h == nil:
		case h.File == "":
			have = string(h.Tool)
		default:
			have = h.Name()
		}
		if have != row.want {
			t.Errorf("%s: harness by %q, want %q", name, have, row.want)
		}
		if have != "" && (!c.RunsTests() || !c.ServesTests() || c.Unfuzzable() != "") {
			t.Errorf("%s: a harness that is not fuzzed: %q", name, c.Unfuzzable())
		}
	}
}
