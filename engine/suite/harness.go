package suite

import (
	"cmp"
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

// richHarness is the wei of a harness's accounts if the configuration says nothing: what
// Medusa gives them (createTestChain in fuzzing/fuzzer.go).
var richHarness = new(uint256.Int).SubUint64(new(uint256.Int).Lsh(uint256.NewInt(1), 128), 1)

// A Harness is a contract with properties for Echidna or Medusa, deployed.
type Harness struct {
	*Suite
	Configuration solc.HarnessConfig

	targets    []Target             // as deployed
	assertions map[common.Hash]bool // topics of events that stand for failed assertions
}

// NewHarness deploys a harness of Echidna or Medusa, as its configuration says.
// One whose constructor fails has a Fault.
func NewHarness(ctx context.Context, c *solc.Contract, project []*solc.Contract, config solc.HarnessConfig, o Options) (*Harness, error) {
	p, err := program.NewTests(c, project)
	if err != nil {
		return nil, err
	}
	if o.Now == nil {
		o.Now = func() time.Time { return time.Time{} }
	}
	o.Config = configOf(&config)
	h := &Harness{Suite: &Suite{Program: p, Tests: &solc.TestSuite{Tests: config.Tests(c)}, options: o, harness: true, endowed: config.Tool == solc.Echidna}, Configuration: config}
	h.watchForks()
	h.genesis = genesisOf(&o.Config.Chain)
	opened := h.openFork()
	h.machine, h.cheats = h.NewMachine()
	if opened != nil {
		h.fault = h.constructorFault(opened)
		return h, ctx.Err()
	}
	_, h.assertions = p.AssertionTopics()
	stop := context.AfterFunc(ctx, h.machine.Cancel)
	defer stop()
	if err := h.deploy(); err != nil {
		h.fault = h.constructorFault(err)
	}
	return h, ctx.Err()
}

// configOf returns a harness's chain.
func configOf(h *solc.HarnessConfig) solc.TestConfig {
	c := solc.DefaultTestConfig()
	block := harnessBlocks[h.Tool]
	c.Chain.Sender, c.Chain.GasLimit, c.Chain.ChainID = h.Accounts.PropertySender, h.Calls.Gas, 1
	c.Chain.GasPrice = h.Calls.MaxGasPrice
	c.Chain.Number.SetUint64(block.number)
	c.Chain.Timestamp.SetUint64(block.timestamp)
	c.Chain.CodeSizeLimit, c.Cheats.FFI, c.Fork = h.Deploy.CodeSizeLimit, h.FFI, h.Fork
	return c
}

// deploy creates the accounts and the contracts of a harness: those at
// fixed addresses, the configured targets in order, then the harness unless it is
// one of them.
func (h *Harness) deploy() error {
	accounts, config := &h.Configuration.Accounts, &h.Configuration.Deploy
	w := evm.NewWorld(h.Program.Codes)
	balance := &accounts.Balance
	if balance.IsZero() {
		balance = richHarness
	}
	for _, a := range append(slices.Clip(accounts.Senders), accounts.Deployer, accounts.PropertySender) {
		w.SetBalance(a, balance)
	}
	w.SetCode(cheat.Address, []byte{0})
	w = h.under(w)
	if err := h.predeploy(w); err != nil {
		return err
	}
	deployed := false
	for i, name := range config.Targets {
		c := h.named(name)
		if c == nil {
			return h.misconfigured("names the target %s, which is not compiled with %s; import it there, or correct the name", name, h.Program.UnderTest.Name)
		}
		var value uint256.Int
		if i < len(config.Balances) {
			value = config.Balances[i]
		}
		if err := h.deployTarget(w, c, &value); err != nil {
			return err
		}
		deployed = deployed || c == h.Program.UnderTest
	}
	h.world = w
	if deployed {
		return nil
	}
	var value uint256.Int
	if len(config.Targets) == 0 && len(config.Balances) > 0 {
		value = config.Balances[0]
	}
	return h.deployTarget(w, h.Program.UnderTest, &value)
}

// misconfigured returns an error that begins with the file of the configuration.
func (h *Harness) misconfigured(format string, args ...any) error {
	file := cmp.Or(h.Configuration.Name(), "the configuration")
	return fmt.Errorf("%s "+format, append([]any{file}, args...)...)
}

// named returns the contract that the configuration names; nil if there is none.
func (h *Harness) named(artifact string) *solc.Contract {
	return h.Program.Find(func(c *solc.Contract) bool { return c.IsNamed(artifact) })
}

// predeploy creates contracts at fixed addresses.
func (h *Harness) predeploy(w *evm.World) error {
	config := &h.Configuration.Deploy
	for _, p := range config.Predeployed {
		made := creation{at: p.Address, code: p.Code}
		if p.Contract != "" {
			if made.contract = h.named(p.Contract); made.contract == nil {
				return h.misconfigured("predeploys %s, which is not compiled with %s; import it there, or correct the name", p.Contract, h.Program.UnderTest.Name)
			}
			if made.contract == h.Program.UnderTest || slices.Contains(config.Targets, p.Contract) {
				continue // a target, which is created there
			}
		}
		if _, err := h.construct(w, &made); err != nil {
			return fmt.Errorf("the predeployed contract at %s: %w", p.Address, err)
		}
	}
	return nil
}

func (h *Harness) deployTarget(w *evm.World, c *solc.Contract, value *uint256.Int) error {
	made := creation{contract: c, value: *value}
	if at := h.Configuration.Accounts.Contract; at != nil && c == h.Program.UnderTest {
		made.at = *at
	}
	for _, p := range h.Configuration.Deploy.Predeployed {
		if p.Contract != "" && c.IsNamed(p.Contract) {
			made.at = p.Address
		}
	}
	address, err := h.construct(w, &made)
	if err != nil {
		return fmt.Errorf("constructor of %s: %w", c.Name, err)
	}
	if c == h.Program.UnderTest {
		h.Address = address
	}
	h.targets = append(h.targets, Target{Address: address, Contract: c})
	return nil
}

// A creation is a contract to create before the first call.
type creation struct {
	contract *solc.Contract // nil: code is given
	code     []byte         // creation code
	at       common.Address // zero: by the deployer's nonce
	value    uint256.Int    // wei for the constructor
}

// construct runs a constructor, with the configured arguments.
func (h *Harness) construct(w *evm.World, c *creation) (common.Address, error) {
	data := c.code
	var args []input.Value
	if c.contract != nil {
		libraries, err := h.link(w, solc.Libraries([]*solc.Contract{c.contract}, h.options.Config.Libraries))
		if err != nil {
			return common.Address{}, err
		}
		code, err := c.contract.Creation.Linked(libraries)
		if err != nil {
			return common.Address{}, fmt.Errorf("%s: %w", c.contract.Name, err)
		}
		h.Program.Codes.AddInit(code)
		if args, err = h.constructorArguments(c.contract); err != nil {
			return common.Address{}, err
		}
		data = input.AppendValues(code, args)
	}
	out := h.machine.Execute(w, h.genesis, evm.Call{From: h.Configuration.Accounts.Deployer, To: c.at, Create: true, Data: data, Value: c.value, Gas: harnessGas}, nil)
	if out.Status != evm.Success {
		return common.Address{}, errors.New(h.Reason(&out))
	}
	h.made = append(h.made, Created{out.Created, args})
	return out.Created, nil
}

// harnessGas is the gas of a constructor.
const harnessGas = 1 << 30

// constructorArguments reads the arguments from the configuration.
func (h *Harness) constructorArguments(c *solc.Contract) ([]input.Value, error) {
	f := h.Program.ABI(c).Constructor
	if f == nil {
		return nil, nil
	}
	var args []input.Value
	for _, p := range f.Inputs {
		written, ok := h.Configuration.Deploy.ConstructorArgs[c.Name][p.Name]
		if !ok {
			return nil, h.misconfigured("has no argument %s for the constructor of %s; add it to constructorArgs", p.Name, c.Name)
		}
		v, err := h.argument(p.Type, written)
		if err != nil {
			return nil, fmt.Errorf("constructor argument %s of %s: %w", p.Name, c.Name, err)
		}
		args = append(args, v)
	}
	return args, nil
}

// argument reads a configured value: structs are objects or lists, arrays are lists.
func (h *Harness) argument(t *input.Type, written any) (v input.Value, err error) {
	var types []*input.Type
	var parts []any
	list, isList := written.([]any)
	object, isObject := written.(map[string]any)
	switch {
	case isList && t.Elem != nil:
		types, parts = slices.Repeat([]*input.Type{t.Elem}, len(list)), list
	case (isList || isObject) && t.Kind == input.KindTuple:
		for i, f := range t.Fields {
			part, ok := object[f.Name]
			if isList && i < len(list) {
				part, ok = list[i], true
			}
			if !ok {
				return v, fmt.Errorf("there is no value of %s", f.Name)
			}
			types, parts = append(types, f.Type), append(parts, part)
		}
	default:
		return (*input.Names)(nil).Parse(t, h.deployedNamed(fmt.Sprint(written)))
	}
	if n := t.Size; t.Kind == input.KindArray && n != len(parts) {
		return v, fmt.Errorf("%d values of an array with %d elements", len(parts), n)
	}
	v = input.Value{Type: t}
	for i := range parts {
		part, err := h.argument(types[i], parts[i])
		if err != nil {
			return v, err
		}
		v.Elems = append(v.Elems, part)
	}
	return v, nil
}

// deployedNamed replaces Medusa's "DeployedContract:NAME" by the address of the
// target.
func (h *Harness) deployedNamed(written string) string {
	if name, ok := strings.CutPrefix(written, "DeployedContract:"); ok {
		for _, t := range h.targets {
			if t.Contract.IsNamed(name) {
				return t.Address.Hex()
			}
		}
	}
	return written
}

// isProperty reports whether a function of some contract says that it holds.
func (h *Harness) isProperty(f *input.Function) bool {
	return len(f.Inputs) == 0 && len(f.Outputs) == 1 && h.Configuration.Checks.IsProperty(f.Name, f.Outputs[0].Type.String())
}

// checksOthers reports whether properties of contracts beside the harness have to hold: of
// Medusa's other targets, and with AllContracts of what any contract creates. They are
// called as handlers are.
func (h *Harness) checksOthers() bool {
	return h.Configuration.Tool == solc.Medusa && h.Configuration.Checks.Properties && (h.Configuration.Calls.AllContracts || len(h.Configuration.Deploy.Targets) > 1)
}

// failsProperty reports whether a call shows that a property of a contract beside the
// harness does not hold: it returned false or reverted. Where there is no contract, nothing
// is returned.
func (h *Harness) failsProperty(tx *input.Tx, o *evm.Outcome) bool {
	missing := o.Status == evm.Success && len(o.Return) == 0
	return tx.To != h.Address && h.checksOthers() && h.isProperty(tx.Function) && !missing && !Holds(o)
}

// Holds reports whether the call of a property says that it holds.
func Holds(o *evm.Outcome) bool {
	return o.Status == evm.Success && len(o.Return) >= 32 && common.BytesToHash(o.Return[:32]) != common.Hash{}
}

// IsMaximized reports whether a function without arguments returns a number to
// maximize, in place of being a property.
func IsMaximized(f *input.Function) bool {
	return len(f.Outputs) == 1 && f.Outputs[0].Type.String() == solc.MaximizedType
}

// FailsAssertion reports whether an assertion of a harness failed in a call: it
// ended with one of the configured panics, or emitted AssertionFailed.
func (h *Harness) FailsAssertion(o *evm.Outcome) bool {
	checks := &h.Configuration.Checks
	if o.Status != evm.Success {
		code, panics := cheat.PanicCode(o.Return)
		if checks.Overflows {
			return panics && code == overflowPanic
		}
		return panics && slices.Contains(checks.Panics, code) || !panics && Asserts(o)
	}
	if checks.Overflows {
		return false
	}
	return slices.ContainsFunc(o.Logs, func(l evm.Log) bool { return h.IsAssertion(&l) })
}

// overflowPanic is the code of checked arithmetic.
const overflowPanic = 0x11

// FailsCalls reports whether calls fail by themselves: by assertions, by overflows, or as
// properties of contracts beside the harness.
func (h *Harness) FailsCalls() bool {
	return h.Configuration.Checks.Assertions || h.Configuration.Checks.Overflows || h.checksOthers()
}

// Fails reports whether a call fails by itself.
func (h *Harness) Fails(tx *input.Tx, o *evm.Outcome) bool {
	checks := &h.Configuration.Checks
	return (checks.Assertions || checks.Overflows) && h.FailsAssertion(o) || h.failsProperty(tx, o)
}

// IsAssertion reports whether an event of a harness stands for a failed assertion.
func (h *Harness) IsAssertion(l *evm.Log) bool { return len(l.Topics) > 0 && h.assertions[l.Topics[0]] }

// MustRevert reports whether a property holds if it reverts, as Echidna has it.
func (h *Harness) MustRevert(f *input.Function) bool {
	if h.Configuration.Tool != solc.Echidna {
		return false
	}
	for _, p := range h.Configuration.Checks.Prefixes {
		if rest, ok := strings.CutPrefix(f.Name, p); ok && strings.HasPrefix(rest, "revert_") {
			return true
		}
	}
	return false
}

// Targets returns what the transactions of a harness call: the functions of
// the deployed targets, less the properties and what the configuration leaves out.
// With AllContracts, that is also what the deployment created.
func (h *Harness) Targets() (list []Target) {
	targets := h.targets
	if h.Configuration.Calls.AllContracts {
		targets = h.Deployed()
	}
	for _, t := range targets {
		if t.Functions = h.called(t.Contract); len(t.Functions) > 0 {
			list = append(list, t)
		}
	}
	return list
}

// called lists the functions of a contract that transactions call.
func (h *Harness) called(c *solc.Contract) (list []*input.Function) {
	checks, calls := &h.Configuration.Checks, &h.Configuration.Calls
	abi := h.Program.ABI(c)
	for _, f := range append(slices.Clip(abi.Functions), abi.Receive, abi.Fallback) {
		if f == nil {
			continue
		}
		name := c.Name + "." + f.Signature
		switch {
		case c != h.Program.UnderTest && h.checksOthers() && h.isProperty(f):
			list = append(list, f)
		case len(f.Inputs) == 0 && checks.IsCheck(f.Name):
		case f.Constant() && !calls.Views, len(calls.Only) > 0 && !slices.Contains(calls.Only, name), slices.Contains(calls.Except, name):
		default:
			list = append(list, f)
		}
	}
	return list
}

// CreatedTargets returns a function that chooses what is called of a contract that
// a call creates; nil: nothing is.
func (h *Harness) CreatedTargets() func(*solc.Contract) []*input.Function {
	if !h.Configuration.Calls.AllContracts {
		return nil
	}
	return h.called
}
