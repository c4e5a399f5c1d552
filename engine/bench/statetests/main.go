// Command statetests executes Ethereum's state tests (the GeneralStateTests of
// the repository ethereum/tests) on engine/evm: it does around a Call what a
// chain does with a transaction, and compares the root of the resulting state
// and the hash of the events with those of the tests. go-ethereum executes each
// test, too.
//
//	go run ./engine/bench/statetests -dir ../tests/GeneralStateTests
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/rawdb"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/tests"
)

func main() {
	var dir, run string
	var verbose bool
	flag.StringVar(&dir, "dir", "", "folder with the tests: GeneralStateTests of a clone of ethereum/tests, or a part of it")
	flag.StringVar(&run, "run", "", "only tests with this in their file's path")
	flag.BoolVar(&verbose, "v", false, "print every test that fails or is skipped")
	flag.Parse()
	if dir == "" {
		fmt.Fprintln(os.Stderr, "statetests: missing -dir: a folder with tests, of https://github.com/ethereum/tests")
		os.Exit(2)
	}
	s := newSuite(verbose)
	if err := s.runAll(dir, run); err != nil {
		fmt.Fprintln(os.Stderr, "statetests:", err)
		os.Exit(1)
	}
	s.print(os.Stdout)
	if s.failed() {
		os.Exit(1)
	}
}

// evmForks are the forks that a Machine has rules for, by the tests' names.
var evmForks = map[string]evm.Fork{
	"London": evm.London, "Paris": evm.London, "Shanghai": evm.Shanghai, "Cancun": evm.Cancun, "Prague": evm.Prague, "Osaka": evm.Osaka,
}

// A suite executes tests and counts.
type suite struct {
	verbose  bool
	chains   map[string]*chain // nil: unknown to go-ethereum
	machines map[string]*evm.Machine
	counts   table
}

func newSuite(verbose bool) *suite {
	return &suite{verbose: verbose, chains: make(map[string]*chain), machines: make(map[string]*evm.Machine), counts: make(table)}
}

// runAll executes the tests below dir whose path contains part.
func (s *suite) runAll(dir, part string) error {
	files, err := listFiles(dir)
	if err != nil {
		return err
	}
	for _, f := range files {
		if !strings.Contains(f.path, part) {
			continue
		}
		fixtures, names, err := f.read()
		if err != nil {
			return err
		}
		for _, name := range names {
			s.runFixture(f.category, name, fixtures[name])
		}
	}
	return nil
}

// runFixture executes every variant of a test, for every fork that it has.
func (s *suite) runFixture(category, name string, f *fixture) {
	for _, sub := range f.reference.Subtests() {
		c := s.chain(sub.Fork)
		row := key{sub.Fork, category}
		if c == nil {
			s.count(row, name, sub.Index, "skipped", "rules before London")
			continue
		}
		outcome, why := s.runCase(c, f, sub)
		s.count(row, name, sub.Index, outcome, why)
	}
}

// chain returns the rules of a fork; nil for those that a Machine has not.
func (s *suite) chain(fork string) *chain {
	if c, ok := s.chains[fork]; ok {
		return c
	}
	s.chains[fork] = nil
	known, ok := evmForks[fork]
	config, _, err := tests.GetChainConfig(fork)
	if !ok || err != nil {
		return nil
	}
	c := &chain{
		fork: fork, config: config, rules: config.Rules(common.Big0, true, 0),
		evm: evm.Chain{Fork: known, Limits: true, BlockHash: blockHash, Unbounded: true},
	}
	s.chains[fork], s.machines[fork] = c, c.newMachine()
	return c
}

// runCase executes one variant and returns what came out, and why.
func (s *suite) runCase(c *chain, f *fixture, sub tests.StateSubtest) (outcome, why string) {
	post := &f.Post[sub.Fork][sub.Index]
	_, root, used, refused := f.reference.RunNoVerify(sub, vm.Config{}, false, rawdb.HashScheme)
	switch invalid := post.Exception != ""; {
	case invalid && refused != nil:
		return "refused", ""
	case invalid:
		return "failed", "go-ethereum executes what should be refused"
	case refused != nil:
		return "failed", "go-ethereum: " + refused.Error()
	}
	tx, err := f.message(post)
	if err != nil {
		return "failed", err.Error()
	}
	got, err := newTransition(c, f, tx).execute(s.machines[sub.Fork])
	switch {
	case err == errNoGas:
		return "skipped", err.Error()
	case err != nil:
		return "failed", err.Error()
	case got.root == common.Hash(post.Root) && got.logs == common.Hash(post.Logs):
		return "passed", ""
	case got.root == root && root != common.Hash(post.Root):
		return "disputed", ""
	case got.gas != used:
		return "failed", fmt.Sprintf("%d gas, go-ethereum %d", got.gas, used)
	case got.root != common.Hash(post.Root):
		return "failed", "state"
	}
	return "failed", "events"
}
