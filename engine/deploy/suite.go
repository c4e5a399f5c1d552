package deploy

import (
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
)

// A suiteKind is the tool that a contract with properties was written for; each
// tool calls such a contract in its own way.
type suiteKind uint8

const (
	noSuite    suiteKind = iota
	ownSuite             // Echidna, Medusa: the contract's own functions are called
	plainSuite           // Foundry invariants without setUp: everything is called
	setUpSuite           // Foundry invariants with setUp: the contracts that setUp created are called
)

// suiteOf returns the kind of a contract, by the names of its properties.
func suiteOf(abi *input.ABI) suiteKind {
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

// setUp calls setUp of the contract under test, if it is a suite that has one.
func setUp(l *ledger) error {
	under := l.made.UnderTest()
	abi := l.program.ABI(under.Contract)
	f := abi.Method(setUpSignature)
	if f == nil || suiteOf(abi) == noSuite {
		return nil
	}
	tx := input.Tx{From: input.Deployer, To: under.Address, Function: f}
	if l.chain.call(&tx).Status != evm.Success {
		return explain(l.program, l.chain, "setUp of "+under.Contract.Name, "", under.Contract, txCall(&tx), &tx)
	}
	l.recordSetup(&tx)
	return nil
}

// exclude marks the contracts that transactions do not call.
func exclude(p *program.Program, h *chain) {
	s := h.made
	abi := p.ABI(s.UnderTest().Contract)
	kind := suiteOf(abi)
	wanted, listed := addresses(h, abi.Method("targetContracts()"))
	unwanted, _ := addresses(h, abi.Method("excludeContracts()"))
	suites := kind == setUpSuite && !slices.ContainsFunc(s.Contracts, func(c Deployed) bool { return c.child })
	for i := range s.Contracts {
		c := &s.Contracts[i]
		under := i == len(s.Contracts)-1
		switch {
		case kind == noSuite || kind == plainSuite:
		case kind == ownSuite:
			c.excluded = c.child
		case listed:
			c.excluded = !slices.Contains(wanted, c.Address)
		default:
			c.excluded = under && !suites || slices.Contains(unwanted, c.Address)
		}
	}
}

// addresses calls a function of the contract under test that returns a list of
// addresses.
func addresses(h *chain, f *input.Function) ([]common.Address, bool) {
	if f == nil || len(f.Inputs) > 0 {
		return nil, false
	}
	tx := input.Tx{From: input.Deployer, To: h.made.UnderTest().Address, Function: f}
	outcome := h.try(txCall(&tx), nil)
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
