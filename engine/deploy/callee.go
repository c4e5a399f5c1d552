package deploy

import (
	"cmp"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/demand"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
)

// A Callee is a function that transactions may call.
type Callee struct {
	demand.Callee
	Contract *solc.Contract
	Remote   bool // of a contract that only serves the wiring: called less often
}

// Callees lists the functions that transactions may call, those of the contract
// under test first.
func (s *Deployment) Callees(p *program.Program) []Callee {
	var list []Callee
	tested := s.UnderTest()
	for _, d := range s.nearest() {
		under := d == tested
		if d.Contract.Kind == solc.KindLibrary || d.implementation || d.excluded && !under {
			continue
		}
		abi := p.ABI(d.Contract)
		for _, f := range append(abi.Functions, abi.Receive, abi.Fallback) {
			if f != nil && d.calls(f) && (!under || d.isCalled(abi, f)) {
				list = append(list, Callee{demand.Callee{Address: d.Address, Function: s.withFixed(d.Address, f)}, d.Contract, d.remote})
			}
		}
		list = append(list, s.forwarded(p, d)...)
	}
	return list
}

// implementationSlots are where proxies keep the address of the contract whose code
// they run: ERC-1967's, that of the first proxies of OpenZeppelin, and the first
// variables.
var implementationSlots = [...]common.Hash{
	input.ImplementationSlot,
	common.HexToHash("0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3"),
	{}, {31: 1}, {31: 2},
}

// forwarded lists the functions that a proxy has besides its own: calls of them are
// what its fallback function runs another contract's code for.
func (s *Deployment) forwarded(p *program.Program, d Deployed) (list []Callee) {
	own := p.ABI(d.Contract)
	to := s.implementationOf(p, &d)
	if own.Fallback == nil || to == nil {
		return nil
	}
	for _, f := range p.ABI(to.Contract).Functions {
		if own.Method(f.Signature) == nil && (!d.remote || !f.Constant()) {
			list = append(list, Callee{demand.Callee{Address: d.Address, Function: s.withFixed(d.Address, f)}, to.Contract, d.remote})
		}
	}
	return list
}

// implementationOf returns the contract of the project whose code a proxy runs; nil
// if d is none.
func (s *Deployment) implementationOf(p *program.Program, d *Deployed) *Deployed {
	code := s.World.Code(d.Address)
	if code == nil || d.Mock != nil || p.ABI(d.Contract).Fallback == nil || !delegates(code) {
		return nil
	}
	for _, slot := range implementationSlots {
		address := common.Address(s.World.Storage(d.Address, slot).Bytes()[12:])
		for i := range s.Contracts {
			if to := &s.Contracts[i]; to.Address == address && to.Mock == nil && address != d.Address {
				return to
			}
		}
	}
	return nil
}

// delegates reports whether code has an instruction that runs other code.
func delegates(code *evm.Code) bool {
	all := code.Analysis()
	return slices.ContainsFunc(all.Instructions[:all.Count], func(in bytecode.Instruction) bool { return in.Op == bytecode.DELEGATECALL })
}

// nearest lists the contracts: that under test, then the newest first, and remote
// ones last.
func (s *Deployment) nearest() []Deployed {
	list := slices.Clone(s.Contracts)
	slices.Reverse(list)
	under := s.UnderTest()
	rank := func(d Deployed) int {
		switch {
		case d == under:
			return 0
		case !d.remote:
			return 1
		}
		return 2
	}
	slices.SortStableFunc(list, func(a, b Deployed) int { return cmp.Compare(rank(a), rank(b)) })
	return list
}

// calls reports whether a campaign calls f: every function of the project, of
// remote contracts those that change something, and only the actions of a mock.
func (d Deployed) calls(f *input.Function) bool {
	if d.Mock != nil {
		return slices.Contains(d.Mock.Actions, f.Signature)
	}
	return !d.remote || !f.Constant()
}

// isCalled reports whether a campaign calls f of the contract under test. It
// calls properties too, since their comparisons guide the search; the executor
// undoes their changes.
func (d *Deployed) isCalled(abi *input.ABI, f *input.Function) bool {
	if d.excluded {
		return program.IsProperty(f)
	}
	return f.Signature != setUpSignature || suiteOf(abi) == noSuite
}
