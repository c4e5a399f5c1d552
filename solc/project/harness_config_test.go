package project

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
	"leveret/solc/trust"
)

// everyEchidna has all keys of echidna.yaml that are read.
const everyEchidna = `
# of a Chimera project
testMode: assertion
prefix: "optimize_"
stopOnFail: true
sender: ["0x10000", 0x20000, "0x00a329c0648769a73afac7f9381e08fb43dbea70"]
deployer: 0x30001
psender: "30000000000000000000000000000000000000aa"
contractAddr: "0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496"
balanceAddr: 0x1043561a8829300000
balanceContract: 100000000000000000000000
codeSize: 50000
deployContracts: [["0x1f", "Token"], [0x20, Vault]]
deployBytecodes: [["0x21", "6001600255"]]
maxValue: 1e21
maxGasprice: 7
maxTimeDelay: 1
maxBlockDelay: 2
testMaxGas: 30000000
allContracts: true
excludeViewPure: true
filterFunctions: ["C.f(uint256)", "C.g()"]
filterBlacklist: false
testLimit: 1_000
seqLen: 300
shrinkLimit: 50
timeout: 3600
workers: 4
seed: 3
corpusDir: echidna
allowFFI: true
rpcUrl: "https://user:secret@example.org"
rpcBlock: 99
cryticArgs: ["--foundry-compile-all"]
mutConsts: [1, 1, 1, 1]
unknown: { deep: [1, 2] }
`

const everyMedusa = `{ "fuzzing": {
	"workers": 2, "timeout": 60, "testLimit": 500, "shrinkLimit": 9, "callSequenceLength": 40, "corpusDirectory": "medusa",
	"targetContracts": ["CryticTester", "Other"], "targetContractsBalances": ["1.5e18", "0x10", ""],
	"predeployedContracts": { "Token": "0x1f", "Another": "0x20" },
	"constructorArgs": { "Other": { "supply": "1000", "list": [1, 2] } },
	"deployerAddress": "0x30001", "senderAddresses": ["0x10001"], "blockNumberDelayMax": 5, "blockTimestampDelayMax": 6, "transactionGasLimit": 7,
	"testing": {
		"stopOnFailedTest": false, "testAllContracts": true, "testViewMethods": false, "targetFunctionSignatures": ["C.f()"], "excludeFunctionSignatures": [],
		"assertionTesting": { "enabled": false, "panicCodeConfig": { "failOnAssertion": false, "failOnArithmeticUnderflow": true, "failOnDivideByZero": true } },
		"propertyTesting": { "enabled": true, "testPrefixes": ["invariant_", "crytic_"] },
		"optimizationTesting": { "enabled": false, "testPrefixes": ["max_"] }
	},
	"chainConfig": { "cheatCodes": { "enableFFI": true }, "forkConfig": { "forkModeEnabled": true, "rpcUrl": "https://user:secret@example.org", "rpcBlock": 3 } }
}, "slither": { "useSlither": true } }`

func TestHarnessConfigs(t *testing.T) {
	root := solctest.Write(t, "echidna.yaml", everyEchidna, "medusa.json", everyMedusa)
	list, failed := open(t, root, compiler.Env{}).HarnessConfigs()
	if len(failed) > 0 || len(list) != 2 {
		t.Fatalf("%d configurations, %v", len(list), failed)
	}
	for i, want := range [][]string{{
		"Tool:echidna", "Properties:false Assertions:true ForgeTests:false Overflows:false Optimization:false Prefixes:[optimize_] Maximized:[optimize_] Panics:[1] StopOnFail:true",
		"Senders:[0x0000000000000000000000000000000000010000 0x0000000000000000000000000000000000020000 0x00A329c0648769A73afAc7F9381E08FB43dBEA70]",
		"Deployer:0x0000000000000000000000000000000000030001", "PropertySender:0x30000000000000000000000000000000000000",
		"{Address:0x000000000000000000000000000000000000001f Contract:Token Code:[]} {Address:0x0000000000000000000000000000000000000020 Contract:Vault Code:[]} {Address:0x0000000000000000000000000000000000000021 Contract: Code:[96 1 96 2 85]}",
		"CodeSizeLimit:50000", "MaxValue:[3875820019684212736 54 0 0] MaxGasPrice:7 MaxTimeDelay:1 MaxBlockDelay:2 Gas:30000000 PropertyGas:0 AllContracts:true Views:false Only:[C.f(uint256) C.g()] Except:[]",
		"Tests:1000 SequenceLength:300 ShrinkLimit:50 Timeout:1h0m0s Workers:4", "Seed:+3", "CorpusDir:echidna FFI:true NoCheats:false Fork:{URL:https://example.org",
	}, {
		"Tool:medusa", "Properties:true Assertions:false ForgeTests:false Overflows:false Optimization:false Prefixes:[invariant_ crytic_] Maximized:[max_] Panics:[17 18] StopOnFail:false",
		"Senders:[0x0000000000000000000000000000000000010001] Deployer:0x0000000000000000000000000000000000030001",
		"Targets:[CryticTester Other] Balances:[[1500000000000000000 0 0 0] [16 0 0 0] [0 0 0 0]] ConstructorArgs:map[Other:map[list:[1 2] supply:1000]]",
		"Predeployed:[{Address:0x0000000000000000000000000000000000000020 Contract:Another Code:[]} {Address:0x000000000000000000000000000000000000001f Contract:Token Code:[]}]",
		"MaxTimeDelay:6 MaxBlockDelay:5 Gas:7 PropertyGas:0 AllContracts:true Views:false Only:[C.f()] Except:[]",
		"Tests:500 SequenceLength:40 ShrinkLimit:9 Timeout:1m0s Workers:2", "FFI:true NoCheats:false Fork:{URL:https://example.org",
	}} {
		got := fmt.Sprintf("%+v", list[i])
		for _, part := range want {
			if !strings.Contains(strings.ToLower(got), strings.ToLower(part)) { // the case of addresses is a checksum
				t.Errorf("no %s in\n%s", part, got)
			}
		}
		if strings.Contains(got, "secret") {
			t.Errorf("the password of a URL is printed: %s", got)
		}
	}
	if c := list[0]; c.Accounts.Contract.Hex() != "0x7FA9385bE102ac3EAc297483Dd6233D62b3e1496" || c.Deploy.Balances[0].Dec() != "100000000000000000000000" || *c.Fork.Block != 99 {
		t.Errorf("%+v", c)
	}
	if d := solc.DefaultHarnessConfig(solc.Echidna); d.Deploy.Balances[0].Sign() != 0 || d.Accounts.Contract.Hex() == list[0].Accounts.Contract.Hex() {
		t.Error("the defaults changed")
	}
}

// TestHarnessConfigWrong checks that wrong and hostile files give one message
// each.
func TestHarnessConfigWrong(t *testing.T) {
	bomb := "a: &a [1,1,1,1,1,1,1,1,1,1]\n"
	for c := 'b'; c < 'k'; c++ {
		p := string(c - 1)
		bomb += fmt.Sprintf("%c: &%c [%s]\n", c, c, strings.TrimSuffix(strings.Repeat("*"+p+",", 10), ","))
	}
	for _, row := range []struct{ file, text, want string }{
		{"echidna.yaml", "", ""},
		{"echidna.yaml", "# nothing\n", ""},
		{"echidna.yaml", "testMode: null\nseqLen: ~\nprefix:\n", ""},
		{"echidna.yml", "\ntestMode: chaos", `echidna.yml:2: testMode: "chaos" is not one of property, assertion, foundry, dapptest, overflow, exploration, optimization; correct the value; the default of echidna holds`},
		{"echidna.yaml", "sender: []", "sender: its value is not a list of addresses"},
		{"echidna.yaml", "sender: '0x10000'", "is not a list of addresses"},
		{"echidna.yaml", "deployer: 0x10000000000000000000000000000000000000000000", "is not an address of at most 20 bytes"},
		{"echidna.yaml", "seqLen: -1", `seqLen: "-1" is not a whole number`},
		{"echidna.yaml", "seqLen: 1.5", `seqLen: "1.5" is not a whole number`},
		{"echidna.yaml", "maxValue: .inf", "is not a number of at most 256 bits"},
		{"echidna.yaml", "maxValue: 1e999999999", "is not a number of at most 256 bits"},
		{"echidna.yaml", "filterBlacklist: 3", "is not true or false"},
		{"echidna.yaml", "deployContracts: [[0x1f]]", "deployContracts: its value is not a list of pairs, an address and the name of a contract"},
		{"echidna.yaml", "deployBytecodes: [[0x1f, zz]]", "deployBytecodes: its value is not a list of pairs, an address and creation code"},
		{"echidna.yaml", "a: [", "echidna.yaml: invalid YAML: "},
		{"echidna.yaml", "[1, 2]", "echidna.yaml: invalid YAML: the file has no keys"},
		{"echidna.yaml", bomb, "echidna.yaml: invalid YAML: it has too many nodes"},
		{"echidna.yaml", "a: &a [*a]", "echidna.yaml: invalid YAML: "},
		{"echidna.yaml", "a: !!bool maybe", "echidna.yaml: invalid YAML: "},
		{"medusa.json", "{}", ""},
		{"medusa.json", `{"fuzzing": null}`, ""},
		{"medusa.json", `{"fuzzing": 3}`, ""},
		{"medusa.json", "", "medusa.json: invalid JSON: "},
		{"medusa.json", "[]", "medusa.json: invalid JSON: "},
		{"medusa.json", "{} {}", "medusa.json: invalid JSON: "},
		{"medusa.json", `{"fuzzing": {"callSequenceLength": "long"}}`, `medusa.json: fuzzing.callSequenceLength: "long" is not a whole number`},
		{"medusa.json", `{"fuzzing": {"targetContractsBalances": ["1e-3"]}}`, "is not a list of amounts in wei"},
		{"medusa.json", `{"fuzzing": {"constructorArgs": {"A": 3}}}`, "is not a table like"},
		{"medusa.json", `{"fuzzing": {"testing": {"propertyTesting": {"testPrefixes": [3, {}]}}}}`, "is not a list of texts"},
	} {
		root := solctest.Write(t, row.file, row.text)
		list, failed := open(t, root, compiler.Env{}).HarnessConfigs()
		unreadable := strings.Contains(row.want, "invalid ")
		if unreadable != (len(list) == 0) {
			t.Errorf("%s: %d configurations", row.text, len(list))
		}
		switch {
		case row.want == "" && len(failed) == 0:
		case row.want == "" || len(failed) != 1 || !strings.Contains(failed[0].Error(), row.want):
			t.Errorf("%.60s: %v, want %s", row.text, failed, row.want)
		case !unreadable:
			config := list[0]
			config.File = ""
			if got, want := fmt.Sprintf("%+v", config), fmt.Sprintf("%+v", solc.DefaultHarnessConfig(config.Tool)); len(got) != len(want) {
				t.Errorf("%s:\n%s\nnot the defaults\n%s", row.text, got, want)
			}
		}
	}
}

// TestHarnessConfigOutside checks that an untrusted project's configuration lies in it.
func TestHarnessConfigOutside(t *testing.T) {
	outside := solctest.Write(t, "medusa.json", everyMedusa)
	root := solctest.Write(t, "foundry.toml", "", "test/T.sol", "")
	for _, link := range []string{"medusa.json", "test/medusa.json"} {
		if err := os.Symlink(filepath.Join(outside, "medusa.json"), filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	list, failed := open(t, root, compiler.Env{Untrusted: true}).HarnessConfigs()
	if len(list) != 0 || len(failed) != 2 {
		t.Errorf("%v, %v", list, failed)
	}
	for _, err := range failed {
		if !strings.Contains(err.Error(), "outside the project") {
			t.Error(err)
		}
	}
}

// The old name of Echidna's assertion mode counts, unless there is a mode.
func TestOldAssertionMode(t *testing.T) {
	for text, want := range map[string][2]bool{
		"seqLen: 1": {true, false}, "checkAsserts: true": {true, true}, "checkAsserts: false": {true, false}, "checkAsserts: true\ntestMode: property": {true, false},
	} {
		list, failed := open(t, solctest.Write(t, "echidna.yaml", text), compiler.Env{}).HarnessConfigs()
		if len(list) != 1 || len(failed) > 0 || [2]bool{list[0].Checks.Properties, list[0].Checks.Assertions} != want {
			t.Errorf("%q: %+v, %v", text, list, failed)
		}
	}
}

// A usual name that is too large has a remedy.
func TestLargeHarnessConfig(t *testing.T) {
	_, failed := open(t, solctest.Write(t, "medusa.json", strings.Repeat(" ", trust.MaxConfig+1)), compiler.Env{}).HarnessConfigs()
	if len(failed) != 1 || failed[0].Error() != "medusa.json: this file cannot be read: the file is too large: the limit is 4 MB; shorten it" {
		t.Error(failed)
	}
}

// Folders and large files of other names are no configurations. Neither many files nor large
// ones take long.
func TestHarnessConfigOthers(t *testing.T) {
	root := solctest.Write(t, "medusa-a.json", `{"fuzzing": {}}`, "medusa-corpus/medusa.json", everyMedusa, "medusa-large.json", strings.Repeat(" ", trust.MaxConfig+1))
	if err := os.Mkdir(filepath.Join(root, "medusa-folder.json"), 0o755); err != nil {
		t.Fatal(err)
	}
	for i := range maxHarnessFiles {
		solctest.WriteIn(t, root, fmt.Sprintf("medusa-m%d.json", i), `{"fuzzing": {}}`)
	}
	list, failed := open(t, root, compiler.Env{}).HarnessConfigs()
	if len(list) != maxHarnessFiles || filepath.Base(list[0].File) != "medusa-a.json" || len(failed) != 1 || !strings.Contains(failed[0].Error(), "not read: there are more than 128") {
		t.Errorf("%d configurations, %v", len(list), failed)
	}
	root = solctest.Write(t, "echidna.yaml", "seqLen: 1", "medusa.json", strings.Repeat(" ", trust.MaxConfig+1))
	for i := range 5 {
		solctest.WriteIn(t, root, fmt.Sprintf("test/%d-echidna.yaml", i), "seqLen: 2\n#"+strings.Repeat(" ", trust.MaxConfig/3))
	}
	list, failed = open(t, root, compiler.Env{}).HarnessConfigs()
	if len(list) != 3 || len(failed) != 2 || !strings.HasPrefix(failed[1].Error(), "test/2-echidna.yaml: this and later configurations of harnesses are not read: ") ||
		!strings.HasSuffix(failed[1].Error(), "; move files that are none, or name one by --harness-config") {
		t.Errorf("%d configurations, %v", len(list), failed)
	}
}

// FuzzHarnessConfig reads arbitrary configurations.
func FuzzHarnessConfig(f *testing.F) {
	f.Add([]byte(everyEchidna), []byte(everyMedusa))
	f.Add([]byte("a: &a [*a]"), []byte(`{"fuzzing":{"targetContractsBalances":["1e400", {}]}}`))
	f.Add([]byte("maxValue: 1e-400\n? [x]\n: y"), []byte("[[[["))
	f.Fuzz(func(t *testing.T, echidna, medusa []byte) {
		if keys, _, err := readYAML(echidna); err == nil {
			solc.DefaultHarnessConfig(solc.Echidna).With(keys)
		}
		if keys, _, err := readJSON(medusa); err == nil {
			solc.DefaultHarnessConfig(solc.Medusa).With(keys)
		}
	})
}

// Configurations also lie in the folders of sources and tests, in which case their names say the
// folder; those of packages, of libraries and of hidden folders are not read.
func TestHarnessConfigFolders(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "", "src/A.sol", "", "test/fuzz/T.sol", "", "medusa.json", `{"fuzzing": {}}`, "src/MyEchidna.yml", "seqLen: 1",
		"test/echidna.yaml", "seqLen: 1", "test/fuzz/conf/FuzzMedusa.json", `{"fuzzing": {}}`, "test/notes-echidna.yaml", "a: 1", "test/fuzz/medusa.json", "{",
		"test/node_modules/p/echidna.yaml", "seqLen: 1", "test/.cache/echidna.yaml", "seqLen: 1", "lib/l/echidna.yaml", "seqLen: 1", "other/echidna.yaml", "seqLen: 1",
		"test/nested/foundry.toml", "", "test/nested/echidna.yaml", "seqLen: 1")
	list, failed := open(t, root, compiler.Env{}).HarnessConfigs()
	var names []string
	for _, c := range list {
		names = append(names, c.Folder+" "+c.Name())
	}
	if got, want := strings.Join(names, ", "), " medusa.json, src src/MyEchidna.yml, test test/echidna.yaml, test/fuzz/conf test/fuzz/conf/FuzzMedusa.json"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	if len(failed) != 1 || !strings.HasPrefix(failed[0].Error(), "test/fuzz/medusa.json: invalid JSON: ") {
		t.Error(failed)
	}
}
