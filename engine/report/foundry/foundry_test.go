package foundry

import (
	"bytes"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc/srcmap"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// parse reads a signature.
func parse(t testing.TB, signature string) *input.Function {
	t.Helper()
	f, err := input.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// panicked is the observable of a failed assertion.
var panicked = finding.Observable{Fails: true, Data: append(common.FromHex("4e487b71"), common.LeftPadBytes([]byte{1}, 32)...)}

// sample is a finding that can become a test: two contracts of one name, arguments
// with and without literals, delays and wei.
func sample(t testing.TB) (Contract, finding.Finding) {
	one, two, vault := common.HexToAddress("0xa1"), common.HexToAddress("0xa2"), common.HexToAddress("0xaa")
	create := parse(t, "constructor(address,(uint8,bool),string)")
	put := parse(t, "put(uint256,int64,bytes4,string,address,bool)")
	many := parse(t, "many(uint256[])")
	pair := create.Inputs[1].Type
	minus := new(uint256.Int).SetAllOne()
	args := []input.Value{
		input.NewAddress(two),
		{Type: pair, Elems: []input.Value{input.NewWord(pair.Fields[0].Type, uint256.NewInt(7)), input.NewWord(pair.Fields[1].Type, uint256.NewInt(1))}},
		{Type: create.Inputs[2].Type, Data: []byte("größe")},
	}
	s := input.Sequence{
		Deployment: &input.Deployment{Creations: []input.Creation{
			{Name: "Token", File: "src/Token.sol", Address: one},
			{Name: "Token2", Contract: "Token", File: "src/Token.sol", Address: two},
			{Name: "Vault", File: "src/Vault.sol", Address: vault, Args: args, Value: *uint256.NewInt(2_000_000_000_000_000_000)},
		}},
		Txs: []input.Tx{
			{From: input.User1, To: vault, Function: put, Value: *uint256.NewInt(7), Delay: input.Delay{Blocks: 3, Seconds: 36}, Args: []input.Value{
				input.NewWord(put.Inputs[0].Type, minus), input.NewWord(put.Inputs[1].Type, minus),
				input.NewWord(put.Inputs[2].Type, new(uint256.Int).Lsh(uint256.NewInt(0xdeadbeef), 224)),
				{Type: put.Inputs[3].Type, Data: []byte("a \"quoted\" \\ text")}, input.NewAddress(one), input.NewWord(put.Inputs[5].Type, uint256.NewInt(1)),
			}},
			{From: input.Attacker, To: two, Function: parse(t, "fallback()"), Data: []byte{1, 2, 3}},
			{From: input.User2, To: vault, Function: many, Args: []input.Value{{Type: many.Inputs[0].Type, Elems: []input.Value{{}}}}},
		},
	}
	s.Txs[2].Args[0].Elems[0] = input.NewWord(many.Inputs[0].Type.Elem, uint256.NewInt(5))
	c := Contract{Name: "Vault", Solc: "0.8.30"}
	f := finding.Finding{ID: "SWC-110:Vault:00ff", Oracle: "assertion", Contract: "Vault", Place: finding.Place{File: "src/Vault.sol", Start: srcmap.Position{Line: 9, Column: 1}, End: srcmap.Position{Line: 9, Column: 5}},
		Message: "this assertion can fail: `größe == 1…`", Witness: s, Observable: panicked}
	return c, f
}

var start = input.BlockTime{Number: 100, Timestamp: 1000}

func TestTest(t *testing.T) {
	c, f := sample(t)
	text, err := Test(nil, c, f, start)
	if err != nil {
		t.Fatal(err)
	}
	const file = "testdata/test.foundry"
	if *update {
		if err := os.WriteFile(file, text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(text, want) {
		t.Errorf("%s differs (go test ./engine/report/foundry -update rewrites it); got:\n%s", file, text)
	}
	for i, b := range text {
		if b > 0x7e && !bytes.Contains(text[:i], []byte("// this assertion")) {
			t.Fatalf("literals must be ASCII, byte %#x at %d", b, i)
		}
	}
}

// Senders other than the actors are written as addresses, and own what they pay.
func TestOtherSenders(t *testing.T) {
	c, f := sample(t)
	whale := common.HexToAddress("0x00000000219ab540356cBB839Cbe05303d7705Fa")
	f.Witness = f.Witness.WithTx(0, func(tx input.Tx) input.Tx { tx.From = input.Actor(whale); return tx }(f.Witness.Txs[0]))
	text, err := Test(nil, c, f, start)
	if err != nil {
		t.Fatal(err)
	}
	name := "address(" + whale.Hex() + ")"
	for _, line := range []string{"vm.deal(" + name + ", 7);", "vm.prank(" + name + ", " + name + ");", "later, " + whale.Hex() + " calls"} {
		if n := strings.Count(string(text), line); n != 1 {
			t.Errorf("%q occurs %d times in\n%s", line, n, text)
		}
	}
}

// TestMerge adds tests to existing files.
func TestMerge(t *testing.T) {
	c, f := sample(t)
	first, err := Test(nil, c, f, start)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Test(first, c, f, start)
	if err != nil || !bytes.Equal(again, first) {
		t.Errorf("adding the same test again changes the file: %v", err)
	}
	other := f
	other.ID, other.Observable = "SWC-110:Vault:1234", finding.Observable{Property: "property_x()"}
	both, err := Test(first, c, other, start)
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{
		"contract VaultLeveretTest": 1, "interface LeveretVm": 1, "function create(": 1, "import {Vault}": 1,
		"function test_SWC_110_Vault_00ff()": 1, "function test_SWC_110_Vault_1234()": 1, "pragma": 1,
	} {
		if n := strings.Count(string(both), text); n != want {
			t.Errorf("%q occurs %d times\n%s", text, n, both)
		}
	}
	if end := strings.TrimSpace(string(both)); !strings.HasSuffix(end, "    }\n}") {
		t.Errorf("the function is not the last of its contract:\n%s", both)
	}
}

// TestMergeNeeds adds a test that needs more definitions than the first one. They
// are added once, in either order.
func TestMergeNeeds(t *testing.T) {
	c, plain := sample(t)
	other := plain
	other.ID = "SWC-104:Vault:1234"
	other.Witness.Txs = slices.Clone(plain.Witness.Txs)
	other.Witness.Txs[2].Script = &input.Script{Mode: input.Refuse}
	other.Observable = finding.Observable{Effect: finding.IgnoredFailure{Caller: plain.Witness.Txs[2].To, Callee: input.Attacker.Address()}}
	for _, order := range [][]finding.Finding{{plain, other}, {other, plain}} {
		var text []byte
		for range 2 {
			for _, f := range order {
				var err error
				if text, err = Test(text, c, f, start); err != nil {
					t.Fatal(err)
				}
			}
		}
		for part, want := range map[string]int{
			"contract VaultLeveretTest": 1, "interface LeveretVm": 1, "contract LeveretAttacker": 1, "struct Access": 1,
			"function create(": 1, "function panics(": 1, "function effect(": 1, "function recordedLogs(": 1, "function refuses(": 1,
			"function prank(": 1, "function etch(": 1, "function mockCall(": 1, "function snapshotState(": 1,
			"function test_SWC_110_Vault_00ff()": 1, "function test_SWC_104_Vault_1234()": 1,
		} {
			if n := strings.Count(string(text), part); n != want {
				t.Errorf("%q occurs %d times\n%s", part, n, text)
			}
		}
	}
}

// TestMergeForeign adds a test to files written by hand.
func TestMergeForeign(t *testing.T) {
	c, f := sample(t)
	for name, old := range map[string]string{
		"another contract": "pragma solidity ^0.8.0;\nimport {A} from \"./A.sol\";\ncontract Mine { string s = \"} contract VaultLeveretTest {\"; }\n",
		"edited by hand":   "pragma solidity ^0.8.0;\n// contract VaultLeveretTest {\ncontract VaultLeveretTest /* { */ { function mine() public { if (true) { } } // }\n}\n\ncontract Behind { }\n",
		"a comment only":   "// nothing yet",
	} {
		text, err := Test([]byte(old), c, f, start)
		if err != nil {
			t.Fatal(err)
		}
		code := codeOnly(text)
		body := string(code)
		if n := strings.Count(body, "function test_SWC_110_Vault_00ff()"); n != 1 {
			t.Errorf("%s: %d functions\n%s", name, n, text)
		}
		if strings.Count(body, "{") != strings.Count(body, "}") || !isSubsequence(old, string(text)) {
			t.Errorf("%s: it is damaged\n%s", name, text)
		}
		from := strings.Index(body, "contract VaultLeveretTest")
		to := closing(code, "contract VaultLeveretTest")
		if at := strings.Index(body, "function test_SWC_110_Vault_00ff()"); at < from || at > to {
			t.Errorf("%s: the test is not in its contract\n%s", name, text)
		}
		if strings.Index(body, "import {Vault}") > from {
			t.Errorf("%s: the import comes too late\n%s", name, text)
		}
	}
}

func isSubsequence(part, whole string) bool {
	for i := 0; i < len(whole) && part != ""; i++ {
		if whole[i] == part[0] {
			part = part[1:]
		}
	}
	return part == ""
}

// TestImpossible checks the reasons why a finding cannot become a test.
func TestImpossible(t *testing.T) {
	for want, spoil := range map[string]func(*Contract, *finding.Finding){
		"no witness":                        func(_ *Contract, f *finding.Finding) { f.Witness.Txs = nil },
		"neither a contract of the project": func(_ *Contract, f *finding.Finding) { f.Witness.Deployment.Creations[0].File = "" },
		"no effect that a caller can see":   func(_ *Contract, f *finding.Finding) { f.Oracle, f.Observable = "overflow", finding.Observable{} },
		"solc 0.6.2 or later":               func(c *Contract, _ *finding.Finding) { c.Solc = "0.5.17" },
		"caught inside":                     func(_ *Contract, f *finding.Finding) { f.Observable = finding.Observable{} },
		"the oracle arbitrary":              func(_ *Contract, f *finding.Finding) { f.Oracle = "arbitrary" },
	} {
		c, f := sample(t)
		spoil(&c, &f)
		if _, err := Test(nil, c, f, start); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error about %q, got %v", want, err)
		}
	}
}

func TestAtLeast(t *testing.T) {
	for version, want := range map[string]bool{"0.6.1": false, "0.6.2": true, "0.6.12": true, "0.5.17": false, "0.10.0": true, "1.0": true, "": false} {
		if got := atLeast(version, 0, 6, 2); got != want {
			t.Errorf("%q: %v", version, got)
		}
	}
}

// FuzzMerge adds a test to any file: it must not panic or lose text, and adding the
// same test again must change nothing.
func FuzzMerge(f *testing.F) {
	for _, seed := range []string{
		"", "}", "contract VaultLeveretTest {", "contract VaultLeveretTest { \" }", "/* contract VaultLeveretTest { }", "import pragma",
		"contract VaultLeveretTest {}}", "'\\", "import {Vault} from \"../src/Vault.sol\";", "// import {Vault} from \"../src/Vault.sol\";\ninterface LeveretVm {}",
	} {
		f.Add([]byte(seed))
	}
	c, sample := sample(f)
	f.Fuzz(func(t *testing.T, old []byte) {
		once, err := Test(old, c, sample, start)
		if err != nil {
			t.Fatal(err)
		}
		if len(bytes.TrimSpace(old)) > 0 && !isSubsequence(string(old), string(once)) {
			t.Fatalf("text of %q is lost", old)
		}
		if !bytes.Contains(codeOnly(once), []byte("function test_SWC_110_Vault_00ff(")) {
			return // after a comment or string that is not closed
		}
		if twice, err := Test(once, c, sample, start); err != nil || !bytes.Equal(once, twice) {
			t.Fatalf("%q: adding the test again changes the file (%v)", old, err)
		}
	})
}
