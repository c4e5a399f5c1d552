package solc

import (
	"maps"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A TestConfig is what a project's configuration says about running its tests
// (foundry.toml, https://getfoundry.sh/config/reference). It is data alone: it
// opens no file, starts no program and connects to nothing. Who runs tests
// decides by the trust of the workspace which of Cheats and Fork to follow.
//
// A TestConfig is immutable; copies may share its slices and maps.
type TestConfig struct {
	Profile   string   // the one in effect, "default"
	Profiles  []string // all that foundry.toml declares, sorted; always with "default"
	Chain     ChainConfig
	Fuzz      FuzzConfig
	Invariant InvariantConfig
	Cheats    CheatConfig
	Fork      ForkConfig
	Filter    TestFilter
	Libraries []LibraryAddress          // deployed already, not to be deployed for tests
	Labels    map[common.Address]string // names of addresses in traces

	Isolate          bool // each call of a test's top frame is a transaction of its own
	LegacyAssertions bool // a test also fails if its contract's failed() returns true
}

// The values of Foundry's chain that no configuration changes, or that hold
// where it says nothing (crates/config and crates/common of Foundry).
const (
	DevChainID = 31337

	defaultGasLimit = 1 << 30
)

var (
	// DefaultSender sends all transactions of tests.
	DefaultSender = common.HexToAddress("0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38")
	// Create2Deployer is the deterministic deployment proxy.
	Create2Deployer = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")
)

// A ChainConfig has the chain that tests run on. On a fork, the values of the
// block, and the chain ID and gas price if they are zero, are those of the
// forked chain.
type ChainConfig struct {
	Sender         common.Address // of all transactions of tests, and their tx.origin
	Origin         common.Address // read as forge reads it: the tx.origin of tests is Sender nevertheless
	InitialBalance uint256.Int    // of the test contract and Sender, in wei

	ChainID  uint64 // 0: not set, DevChainID without a fork
	GasPrice uint64 // of transactions, in wei; 0: not set

	Number     uint256.Int // block.number
	Timestamp  uint256.Int // block.timestamp, in seconds
	BaseFee    uint64      // block.basefee, in wei
	Coinbase   common.Address
	Difficulty uint64 // before the merge
	PrevRandao common.Hash

	GasLimit      uint64 // of a transaction, and of a block unless BlockGasLimit is set
	BlockGasLimit uint64 // 0: not set
	CodeSizeLimit uint64 // of deployed code, in bytes; 0: none
	MemoryLimit   uint64 // of one execution, in bytes

	NoBlockGasLimit bool   // transactions may need more gas than a block has
	TxGasLimit      bool   // EIP-7825 limits the gas of transactions
	EVMVersion      string // whose rules hold: hardfork, or else evm_version

	Create2Deployer common.Address // receives create2 of scripts and, with Cheats.Create2Factory, of tests
}

// Gas returns the gas that a transaction of a test, and its block, have.
func (c *ChainConfig) Gas() uint64 {
	if c.BlockGasLimit != 0 {
		return c.BlockGasLimit
	}
	return c.GasLimit
}

// A Percent is from 0 to 100.
type Percent uint8

// A DictionaryConfig says what the fuzzer of forge collects values from.
type DictionaryConfig struct {
	Weight    Percent // share of values that come from the dictionary
	Storage   bool    // collect values of storage
	PushBytes bool    // collect constants of code
}

// A FuzzConfig has the section [fuzz], for tests with parameters.
type FuzzConfig struct {
	Runs           uint32
	FailOnRevert   bool         // a revert fails the test; else it only ends the run
	MaxTestRejects uint32       // inputs that vm.assume may reject; 0: any number
	Seed           *uint256.Int // nil: not set
	Dictionary     DictionaryConfig
	FailureDir     string        // forge's failing inputs, as written, relative to the project's root
	CorpusDir      string        // forge's corpus, the same; empty: none
	ShowLogs       bool          // console.log of fuzz tests is shown
	Timeout        time.Duration // of one test, which then passes; 0: none
}

// An InvariantConfig has the section [invariant].
type InvariantConfig struct {
	Runs             uint32 // sequences of calls
	Depth            uint32 // calls of a sequence
	FailOnRevert     bool   // a call that reverts fails the test
	CallOverride     bool   // calls of contracts under test may re-enter
	Dictionary       DictionaryConfig
	ShrinkRunLimit   uint32 // executions to shrink a sequence
	MaxAssumeRejects uint32 // calls that vm.assume may reject in a sequence
	FailureDir       string // as in FuzzConfig
	CorpusDir        string // as in FuzzConfig
	ShowMetrics      bool
	ShowSolidity     bool          // counterexamples are shown as code
	Timeout          time.Duration // of one test, which then passes; 0: none
	MaxTimeDelay     uint32        // most seconds between two calls; 0: no delay
	MaxBlockDelay    uint32        // most blocks between two calls; 0: no delay
	CheckInterval    uint32        // calls between two checks of the invariant; 0: only after the last call
}

// A CheatConfig says what cheatcodes may do, if the workspace is trusted. In an
// untrusted one they reach nothing of the machine, whatever it says.
type CheatConfig struct {
	FFI           bool             // vm.ffi may run programs
	Permissions   []FilePermission // of vm.readFile, vm.writeFile and their relatives
	PromptTimeout time.Duration    // of vm.prompt
	Broadcasts    string           // folder of what scripts broadcast, as written, relative to the project's root

	InternalExpectRevert bool // vm.expectRevert also sees reverts of internal calls
	AssertionsRevert     bool // a failed vm.assert… reverts; else it only marks the test as failed
	Create2Factory       bool // create2 of test contracts goes through Create2Deployer
	UncheckedArtifacts   bool // vm.getCode may read artifacts that were not compiled now
}

// A FilePermission allows access to a file or a folder and all in it.
type FilePermission struct {
	Path        string // as written, relative to the project's root
	Read, Write bool   // both false: forbidden
}

// A ForkConfig names remote chains.
type ForkConfig struct {
	URL       EndpointURL // eth_rpc_url: tests run on a fork of this chain; empty: they do not
	Block     *uint64     // fork_block_number; nil: the latest
	Endpoints map[string]Endpoint
}

// An Endpoint is an entry of [rpc_endpoints], or an alias of it that vm.rpcUrl
// and vm.createFork take.
type Endpoint struct {
	URLs    []EndpointURL // at least one; the further ones stand in for the first
	Auth    EndpointURL   // value of the header Authorization, may have placeholders; empty: none
	Retries uint32        // of a failed request; 0: not set
	Backoff time.Duration // before the first of them; 0: not set
}

// A TestFilter has the tests that forge test runs without flags. The first four
// are regular expressions, the others globs of paths; empty: no filter.
type TestFilter struct {
	MatchTest, NoMatchTest         string
	MatchContract, NoMatchContract string
	MatchPath, NoMatchPath         string
	Skip                           []string // globs of files that are not compiled
}

// A LibraryAddress is the address of a deployed library.
type LibraryAddress struct {
	File    string // source unit name
	Name    string
	Address common.Address
}

// DefaultTestConfig returns what holds without a configuration: the defaults of
// forge 1.7.
func DefaultTestConfig() TestConfig {
	dictionary := DictionaryConfig{Weight: 40, Storage: true, PushBytes: true}
	stateful := dictionary
	stateful.Weight = 80
	balance := uint256.NewInt(1)
	balance.Lsh(balance, 96).SubUint64(balance, 1)
	return TestConfig{
		Profile:  "default",
		Profiles: []string{"default"},
		Chain: ChainConfig{
			Sender: DefaultSender, Origin: DefaultSender, InitialBalance: *balance,
			Number: *uint256.NewInt(1), Timestamp: *uint256.NewInt(1),
			GasLimit: defaultGasLimit, MemoryLimit: 128 << 20, EVMVersion: "osaka",
			Create2Deployer: Create2Deployer,
		},
		Fuzz: FuzzConfig{Runs: 256, FailOnRevert: true, MaxTestRejects: 65536, Dictionary: dictionary, FailureDir: "cache/fuzz"},
		Invariant: InvariantConfig{
			Runs: 256, Depth: 500, Dictionary: stateful, ShrinkRunLimit: 5000, MaxAssumeRejects: 65536,
			FailureDir: "cache/invariant", ShowMetrics: true, CheckInterval: 1,
		},
		Cheats: CheatConfig{
			Permissions: []FilePermission{{Path: "out", Read: true}}, PromptTimeout: 2 * time.Minute, Broadcasts: "broadcast", AssertionsRevert: true,
		},
	}
}

// withProfiles returns c with the declared profiles, and "default".
func (c TestConfig) withProfiles(names []string) TestConfig {
	c.Profiles = append(slices.Clone(names), "default")
	slices.Sort(c.Profiles)
	c.Profiles = slices.Compact(c.Profiles)
	return c
}

// clone returns a copy that shares no map or slice that setting keys changes.
func (c TestConfig) clone() TestConfig {
	c.Labels = maps.Clone(c.Labels)
	c.Fork.Endpoints = maps.Clone(c.Fork.Endpoints)
	return c
}
