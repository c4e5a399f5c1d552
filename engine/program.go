package engine

import (
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/agent"
	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A program knows which contract of the project a piece of running code is
// compiled from. It is safe for concurrent use.
type program struct {
	under   *solc.Contract
	project []*solc.Contract
	abis    map[*solc.Contract]*input.ABI
	codes   *evm.Codes
	agent   *evm.Code // the attacker's contract

	mu     sync.RWMutex
	owners []*owner // by evm.Code.ID; nil: not asked yet
	lines  map[*solc.Source]*srcmap.Lines
}

// owner is what is known about one evm.Code.
type owner struct {
	contract *solc.Contract // nil: not the project's
	code     *solc.Code
	pcs      *srcmap.Instructions
}

// newProgram reads the ABIs of the project. The contract under test must have
// a readable one; others that have not are left out.
func newProgram(under *solc.Contract, project []*solc.Contract) (*program, error) {
	p := &program{
		under:   under,
		project: project,
		abis:    map[*solc.Contract]*input.ABI{},
		codes:   evm.NewCodes(),
		lines:   map[*solc.Source]*srcmap.Lines{},
	}
	abi, err := input.ParseABI(under.ABI)
	if err != nil {
		return nil, fmt.Errorf("contract %s: %w", under.Name, err)
	}
	for _, f := range abi.Functions {
		if isProperty(f) {
			f.Mutability = input.View // whatever it does is undone, see transact
		}
	}
	p.abis[under] = abi
	p.agent = p.codes.Runtime(agent.Code)
	return p, nil
}

// abi returns the ABI of a contract of the project, empty if it has none that
// can be read.
func (p *program) abi(c *solc.Contract) *input.ABI {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.abis[c]; a != nil {
		return a
	}
	a, err := input.ParseABI(c.ABI)
	if err != nil {
		a = &input.ABI{}
	}
	p.abis[c] = a
	return a
}

// isProject reports whether code is compiled from the project.
func (p *program) isProject(code *evm.Code) bool { return p.owner(code).contract != nil }

// owner finds out what code is compiled from, at first sight.
func (p *program) owner(code *evm.Code) *owner {
	p.mu.RLock()
	if code.ID < len(p.owners) && p.owners[code.ID] != nil {
		o := p.owners[code.ID]
		p.mu.RUnlock()
		return o
	}
	p.mu.RUnlock()
	o := p.recognise(code)
	if code.ID == evm.Overflow {
		return o // not remembered: the ID is shared
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.owners) <= code.ID {
		p.owners = append(p.owners, nil)
	}
	p.owners[code.ID] = o
	return o
}

func (p *program) recognise(code *evm.Code) *owner {
	for _, c := range append([]*solc.Contract{p.under}, p.project...) {
		compiled := &c.Runtime
		if code.Init {
			compiled = &c.Creation
		}
		if len(compiled.Object) > 0 && sameCode(code, compiled) {
			return &owner{contract: c, code: compiled, pcs: srcmap.NewInstructions(code.Bytes, compiled.Map)}
		}
	}
	return &owner{}
}

// sameCode reports whether code is compiled, but for immutables, library
// addresses and, in creation code, constructor arguments.
func sameCode(code *evm.Code, compiled *solc.Code) bool {
	have := code.Bytes
	if len(have) < len(compiled.Object) || !code.Init && len(have) > len(compiled.Object) {
		return false
	}
	var holes []bytecode.Range
	for _, ranges := range compiled.Immutables {
		for _, r := range ranges {
			holes = append(holes, bytecode.Range(r))
		}
	}
	for _, l := range compiled.Links {
		holes = append(holes, bytecode.Range(l.At))
	}
	if !code.Init && compiled.Object[0] == bytecode.PUSH1+19 && len(compiled.Object) > 21 {
		holes = append(holes, bytecode.Range{Start: 1, Length: 20}) // a library knows its own address
	}
	return bytecode.EqualModulo(have[:len(compiled.Object)], compiled.Object, holes)
}

// contractAt returns the contract of the project whose code stands at an
// address.
func (p *program) contractAt(w *evm.World, address common.Address) *solc.Contract {
	code := w.Code(address)
	if code == nil {
		return nil
	}
	return p.owner(code).contract
}

// linesOf returns the line index of a source, made at first sight.
func (p *program) linesOf(s *solc.Source) *srcmap.Lines {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lines[s]
	if l == nil {
		l = srcmap.NewLines(s.Text)
		p.lines[s] = l
	}
	return l
}
