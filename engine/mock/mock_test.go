package mock

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"leveret/solc/solctest"
)

// compile runs the pinned compiler over the sources, one at a time, with the
// settings that the embedded files were made with. It prints an array of what
// the files have to hold.
const compile = `
const solc = require(process.argv[1]), fs = require("fs"), path = require("path");
const settings = {
  optimizer: {enabled: true, runs: 200}, evmVersion: "cancun",
  metadata: {appendCBOR: false, bytecodeHash: "none"},
  outputSelection: {"*": {"*": ["abi", "evm.bytecode.object", "evm.methodIdentifiers"]}},
};
console.log(JSON.stringify(process.argv.slice(2).map(source => {
  const file = path.basename(source), content = fs.readFileSync(source, "utf8");
  const out = JSON.parse(solc.compile(JSON.stringify({language: "Solidity", sources: {[file]: {content}}, settings})));
  const c = out.contracts[file][path.basename(file, ".sol")];
  return JSON.stringify({abi: c.abi, creation: c.evm.bytecode.object, methods: c.evm.methodIdentifiers}, null, 1) + "\n";
})));
`

// node runs a script with a pinned compiler.
func node(t *testing.T, compiler, script string, stdin []byte, files ...string) []byte {
	t.Helper()
	solc := filepath.Join(solctest.Tools(t), "node_modules", compiler)
	return solctest.Node(t, append([]string{"-e", script, "--", solc}, files...), stdin, files...)
}

// The embedded files are what the sources compile to. With LEVERET_UPDATE=1
// they are written anew.
func TestCompiled(t *testing.T) {
	var args []string
	for i := range rows {
		args = append(args, "contracts/"+rows[i].Name+".sol")
	}
	var contents []string
	if err := json.Unmarshal(node(t, "solc-0.8.30", compile, nil, args...), &contents); err != nil {
		t.Fatal(err)
	}
	for i, want := range contents {
		file := filepath.Join("contracts", rows[i].Name+".json")
		if os.Getenv("LEVERET_UPDATE") != "" {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if have, err := os.ReadFile(file); err != nil || string(have) != want {
			t.Errorf("%s is stale (%v): run this test with LEVERET_UPDATE=1", file, err)
		}
	}
}

// What people read defines the same functions, all in one file.
func TestSolidity(t *testing.T) {
	const prefix = "Leveret"
	text := "pragma solidity ^0.8.1;\n"
	for _, c := range All() {
		text += c.Solidity(prefix)
	}
	for _, solc := range []string{"solc-0.8.19", "solc-0.8.37"} {
		var methods map[string]map[string]string
		if err := json.Unmarshal(node(t, solc, compileAll, []byte(text)), &methods); err != nil {
			t.Fatal(err)
		}
		for _, c := range All() {
			if !maps.Equal(methods[prefix+c.Name], c.Methods) {
				t.Errorf("%s: %s has %v", solc, c.Name, methods[prefix+c.Name])
			}
		}
	}
}

// compileAll prints the functions of each contract of the standard input.
const compileAll = `
const solc = require(process.argv[1]), content = require("fs").readFileSync(0, "utf8");
const settings = {outputSelection: {"*": {"*": ["evm.methodIdentifiers"]}}};
const out = JSON.parse(solc.compile(JSON.stringify({language: "Solidity", sources: {"All.sol": {content}}, settings})));
for (const e of out.errors || []) if (e.severity === "error") throw e.formattedMessage;
const list = {};
for (const [name, c] of Object.entries(out.contracts["All.sol"])) list[name] = c.evm.methodIdentifiers;
console.log(JSON.stringify(list));
`

func TestFind(t *testing.T) {
	for name, want := range map[string]string{"ERC20": "ERC20", "ERC20_2": "ERC20", "ERC721": "ERC721", "ERC20Like": "", "": ""} {
		have := ""
		if c := Find(name); c != nil {
			have = c.Name
		}
		if have != want {
			t.Errorf("%q is %q, not %q", name, have, want)
		}
	}
}

// Every action is a function of its contract, and every source is a row.
func TestRows(t *testing.T) {
	sources, err := filepath.Glob("contracts/*.sol")
	if err != nil || len(sources) != len(rows) {
		t.Errorf("%d sources, %d rows (%v)", len(sources), len(rows), err)
	}
	for _, c := range All() {
		for _, signature := range c.Actions {
			if c.ABI.Method(signature) == nil {
				t.Errorf("%s has no %s", c.Name, signature)
			}
		}
		if n := len(c.ABI.Constructor.Inputs); c.Asset && n != 1 || c.Each > 0 && n != 2 {
			t.Errorf("%s: the constructor takes %d arguments", c.Name, n)
		}
	}
}

func TestFor(t *testing.T) {
	rows := []struct {
		methods string
		want    string
	}{
		{`{"transfer(address,uint256)":"","balanceOf(address)":""}`, "ERC20"},
		{`{"transfer(address,uint256)":"","decimals()":"","symbol()":"","allowance(address,address)":""}`, "ERC20"},
		{`{"deposit()":"","withdraw(uint256)":"","transfer(address,uint256)":""}`, "WETH"},
		{`{"ownerOf(uint256)":"","safeTransferFrom(address,address,uint256)":""}`, "ERC721"},
		{`{"balanceOf(address,uint256)":""}`, "ERC1155"},
		{`{"asset()":"","convertToShares(uint256)":""}`, "ERC4626"},
		{`{"getManager(address)":"","interfaceHash(string)":""}`, "ERC1820"},
		{`{"latestAnswer()":""}`, ""},
		{`{"transfer(address,uint256)":"","burn(uint256)":""}`, ""},
		{`{}`, ""},
	}
	for _, row := range rows {
		var methods map[string]string
		if err := json.Unmarshal([]byte(row.methods), &methods); err != nil {
			t.Fatal(err)
		}
		name := ""
		if c := For(methods); c != nil {
			name = c.Name
		}
		if name != row.want {
			t.Errorf("%s is %q, not %q", row.methods, name, row.want)
		}
	}
}

func TestNamed(t *testing.T) {
	for name, want := range map[string]string{
		"token": "ERC20", "_token": "ERC20", "tokenAddress": "ERC20", "token_address_": "ERC20", "asset": "ERC20",
		"_weth": "WETH", "WETH9": "WETH", "nft": "ERC721", "owner": "", "tokenOwner": "", "": "", "address": "",
	} {
		have := ""
		if c := Named(name); c != nil {
			have = c.Name
		}
		if have != want {
			t.Errorf("%q means %q, not %q", name, have, want)
		}
	}
}

func TestLike(t *testing.T) {
	for name, want := range map[string]string{
		"tokenA": "ERC20", "_token0": "ERC20", "tokenIn": "ERC20", "collateralToken": "ERC20", "quoteTokenAddress": "ERC20",
		"oldWeth": "WETH", "myNFT": "ERC721", "feeVault": "ERC4626",
		"tokenizer": "", "tokens": "", "owner": "", "": "", "spender": "",
	} {
		got := ""
		if c := Like(name); c != nil {
			got = c.Name
		}
		if got != want {
			t.Errorf("%q is like %q, want %q", name, got, want)
		}
	}
}
