package engine

import (
	"errors"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
)

// A tinyChain is a Source with one contract, which returns its first word, and
// poor actors. It fails after so many questions.
type tinyChain struct {
	left  atomic.Int64
	asked map[common.Address]bool // one worker asks
}

var (
	errUnplugged = errors.New("https://chain.example cannot be reached")
	chainOracle  = common.HexToAddress("0xC0FFEE01")
)

func (c *tinyChain) ask() error {
	if c.left.Add(-1) < 0 {
		return errUnplugged
	}
	return nil
}

func (c *tinyChain) Account(addr common.Address) (a evm.SourceAccount, err error) {
	c.asked[addr] = true
	if addr == chainOracle {
		a = evm.SourceAccount{Nonce: 1, Code: common.FromHex("5f545f5260205ff3")}
	}
	return a, c.ask()
}

func (c *tinyChain) Storage(addr common.Address, key common.Hash) (word common.Hash, err error) {
	if addr == chainOracle && key == (common.Hash{}) {
		word = common.Hash{31: 42}
	}
	return word, c.ask()
}

func (c *tinyChain) BlockHash(uint64) (common.Hash, error) { return common.Hash{7}, c.ask() }

const forkedSource = `pragma solidity ^0.8.0;
interface Oracle { function price() external view returns (uint256); }
contract Forked {
    Oracle constant oracle = Oracle(0x00000000000000000000000000000000C0FFEE01);
    mapping(address => uint256) seen;
    constructor() { require(block.chainid == 10 && block.number == 300 && oracle.price() == 42); }
    function set(uint256 x) external view { assert(x != oracle.price() * 1000 + 7); }
    function look(address a) external { seen[a] = a.balance; }
}`

const upgradeableSource = `pragma solidity ^0.8.0;
contract Upgradeable {
    uint256 public limit;
    bool private ready;
    modifier initializer() { require(!ready); ready = true; _; }
    constructor() initializer {}
    function initialize(uint256 n) external initializer { limit = n; }
    function set(uint256 x) external view { assert(x != block.number * 1000 + 7); }
}`

// Witnesses of contracts behind proxies name their fork, too.
func TestForkOfProxies(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Upgradeable.sol")
	if err := os.WriteFile(path, []byte(upgradeableSource), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &tinyChain{asked: map[common.Address]bool{}}
	c.left.Store(1 << 40)
	fork := &Fork{Source: c, Block: evm.BlockContext{Number: 300, Timestamp: 1_700_000_000, GasLimit: 30_000_000, ChainID: 10}}
	b := compile(t, path)
	result, err := Run(t.Context(), contract(t, b, "Upgradeable"), b.Contracts, Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion"}, Fork: fork})
	if err != nil || len(result.Findings) != 1 {
		t.Fatalf("%+v, %v", result, err)
	}
	if d := result.Findings[0].Witness.Deployment; d.Fork == nil || d.Fork.Block != 300 || d.UnderTest().Of == "" {
		t.Errorf("the witness names %v", d.Fork)
	}
}

// A campaign on a fork uses the chain's contracts, and its finding fails on the
// same fork again. Actors are not the chain's.
func TestForks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Forked.sol")
	if err := os.WriteFile(path, []byte(forkedSource), 0o600); err != nil {
		t.Fatal(err)
	}
	b := compile(t, path)
	under := contract(t, b, "Forked")
	open := func(questions int64) (*Fork, *tinyChain) {
		c := &tinyChain{asked: map[common.Address]bool{}}
		c.left.Store(questions)
		return &Fork{Source: c, Block: evm.BlockContext{Number: 300, Timestamp: 1_700_000_000, GasLimit: 30_000_000, ChainID: 10, BaseFee: *uint256.NewInt(7)}}, c
	}
	options := Options{MaxInputs: 3000, Seed: 1, Oracles: []string{"assertion"}}
	var asked int64
	var found finding.Finding
	t.Run("campaign", func(t *testing.T) {
		fork, chain := open(1 << 40)
		options.Fork = fork
		result, err := Run(t.Context(), under, b.Contracts, options)
		if err != nil || len(result.Findings) != 1 {
			t.Fatalf("%+v, %v", result, err)
		}
		asked, found = 1<<40-chain.left.Load(), result.Findings[0]
		if fork := found.Witness.Deployment.Fork; fork == nil || *fork != (input.Fork{Chain: 10, Block: 300}) {
			t.Errorf("the witness names %v", fork)
		}
		for _, actor := range input.Actors {
			if chain.asked[actor.Address()] {
				t.Errorf("the chain was asked for %v", actor)
			}
		}
	})
	t.Run("replay", func(t *testing.T) {
		fork, _ := open(1 << 40)
		again, err := Replay(t.Context(), under, b.Contracts, found.Witness, Outside{Fork: fork}, false)
		if err != nil || len(again.Findings) != 1 || again.Findings[0].ID != found.ID {
			t.Errorf("%+v, %v", again, err)
		}
		if _, err = Replay(t.Context(), under, b.Contracts, found.Witness, Outside{}, false); err == nil {
			t.Error("it is replayed without the fork")
		}
		fork, _ = open(1)
		_, err = Trace(t.Context(), under, b.Contracts, found.Witness, Outside{Fork: fork}, found)
		if failed := (*ForkError)(nil); !errors.As(err, &failed) || !errors.Is(err, errUnplugged) {
			t.Errorf("without the chain: %v", err)
		}
	})
	t.Run("failures", func(t *testing.T) {
		findings := 0
		for _, questions := range []int64{0, 1, 2, 3, asked / 2, asked - 1} {
			options.Fork, _ = open(questions)
			result, err := Run(t.Context(), under, b.Contracts, options)
			var failed *ForkError
			if !errors.As(err, &failed) || failed.Error() != errUnplugged.Error() || result == nil || result.Note != errUnplugged.Error() {
				t.Fatalf("after %d questions: %+v, %v", questions, result, err)
			}
			if result.Stats.Inputs >= options.MaxInputs {
				t.Errorf("after %d questions: %d inputs", questions, result.Stats.Inputs)
			}
			for _, f := range result.Findings {
				findings++
				if f.Function != found.Function {
					t.Errorf("after %d questions: another finding %+v", questions, f)
				}
			}
		}
		t.Logf("%d questions; %d findings before failures", asked, findings)
	})
}

const forkedTests = `pragma solidity ^0.8.0;
interface Oracle { function price() external view returns (uint256); }
contract ForkedTest {
    bool public IS_TEST = true;
    function setUp() external view { require(block.chainid == 10 && block.number == 300); }
    function testBalance(address a) external view { require(a.balance < 1 << 200); }
    function testPrice(uint256 x) external view { require(x != Oracle(0x00000000000000000000000000000000C0FFEE01).price() * 1000 + 7); }
}`

// Tests run on a fork too. Without its state they have no verdict, and do not pass.
func TestTestsOnForks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Forked.t.sol")
	if err := os.WriteFile(path, []byte(forkedTests), 0o600); err != nil {
		t.Fatal(err)
	}
	b := compile(t, path)
	under := contract(t, b, "ForkedTest")
	for _, questions := range []int64{1 << 40, 8, 1} {
		chain := &tinyChain{asked: map[common.Address]bool{}}
		chain.left.Store(questions)
		fork := &Fork{Source: chain, Block: evm.BlockContext{Number: 300, Timestamp: 1_700_000_000, GasLimit: 30_000_000, ChainID: 10}}
		result, err := Run(t.Context(), under, b.Contracts, Options{MaxInputs: 3000, Seed: 1, Fork: fork})
		if questions < 100 {
			if failed := (*ForkError)(nil); !errors.As(err, &failed) || result == nil || result.Note != errUnplugged.Error() {
				t.Errorf("after %d questions: %+v, %v", questions, result, err)
			}
			continue
		}
		if err != nil || len(result.Findings) != 1 || result.Findings[0].Function != "testPrice(uint256)" {
			t.Fatalf("%+v, %v", result, err)
		}
		if f := result.Findings[0].Witness.Deployment.Fork; f == nil || *f != (input.Fork{Chain: 10, Block: 300}) {
			t.Errorf("the witness names %v", f)
		}
	}
}

// A fork that fails in a later turn of a campaign ends that one: its test does not pass,
// and the others, which took turns with it, go on to their ends.
func TestTurnsWatchForks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "Forked.t.sol")
	if err := os.WriteFile(path, []byte(`pragma solidity ^0.8.0;
contract TurnsTest {
    bool public IS_TEST = true;
    function testBalance(address a) external view { require(a.balance < 1 << 200); }
    function testFirst(uint256 x, uint256 y) external pure { require(x ^ y ^ x == y); }
    function testLast(uint256 x, uint256 y) external pure { require((x & y) | (x ^ y) == x | y); }
}`), 0o600); err != nil {
		t.Fatal(err)
	}
	b := compile(t, path)
	chain := &tinyChain{asked: map[common.Address]bool{}}
	chain.left.Store(1500)
	fork := &Fork{Source: chain, Block: evm.BlockContext{Number: 300, Timestamp: 1_700_000_000, GasLimit: 30_000_000, ChainID: 10}}
	s, err := suite.New(t.Context(), contract(t, b, "TurnsTest"), b.Contracts, suite.Options{Config: solc.DefaultTestConfig(), Fork: SuiteFork(fork), Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	const inputs = 4000
	tests := 0
	err = RunTests(t.Context(), s, s.Tests.Tests, Options{Seed: 1, MaxInputs: inputs}, TestLimits{}, func(r *TestResult) {
		tests++
		if r.Test.Name == "testBalance" {
			if r.Verdict.Status != suite.Failed || r.Verdict.Reason != errUnplugged.Error() || r.Stats.Inputs < 1000 || r.Stats.Inputs == inputs {
				t.Errorf("testBalance, on a fork that fails: %+v after %d inputs", r.Verdict, r.Stats.Inputs)
			}
			return
		}
		if r.Verdict.Status != suite.Passed || r.Stats.Inputs != inputs {
			t.Errorf("%s: %+v after %d inputs", r.Test.Name, r.Verdict, r.Stats.Inputs)
		}
	})
	if err != nil || tests != 3 {
		t.Errorf("%d tests, %v", tests, err)
	}
}
