package debug

import (
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/debug/variables"
	"leveret/engine/evm"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/layout"
)

// decoders decode the variables of a code.
type decoders struct {
	stacks *variables.Stacks
	types  *variables.Types
}

// decodersOf returns the decoders of a code; nil if it has no source.
func (r *Recording) decodersOf(m *codeMap) *decoders {
	if m.decoders != nil {
		return m.decoders
	}
	c := r.contractAt(m.code)
	if c == nil {
		return nil
	}
	m.decoders = &decoders{variables.NewStacks(c), r.typesOf(c.Build)}
	return m.decoders
}

// typesOf returns the types of a build.
func (t *codeTable) typesOf(b *solc.Build) *variables.Types {
	types := t.types[b]
	if types == nil {
		types = variables.NewTypes(b)
		t.types[b] = types
	}
	return types
}

// reader returns a Reader of the values of a frame.
func (s *Session) reader(f *StackFrame, types *variables.Types) *variables.Reader {
	return &variables.Reader{
		Types: types, Memory: s.Machine.View().Memory(f.Frame), Calldata: f.Frame.Input, Account: s.account,
		Function: func(pc uint64) string { return s.functionAt(f.Frame.Code, pc) },
	}
}

// locals returns the parameters, return variables and locals of a function, those of the
// innermost scope last. It shows the values only where the stack is known to have them.
func (s *Session) locals(f *StackFrame) (list []Variable) {
	d := s.decodersOf(s.mapOf(f.Frame.Code))
	if d == nil || f.running.statement < 0 {
		return nil
	}
	at := s.nodeAt(f.Frame.Code, f.running.start)
	slots, base, ok := s.slots(f, d, at)
	if !ok {
		for _, v := range d.stacks.Visible(at) {
			list = append(list, Variable{Name: v.Name(), Type: v.TypeString(), Value: variables.Unknown})
		}
		return list
	}
	reader, stack := s.reader(f, d.types), s.stackOf(f)
	for _, slot := range slots {
		if slot.Declaration.Name() == "" {
			continue
		}
		words := stack[base+slot.At : base+slot.At+slot.Words]
		v := s.variable(f, reader.Local(slot.Declaration, words), "")
		if v.cell != nil {
			v.cell.index = base + slot.At
		}
		list = append(list, v)
	}
	return list
}

// slots returns where the variables of a function are from a base on its stack. It
// returns false unless the function was entered as its code says, its statement began
// at the height that follows from the syntax tree, and runs.
func (s *Session) slots(f *StackFrame, d *decoders, at *ast.Node) (list []variables.Slot, base int, ok bool) {
	a, stack := &f.running, s.stackOf(f)
	if at == nil || s.statementAt(f.Frame.Code, f.PC) != a.statement || len(stack) < a.words {
		return nil, 0, false
	}
	if f.Outer {
		list, ok = d.stacks.Constructing(at, a.words)
		return list, 0, ok && f.Frame.Code.Init
	}
	function := s.nodeAt(f.Frame.Code, f.Entry)
	entered := d.stacks.Entered(function)
	base = f.Base - entered
	if entered < 0 || base < 0 || base >= len(stack) || !stack[base].Eq(uint256.NewInt(a.call+1)) {
		return nil, 0, false
	}
	list, ok = d.stacks.Slots(function, at, a.words-base)
	return list, base, ok
}

// statementAt returns the number of the statement of an instruction, or noStatement.
func (r *Recording) statementAt(code *evm.Code, pc uint64) int32 { return r.at(r.mapOf(code), pc) }

// stackOf returns the stack of the EVM's frame; the top is last.
func (s *Session) stackOf(f *StackFrame) []uint256.Int {
	if l := s.live; l != nil && l.step != nil && f.Frame == l.step.Frame {
		return l.step.Stack // with the operands of the instruction
	}
	return s.Machine.View().Stack(f.Frame)
}

// functionAt returns the name of the function whose code begins at a pc; empty if none
// does.
func (r *Recording) functionAt(code *evm.Code, pc uint64) string {
	if n := r.nodeAt(code, pc); n != nil && n.Type == ast.FunctionDefinition {
		return functionName(n)
	}
	return ""
}

// variable shows a value that is decoded. path is that of what contains it.
func (s *Session) variable(f *StackFrame, v variables.Value, path string) Variable {
	switch {
	case path == "" || strings.HasPrefix(v.Name, "["):
		path += v.Name
	default:
		path += "." + v.Name
	}
	shown := Variable{Name: v.Name, Type: v.Type, Value: v.Text, Path: path}
	if v.Form != nil {
		shown.cell = &cell{kind: onStack, depth: f.Frame.Depth, form: *v.Form}
	}
	if v.Form != nil && v.Memory >= 0 {
		shown.cell.kind, shown.cell.index = inMemory, v.Memory
	}
	if v.Storage != nil {
		l := &layout.Layout{Variables: []layout.Variable{{Name: v.Name, Slot: v.Storage.Slot, Type: v.Storage.Type}}}
		st := s.reference(f, l)
		shown = st.variable(l.Variables[0], st.touched())
		shown.Type, shown.reference = v.Type, l
	}
	if v.Parts != nil {
		shown.Parts = func() (list []Variable) {
			for _, part := range v.Parts() {
				list = append(list, s.variable(f, part, path))
			}
			return list
		}
	}
	return shown
}

// reference returns what a local variable refers to in storage, which l lays out.
func (s *Session) reference(f *StackFrame, l *layout.Layout) *storage {
	return &storage{s, l, f.Frame.Self, s.decodersOf(s.mapOf(f.Frame.Code)).types}
}

// localPart returns the local, or the part of one, with a path.
func (s *Session) localPart(f *StackFrame, path string) (Variable, bool) {
	list := s.locals(f)
	for i := len(list) - 1; i >= 0; i-- { // the innermost one
		v := list[i]
		if v.Name != root(path) {
			continue
		}
		if v.reference != nil && v.Path != path {
			slot, field, ok := v.reference.Locate(path)
			if !ok {
				return v, false
			}
			return s.reference(f, v.reference).field(slot, field), true
		}
		for v.Path != path {
			if v.Parts == nil || len(v.Path) > len(path) {
				return v, false
			}
			n := slices.IndexFunc(v.Parts(), func(p Variable) bool {
				return p.Path == path || strings.HasPrefix(path, p.Path+".") || strings.HasPrefix(path, p.Path+"[")
			})
			if n < 0 {
				return v, false
			}
			v = v.Parts()[n]
		}
		return v, v.Value != variables.Unknown
	}
	return Variable{}, false
}
