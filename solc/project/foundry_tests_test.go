package project

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// tested opens a project with a foundry.toml and further files.
func tested(t *testing.T, env compiler.Env, toml string, files ...string) *Project {
	t.Helper()
	root := solctest.Write(t, append([]string{"foundry.toml", toml}, files...)...)
	env.Untrusted = true // no forge of the machine
	return open(t, root, env)
}

// TestTestConfigProfiles merges sections and profiles as forge does.
func TestTestConfigProfiles(t *testing.T) {
	const profiles = `
[profile.default]
block_number = 5
[profile.default.fuzz]
runs = 10
seed = 3
[profile.ci.fuzz]
runs = 30
max_test_rejects = 9
[profile.long]
[profile.default.invariant]
depth = 6
`
	const standalone = profiles + `
[fuzz]
runs = 20
dictionary_weight = 11
[invariant]
runs = 40
`
	for _, row := range []struct {
		profile, toml string
		want          string // fuzz: runs, seed, rejects, weight; invariant: runs, depth, weight
	}{
		{"", "", "256 - 65536 40; 256 500 80"},
		{"", profiles, "10 3 65536 40; 256 6 80"},
		{"ci", profiles, "30 3 9 40; 256 6 80"},
		{"long", profiles, "10 3 65536 40; 256 6 80"},
		{"none", profiles, "10 3 65536 40; 256 6 80"},
		{"", standalone, "10 3 65536 11; 40 6 11"},
		{"ci", standalone, "30 3 9 11; 40 6 11"},
		{"long", standalone, "20 3 65536 11; 40 6 11"}, // [fuzz] overrides the default profile's
		{"", "[fuzz]\nruns = 7", "7 - 65536 40; 7 500 80"},
		{"", "fuzz = 3\ninvariant = []", "256 - 65536 40; 256 500 80"},
	} {
		p := tested(t, compiler.Env{Profile: row.profile}, row.toml)
		c := p.TestConfig
		seed := "-"
		if c.Fuzz.Seed != nil {
			seed = c.Fuzz.Seed.Dec()
		}
		got := fmt.Sprintf("%d %s %d %d; %d %d %d", c.Fuzz.Runs, seed, c.Fuzz.MaxTestRejects, c.Fuzz.Dictionary.Weight, c.Invariant.Runs, c.Invariant.Depth, c.Invariant.Dictionary.Weight)
		if got != row.want {
			t.Errorf("profile %q: %s, want %s\n%s", row.profile, got, row.want, row.toml)
		}
	}
}

// TestTestConfigForge compares configurations with those that forge prints.
func TestTestConfigForge(t *testing.T) {
	bin := filepath.Join(solctest.Tools(t), "node_modules", "@foundry-rs", "forge-linux-amd64", "bin")
	solctest.Need(t, solctest.Exists(filepath.Join(bin, "forge")), "forge for this system is not installed; run make tools")
	for _, row := range []struct{ profile, toml string }{
		{"", ""},
		{"ci", "[profile.default.fuzz]\nruns = 10\nseed = '0x3'\n[fuzz]\nruns = 20\ndictionary_weight = 11\n[profile.ci.fuzz]\nmax_test_rejects = 9"},
		{"ci", "[profile.default]\ninvariant = { runs = 5 }\n[fuzz]\nruns = 20\n[profile.ci]\ngas_limit = '18446744073709551615'"},
		{"default", "[profile.default]\ninvariant = { runs = 5, maxTimeDelay = 4, 'max-block-delay' = 5 }\n[fuzz]\nruns = 20\ntimeout = 3\n[invariant]\ndepth = 3"},
		{"long", "[profile.default]\nsender = '0x00000000000000000000000000000000000000aa'\nchain_id = 'sepolia'\ninitial_balance = '0xff'\nblock_number = 12\nblock_timestamp = 99\n[profile.long]\nisolate = true\nffi = true"},
		{"", "[profile.default]\nfs_permissions = [{ access = 'read-write', path = './'}, { access = 'none', path = 'x' }]\nlibraries = ['src/L.sol:L:0x00000000000000000000000000000000000000bb']\nevm_version = 'Cancun'\nsolc = '0.8.20'"},
		{"", "[rpc_endpoints]\nmain = '${URL}'\nother = { endpoint = 'https://example.org', retries = 3, retry_backoff = 100 }\n[labels]\n0x00000000000000000000000000000000000000aa = 'a'\n[profile.default]\neth_rpc_url = 'main'\nfork_block_number = 5"},
		{"", "[profile.default]\nmatch_test = 'testA'\nno_match_path = 'test/fork/*'\nskip = ['x', 'y']\ncode_size_limit = 77\nmemory_limit = 1000\nblock_prevrandao = '0x" + strings.Repeat("0d", 32) + "'\ngas_price = 5\nlegacy_assertions = true\nassertions_revert = false"},
		{"", "[profile.default]\nsolc = '0.8.19'"},
		{"", "[profile.default]\nhardfork = 'prague'\nalways_use_create_2_factory = true\nallow_internal_expect_revert = true\nprompt_timeout = 7"},
	} {
		own := tested(t, compiler.Env{Profile: row.profile}, row.toml)
		asked := open(t, own.Root, compiler.Env{Profile: row.profile, Path: bin, Home: t.TempDir()})
		if len(asked.Notes) > 0 {
			t.Errorf("%s\nnotes with forge %q", row.toml, asked.Notes)
		}
		if got, want := describe(own.TestConfig), describe(asked.TestConfig); got != want {
			t.Errorf("%s\nin profile %q: got\n%s\nforge says\n%s", row.toml, row.profile, got, want)
		}
	}
}

// describe prints a configuration with what its pointers point to.
func describe(c solc.TestConfig) string {
	seed, block := "none", "none"
	if c.Fuzz.Seed != nil {
		seed = c.Fuzz.Seed.Dec()
	}
	if c.Fork.Block != nil {
		block = fmt.Sprint(*c.Fork.Block)
	}
	c.Fuzz.Seed, c.Fork.Block = nil, nil
	return fmt.Sprintf("%+v seed %s block %s", c, seed, block)
}

// TestTestConfigEverything reads each key once.
func TestTestConfigEverything(t *testing.T) {
	var toml, values strings.Builder
	toml.WriteString("[profile.default]\n")
	special := map[string]string{
		"fs_permissions": `[{ access = "read-write", path = "./" }, { access = false, path = "secret" }]`,
		"rpc_endpoints":  `{ main = "https://example.org/${KEY}", two = { endpoints = ["${A}", "${B}"], retries = 3, retry_backoff = 50, auth = "Bearer ${T}" } }`,
		"labels":         `{ "0x00000000000000000000000000000000000000aa" = "treasury" }`,
		"libraries":      `["./src/L.sol:L:0x00000000000000000000000000000000000000bb"]`,
		"skip":           `["A", "b/**"]`,
	}
	for _, key := range solc.TestKeys() {
		value, ok := special[key]
		switch {
		case ok:
		case key == "chain":
			value = `"Sepolia"`
		case key == "hardfork" || key == "evm_version":
			value = `"prague"`
		case strings.HasSuffix(key, "sender") || strings.HasSuffix(key, "_origin") || strings.HasSuffix(key, "coinbase") || strings.HasSuffix(key, "deployer"):
			value = `"0x00000000000000000000000000000000000000cc"`
		case strings.HasSuffix(key, "prevrandao"):
			value = `"0x` + strings.Repeat("0d", 32) + `"`
		case strings.HasSuffix(key, "_dir") || strings.HasPrefix(key, "match") || strings.HasPrefix(key, "no_match") || key == "eth_rpc_url" || key == "broadcast":
			value = `"text"`
		default:
			value = "33"
		}
		fmt.Fprintf(&toml, "%s = %s\n", key, value)
	}
	text := toml.String()
	p := tested(t, compiler.Env{}, text)
	for _, note := range p.Notes { // booleans, which 33 is not
		key, _, _ := strings.Cut(strings.TrimPrefix(note, "foundry.toml: "), ":")
		if !strings.Contains(note, "33 is not true or false") {
			t.Errorf("note %s", note)
		}
		text = strings.Replace(text, "\n"+key+" = 33", "\n"+key+" = true", 1)
	}
	p = tested(t, compiler.Env{}, text)
	if len(p.Notes) > 0 {
		t.Errorf("notes %q", p.Notes)
	}
	fmt.Fprintf(&values, "%+v", p.TestConfig)
	for _, want := range []string{
		"Sender:0x00000000000000000000000000000000000000cc", "ChainID:11155111", "GasPrice:33", "GasLimit:33", "PrevRandao:0x0d0d", "EVMVersion:prague",
		"Fuzz:{Runs:33 FailOnRevert:true", "Dictionary:{Weight:33 Storage:true PushBytes:true}", "FailureDir:text", "Timeout:33s", "Broadcasts:text",
		"Invariant:{Runs:33 Depth:33", "CheckInterval:33", "FFI:true", "{Path:./ Read:true Write:true} {Path:secret Read:false Write:false}",
		"URL:(hidden)", "main:{URLs:[https://example.org]", "two:{URLs:[${A} ${B}] Auth:${T} Retries:3 Backoff:50ms}",
		"MatchTest:text", "Skip:[A b/**]", "{File:src/L.sol Name:L Address:0x00000000000000000000000000000000000000bb}", "treasury", "Isolate:true",
	} {
		if !strings.Contains(values.String(), want) {
			t.Errorf("no %s in %s", want, values.String())
		}
	}
	if strings.Contains(values.String(), "KEY") {
		t.Errorf("a part of a URL that may be secret is printed: %s", values.String())
	}
}

// TestTestConfigWrongValues checks that wrong and hostile values are noted, and
// that the others hold.
func TestTestConfigWrongValues(t *testing.T) {
	for _, row := range []struct{ line, note string }{
		{`sender = "bob"`, "sender: \"bob\" is not an address"},
		{`sender = 5`, "sender: 5 is not an address"},
		{`initial_balance = -1`, "initial_balance: -1 is not a number of at most 256 bits"},
		{`initial_balance = "` + strings.Repeat("9", 1000) + `"`, "initial_balance: its value is not a number"},
		{`initial_balance = "0x1` + strings.Repeat("0", 64) + `"`, "initial_balance: its value is not a number"},
		{`block_number = nan`, "block_number: NaN is not a number"},
		{`block_timestamp = inf`, "block_timestamp: +Inf is not a number"},
		{`block_timestamp = 1.5`, "block_timestamp: 1.5 is not a number"},
		{`block_prevrandao = "0x12"`, `block_prevrandao: "0x12" is not 32 bytes`},
		{`chain_id = "nowhere"`, `chain_id: "nowhere" is not the number of a chain`},
		{`gas_limit = "maximum"`, `gas_limit: "maximum" is not a whole number from 0 to 18446744073709551615, or max`},
		{`hardfork = "nonsense"`, `hardfork: "nonsense" is not the name of an EVM version, such as cancun`},
		{`hardfork = 7`, `hardfork: 7 is not the name of an EVM version`},
		{`ffi = "yes"`, `ffi: "yes" is not true or false`},
		{`fs_permissions = "all"`, "fs_permissions: \"all\" is not a list like"},
		{`fs_permissions = [{ access = "execute", path = "./" }]`, "fs_permissions: its value is not a list like"},
		{`libraries = ["L:0x00"]`, "libraries: its value is not a list like"},
		{`rpc_endpoints = { a = 3 }`, `rpc_endpoints: its value is not a table like { mainnet = "${RPC_URL}" }; "a" is none`},
		{`rpc_endpoints = "https://user:secret@example.org"`, `rpc_endpoints: its value is not a table`},
		{`labels = { bob = "b" }`, "labels: its value is not a table like"},
		{`fuzz = { runs = 4294967296 }`, "fuzz.runs: 4294967296 is not a whole number from 0 to 4294967295"},
		{`fuzz = { runs = [1] }`, "fuzz.runs: its value is not a whole number"},
		{`fuzz = { dictionary_weight = 101 }`, "fuzz.dictionary_weight: 101 is not a percentage from 0 to 100"},
		{`invariant = { timeout = "soon" }`, `invariant.timeout: "soon" is not a number of seconds`},
		{`fuzz = { failure_persist_dir = 1979-05-27 }`, "fuzz.failure_persist_dir: its value is not a text"},
	} {
		p := tested(t, compiler.Env{}, "[profile.default]\nblock_base_fee_per_gas = 7\n"+row.line)
		if len(p.Notes) != 1 || !strings.HasPrefix(p.Notes[0], "foundry.toml: "+row.note) || !strings.HasSuffix(p.Notes[0], "; forge's default holds") || strings.Contains(p.Notes[0], "secret") {
			t.Errorf("%s: notes %q", row.line, p.Notes)
		}
		with := p.TestConfig
		with.Chain.BaseFee = 0
		if p.TestConfig.Chain.BaseFee != 7 || fmt.Sprint(with) != fmt.Sprint(solc.DefaultTestConfig()) {
			t.Errorf("%s: %+v", row.line, p.TestConfig)
		}
	}
}

// The rules of tests are those of the EVM version in any case, and of the hardfork with or
// without its network.
func TestRulesOfTests(t *testing.T) {
	for line, want := range map[string]string{
		`evm_version = "Cancun"`: "cancun", `hardfork = "ethereum:prague"`: "prague", "evm_version = 'SHANGHAI'\nhardfork = 'London'": "london", "": "osaka",
	} {
		if p := tested(t, compiler.Env{}, "[profile.default]\n"+line); p.TestConfig.Chain.EVMVersion != want || len(p.Notes) > 0 {
			t.Errorf("%s: %s, notes %q", line, p.TestConfig.Chain.EVMVersion, p.Notes)
		}
	}
	p := tested(t, compiler.Env{}, "[profile.default]\nsolc = '0.8.30'\nevm_version = 'nonsense'")
	if p.TestConfig.Chain.EVMVersion != "osaka" || len(p.Notes) != 1 || !strings.Contains(p.Notes[0], `evm_version: "nonsense" is not the name of an EVM version`) {
		t.Errorf("%s, notes %q", p.TestConfig.Chain.EVMVersion, p.Notes)
	}
}

// TestTestConfigEnvironment checks that variables override keys, but do not let
// cheatcodes reach the machine.
func TestTestConfigEnvironment(t *testing.T) {
	variables := map[string]string{
		"FOUNDRY_FUZZ_RUNS": "5", "FOUNDRY_INVARIANT_FAIL_ON_REVERT": "true", "DAPP_BLOCK_NUMBER": "0x10", "FOUNDRY_FFI": "true",
		"FOUNDRY_FS_PERMISSIONS": `[{access="read-write",path="/"}]`, "FOUNDRY_SENDER": "0x00000000000000000000000000000000000000aa",
	}
	p := tested(t, compiler.Env{Getenv: func(name string) string { return variables[name] }}, "[fuzz]\nruns = 9\nseed = 2")
	c := p.TestConfig
	if c.Fuzz.Runs != 5 || c.Fuzz.Seed == nil || !c.Invariant.FailOnRevert || c.Chain.Number.Uint64() != 16 || c.Chain.Sender[19] != 0xaa {
		t.Errorf("configuration %+v", c)
	}
	if c.Cheats.FFI || len(c.Cheats.Permissions) != 1 || c.Cheats.Permissions[0].Path != "out" {
		t.Errorf("cheatcodes %+v", c.Cheats)
	}
}

func TestTestFiles(t *testing.T) {
	files := []string{"src/A.sol", "src/A.t.sol", "test/B.t.sol", "test/deep/Helper.sol", "test/Skip.t.sol", "test/lib/C.t.sol", "script/D.s.sol", "src/E.s.sol", "lib/x/test/F.t.sol", "other/G.t.sol", "test/.hidden.t.sol", "deps/H.t.sol"}
	var write []string
	for _, file := range files {
		write = append(write, file, "contract X {}")
	}
	names := func(p *Project, list []string, err error) string {
		if err != nil {
			t.Fatal(err)
		}
		var short []string
		for _, file := range list {
			short = append(short, unitName(p.Root, file))
		}
		return strings.Join(short, " ")
	}
	p := tested(t, compiler.Env{}, "[profile.default]\nlibs = ['lib', './deps']\nskip = ['Skip']", write...)
	list, err := p.TestFiles()
	if got, want := names(p, list, err), "src/A.sol src/A.t.sol test/B.t.sol test/deep/Helper.sol test/lib/C.t.sol"; got != want {
		t.Errorf("tests %s, want %s", got, want)
	}
	list, err = p.Scripts()
	if got, want := names(p, list, err), "script/D.s.sol src/E.s.sol"; got != want {
		t.Errorf("scripts %s, want %s", got, want)
	}
	for file, want := range map[string]bool{
		"lib/x/test/F.t.sol": true, "deps/H.t.sol": true, "node_modules/n/I.t.sol": true, "packages/p/node_modules/n/J.sol": true, "../node_modules/n/K.sol": true,
		"test/lib/C.t.sol": false, "src/node_modules.sol": false,
	} {
		if got := p.InLibrary(filepath.Join(p.Root, file)); got != want {
			t.Errorf("%s in a library: %v, want %v", file, got, want)
		}
	}
	installed := open(t, solctest.Write(t, "node_modules/n/foundry.toml", "", "node_modules/n/src/L.sol", "contract L {}")+"/node_modules/n/src/L.sol", compiler.Env{})
	if filepath.Base(installed.Root) != "n" || installed.InLibrary(filepath.Join(installed.Root, "src/L.sol")) {
		t.Errorf("the project %s is a library of its own", installed.Root)
	}
	p = open(t, solctest.Write(t, write...), compiler.Env{})
	list, err = p.TestFiles()
	if got, want := names(p, list, err), "deps/H.t.sol other/G.t.sol src/A.sol src/A.t.sol test/B.t.sol test/Skip.t.sol test/deep/Helper.sol test/lib/C.t.sol"; got != want {
		t.Errorf("without a configuration: %s, want %s", got, want)
	}
}

// TestTestFilesOutside checks that an untrusted project gets no tests from
// outside.
func TestTestFilesOutside(t *testing.T) {
	outside := solctest.Write(t, "T.t.sol", "contract T {}")
	p := tested(t, compiler.Env{}, fmt.Sprintf("[profile.default]\ntest = %q\nscript = '../..'\n", outside), "src/A.sol", "contract A {}")
	list, err := p.TestFiles()
	if err != nil || len(list) != 1 || filepath.Base(list[0]) != "A.sol" {
		t.Errorf("%v, %v", list, err)
	}
	if scripts, err := p.Scripts(); err != nil || len(scripts) > 0 {
		t.Errorf("%v, %v", scripts, err)
	}
}
