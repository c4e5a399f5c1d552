package project

import (
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// kinds lists project folders and the expected configuration.
var kinds = []struct {
	name      string
	files     []string
	open      string // folder to open, relative to the root
	kind      Kind
	compilers []string // versions, "" for any
	settings  solc.Settings
	sources   []string
	notes     int
}{
	{
		name:     "plain",
		files:    []string{"A.sol", "", "sub/lib/B.sol", "", "node_modules/p/C.sol", "", ".git/D.sol", "", "sub/._F.sol", "", "out/E.sol", ""},
		kind:     Plain,
		settings: solc.Settings{OptimizerRuns: 200},
		sources:  []string{"A.sol", "sub/lib/B.sol"},
	}, {
		name:     "plain, root by package.json, remappings.txt",
		files:    []string{"package.json", "{}", "remappings.txt", "# mine\nx/=vendor/x/\n\nlib/:y/=z/\n", "a/b/A.sol", ""},
		open:     "a/b/A.sol",
		kind:     Plain,
		settings: solc.Settings{OptimizerRuns: 200, Remappings: []string{"x/=vendor/x/", "lib/:y/=z/"}},
		sources:  []string{"a/b/A.sol"},
	}, {
		name:      "foundry without sources",
		files:     []string{"foundry.toml", "[profile.default]\nlibs=['deps']", "A.sol", "", "deps/B.sol", ""},
		kind:      Foundry,
		compilers: []string{""},
		settings:  solc.Settings{OptimizerRuns: 200, EVMVersion: "osaka", BytecodeHash: "ipfs"},
		sources:   []string{"A.sol"},
	}, {
		name:      "foundry without a word",
		files:     []string{"foundry.toml", "", "src/A.sol", "", "src/a/B.t.sol", "", "test/C.t.sol", "", "script/D.s.sol", "", "lib/x/src/E.sol", "", "F.sol", ""},
		open:      "src",
		kind:      Foundry,
		compilers: []string{""},
		settings:  solc.Settings{OptimizerRuns: 200, EVMVersion: "osaka", BytecodeHash: "ipfs"},
		sources:   []string{"src/A.sol"},
	}, {
		name: "foundry with everything",
		files: []string{"foundry.toml", `
[profile.default]
src = "contracts"
test = "contracts/test"
libs = ["vendor"]
solc_version = "0.8.19"
optimizer_runs = 1_000
via_ir = true
evm_version = "paris"
remappings = ["a/=vendor/a/src/"]
gas_reports = ["*"]
[profile.ci]
fuzz = { runs = 1 }
[fmt]
line_length = 1
`, "contracts/A.sol", "", "contracts/test/B.sol", ""},
		kind:      Foundry,
		compilers: []string{"0.8.19"},
		settings:  solc.Settings{Optimizer: true, OptimizerRuns: 1000, ViaIR: true, EVMVersion: "paris", BytecodeHash: "ipfs", Remappings: []string{"a/=vendor/a/src/"}},
		sources:   []string{"contracts/A.sol"},
	}, {
		name: "foundry with keys about the code",
		files: []string{"foundry.toml", `
[profile.default]
viaIR = true
bytecode-hash = "none"
cbor_metadata = false
revert_strings = "debug"
[profile.default.optimizer_details]
jumpdest_remover = true
cse = false
[profile.default.optimizer_details.yulDetails]
optimizerSteps = "u"
stack_allocation = true
`, "src/A.sol", ""},
		kind:      Foundry,
		compilers: []string{""},
		settings: solc.Settings{OptimizerRuns: 200, ViaIR: true, EVMVersion: "osaka", BytecodeHash: "none", NoMetadata: true, RevertStrings: "debug",
			Details: solc.Optimizer{"jumpdestRemover": true, "cse": false, "yulDetails": solc.Optimizer{"optimizerSteps": "u", "stackAllocation": true}}},
		sources: []string{"src/A.sol"},
	}, {
		name: "foundry with wrong values about the code",
		files: []string{"foundry.toml", `
[profile.default]
bytecode_hash = "sha256"
revert_strings = 1
[profile.default.optimizer_details]
cse = "no"
`, "src/A.sol", ""},
		kind:      Foundry,
		compilers: []string{""},
		settings:  solc.Settings{OptimizerRuns: 200, EVMVersion: "osaka", BytecodeHash: "ipfs"},
		sources:   []string{"src/A.sol"},
		notes:     3,
	}, {
		name:      "foundry with values of wrong types",
		files:     []string{"foundry.toml", "[profile.default]\noptimizer = 'yes'\nsrc = 3\nremappings = ['nonsense']\nsolc = 'newest'\noptimizer_runs = -5\n", "src/A.sol", ""},
		kind:      Foundry,
		compilers: []string{""},
		settings:  solc.Settings{OptimizerRuns: 200, EVMVersion: "osaka", BytecodeHash: "ipfs"},
		sources:   []string{"src/A.sol"},
		notes:     5,
	}, {
		name:      "foundry with an EVM version that is none",
		files:     []string{"foundry.toml", "[profile.default]\nevm_version = 'moon'\n", "src/A.sol", ""},
		kind:      Foundry,
		compilers: []string{""},
		settings:  solc.Settings{OptimizerRuns: 200, EVMVersion: "moon", BytecodeHash: "ipfs"},
		sources:   []string{"src/A.sol"},
		notes:     1,
	}, {
		name: "hardhat 2, one version",
		files: []string{"hardhat.config.ts", `import { HardhatUserConfig } from "hardhat/config"; // solidity: "0.1.0"
import "@nomicfoundation/hardhat-toolbox";
const config: HardhatUserConfig = { solidity: "0.8.28", networks: { x: { url: process.env.URL! } } };
export default config;`, "contracts/A.sol", "", "test/B.sol", ""},
		kind:      Hardhat,
		compilers: []string{"0.8.28"},
		settings:  solc.Settings{OptimizerRuns: 200},
		sources:   []string{"contracts/A.sol"},
	}, {
		name: "hardhat 2, compilers and overrides",
		files: []string{"hardhat.config.js", `
require('dotenv').config({ path: __dirname + '/.env' });
const RUNS = 800;
const optimizer = { enabled: true, runs: RUNS };
/** @type import('hardhat/config').HardhatUserConfig */
module.exports = {
  solidity: {
    compilers: [
      { version: '0.8.19', settings: { optimizer, viaIR: true, evmVersion: 'paris' } },
      { version: "0.7.6", settings: { optimizer: { enabled: process.env.CI === 'x', runs: 1 } } },
    ],
    overrides: { 'contracts/Old.sol': { version: '0.6.12', settings: {} } },
  },
  paths: { sources: './src', tests: './t' },
};`, "src/A.sol", ""},
		kind:      Hardhat,
		compilers: []string{"0.8.19", "0.7.6", "0.6.12"},
		settings:  solc.Settings{Optimizer: true, OptimizerRuns: 800, ViaIR: true, EVMVersion: "paris"},
		sources:   []string{"src/A.sol"},
	}, {
		name: "hardhat 3, profiles",
		files: []string{"hardhat.config.ts", `export default defineConfig({ plugins: [x],
  solidity: { profiles: { default: { version: "0.8.28" }, production: { version: "0.8.28", settings: { optimizer: { enabled: true, runs: 200 } } } } } });`,
			"contracts/A.sol", "", "contracts/B.t.sol", ""},
		kind:      Hardhat,
		compilers: []string{"0.8.28"},
		settings:  solc.Settings{OptimizerRuns: 200},
		sources:   []string{"contracts/A.sol"},
	}, {
		name:     "hardhat, nothing literal",
		files:    []string{"hardhat.config.cjs", "module.exports = { solidity: require('./solidity')[0] }", "contracts/A.sol", ""},
		kind:     Hardhat,
		settings: solc.Settings{OptimizerRuns: 200},
		sources:  []string{"contracts/A.sol"},
		notes:    1,
	}, {
		name:      "truffle",
		files:     []string{"truffle-config.js", "module.exports = { compilers: { solc: { version: '^0.5.16', settings: { optimizer: { enabled: true, runs: 5 } } } } }", "contracts/A.sol", "", "migrations/B.sol", ""},
		kind:      Truffle,
		compilers: []string{"0.5.16"},
		settings:  solc.Settings{Optimizer: true, OptimizerRuns: 5},
		sources:   []string{"contracts/A.sol"},
	}, {
		name:      "foundry and hardhat in one, opened from below",
		files:     []string{"foundry.toml", "[profile.default]\nsolc = '0.8.20'", "hardhat.config.js", "", "src/deep/A.sol", ""},
		open:      "src/deep/A.sol",
		kind:      Foundry,
		compilers: []string{"0.8.20"},
		settings:  solc.Settings{OptimizerRuns: 200, EVMVersion: "shanghai", BytecodeHash: "ipfs"},
		sources:   []string{"src/deep/A.sol"},
	},
}

func TestKinds(t *testing.T) {
	for _, row := range kinds {
		t.Run(row.name, func(t *testing.T) {
			root := solctest.Write(t, row.files...)
			p := open(t, filepath.Join(root, filepath.FromSlash(row.open)), compiler.Env{})
			if p.Root != root || p.Kind != row.kind {
				t.Errorf("opened %s as %s, want %s", p.Root, p.Kind, row.kind)
			}
			if !reflect.DeepEqual(p.Settings, row.settings) {
				t.Errorf("settings %+v, want %+v", p.Settings, row.settings)
			}
			var versions []string
			for _, c := range p.compilers {
				version := ""
				if c.version != nil {
					version = c.version.String()
				}
				versions = append(versions, version)
			}
			if !slices.Equal(versions, row.compilers) {
				t.Errorf("compilers %q, want %q", versions, row.compilers)
			}
			files, err := p.Files()
			for i := range files {
				files[i] = unitName(root, files[i])
			}
			if err != nil || !slices.Equal(files, row.sources) {
				t.Errorf("sources %q, %v, want %q", files, err, row.sources)
			}
			if len(p.Notes) != row.notes {
				t.Errorf("notes: %q", p.Notes)
			}
		})
	}
}

func TestFoundryProfile(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc='a'\noptimizer=true\n[profile.ci]\nsrc='b'\noptimizer-runs=7\n")
	p := open(t, root, compiler.Env{Profile: "ci"})
	if p.sourceDirs[0] != "b" || !p.Settings.Optimizer || p.Settings.OptimizerRuns != 7 {
		t.Errorf("%v, %+v", p.sourceDirs, p.Settings)
	}
	if p := open(t, root, compiler.Env{Profile: "none"}); len(p.Notes) != 1 {
		t.Errorf("notes: %q", p.Notes)
	}
}

func TestBrokenFoundry(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = \n")
	_, err := tryOpen(t, root, compiler.Env{})
	solctest.DemandFailure(t, err, solc.BadConfig, "foundry.toml:2: invalid TOML")
}

func FuzzFoundry(f *testing.F) {
	for _, row := range kinds {
		f.Add(row.files[1])
	}
	f.Fuzz(func(t *testing.T, text string) {
		if file, err := foundrySections([]byte(text), "ci"); err == nil {
			config := foundryDefaults()
			config.read(file.keys)
			config.settings()
			for _, r := range config.Restrictions {
				r.covers("src/a/B.sol")
			}
		}
	})
}

func FuzzScript(f *testing.F) {
	for _, row := range kinds {
		f.Add(row.files[1])
	}
	f.Add("const a = b; const b = a; x = { solidity: a }")
	f.Add("const a=[b,b,b,b]; const b=[c,c,c,c]; const c=[d,d,d,d]; const d=[e,e,e,e]; const e=[a,a]; solidity: a")
	f.Add("solidity: [[[[[{a:{b:(")
	f.Fuzz(func(t *testing.T, text string) {
		p := &configParser{Location: &Location{}, configuration: &configuration{}}
		r := jsReader{tokens: jsTokens(text)}
		p.readHardhat(r.property("solidity"))
		r.property("compilers")
	})
}
