package suite

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/cheat"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// The first block of Echidna and of Medusa.
var harnessBlocks = map[solc.HarnessTool]struct{ number, timestamp uint64 }{
	solc.Echidna: {4_370_000, 1_524_785_992},
	solc.Medusa:  {1, 1},
}

// richHarness is the ether of a harness's accounts if the configuration says
// nothing.
var richHarness = new(uint256.Int).Lsh(uint256.NewInt(1), 96)

// NewHarness deploys a harness of Echidna or Medusa, as its configuration says.
// One whose constructor fails is a Suite with a Fault.
func NewHarness(ctx context.Context, c *solc.Contract, project []*solc.Contract, h solc.HarnessConfig, o Options) (*Suite, error) {
	p, err := program.New(c, project)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	o.Config = configOf(&h)
	s := &Suite{Program: p, Tests: &solc.TestSuite{}, Harness: &h, options: o}
	s.machine, s.cheats = s.NewMachine()
	s.genesis = genesisOf(&o.Config.Chain)
	_, s.topics = p.AssertionTopics()
	stop := context.AfterFunc(ctx, s.machine.Cancel)
	defer stop()
	if err := s.deployHarness(); err != nil {
		s.fault = &Verdict{Test: solc.Test{Name: "constructor", Signature: "constructor()"}, Status: Failed, Reason: err.Error(), Lines: s.cheats.Report.Lines}
	}
	return s, ctx.Err()
}

// configOf returns a harness's chain.
func configOf(h *solc.HarnessConfig) solc.TestConfig {
	c := solc.DefaultTestConfig()
	block := harnessBlocks[h.Tool]
	c.Chain.Sender, c.Chain.GasLimit, c.Chain.ChainID = h.Accounts.PropertySender, h.Calls.Gas, 1
	c.Chain.Number.SetUint64(block.number)
	c.Chain.Timestamp.SetUint64(block.timestamp)
	c.Chain.CodeSizeLimit, c.Cheats.FFI, c.Fork = h.Deploy.CodeSizeLimit, h.FFI, h.Fork
	return c
}

// deployHarness creates the accounts and the contracts of a harness: those at
// fixed addresses, the configured targets in order, then the harness unless it is
// one of them.
func (s *Suite) deployHarness() error {
	h := s.Harness
	w := evm.NewWorld(s.Program.Codes)
	balance := &h.Accounts.Balance
	if balance.IsZero() {
		balance = richHarness
	}
	for _, a := range append(h.Accounts.Senders[:len(h.Accounts.Senders):len(h.Accounts.Senders)], h.Accounts.Deployer, h.Accounts.PropertySender) {
		w.SetBalance(a, balance)
	}
	w.SetCode(cheat.Address, []byte{0})
	if err := s.predeploy(w); err != nil {
		return err
	}
	deployed := false
	for i, name := range h.Deploy.Targets {
		c := s.Program.Find(func(c *solc.Contract) bool { return names(name, c) })
		if c == nil {
			return fmt.Errorf("the configured target %s is not part of the compilation", name)
		}
		var value uint256.Int
		if i < len(h.Deploy.Balances) {
			value = h.Deploy.Balances[i]
		}
		if err := s.deployTarget(w, c, &value); err != nil {
			return err
		}
		deployed = deployed || c == s.Program.UnderTest
	}
	s.world = w
	if deployed {
		return nil
	}
	var value uint256.Int
	if len(h.Deploy.Targets) == 0 && len(h.Deploy.Balances) > 0 {
		value = h.Deploy.Balances[0]
	}
	return s.deployTarget(w, s.Program.UnderTest, &value)
}

// predeploy puts contracts at fixed addresses.
func (s *Suite) predeploy(w *evm.World) error {
	for _, p := range s.Harness.Deploy.Predeployed {
		code := p.Code
		if p.Contract != "" {
			c := s.Program.Find(func(c *solc.Contract) bool { return names(p.Contract, c) })
			if c == nil {
				return fmt.Errorf("the predeployed contract %s is not part of the compilation", p.Contract)
			}
			made, err := s.construct(w.Fork(), c, new(uint256.Int))
			if err != nil {
				return err
			}
			code = made.Return
		}
		w.SetCode(p.Address, code)
	}
	return nil
}

func (s *Suite) deployTarget(w *evm.World, c *solc.Contract, value *uint256.Int) error {
	out, err := s.construct(w, c, value)
	if err != nil {
		return fmt.Errorf("constructor of %s: %w", c.Name, err)
	}
	if c == s.Program.UnderTest {
		s.Address = out.Created
	}
	s.targets = append(s.targets, Target{Address: out.Created, Contract: c})
	return nil
}

// construct runs a constructor, with the configured arguments. The result has the
// code in place of the return data.
func (s *Suite) construct(w *evm.World, c *solc.Contract, value *uint256.Int) (evm.Outcome, error) {
	links := linker{suite: s, world: w, done: map[*solc.Contract]common.Address{}}
	code, err := links.link(c, 0)
	if err != nil {
		return evm.Outcome{}, err
	}
	s.Program.Codes.AddInit(code)
	args, err := s.constructorArguments(c)
	if err != nil {
		return evm.Outcome{}, err
	}
	data := input.AppendValues(code, args)
	out := s.machine.Execute(w, s.genesis, evm.Call{From: s.Harness.Accounts.Deployer, Create: true, Data: data, Value: *value, Gas: harnessGas}, nil)
	if out.Status != evm.Success {
		return out, errors.New(s.reason(&out))
	}
	if made := w.Code(out.Created); made != nil {
		out.Return = made.Bytes
	}
	return out, nil
}

// harnessGas is the gas of a constructor.
const harnessGas = 1 << 30

// constructorArguments reads the arguments from the configuration.
func (s *Suite) constructorArguments(c *solc.Contract) ([]input.Value, error) {
	f := s.Program.ABI(c).Constructor
	if f == nil {
		return nil, nil
	}
	var args []input.Value
	for _, p := range f.Inputs {
		written, ok := s.Harness.Deploy.ConstructorArgs[c.Name][p.Name]
		if !ok {
			return nil, fmt.Errorf("the configuration has no constructor argument %s of %s", p.Name, c.Name)
		}
		v, err := (*input.Names)(nil).Parse(p.Type, fmt.Sprint(written))
		if err != nil {
			return nil, fmt.Errorf("constructor argument %s of %s: %w", p.Name, c.Name, err)
		}
		args = append(args, v)
	}
	return args, nil
}

// Properties returns the functions of a harness that must hold after every call.
func (s *Suite) Properties() (list []*input.Function) {
	h := s.Harness
	if !h.Checks.Properties {
		return nil
	}
	for _, f := range s.Program.ABI(s.Program.UnderTest).Functions {
		if len(f.Inputs) == 0 && prefixed(f.Name, h.Checks.Prefixes) && len(f.Outputs) == 1 && f.Outputs[0].Type.Kind == input.KindBool {
			list = append(list, f)
		}
	}
	return list
}

// PropertyTests returns the properties as tests.
func (s *Suite) PropertyTests() (list []solc.Test) {
	for _, f := range s.Properties() {
		t := solc.Test{Name: f.Name, Signature: f.Signature, Kind: solc.InvariantTest}
		if node := s.Program.Definition(f); node != nil {
			source := s.Program.UnderTest.Build.Sources[node.Span.Source]
			place := s.Program.PlaceOf(source, node.NameSpan(source.Text))
			t.File, t.Line = place.File, place.Start.Line
		}
		list = append(list, t)
	}
	return list
}

// FailsAssertion reports whether an assertion of a harness failed in a call: it
// ended with one of the configured panics, or emitted AssertionFailed.
func (s *Suite) FailsAssertion(o *evm.Outcome) bool {
	if o.Status != evm.Success {
		code, panics := cheat.PanicCode(o.Return)
		return panics && slices.Contains(s.Harness.Checks.Panics, code) || !panics && Asserts(o)
	}
	return slices.ContainsFunc(o.Logs, func(l evm.Log) bool { return s.IsAssertion(&l) })
}

// IsAssertion reports whether an event of a harness stands for a failed assertion.
func (s *Suite) IsAssertion(l *evm.Log) bool { return len(l.Topics) > 0 && s.topics[l.Topics[0]] }

func prefixed(name string, prefixes []string) bool {
	return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// MustRevert reports whether a property holds if it reverts, as Echidna has it.
func (s *Suite) MustRevert(f *input.Function) bool {
	if s.Harness.Tool != solc.Echidna {
		return false
	}
	for _, p := range s.Harness.Checks.Prefixes {
		if rest, ok := strings.CutPrefix(f.Name, p); ok && strings.HasPrefix(rest, "revert_") {
			return true
		}
	}
	return false
}

// HarnessTargets returns what the transactions of a harness call: the functions of
// the deployed targets, less the properties and what the configuration leaves out.
func (s *Suite) HarnessTargets() (list []Target) {
	h := s.Harness
	for _, t := range s.targets {
		for _, f := range s.Program.ABI(t.Contract).Functions {
			name := t.Contract.Name + "." + f.Signature
			switch {
			case len(f.Inputs) == 0 && prefixed(f.Name, append(h.Checks.Prefixes[:len(h.Checks.Prefixes):len(h.Checks.Prefixes)], h.Checks.Maximized...)):
			case f.Constant() && !h.Calls.Views, len(h.Calls.Only) > 0 && !slices.Contains(h.Calls.Only, name), slices.Contains(h.Calls.Except, name):
			default:
				t.Functions = append(t.Functions, f)
			}
		}
		if len(t.Functions) > 0 {
			list = append(list, t)
		}
	}
	return list
}
