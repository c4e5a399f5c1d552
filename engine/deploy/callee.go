package deploy

import (
	"leveret/engine/demand"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/solc"
	"slices"
)

// A Callee is a function that Txs may call.
type Callee struct {
	demand.Callee
	Contract *solc.Contract
}

// Callees lists what Txs may call: the functions of the contract under test,
// then those of the others.
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

// calls reports whether Txs of a campaign call f of d: every function of the
// project, and of stand-ins those that somebody would use to set a scene.
func (d Deployed) calls(f *input.Function) bool {
	return d.Mock == nil || slices.Contains(d.Mock.Actions, f.Signature)
}

// isCalled reports whether Txs call a function of the contract under test.
// Properties are called, too: what they compare is what leads the search. They
// leave no trace, see transact.
func (d *Deployed) isCalled(abi *input.ABI, f *input.Function) bool {
	if d.excluded {
		return program.IsProperty(f)
	}
	return f.Signature != setUpSignature || suiteOf(abi) == noSuite
}

// Named returns the creation with a name; the contract under test keeps its
// place even if its name changed.
func (s *Deployment) Named(name string) *input.Creation {
	for i := range s.Record.Creations {
		if s.Record.Creations[i].Name == name {
			return &s.Record.Creations[i]
		}
	}
	return nil
}
