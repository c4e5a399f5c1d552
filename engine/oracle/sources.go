package oracle

import (
	"encoding/hex"
	"sync"
	"sync/atomic"

	"leveret/engine/evm"
	"leveret/solc/ast"
)

// Sources answers what oracles ask of the syntax trees about an instruction or a
// node. It walks a tree once for each answer. It is safe for concurrent use.
type Sources struct {
	locate func(Site) (Blame, bool)
	text   func(*ast.Node) string
	trees  func() *ast.Index

	mu    sync.RWMutex
	codes [][]atomic.Pointer[Instruction] // by evm.Code.ID and program counter

	conversions memo[*ast.Node, []conversion]
	operations  memo[*ast.Node, []candidate]
	called      memo[selected, *ast.Node]
	checks      memo[check, *ast.Node]
	below       memo[check, *ast.Node]
	contains    memo[check, bool]
	assertions  memo[*ast.Node, bool]
	batches     memo[*ast.Node, *ast.Node]
	uses        memo[*ast.Index, map[int][]*ast.Node]
}

// A selected is a function of a contract by the selector of its ABI.
type selected struct {
	contract *ast.Node
	selector [4]byte
}

// A check is a node and a panic code.
type check struct {
	node *ast.Node
	code uint64
}

// NewSources returns the answers for a project. locate returns the source of one
// instruction, false if it is the compiler's; text returns the source of a node;
// trees returns the syntax trees of the project.
func NewSources(locate func(Site) (Blame, bool), text func(*ast.Node) string, trees func() *ast.Index) *Sources {
	return &Sources{locate: locate, text: text, trees: trees}
}

// An Instruction is the source of one instruction.
type Instruction struct {
	Blame
	Mapped    bool      // false for the compiler's code: the Blame is zero
	Operates  bool      // the instruction does an Operation of the source
	Operation Operation // that Operation
}

// At returns the source of an instruction.
func (s *Sources) At(site Site) *Instruction {
	code := site.Code
	if code.ID == evm.Overflow || site.PC >= uint64(len(code.Bytes)) {
		return s.instruction(site)
	}
	entry := &s.table(code)[site.PC]
	known := entry.Load()
	if known == nil {
		known = s.instruction(site)
		entry.Store(known)
	}
	return known
}

// table returns the instructions of a code, by program counter.
func (s *Sources) table(code *evm.Code) []atomic.Pointer[Instruction] {
	s.mu.RLock()
	if code.ID < len(s.codes) && s.codes[code.ID] != nil {
		defer s.mu.RUnlock()
		return s.codes[code.ID]
	}
	s.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.codes) <= code.ID {
		s.codes = append(s.codes, nil)
	}
	if s.codes[code.ID] == nil {
		s.codes[code.ID] = make([]atomic.Pointer[Instruction], len(code.Bytes))
	}
	return s.codes[code.ID]
}

// instruction walks the tree for At.
func (s *Sources) instruction(site Site) *Instruction {
	i := &Instruction{}
	if i.Blame, i.Mapped = s.locate(site); !i.Mapped {
		i.Blame = Blame{}
	} else if site.PC < uint64(len(site.Code.Bytes)) {
		i.Operation, i.Operates = OperationAt(i.Blame, site.Code.Bytes[site.PC])
	}
	return i
}

// MayCut reports whether an instruction may implement a narrowing conversion.
func (s *Sources) MayCut(i *Instruction, op byte) bool {
	return Masks(op) && i.Node != nil && len(s.conversionsAt(i.Node)) > 0
}

// conversionsAt is conversionsAt of a node, with what a mask must have to belong
// to each.
func (s *Sources) conversionsAt(n *ast.Node) []conversion {
	return s.conversions.get(n, func() []conversion { return conversionsAt(n, s.text) })
}

// operationsBelow returns the Operations below n. The walk for a statement takes
// time with the square of its terms.
func (s *Sources) operationsBelow(n *ast.Node) []candidate {
	return s.operations.get(n, func() (list []candidate) {
		Operations(n, func(o Operation) { list = append(list, newCandidate(o)) })
		return list
	})
}

// functionCalled returns the function of a contract with a selector and a body;
// nil if the contract defines none.
func (s *Sources) functionCalled(contract *ast.Node, selector [4]byte) *ast.Node {
	return s.called.get(selected{contract, selector}, func() *ast.Node {
		wanted := hex.EncodeToString(selector[:])
		for _, function := range contract.Find(ast.FunctionDefinition) {
			if function.Child("body") != nil && function.Attr("functionSelector") == wanted {
				return function
			}
		}
		return nil
	})
}

// checked returns the only expression in a node that a check with a code can belong
// to, else the node; nil for nil.
func (s *Sources) checked(n *ast.Node, code uint64) *ast.Node {
	return s.checks.get(check{n, code}, func() *ast.Node {
		if only := sole([]*ast.Node{n}, fails(code)); only != nil {
			return only
		}
		return n
	})
}

// around returns the smallest of a node, the expressions around it and their
// statement that contains an expression that a check with a code can belong to; nil if
// none does. If several checks ran after the node, the failed one may belong to any
// expression around: then it is the largest.
func (s *Sources) around(n *ast.Node, code uint64, several bool) (found *ast.Node) {
	if s.hasCheck(n, code) {
		return n
	}
	for (found == nil || several) && !n.IsStatement() && n.Parent != nil && !IsDefinition(n.Parent) {
		if n = n.Parent; s.hasCheck(n, code) && (found == nil || !n.IsStatement()) {
			found = n
		}
	}
	return found
}

// checkedBelow returns the only expression that a check with a code can belong to
// in the functions that a function calls, directly or not; nil if there is none.
func (s *Sources) checkedBelow(function *ast.Node, code uint64) *ast.Node {
	if function == nil {
		return nil
	}
	return s.below.get(check{function, code}, func() *ast.Node { return sole(s.callees(function), fails(code)) })
}

// callees lists the functions with bodies that a function calls, directly or not.
func (s *Sources) callees(function *ast.Node) (list []*ast.Node) {
	seen := map[*ast.Node]bool{function: true}
	for next := []*ast.Node{function}; len(next) > 0; next = next[1:] {
		for _, call := range next[0].Find(ast.FunctionCall) {
			if d := s.trees().Called(call); d != nil && d.Type == ast.FunctionDefinition && !seen[d] {
				seen[d] = true
				list, next = append(list, d), append(next, d)
			}
		}
	}
	return list
}

// hasCheck reports whether a node contains an expression that a check with a code
// can belong to; false for nil.
func (s *Sources) hasCheck(n *ast.Node, code uint64) bool {
	return n != nil && s.contains.get(check{n, code}, func() bool { return contains(n, fails(code)) })
}

// A memo remembers the results of a function. Its zero value is empty.
type memo[K comparable, V any] struct {
	mu    sync.RWMutex
	known map[K]V
}

// get returns the result for a key. compute may run more than once.
func (m *memo[K, V]) get(key K, compute func() V) V {
	m.mu.RLock()
	v, ok := m.known[key]
	m.mu.RUnlock()
	if ok {
		return v
	}
	v = compute()
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil {
		m.known = map[K]V{}
	}
	m.known[key] = v
	return v
}
