package engine

import (
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
)

// A suite is how a contract of properties expects to be fuzzed: each of the
// tools that people write them for has its own way of calling.
type suite uint8

const (
	noSuite    suite = iota
	ownSuite         // Echidna, Medusa: the suite's own functions are called
	plainSuite       // Foundry's invariants in a contract without setUp: everything is called
	setUpSuite       // Foundry's invariants: the contracts that setUp made are called
)

// suiteOf tells from the names of the properties whose they are.
func suiteOf(abi *input.ABI) suite {
	kind := noSuite
	for _, f := range abi.Functions {
		switch {
		case !program.IsProperty(f):
		case !strings.HasPrefix(f.Name, "invariant"):
			return ownSuite
		case abi.Method(setUpSignature) != nil:
			kind = setUpSuite
		default:
			kind = plainSuite
		}
	}
	return kind
}

const setUpSignature = "setUp()"

// isCalled reports whether Txs call a function of the contract under test.
// Properties are called, too: what they compare is what leads the search. They
// leave no trace, see transact.
func (d *deployed) isCalled(abi *input.ABI, f *input.Function) bool {
	if d.spared {
		return program.IsProperty(f)
	}
	return f.Signature != setUpSignature || suiteOf(abi) == noSuite
}

// setUp calls setUp of the contract under test, if that is a suite with one.
func (d *deployer) setUp() error {
	under := d.scene.under()
	abi := d.program.ABI(under.contract)
	f := abi.Method(setUpSignature)
	if f == nil || suiteOf(abi) == noSuite {
		return nil
	}
	tx := input.Tx{From: input.Deployer, To: under.address, Function: f}
	if d.call(&tx).Status != evm.Success {
		return d.explain("setUp of "+under.contract.Name, "", under.contract, evm.TxCall(&tx, tx.Calldata()), &tx)
	}
	made := &d.scene.deployment.Creations[len(d.scene.deployment.Creations)-1]
	made.Setup = append(made.Setup, tx)
	d.adopt(made.Name)
	return nil
}

// aim finds out which contracts Txs call.
func (d *deployer) aim() {
	s := &d.scene
	abi := d.program.ABI(s.under().contract)
	kind := suiteOf(abi)
	wanted, listed := d.addresses(abi.Method("targetContracts()"))
	unwanted, _ := d.addresses(abi.Method("excludeContracts()"))
	suites := kind == setUpSuite && !slices.ContainsFunc(s.contracts, func(c deployed) bool { return c.born })
	for i := range s.contracts {
		c := &s.contracts[i]
		under := i == len(s.contracts)-1
		switch {
		case kind == noSuite || kind == plainSuite:
		case kind == ownSuite:
			c.spared = c.born
		case listed:
			c.spared = !slices.Contains(wanted, c.address)
		default:
			c.spared = under && !suites || slices.Contains(unwanted, c.address)
		}
	}
}

// addresses asks a function of the contract under test for a list of them.
func (d *deployer) addresses(f *input.Function) ([]common.Address, bool) {
	if f == nil || len(f.Inputs) > 0 {
		return nil, false
	}
	tx := input.Tx{From: input.Deployer, To: d.scene.under().address, Function: f}
	outcome := d.machine.Execute(d.scene.world.Fork(), genesis, evm.TxCall(&tx, tx.Calldata()), nil)
	values, err := input.Decode(f.Outputs, outcome.Return)
	if outcome.Status != evm.Success || err != nil || len(values) != 1 {
		return nil, false
	}
	var list []common.Address
	for i := range values[0].Elems {
		list = append(list, values[0].Elems[i].Address())
	}
	return list, len(list) > 0
}
