// Package program holds the compiled contracts of a project: the contract of a
// running code, its ABI, and the source of an instruction.
package program

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/attacker"
	"leveret/engine/bytecode"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// A Program is a contract under test with its project. It is safe for
// concurrent use.
type Program struct {
	UnderTest *solc.Contract   // the contract under test
	Project   []*solc.Contract // all contracts of its build
	Codes     *evm.Codes       // of everything that runs
	Attacker  *evm.Code        // the attacker contract
	Forcer    *evm.Code        // at input.Forcer
	Sources   *oracle.Sources  // of instructions, for oracles

	mu     sync.RWMutex
	abis   map[*solc.Contract]*input.ABI
	owners []*CodeInfo                    // by evm.Code.ID; nil: not looked up yet
	lines  map[*solc.Source]*srcmap.Lines // made at first use
	places sync.Map                       // *Location by sourceSpan; see locate

	constants sync.Map // []Constant by *solc.Contract
}

// A CodeInfo describes one evm.Code. It is zero if the code is not the
// project's.
type CodeInfo struct {
	Contract *solc.Contract
	Code     *solc.Code           // as compiled
	PCs      *srcmap.Instructions // source map by program counter

	arithmetic struct {
		sync.Once
		list []cover.Arith
	}
}

// New returns the program of a contract under test. It fails if the contract's
// ABI cannot be read.
func New(under *solc.Contract, project []*solc.Contract) (*Program, error) {
	p, err := NewTests(under, project)
	if err != nil {
		return nil, err
	}
	for _, f := range p.ABI(under).Functions {
		if IsProperty(f) {
			f.Mutability = input.View // its changes are undone after each call
		}
	}
	return p, nil
}

// NewTests returns the program of a test contract or a harness, whose configuration says
// which functions are properties, and not their names.
func NewTests(under *solc.Contract, project []*solc.Contract) (*Program, error) {
	p := &Program{
		UnderTest: under,
		Project:   project,
		abis:      map[*solc.Contract]*input.ABI{},
		Codes:     evm.NewCodes(),
	}
	abi, err := input.ParseABI(under.ABI)
	if err != nil {
		return nil, fmt.Errorf("contract %s: %w", under.Name, err)
	}
	addContents(under, abi)
	p.abis[under] = abi
	for _, c := range project {
		if len(c.Runtime.Immutables) > 0 {
			p.Codes.Share(c.Runtime.Object, holes(&c.Runtime))
		}
		if len(c.Creation.Object) > 0 {
			p.Codes.ShareInit(c.Creation.Object, holes(&c.Creation))
		}
	}
	p.Attacker, p.Forcer = p.Codes.Runtime(attacker.Code), p.Codes.Runtime(input.ForcerCode)
	p.Sources = oracle.NewSources(p.blameSite, p.NodeText, under.Build.Trees)
	return p, nil
}

// ABI returns the ABI of a contract; it is empty if it cannot be read.
func (p *Program) ABI(c *solc.Contract) *input.ABI {
	p.mu.Lock()
	defer p.mu.Unlock()
	if a := p.abis[c]; a != nil {
		return a
	}
	a, err := input.ParseABI(c.ABI)
	if err != nil {
		a = &input.ABI{}
	}
	addContents(c, a)
	p.abis[c] = a
	return a
}

// IsProject reports whether code is compiled from the project.
func (p *Program) IsProject(code *evm.Code) bool { return p.InfoOf(code).Contract != nil }

// InfoOf returns what code was compiled from.
func (p *Program) InfoOf(code *evm.Code) *CodeInfo {
	p.mu.RLock()
	if code.ID < len(p.owners) && p.owners[code.ID] != nil {
		o := p.owners[code.ID]
		p.mu.RUnlock()
		return o
	}
	p.mu.RUnlock()
	o := p.recognize(code)
	if code.ID == evm.Overflow {
		return o // not cached: many codes share this ID
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.owners) <= code.ID {
		p.owners = append(p.owners, nil)
	}
	p.owners[code.ID] = o
	return o
}

func (p *Program) recognize(code *evm.Code) *CodeInfo {
	for _, c := range append([]*solc.Contract{p.UnderTest}, p.Project...) {
		compiled := &c.Runtime
		if code.Init {
			compiled = &c.Creation
		}
		if len(compiled.Object) > 0 && sameCode(code, compiled) {
			return &CodeInfo{Contract: c, Code: compiled, PCs: srcmap.NewInstructions(code.Bytes, compiled.Map)}
		}
	}
	return &CodeInfo{}
}

// sameCode reports whether code equals compiled except for immutables, library
// addresses and, in creation code, constructor arguments.
func sameCode(code *evm.Code, compiled *solc.Code) bool {
	have := code.Bytes
	if len(have) < len(compiled.Object) || !code.Init && len(have) > len(compiled.Object) {
		return false
	}
	ranges := holes(compiled)
	if !code.Init && compiled.Object[0] == bytecode.PUSH1+19 && len(compiled.Object) > 21 {
		ranges = append(ranges, bytecode.Range{Start: 1, Length: 20}) // a library knows its own address
	}
	return bytecode.EqualModulo(have[:len(compiled.Object)], compiled.Object, ranges)
}

// holes returns the immutables and library addresses of a compiled code.
func holes(compiled *solc.Code) (list []bytecode.Range) {
	for _, ranges := range compiled.Immutables {
		for _, r := range ranges {
			list = append(list, bytecode.Range(r))
		}
	}
	for _, l := range compiled.Links {
		list = append(list, bytecode.Range(l.At))
	}
	return list
}

// ContractAt returns the contract of the project that is deployed at an
// address; nil if there is none.
func (p *Program) ContractAt(w *evm.World, address common.Address) *solc.Contract {
	code := w.Code(address)
	if code == nil {
		return nil
	}
	return p.InfoOf(code).Contract
}

// LinesOf returns the line index of a source, made at first sight.
func (p *Program) LinesOf(s *solc.Source) *srcmap.Lines {
	p.mu.Lock()
	defer p.mu.Unlock()
	l := p.lines[s]
	if l == nil {
		if p.lines == nil {
			p.lines = map[*solc.Source]*srcmap.Lines{}
		}
		l = srcmap.NewLines(s.Text)
		p.lines[s] = l
	}
	return l
}

// Mentions reports whether the project's code contains an address.
func (p *Program) Mentions(a common.Address) bool {
	return p.Find(func(c *solc.Contract) bool { return bytes.Contains(c.Creation.Object, a[:]) }) != nil
}

// Find returns the first contract of the project that suits reports; nil if
// there is none.
func (p *Program) Find(suits func(*solc.Contract) bool) *solc.Contract {
	for _, c := range p.Project {
		if suits(c) {
			return c
		}
	}
	return nil
}

// Library returns the library of the project that is linked; nil if it is not compiled.
func (p *Program) Library(l solc.Link) *solc.Contract {
	return p.Find(func(c *solc.Contract) bool { return c.Name == l.Library && c.File == l.File })
}

// AddABI sets the ABI of a contract that was not compiled, such as a mock.
func (p *Program) AddABI(c *solc.Contract, abi *input.ABI) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.abis[c] = abi
}

// AssertionTopics returns the topics of AssertionFailed events, with their
// signatures.
func (p *Program) AssertionTopics() (names map[common.Hash]string, set map[common.Hash]bool) {
	names, set = map[common.Hash]string{}, map[common.Hash]bool{}
	for _, c := range p.Project {
		for _, e := range p.ABI(c).Events {
			if e.Name == "AssertionFailed" && !e.Anonymous {
				names[e.ID], set[e.ID] = e.Signature, true
			}
		}
	}
	return names, set
}
