// Package suite runs Foundry's tests: it builds the chain that forge gives them,
// deploys a test contract, calls setUp, and runs test functions with a verdict as
// forge gives it.
//
// It runs each test once, on given arguments. Searching arguments of fuzz tests
// and calls of invariant tests is a campaign's.
package suite

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// Bounds of a test. Gas ends most endless loops before: what copies and precompiled
// contracts may cost is as much as the default of forge pays for.
const (
	maxSteps  = 1 << 29 // instructions
	maxWork   = 1 << 30 // gas
	maxHeld   = 128 << 20
	maxMemory = 256 << 20 // whatever memory_limit says
)

// create2Code is the code of the deterministic deployment proxy
// (https://github.com/Arachnid/deterministic-deployment-proxy).
var create2Code = common.FromHex("0x7fffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffe03601600081602082378035828234f58015156039578182fd5b8082525050506014600cf3")

// Options say how tests run.
type Options struct {
	Config solc.TestConfig
	Own    *solc.ContractConfig // what comments configure for single tests; nil: Config holds for all
	Builds solc.Builds          // of the project, which decide where libraries are; nil: that of the test contract
	Host   cheat.Host           // nil: cheatcodes reach nothing outside the chain
	Fork   *cheat.Fork          // the tests start from; nil: what Host says, or else a chain without contracts
	Seed   uint64               // of random values
	Now    func() time.Time     // measures how long tests take
	Record bool                 // which functions tests execute
}

// A Suite is a test contract that is deployed and set up. It belongs to one
// goroutine, but for the methods that search.go names.
type Suite struct {
	Program *program.Program
	Tests   *solc.TestSuite
	Address common.Address // of the test contract

	options Options
	machine *evm.Machine
	cheats  *cheat.Cheats
	asking  sync.Mutex // of failed() with the machine, during a search
	genesis evm.BlockContext
	world   *evm.World // after setUp
	before  *evm.World // setUp; nil: there is none
	chains  *chains
	shared  []common.Address // libraries of the tests, the same on all forks
	made    []Created        // by no other contract; the test contract alone if it is nil
	harness bool             // of Echidna or Medusa
	endowed bool             // the ether of calls is new, as in Echidna
	fault   *Verdict         // why no test can run; nil: they can

	faultTrail []Step
	executed   *executions // nil: not recorded
}

// New deploys a test contract of a project and calls its setUp. A contract whose
// constructor or setUp fails is a Suite with a Fault.
func New(ctx context.Context, c *solc.Contract, project []*solc.Contract, o Options) (*Suite, error) {
	tests := solc.Suite(c)
	if tests == nil {
		return nil, fmt.Errorf("%s has no tests: functions whose names start with test, table or invariant", c.Name)
	}
	p, err := program.NewTests(c, project)
	if err != nil {
		return nil, err
	}
	s := &Suite{Program: p, Tests: tests, Address: crypto.CreateAddress(o.Config.Chain.Sender, 1), options: o, genesis: genesisOf(&o.Config.Chain)}
	if o.Record {
		s.executed = newExecutions(p)
	}
	s.watchForks()
	err = s.openFork()
	s.machine, s.cheats = s.NewMachine()
	if err != nil {
		s.fault = &Verdict{Test: solc.Test{Name: "setUp", Signature: "setUp()"}, Status: Failed, Reason: err.Error()}
		return s, nil
	}
	if tests.Fault != "" {
		s.fault = &Verdict{Test: solc.Test{Name: "setUp", Signature: "setUp()"}, Status: Failed, Reason: tests.Fault}
		return s, nil
	}
	stop := context.AfterFunc(ctx, s.machine.Cancel)
	defer stop()
	if err := s.deploy(); err != nil {
		s.fault = s.constructorFault(err)
		return s, ctx.Err()
	}
	s.setUp()
	s.executed.settle()
	return s, ctx.Err()
}

// NewMachine returns a Machine with cheatcodes.
func (s *Suite) NewMachine() (*evm.Machine, *cheat.Cheats) {
	o := &s.options
	m := evm.NewMachine()
	c := &cheat.Cheats{Config: s.cheatConfig(&o.Config)}
	m.Inspector, m.Steps = c, maxSteps
	m.Bounds = evm.Bounds{Memory: memoryLimit(&o.Config.Chain), Held: maxHeld, Work: maxWork}
	m.Chain = evm.Chain{Fork: forkOf(o.Config.Chain.EVMVersion), BlockHash: emptyBlockHash, Delegates: true, GasPrice: *uint256.NewInt(o.Config.Chain.GasPrice), Endowed: s.endowed}
	return m, c
}

// memoryLimit returns the bytes of memory that frames may have together.
func memoryLimit(c *solc.ChainConfig) int { return int(min(max(c.MemoryLimit, 1), maxMemory)) }

// cheatConfig returns how cheatcodes behave.
func (s *Suite) cheatConfig(c *solc.TestConfig) cheat.Config {
	return cheat.Config{
		Host: s.options.Host, Seed: s.options.Seed, ExpectInternal: c.Cheats.InternalExpectRevert,
		PranksEnd: s.harness, AssertionsContinue: !c.Cheats.AssertionsRevert, Explain: s.customError, Isolate: c.Isolate, Contract: s.Program.UnderTest.Name,
		Tester: s.Address, Fork: s.options.Fork, ChainID: c.Chain.ChainID, Shared: s.shared,
	}
}

// Configure gives the cheatcodes of a Machine the configuration of one test.
func (s *Suite) Configure(c *cheat.Cheats, t solc.Test) {
	if s.options.Own != nil {
		c.Config = s.cheatConfig(s.ConfigOf(t))
	}
}

// forkOf returns the rules of an EVM version; those before London run with London's.
func forkOf(version string) evm.Fork {
	switch version {
	case "osaka", "":
		return evm.Osaka
	case "prague":
		return evm.Prague
	case "cancun":
		return evm.Cancun
	case "shanghai":
		return evm.Shanghai
	}
	return evm.London
}

// emptyBlockHash is the hash of a block of an empty chain, as in revm's EmptyDB.
func emptyBlockHash(number uint64) common.Hash {
	return crypto.Keccak256Hash([]byte(strconv.FormatUint(number, 10)))
}

// genesisOf returns the block of tests.
func genesisOf(c *solc.ChainConfig) evm.BlockContext {
	b := evm.BlockContext{
		Number: c.Number.Uint64(), Timestamp: c.Timestamp.Uint64(), Prevrandao: c.PrevRandao, Coinbase: c.Coinbase,
		BaseFee: *uint256.NewInt(c.BaseFee), GasLimit: c.Gas(), ChainID: c.ChainID,
	}
	if b.ChainID == 0 {
		b.ChainID = solc.DevChainID
	}
	return b
}

// Sender returns who sends the transactions of tests.
func (s *Suite) Sender() common.Address { return s.options.Config.Chain.Sender }

// Fault returns why no test can run, as a verdict of setUp or the constructor; nil
// if they can.
func (s *Suite) Fault() *Verdict { return s.fault }

// deploy builds forge's chain and deploys the test contract
// (crates/forge/src/runner.rs).
func (s *Suite) deploy() error {
	chain := &s.options.Config.Chain
	w := evm.NewWorld(s.Program.Codes)
	rich := new(uint256.Int).SetAllOne()
	sender := chain.Sender
	accounts := []common.Address{sender, solc.DefaultSender, solc.LibraryDeployer}
	for _, a := range accounts {
		w.SetBalance(a, rich)
	}
	w.SetNonce(sender, 1)
	w.SetCode(cheat.Address, []byte{0})
	w.SetCode(chain.Create2Deployer, create2Code)
	w.SetNonce(chain.Create2Deployer, 1)
	w.SetBalance(s.Address, &chain.InitialBalance)
	w = s.under(w)
	libraries, err := s.link(w, s.libraries())
	if err != nil {
		return err
	}
	code, err := s.Program.UnderTest.Creation.Linked(libraries)
	if err != nil {
		return fmt.Errorf("%s: %w", s.Program.UnderTest.Name, err)
	}
	s.Program.Codes.AddInit(code)
	s.cheats.Config.Shared = s.shared
	outcome := s.executed.execute(s.machine, w, s.genesis, evm.Call{From: sender, Create: true, Data: code, Gas: chain.Gas()})
	if outcome.Status != evm.Success {
		return errors.New(s.Reason(&outcome))
	}
	for _, a := range accounts {
		w.SetBalance(a, &chain.InitialBalance)
	}
	s.world = w
	return nil
}

// setUp calls setUp of the test contract.
func (s *Suite) setUp() {
	if !s.Tests.SetUp {
		return
	}
	began := s.options.Now()
	s.before = s.world.Fork()
	outcome := s.record(s.world, signatureData("setUp()"))
	v := s.verdict(solc.Test{Name: "setUp", Signature: "setUp()"}, &outcome, s.world)
	v.Took = s.options.Now().Sub(began)
	if v.Status != Passed {
		s.fault = &v
		tracer := NewTracer(s.Program)
		s.observe(s.before.Fork(), signatureData("setUp()"), tracer.Hooks())
		s.faultTrail = tracer.Trail()
		s.Because(s.fault, tracer)
	}
}

// call sends a transaction to the test contract, on a world that it changes.
func (s *Suite) call(w *evm.World, data []byte) evm.Outcome { return s.observe(w, data, nil) }

// record is call, and notes which functions run.
func (s *Suite) record(w *evm.World, data []byte) evm.Outcome {
	return s.executed.execute(s.machine, w, s.genesis, s.callOf(data))
}

// observe is call with hooks.
func (s *Suite) observe(w *evm.World, data []byte, h *evm.Hooks) evm.Outcome {
	return s.machine.Execute(w, s.genesis, s.callOf(data), h)
}

// callOf returns a transaction to the test contract.
func (s *Suite) callOf(data []byte) evm.Call {
	gas := s.options.Config.Chain.Gas()
	gas -= min(evm.IntrinsicGas(data, false), gas)
	return evm.Call{From: s.Sender(), To: s.Address, Data: data, Gas: gas}
}

// ask calls the test contract without consequences: on a copy of a world, and the
// Report stays as it is.
func (s *Suite) ask(w *evm.World, data []byte) evm.Outcome {
	kept := s.cheats.Report
	defer func() { s.cheats.Report = kept }()
	return s.call(w.Fork(), data)
}

// cancelWith has ctx cancel calls until done is called.
func (s *Suite) cancelWith(ctx context.Context) (done func()) {
	stop := context.AfterFunc(ctx, s.machine.Cancel)
	return func() {
		if !stop() {
			s.machine.Resume()
		}
	}
}

// constructorFault is the verdict on a deployment that failed.
func (s *Suite) constructorFault(err error) *Verdict {
	return &Verdict{Test: solc.Test{Name: "constructor", Signature: "constructor()"}, Status: Failed, Reason: err.Error(), Lines: s.cheats.Report.Lines}
}

// signatureData returns the calldata of a function without arguments.
func signatureData(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// Function returns the ABI of a test.
func (s *Suite) Function(t solc.Test) *input.Function {
	return s.Program.ABI(s.Program.UnderTest).Method(t.Signature)
}
