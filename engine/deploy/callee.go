package deploy

import (
	"cmp"
	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"slices"
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
	}
	return list
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

// Named returns the creation with a name; nil if there is none.
func (s *Deployment) Named(name string) *input.Creation {
	for i := range s.Record.Creations {
		if s.Record.Creations[i].Name == name {
			return &s.Record.Creations[i]
		}
	}
	return nil
}
