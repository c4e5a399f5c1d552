package deploy

import (
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
}

// Callees lists the functions that transactions may call, those of the contract
// under test first.
func (s *Deployment) Callees(p *program.Program) []Callee {
	var list []Callee
	for i := len(s.Contracts) - 1; i >= 0; i-- {
		d := s.Contracts[i]
		under := i == len(s.Contracts)-1
		if d.Contract.Kind == solc.KindLibrary || d.implementation || d.excluded && !under {
			continue
		}
		abi := p.ABI(d.Contract)
		for _, f := range append(abi.Functions, abi.Receive, abi.Fallback) {
			if f != nil && d.calls(f) && (!under || d.isCalled(abi, f)) {
				list = append(list, Callee{demand.Callee{Address: d.Address, Function: f}, d.Contract})
			}
		}
	}
	return list
}

// calls reports whether a campaign calls f: every function of the project, but
// only the actions of a mock.
func (d Deployed) calls(f *input.Function) bool {
	return d.Mock == nil || slices.Contains(d.Mock.Actions, f.Signature)
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
