package debug

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/debug/variables"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/oracle"
	"leveret/engine/replay"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// A Statement is a unit of stepping in the source.
type Statement struct {
	Place    finding.Place
	Text     string // on one line, shortened
	Function string // that contains it, "Vault.withdraw"; empty: none does
}

type statementKey struct {
	file string
	span srcmap.Span
}

// Sources returns the sources of the project.
func (r *Recording) Sources() []*solc.Source {
	var list []*solc.Source
	for _, s := range r.Program.UnderTest.Build.Sources {
		if s != nil {
			list = append(list, s)
		}
	}
	return list
}

// CodeNumber returns the number of a code that runs in the Recording; -1 if it does not.
func (r *Recording) CodeNumber(code *evm.Code) int { return slices.Index(r.listed, code) }

// Code returns the code with a number; nil if there is none.
func (r *Recording) Code(n int) *evm.Code {
	if n < 0 || n >= len(r.listed) {
		return nil
	}
	return r.listed[n]
}

// A codeTable has what the codes that run stand for in the sources. Recordings with
// changes share that of the one without.
type codeTable struct {
	codes      map[*evm.Code]*codeMap
	listed     []*evm.Code // the keys of codes, in order of first occurrence
	statements []Statement
	numbers    map[statementKey]int32
	preimages  *replay.Preimages
	types      map[*solc.Build]*variables.Types
}

func newCodeTable() *codeTable {
	return &codeTable{
		codes: map[*evm.Code]*codeMap{}, numbers: map[statementKey]int32{}, preimages: replay.NewPreimages(),
		types: map[*solc.Build]*variables.Types{},
	}
}

// A codeMap has the statements and jumps of a code by pc. It is filled when they are
// asked for.
type codeMap struct {
	code       *evm.Code
	statements []int32 // see unknown and noStatement
	jumps      []srcmap.Jump
	blamed     []bool
	functions  map[uint64]string
	joins      map[jumpPair]bool
	decoders   *decoders
	viaIR      bool
	plain      bool // compiled without the optimiser: every instruction is of the statement that runs
}

const (
	unknown     int32 = -2
	noStatement int32 = -1 // the compiler's own code
)

// mapOf returns the codeMap of a code; nil for nil.
func (r *Recording) mapOf(code *evm.Code) *codeMap {
	if code == nil {
		return nil
	}
	m := r.codes[code]
	if m == nil {
		n := len(code.Bytes)
		m = &codeMap{code: code, statements: make([]int32, n), jumps: make([]srcmap.Jump, n), blamed: make([]bool, n), functions: map[uint64]string{}, joins: map[jumpPair]bool{}}
		for i := range m.statements {
			m.statements[i] = unknown
		}
		if c := r.contractAt(code); c != nil {
			m.viaIR = c.Build.Settings.ViaIR
			m.plain = !c.Build.Settings.Optimizer && !m.viaIR
		}
		r.codes[code], r.listed = m, append(r.listed, code)
	}
	return m
}

// at returns the number of the statement of an instruction, or noStatement.
func (r *Recording) at(m *codeMap, pc uint64) int32 {
	if pc >= uint64(len(m.statements)) {
		return noStatement // arguments of a constructor
	}
	if m.statements[pc] == unknown {
		r.resolve(m, pc)
	}
	return m.statements[pc]
}

// jumpAt returns what a jump is for.
func (r *Recording) jumpAt(m *codeMap, pc uint64) srcmap.Jump {
	if r.at(m, pc); pc >= uint64(len(m.jumps)) {
		return srcmap.JumpRegular
	}
	return m.jumps[pc]
}

// enters reports whether a jump of code without the optimiser leads to the beginning of a
// function: behind the jump is where the function is to return to.
func (r *Recording) enters(m *codeMap, s *evm.Step) bool {
	if !m.plain || len(s.Stack) < 2 || !s.Top(0).IsUint64() {
		return false
	}
	words := r.decodersOf(m).stacks.Entered(r.nodeAt(m.code, s.Top(0).Uint64()))
	return words > 0 && words < len(s.Stack) && s.Top(words).Eq(uint256.NewInt(s.PC+1))
}

// A jumpPair is a jump and where it leads to.
type jumpPair struct{ from, to uint64 }

// joins reports whether a jump into a function of the IR leads to a part of the function
// that runs: each modifier is a function of its own there, and so is the body, which the
// placeholder calls.
func (r *Recording) joins(m *codeMap, j jumpPair) bool {
	if !m.viaIR {
		return false
	}
	joins, known := m.joins[j]
	if !known {
		from, to := r.nodeAt(m.code, j.from), r.nodeAt(m.code, j.to)
		joins = from != nil && from.Type == ast.PlaceholderStatement ||
			to != nil && to.Function() != nil && to.Function().Type == ast.ModifierDefinition
		m.joins[j] = joins
	}
	return joins
}

// resolve fills the codeMap at an instruction.
func (r *Recording) resolve(m *codeMap, pc uint64) {
	m.statements[pc], m.jumps[pc] = noStatement, srcmap.JumpRegular
	if info := r.Program.InfoOf(m.code); info.PCs != nil {
		if e, ok := info.PCs.PCEntry(int(pc)); ok {
			m.jumps[pc] = e.Jump
		}
	}
	l := r.Resolver.Locate(m.code, pc)
	if l == nil || l.Whole {
		return
	}
	if blamed := &r.Blamed.Place; blamed.File != "" {
		m.blamed[pc] = blamed.File == l.Place.File && blamed.Span.Start == l.Place.Span.Start && blamed.Span.Length == l.Place.Span.Length
	}
	node := r.nodeAt(m.code, pc)
	if l.Step.File == "" || declares(node) || implied(node) || encloses(node, l.Place.Span) {
		return
	}
	key := statementKey{l.Step.File, l.Step.Span}
	n, known := r.numbers[key]
	if !known {
		n = int32(len(r.statements))
		r.numbers[key] = n
		r.statements = append(r.statements, Statement{Place: l.Step, Text: l.StepText, Function: functionName(node)})
	}
	m.statements[pc] = n
}

// nodeAt returns the node of the syntax tree that an instruction stands for; nil if
// there is none.
func (r *Recording) nodeAt(code *evm.Code, pc uint64) *ast.Node {
	l, ok := r.Program.LocateSite(oracle.Site{Code: code, PC: pc})
	if !ok {
		return nil
	}
	return l.Node
}

// modifierInvocation is the type of a modifier, or a base constructor, in the head of a
// function.
const modifierInvocation = "ModifierInvocation"

// declares reports whether a node belongs to the head of a function, which is no
// step: parameters, names of modifiers.
func declares(n *ast.Node) bool {
	return n != nil && n.Statement() == nil && n.Enclosing(ast.FunctionDefinition, ast.ModifierDefinition) != nil &&
		n.Enclosing(modifierInvocation) == nil
}

// implied reports whether a node of a variable's declaration is no step: a getter, which
// the compiler made, and a constant, which is computed in the statement that uses it.
// Initial values of state variables are steps.
func implied(n *ast.Node) bool {
	if n == nil || n.Statement() != nil {
		return false
	}
	d := n.Enclosing(ast.VariableDeclaration)
	if d == nil || !d.IsStateVariable() {
		return d != nil && d.IsConstant()
	}
	value := d.Child("value")
	return d.IsConstant() || value == nil || !value.Span.Contains(n.Span)
}

// functionOf returns the name of the function whose first instruction is at a pc; if
// that is the compiler's own, of the function with a statement.
func (r *Recording) functionOf(m *codeMap, entry uint64, statement int32) string {
	name, known := m.functions[entry]
	if !known {
		if entry > 0 {
			name = functionName(r.nodeAt(m.code, entry))
		}
		m.functions[entry] = name
	}
	if name == "" && statement >= 0 {
		name = r.statements[statement].Function
	}
	return name
}

// encloses reports whether an instruction stands for a whole statement that contains
// others: a jump to its end. It goes on with what ran.
func encloses(n *ast.Node, span srcmap.Span) bool {
	if n == nil || n.Span != span {
		return false
	}
	switch n.Type {
	case ast.IfStatement, ast.ForStatement, ast.WhileStatement, ast.DoWhileStatement, ast.TryStatement,
		ast.YulIf, ast.YulForLoop, ast.YulSwitch:
		return true
	}
	return false
}

// functionName returns contract and name of the function around a node: "Vault.f",
// or "f" of a free function; empty if there is none.
func functionName(n *ast.Node) string {
	f := n.Enclosing(ast.FunctionDefinition, ast.ModifierDefinition)
	if f == nil {
		return ""
	}
	name := f.Name()
	if name == "" {
		name = f.Kind()
	}
	if c := f.Enclosing(ast.ContractDefinition); c != nil {
		return c.Name() + "." + name
	}
	return name
}
