package debug

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/layout"
)

// A Variable is a value that is shown. It and its Parts are valid until the Session
// moves.
type Variable struct {
	Name, Type, Value string
	Path              string // expression that Evaluate takes; empty: none
	Slot              *Slot  // of which Changes tells; nil: it is not in one word of storage
	Parts             func() []Variable

	reference *layout.Layout // with the variable alone, if it is a reference to storage
}

// A Scope is a group of variables of a StackFrame.
type Scope struct {
	Name      string
	Hint      string // its kind in the protocol of debug adapters; empty: none of them
	Expensive bool   // raw data
	Variables func() []Variable
}

// Scopes returns the variables of a StackFrame.
func (s *Session) Scopes(f *StackFrame) []Scope {
	return []Scope{
		{Name: "Locals", Hint: "locals", Variables: func() []Variable { return s.locals(f) }},
		{Name: "State", Variables: func() []Variable { return s.stateVariables(f) }},
		{Name: "Transaction", Variables: func() []Variable { return s.transactionVariables(f) }},
		{Name: "Stack", Expensive: true, Variables: func() []Variable { return s.stackWords(f) }},
		{Name: "Memory", Expensive: true, Variables: func() []Variable { return words("memory", s.Machine.View().Memory(f.Frame)) }},
		{Name: "Calldata", Expensive: true, Variables: func() []Variable { return words("calldata", f.Frame.Input) }},
		{Name: "Return data", Expensive: true, Variables: func() []Variable { return words("returndata", s.Machine.View().ReturnData(f.Frame)) }},
	}
}

// name returns the name of an account, or its address.
func (r *Recording) name(a common.Address) string {
	if r.Resolver.Name == nil {
		return a.Hex()
	}
	return r.Resolver.Name(a)
}

// account shows an address with its name.
func (r *Recording) account(a common.Address) string {
	if name := r.name(a); name != a.Hex() {
		return a.Hex() + " (" + name + ")"
	}
	return a.Hex()
}

// transactionVariables returns the message of a frame and its block.
func (s *Session) transactionVariables(f *StackFrame) []Variable {
	view := s.Machine.View()
	block := view.Block()
	height, timestamp, balance := block.Height(), block.Time(), view.Balance(f.Frame.Self)
	plain := func(name, kind, value string) Variable {
		return Variable{Name: name, Type: kind, Value: value, Path: name}
	}
	return []Variable{
		plain("msg.sender", "address", s.account(f.Frame.From)),
		plain("msg.value", "uint256", f.Frame.Value.Dec()),
		{Name: "msg.data", Type: "bytes", Value: shortHex(f.Frame.Input), Parts: s.arguments(f)},
		plain("address(this)", "address", s.account(f.Frame.Self)),
		plain("address(this).balance", "uint256", balance.Dec()),
		plain("tx.origin", "address", s.account(view.Origin())),
		plain("block.number", "uint256", height.Dec()),
		plain("block.timestamp", "uint256", timestamp.Dec()),
		{Name: "gasleft", Type: "uint256", Value: fmt.Sprint(view.Gas(f.Frame))},
	}
}

// arguments returns the decoded calldata of a frame; nil if it cannot be decoded.
func (s *Session) arguments(f *StackFrame) func() []Variable {
	if s.Resolver.Function == nil || f.Frame.Code == nil {
		return nil
	}
	function, data := s.Resolver.Function(f.Frame.Code, f.Frame.Input)
	if function == nil || function.Raw || len(function.Inputs) == 0 {
		return nil
	}
	values, err := input.Decode(function.Inputs, data)
	if err != nil {
		return nil
	}
	return func() (list []Variable) {
		for i, a := range s.Resolver.Arguments(f.Frame.Code, function.Inputs, values) {
			name := a.Name
			if name == "" {
				name = fmt.Sprintf("[%d]", i)
			}
			list = append(list, Variable{Name: name, Type: function.Inputs[i].Type.String(), Value: a.Value})
		}
		return list
	}
}

// layoutOf returns the layout of the storage that a frame uses: that
// of its own code, or of the code of the account if it is a delegate call to what has
// none. It returns nil if there is none.
func (s *Session) layoutOf(f *StackFrame) *layout.Layout {
	if c := s.contractAt(f.Frame.Code); c != nil && c.Layout != nil && (c.Kind != solc.KindLibrary || f.Frame.Self == f.Frame.To) {
		return c.Layout
	}
	if code := s.Machine.View().Code(f.Frame.Self); code != nil {
		if c := s.contractAt(code); c != nil && c.Layout != nil {
			return c.Layout
		}
	}
	return nil
}

// stateVariables returns the state variables of a frame. Of mappings and dynamic arrays
// it returns the words that were touched or are not 0.
func (s *Session) stateVariables(f *StackFrame) (list []Variable) {
	l := s.layoutOf(f)
	if l == nil {
		return nil
	}
	parts := s.touched(l, f.Frame.Self)
	for _, v := range l.Variables {
		list = append(list, s.stateVariable(l, v, f.Frame.Self, parts))
	}
	return list
}

// stateVariable returns a variable of an account's storage. parts are the words of it
// that were touched, by the name of the variable.
func (s *Session) stateVariable(l *layout.Layout, v layout.Variable, self common.Address, parts map[string][]Variable) Variable {
	if v.Type.Kind.Elementary() || v.Type.Kind == layout.KindString || v.Type.Kind == layout.KindBytes {
		if slot, field, ok := l.Locate(v.Name); ok {
			return s.field(self, slot, field)
		}
	}
	variable := Variable{Name: v.Name, Type: v.Type.Label, Path: v.Name}
	inner := parts[v.Name]
	if v.Type.Kind == layout.KindStruct || v.Type.Kind == layout.KindArray {
		inner = s.fixed(l, v, self, inner)
	}
	variable.Value = fmt.Sprintf("{%d}", len(inner))
	if v.Type.Kind == layout.KindSlice {
		if slot, _, ok := l.Locate(v.Name + ".length"); ok {
			length := s.word(self, slot)
			variable.Value = "length " + length.Dec()
		}
	}
	if len(inner) > 0 {
		variable.Parts = func() []Variable { return inner }
	}
	return variable
}

// maxFixed bounds the words of a struct or an array that are shown although nobody
// touched them.
const maxFixed = 64

// fixed adds the first words of a struct or a fixed array.
func (s *Session) fixed(l *layout.Layout, v layout.Variable, self common.Address, touched []Variable) (list []Variable) {
	seen := map[string]bool{}
	slot := v.Slot
	for range maxFixed {
		for _, field := range l.Fields(slot) {
			if root(field.Path) == v.Name && !seen[field.Path] {
				seen[field.Path] = true
				list = append(list, s.field(self, slot, field))
			}
		}
		slot.AddUint64(&slot, 1)
		if fields := l.Fields(slot); len(fields) == 0 || root(fields[0].Path) != v.Name {
			break
		}
	}
	for _, t := range touched {
		if !seen[t.Path] {
			list = append(list, t)
		}
	}
	return list
}

// maxTouched bounds the words of storage that are described.
const maxTouched = 4096

// touched returns the fields of an account's words that were touched or are not 0, by
// the name of the variable.
func (s *Session) touched(l *layout.Layout, self common.Address) map[string][]Variable {
	parts := map[string][]Variable{}
	for n, key := range s.Machine.View().Slots(self) {
		if n == maxTouched {
			break
		}
		var slot uint256.Int
		slot.SetBytes32(key[:])
		d, ok := l.Describe(slot, s.preimages.Find)
		if !ok {
			continue
		}
		for _, field := range d.Fields {
			name := root(field.Path)
			parts[name] = append(parts[name], s.field(self, slot, field))
		}
	}
	return parts
}

// root returns the name of the variable of a path.
func root(path string) string {
	if i := strings.IndexAny(path, ".["); i >= 0 {
		return path[:i]
	}
	return path
}

func (s *Session) word(a common.Address, slot uint256.Int) uint256.Int {
	value := s.Machine.View().Storage(a, slot.Bytes32())
	var w uint256.Int
	w.SetBytes32(value[:])
	return w
}

// field returns a part of a word of storage.
func (s *Session) field(self common.Address, slot uint256.Int, field layout.Field) Variable {
	v := Variable{Name: field.Path, Type: field.Type.Label, Path: field.Path, Value: field.Format(s.word(self, slot))}
	if strings.HasSuffix(field.Path, ".length") {
		v.Type = "uint256"
	}
	if field.Kind == layout.KindAddress || field.Kind == layout.KindContract {
		v.Value = s.account(common.HexToAddress(v.Value))
	}
	v.Slot = &Slot{}
	v.Slot.Address, v.Slot.Key = self, slot.Bytes32()
	return v
}

// stackWords returns the stack of a frame, the top first.
func (s *Session) stackWords(f *StackFrame) (list []Variable) {
	stack := s.stackOf(f)
	for i := len(stack) - 1; i >= 0; i-- {
		name := fmt.Sprintf("stack[%d]", len(stack)-1-i)
		list = append(list, Variable{Name: name, Type: "bytes32", Value: stack[i].Hex(), Path: name})
	}
	return list
}

// maxWords bounds the words of memory that are shown.
const maxWords = 4096

// words returns bytes as words of 32 bytes by offset.
func words(name string, data []byte) (list []Variable) {
	for at := 0; at < len(data) && at < 32*maxWords; at += 32 {
		list = append(list, Variable{Name: fmt.Sprintf("0x%04x", at), Type: "bytes32", Value: hexutil.Encode(data[at:min(at+32, len(data))])})
	}
	return list
}

// shortHex shows the beginning of bytes.
func shortHex(data []byte) string {
	const most = 68
	if len(data) > most {
		return fmt.Sprintf("%s… (%d bytes)", hexutil.Encode(data[:most]), len(data))
	}
	return hexutil.Encode(data)
}
