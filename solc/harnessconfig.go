package solc

import (
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A HarnessConfig is what the configuration of Echidna or Medusa says about
// fuzzing a harness: a contract with handlers, properties and assertions. It is
// data alone, as TestConfig is: what it says of programs and nodes counts only in
// trusted workspaces.
type HarnessConfig struct {
	Tool     HarnessTool
	File     string // absolute path
	Folder   string // of File, relative to the project's root, with slashes; empty: the root, or a user names File
	Checks   HarnessChecks
	Accounts HarnessAccounts
	Deploy   HarnessDeployment
	Calls    HarnessCalls
	Limits   HarnessLimits

	CorpusDir  string // the tool's own corpus, as written, relative to File; empty: none
	FFI        bool   // cheatcodes may run programs
	NoCheats   bool   // Medusa's cheatcodes are switched off
	Fork       ForkConfig
	CryticArgs []string // of Echidna's compilation; Leveret compiles by the project's settings
}

// A HarnessTool is a fuzzer whose harnesses run.
type HarnessTool string

// The tools.
const (
	Echidna HarnessTool = "echidna" // echidna.yaml
	Medusa  HarnessTool = "medusa"  // medusa.json
)

// HarnessChecks says what fails.
type HarnessChecks struct {
	Properties   bool // functions with a prefix of Prefixes that return false or revert; in Echidna, those with "revert_" after it must revert
	Assertions   bool // failed assertions, and events AssertionFailed
	ForgeTests   bool // functions that forge would test fail as they do there
	Overflows    bool // arithmetic panics
	Optimization bool // the results of functions with a prefix of Maximized are maximised, not checked

	Prefixes   []string // of properties
	Maximized  []string // of functions to maximise
	Panics     []uint64 // codes of Panic that count as failed assertions
	StopOnFail bool     // end after the first failure
}

// HarnessAccounts has addresses and their ether.
type HarnessAccounts struct {
	Senders        []common.Address // of calls
	Deployer       common.Address
	PropertySender common.Address  // calls properties
	Contract       *common.Address // where the harness is deployed; nil: by the deployer's nonce
	Balance        uint256.Int     // of Senders and Deployer at first, in wei; 0: not set
}

// A HarnessDeployment says what is deployed, before the first call.
type HarnessDeployment struct {
	Targets         []string                  // names of contracts, in order; empty: the harness alone
	Balances        []uint256.Int             // ether sent to their constructors, in wei, by position in Targets
	ConstructorArgs map[string]map[string]any // contract -> parameter -> value as written
	Predeployed     []Predeployed             // before all others
	CodeSizeLimit   uint64                    // in bytes; 0: none
}

// Predeployed is a contract at a chosen address.
type Predeployed struct {
	Address  common.Address
	Contract string // its name; empty if Code is set
	Code     []byte // creation code
}

// HarnessCalls says which calls are made.
type HarnessCalls struct {
	MaxValue      uint256.Int // most ether sent to payable functions, in wei
	MaxGasPrice   uint64      // in wei
	MaxTimeDelay  uint64      // most seconds between two calls
	MaxBlockDelay uint64      // most blocks between two calls
	Gas           uint64      // of a call
	PropertyGas   uint64      // of the call of a property, with the intrinsic gas; 0: not set
	AllContracts  bool        // contracts that are created later are called too
	Views         bool        // view and pure functions are called too
	Only, Except  []string    // functions, "Token.transfer(address,uint256)"; at most one of them
}

// HarnessLimits says when a campaign ends.
type HarnessLimits struct {
	Tests          uint64        // calls; 0: any number
	SequenceLength uint32        // calls of a sequence
	ShrinkLimit    uint64        // executions to shrink a sequence
	Timeout        time.Duration // 0: none
	Workers        uint32        // 0: not set
	Seed           *uint256.Int  // nil: not set
}

// DefaultHarnessConfig returns what holds without a configuration: the defaults
// of Echidna 2.3 or of Medusa 1.5.
func DefaultHarnessConfig(tool HarnessTool) HarnessConfig {
	deployer := common.HexToAddress("0x30000")
	c := HarnessConfig{
		Tool: tool,
		Checks: HarnessChecks{
			Properties: true, Assertions: true, Optimization: true,
			Prefixes: []string{"property_"}, Maximized: []string{"optimize_"}, Panics: []uint64{1}, StopOnFail: true,
		},
		Accounts: HarnessAccounts{
			Senders:  []common.Address{common.HexToAddress("0x10000"), common.HexToAddress("0x20000"), deployer},
			Deployer: deployer, PropertySender: common.HexToAddress("0x10000"),
		},
		Calls:  HarnessCalls{MaxTimeDelay: 604800, MaxBlockDelay: 60480, Gas: 12_500_000, Views: true},
		Limits: HarnessLimits{SequenceLength: 100, ShrinkLimit: 5000},
	}
	c.Calls.MaxValue.SetAllOne()
	if tool == Echidna {
		contract := common.HexToAddress("0x00a329c0648769a73afac7f9381e08fb43dbea72")
		c.Checks = HarnessChecks{Properties: true, Prefixes: []string{"echidna_"}, Maximized: []string{"echidna_"}, Panics: []uint64{1}}
		c.Accounts.Contract, c.Accounts.Balance = &contract, *uint256.NewInt(0xffffffff)
		c.Deploy.CodeSizeLimit, c.Deploy.Balances = 0xffffffff, []uint256.Int{{}}
		c.Calls.MaxValue = *new(uint256.Int).Mul(uint256.NewInt(100), uint256.NewInt(1e18))
		c.Limits.Tests = 50000
	}
	return c
}

// A harnessSettings is a HarnessConfig and the keys that several of its fields
// depend on.
type harnessSettings struct {
	HarnessConfig
	mode, prefix string
	filter       []string
	whitelist    bool // filter lists what to call
	noViews      bool
	panics       [len(panicCodes)]bool
}

// panicCodes lists Medusa's keys of panics, and their codes.
var panicCodes = [...]struct {
	key  string
	code uint64
}{
	{"failOnCompilerInsertedPanic", 0x00}, {"failOnAssertion", 0x01}, {"failOnArithmeticUnderflow", 0x11}, {"failOnDivideByZero", 0x12},
	{"failOnEnumTypeConversionOutOfBounds", 0x21}, {"failOnIncorrectStorageAccess", 0x22}, {"failOnPopEmptyArray", 0x31},
	{"failOnOutOfBoundsArrayAccess", 0x32}, {"failOnAllocateTooMuchMemory", 0x41}, {"failOnCallUninitializedVariable", 0x51},
}

// A harnessKey is a key of echidna.yaml or medusa.json.
type harnessKey struct {
	name  string
	field func(c *harnessSettings) any // as in testKey
}

// echidnaKeys lists the keys of echidna.yaml (lib/Echidna/Config.hs of Echidna).
var echidnaKeys = []harnessKey{
	{"testMode", func(c *harnessSettings) any { return &testMode{&c.mode} }},
	{"checkAsserts", func(c *harnessSettings) any { return &c.Checks.Assertions }}, // of Echidna 1; testMode replaces it
	{"prefix", func(c *harnessSettings) any { return &c.prefix }},
	{"stopOnFail", func(c *harnessSettings) any { return &c.Checks.StopOnFail }},
	{"sender", func(c *harnessSettings) any { return &accounts{&c.Accounts.Senders} }},
	{"deployer", func(c *harnessSettings) any { return &account{&c.Accounts.Deployer} }},
	{"psender", func(c *harnessSettings) any { return &account{&c.Accounts.PropertySender} }},
	{"contractAddr", func(c *harnessSettings) any {
		c.Accounts.Contract = clonePointer(c.Accounts.Contract)
		return &account{c.Accounts.Contract}
	}},
	{"balanceAddr", func(c *harnessSettings) any { return &c.Accounts.Balance }},
	{"balanceContract", func(c *harnessSettings) any {
		c.Deploy.Balances = slices.Clone(c.Deploy.Balances)
		return &c.Deploy.Balances[0]
	}},
	{"codeSize", func(c *harnessSettings) any { return &c.Deploy.CodeSizeLimit }},
	{"deployContracts", func(c *harnessSettings) any { return &predeployed{&c.Deploy.Predeployed, false} }},
	{"deployBytecodes", func(c *harnessSettings) any { return &predeployed{&c.Deploy.Predeployed, true} }},
	{"maxValue", func(c *harnessSettings) any { return &c.Calls.MaxValue }},
	{"maxGasprice", func(c *harnessSettings) any { return &c.Calls.MaxGasPrice }},
	{"maxTimeDelay", func(c *harnessSettings) any { return &c.Calls.MaxTimeDelay }},
	{"maxBlockDelay", func(c *harnessSettings) any { return &c.Calls.MaxBlockDelay }},
	{"testMaxGas", func(c *harnessSettings) any { return &c.Calls.Gas }},
	{"propMaxGas", func(c *harnessSettings) any { return &c.Calls.PropertyGas }},
	{"multi-abi", func(c *harnessSettings) any { return &c.Calls.AllContracts }}, // the old name of allContracts
	{"allContracts", func(c *harnessSettings) any { return &c.Calls.AllContracts }},
	{"excludeViewPure", func(c *harnessSettings) any { return &c.noViews }},
	{"filterFunctions", func(c *harnessSettings) any { return &c.filter }},
	{"filterBlacklist", func(c *harnessSettings) any { return &negated{&c.whitelist} }},
	{"testLimit", func(c *harnessSettings) any { return &c.Limits.Tests }},
	{"seqLen", func(c *harnessSettings) any { return &c.Limits.SequenceLength }},
	{"shrinkLimit", func(c *harnessSettings) any { return &c.Limits.ShrinkLimit }},
	{"timeout", func(c *harnessSettings) any { return (*seconds)(&c.Limits.Timeout) }},
	{"workers", func(c *harnessSettings) any { return &c.Limits.Workers }},
	{"seed", func(c *harnessSettings) any { return &c.Limits.Seed }},
	{"corpusDir", func(c *harnessSettings) any { return &c.CorpusDir }},
	{"allowFFI", func(c *harnessSettings) any { return &c.FFI }},
	{"rpcUrl", func(c *harnessSettings) any { return &c.Fork.URL }},
	{"rpcBlock", func(c *harnessSettings) any { return &c.Fork.Block }},
	{"cryticArgs", func(c *harnessSettings) any { return &c.CryticArgs }},
}

// medusaKeys lists the keys of medusa.json (fuzzing/config of Medusa).
var medusaKeys = []harnessKey{
	{"fuzzing.targetContracts", func(c *harnessSettings) any { return &c.Deploy.Targets }},
	{"fuzzing.targetContractsBalances", func(c *harnessSettings) any { return &amounts{&c.Deploy.Balances} }},
	{"fuzzing.predeployedContracts", func(c *harnessSettings) any { return &predeployed{&c.Deploy.Predeployed, false} }},
	{"fuzzing.constructorArgs", func(c *harnessSettings) any { return &arguments{&c.Deploy.ConstructorArgs} }},
	{"fuzzing.deployerAddress", func(c *harnessSettings) any { return &account{&c.Accounts.Deployer} }},
	{"fuzzing.senderAddresses", func(c *harnessSettings) any { return &accounts{&c.Accounts.Senders} }},
	{"fuzzing.blockNumberDelayMax", func(c *harnessSettings) any { return &c.Calls.MaxBlockDelay }},
	{"fuzzing.blockTimestampDelayMax", func(c *harnessSettings) any { return &c.Calls.MaxTimeDelay }},
	{"fuzzing.transactionGasLimit", func(c *harnessSettings) any { return &c.Calls.Gas }},
	{"fuzzing.callSequenceLength", func(c *harnessSettings) any { return &c.Limits.SequenceLength }},
	{"fuzzing.testLimit", func(c *harnessSettings) any { return &c.Limits.Tests }},
	{"fuzzing.shrinkLimit", func(c *harnessSettings) any { return &c.Limits.ShrinkLimit }},
	{"fuzzing.timeout", func(c *harnessSettings) any { return (*seconds)(&c.Limits.Timeout) }},
	{"fuzzing.workers", func(c *harnessSettings) any { return &c.Limits.Workers }},
	{"fuzzing.corpusDirectory", func(c *harnessSettings) any { return &c.CorpusDir }},
	{"fuzzing.testing.stopOnFailedTest", func(c *harnessSettings) any { return &c.Checks.StopOnFail }},
	{"fuzzing.testing.testAllContracts", func(c *harnessSettings) any { return &c.Calls.AllContracts }},
	{"fuzzing.testing.testViewMethods", func(c *harnessSettings) any { return &c.Calls.Views }},
	{"fuzzing.testing.targetFunctionSignatures", func(c *harnessSettings) any { return &c.Calls.Only }},
	{"fuzzing.testing.excludeFunctionSignatures", func(c *harnessSettings) any { return &c.Calls.Except }},
	{"fuzzing.testing.assertionTesting.enabled", func(c *harnessSettings) any { return &c.Checks.Assertions }},
	{"fuzzing.testing.propertyTesting.enabled", func(c *harnessSettings) any { return &c.Checks.Properties }},
	{"fuzzing.testing.propertyTesting.testPrefixes", func(c *harnessSettings) any { return &c.Checks.Prefixes }},
	{"fuzzing.testing.optimizationTesting.enabled", func(c *harnessSettings) any { return &c.Checks.Optimization }},
	{"fuzzing.testing.optimizationTesting.testPrefixes", func(c *harnessSettings) any { return &c.Checks.Maximized }},
	{"fuzzing.chainConfig.cheatCodes.cheatCodesEnabled", func(c *harnessSettings) any { return &negated{&c.NoCheats} }},
	{"fuzzing.chainConfig.cheatCodes.enableFFI", func(c *harnessSettings) any { return &c.FFI }},
	{"fuzzing.chainConfig.forkConfig.rpcUrl", func(c *harnessSettings) any { return &c.Fork.URL }},
	{"fuzzing.chainConfig.forkConfig.rpcBlock", func(c *harnessSettings) any { return &c.Fork.Block }},
}

// With returns c with the values of keys, as parsed from the tool's file. Other
// keys are skipped. Numbers may be text, so that large ones keep all digits.
func (c HarnessConfig) With(keys map[string]any) (HarnessConfig, []*BadValue) {
	s := harnessSettings{HarnessConfig: c}
	rows := echidnaKeys
	if c.Tool == Medusa {
		rows = s.panicRows()
	}
	var bad []*BadValue
	for _, k := range rows {
		if wrong := setKey(keys, k.name, k.field(&s)); wrong != nil {
			bad = append(bad, wrong)
		}
	}
	if c.Tool == Echidna {
		s.decideEchidna()
	} else {
		s.decideMedusa(keys)
	}
	return s.HarnessConfig, bad
}

// IsConfig reports whether keys are those of a configuration of the tool.
func (t HarnessTool) IsConfig(keys map[string]any) bool {
	if t == Medusa {
		return keys["fuzzing"] != nil
	}
	return slices.ContainsFunc(echidnaKeys, func(k harnessKey) bool { return keys[k.name] != nil })
}

// panicRows returns Medusa's keys with those of panics.
func (s *harnessSettings) panicRows() []harnessKey {
	rows := slices.Clone(medusaKeys)
	for i, p := range panicCodes {
		s.panics[i] = slices.Contains(s.Checks.Panics, p.code)
		rows = append(rows, harnessKey{"fuzzing.testing.assertionTesting.panicCodeConfig." + p.key, func(c *harnessSettings) any { return &c.panics[i] }})
	}
	return rows
}

// decideEchidna sets what follows from the mode, the prefix and the filter.
func (s *harnessSettings) decideEchidna() {
	if s.mode == "dapptest" { // its old name
		s.mode = "foundry"
	}
	if s.mode != "" {
		s.Checks.Properties = s.mode == "property"
		s.Checks.Assertions = s.mode == "assertion"
		s.Checks.ForgeTests = s.mode == "foundry"
		s.Checks.Overflows = s.mode == "overflow"
		s.Checks.Optimization = s.mode == "optimization"
	}
	if s.prefix != "" {
		s.Checks.Prefixes = []string{s.prefix}
	}
	s.Checks.Maximized = s.Checks.Prefixes
	if s.whitelist {
		s.Calls.Only = s.filter
	} else {
		s.Calls.Except = s.filter
	}
	s.Calls.Views = !s.noViews
}

// decideMedusa sets the codes of panics. The fork counts only if it is enabled.
func (s *harnessSettings) decideMedusa(keys map[string]any) {
	s.Checks.Panics = nil
	for i, p := range panicCodes {
		if s.panics[i] {
			s.Checks.Panics = append(s.Checks.Panics, p.code)
		}
	}
	enabled := false
	if setKey(keys, "fuzzing.chainConfig.forkConfig.forkModeEnabled", &enabled) != nil || !enabled {
		s.Fork = ForkConfig{}
	}
}

// Unsupported lists in sentences without full stops what the configuration asks for
// and does not get.
func (c *HarnessConfig) Unsupported() (list []string) {
	checks := &c.Checks
	switch {
	case checks.ForgeTests:
		list = append(list, "testMode foundry: leveret test without --harness runs these tests, as forge does")
	case !checks.Properties && !checks.Assertions && !checks.Overflows && !checks.Optimization:
		list = append(list, "it checks nothing")
	}
	if c.NoCheats {
		list = append(list, "cheatCodesEnabled: cheatcodes answer nevertheless")
	}
	return list
}

func clonePointer[T any](p *T) *T {
	q := *p
	return &q
}
