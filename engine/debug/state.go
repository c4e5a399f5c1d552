package debug

import (
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/engine/debug/variables"
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

	cell      *cell          // nil: it cannot be set
	reference *layout.Layout // with the variable alone, if it is a reference to storage
}

// Settable reports whether Set can set the variable.
func (v *Variable) Settable() bool { return v.cell != nil }

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
		{Name: "Changed", Variables: func() []Variable { return s.changed(f) }},
		{Name: "Constants", Variables: func() []Variable { return s.constants(f) }},
		{Name: "Transaction", Variables: func() []Variable { return s.transactionVariables(f) }},
		{Name: "Balances", Variables: s.balances},
		{Name: "Stack", Expensive: true, Variables: func() []Variable { return s.stackWords(f) }},
		{Name: "Memory", Expensive: true, Variables: func() []Variable { return s.memoryWords(f) }},
		{Name: "Calldata", Expensive: true, Variables: func() []Variable { return words(f.Frame.Input) }},
		{Name: "Return data", Expensive: true, Variables: func() []Variable { return words(s.Machine.View().ReturnData(f.Frame)) }},
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

// Forms of values that are no variables of a contract.
var (
	uintForm    = variables.Form{Kind: layout.KindUint, Width: 32, Label: "uint256"}
	addressForm = variables.Form{Kind: layout.KindAddress, Width: 20, Label: "address"}
)

// transactionVariables returns the message of a frame and its block.
func (s *Session) transactionVariables(f *StackFrame) []Variable {
	view := s.Machine.View()
	block := view.Block()
	height, timestamp, funds := block.Height(), block.Time(), view.Balance(f.Frame.Self)
	number := func(name string, kind cellKind, value uint256.Int) Variable {
		c := &cell{kind: kind, depth: f.Frame.Depth, of: f.Frame.Self, form: uintForm}
		return Variable{Name: name, Type: "uint256", Value: value.Dec(), Path: name, cell: c}
	}
	account := func(name string, value common.Address) Variable {
		return Variable{Name: name, Type: "address", Value: s.account(value), Path: name}
	}
	from, by := account("msg.sender", f.Frame.From), account("tx.origin", view.Origin())
	from.cell = &cell{kind: sender, depth: f.Frame.Depth, form: addressForm}
	by.cell = &cell{kind: origin, form: addressForm}
	return []Variable{
		from, number("msg.value", sentValue, f.Frame.Value),
		{Name: "msg.data", Type: "bytes", Value: shortHex(f.Frame.Input), Parts: s.arguments(f)},
		account("address(this)", f.Frame.Self), number("address(this).balance", balance, funds),
		by, number("block.number", blockNumber, height), number("block.timestamp", blockTime, timestamp),
		{Name: "gasleft", Type: "uint256", Value: fmt.Sprint(view.Gas(f.Frame))},
	}
}

// constants returns the constants and immutables of the contract whose code runs.
func (s *Session) constants(f *StackFrame) (list []Variable) {
	c := s.contractAt(f.Frame.Code)
	if c == nil || c.Node == nil {
		return nil
	}
	code := f.Frame.Code.Bytes
	if f.Frame.Code.Init {
		code = nil
	}
	for _, v := range s.reader(f, s.typesOf(c.Build)).Constants(c, code) {
		list = append(list, Variable{Name: v.Name, Type: v.Type, Value: v.Text, Path: v.Name})
	}
	return list
}

// balances returns the wei of the accounts that take part in the Recording and have a
// name, or wei.
func (s *Session) balances() (list []Variable) {
	for _, a := range s.accounts {
		funds, name := s.Machine.View().Balance(a), s.name(a)
		if funds.IsZero() && name == a.Hex() {
			continue
		}
		list = append(list, s.balanceOf(a, name))
	}
	return list
}

// balanceOf returns the wei of an account.
func (s *Session) balanceOf(a common.Address, name string) Variable {
	funds := s.Machine.View().Balance(a)
	v := Variable{Name: name, Type: "uint256", Value: funds.Dec(), cell: &cell{kind: balance, of: a, form: uintForm}}
	v.Path = "address(" + a.Hex() + ").balance"
	if known, ok := s.accountNamed(name); ok && known == a {
		v.Path = name + ".balance"
	}
	return v
}

// accountNamed returns the account with a name.
func (r *Recording) accountNamed(name string) (common.Address, bool) {
	if r.Resolver.Account == nil {
		return common.Address{}, false
	}
	return r.Resolver.Account(name)
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

// A storage is that of an account as code lays it out.
type storage struct {
	*Session
	layout *layout.Layout
	self   common.Address
	types  *variables.Types // of the code; nil: unknown
}

// storageOf returns the storage that a frame uses, by the layout of its own code, or of
// the code of the account if it is a delegate call to what has none. It returns nil if
// there is none.
func (s *Session) storageOf(f *StackFrame) *storage {
	if c := s.contractAt(f.Frame.Code); c != nil && c.Layout != nil && (c.Kind != solc.KindLibrary || f.Frame.Self == f.Frame.To) {
		return &storage{s, c.Layout, f.Frame.Self, s.typesOf(c.Build)}
	}
	return s.storageAt(f.Frame.Self)
}

// storageAt returns the storage of an account by the layout of its code; nil if that is
// not known.
func (s *Session) storageAt(a common.Address) *storage {
	if code := s.Machine.View().Code(a); code != nil {
		if c := s.contractAt(code); c != nil && c.Layout != nil {
			return &storage{s, c.Layout, a, s.typesOf(c.Build)}
		}
	}
	return nil
}

// stateVariables returns the state variables of a frame. Of mappings and dynamic arrays
// it returns the words that were touched or are not 0.
func (s *Session) stateVariables(f *StackFrame) (list []Variable) {
	st := s.storageOf(f)
	if st == nil {
		return nil
	}
	parts := st.touched()
	for _, v := range st.layout.Variables {
		list = append(list, st.variable(v, parts))
	}
	return list
}

// variable returns a variable. parts are the words of it that were touched, by the name
// of the variable.
func (s *storage) variable(v layout.Variable, parts map[string][]Variable) Variable {
	if v.Type.Kind.Elementary() || v.Type.Kind == layout.KindString || v.Type.Kind == layout.KindBytes {
		if slot, field, ok := s.layout.Locate(v.Name); ok {
			return s.field(slot, field)
		}
	}
	variable := Variable{Name: v.Name, Type: v.Type.Label, Path: v.Name}
	inner := parts[v.Name]
	if v.Type.Kind == layout.KindStruct || v.Type.Kind == layout.KindArray {
		inner = s.fixed(v, inner)
	}
	variable.Value = fmt.Sprintf("{%d}", len(inner))
	if v.Type.Kind == layout.KindSlice {
		if slot, _, ok := s.layout.Locate(v.Name + ".length"); ok {
			length := s.word(s.self, slot)
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
func (s *storage) fixed(v layout.Variable, touched []Variable) (list []Variable) {
	seen := map[string]bool{}
	slot := v.Slot
	for range maxFixed {
		for _, field := range s.layout.Fields(slot) {
			if root(field.Path) == v.Name && !seen[field.Path] {
				seen[field.Path] = true
				list = append(list, s.field(slot, field))
			}
		}
		slot.AddUint64(&slot, 1)
		if fields := s.layout.Fields(slot); len(fields) == 0 || root(fields[0].Path) != v.Name {
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

// touched returns the fields of the words that were touched or are not 0, by the name of
// the variable.
func (s *storage) touched() map[string][]Variable {
	parts := map[string][]Variable{}
	for n, key := range s.Machine.View().Slots(s.self) {
		if n == maxTouched {
			break
		}
		for _, v := range s.fieldsAt(key) {
			name := root(v.Path)
			parts[name] = append(parts[name], v)
		}
	}
	return parts
}

// fieldsAt returns the variables, or the parts of them, in a word.
func (s *storage) fieldsAt(key common.Hash) (list []Variable) {
	var slot uint256.Int
	slot.SetBytes32(key[:])
	d, _ := s.layout.Describe(slot, s.preimages.Find)
	for _, field := range d.Fields {
		list = append(list, s.field(slot, field))
	}
	return list
}

// field returns a part of a word.
func (s *storage) field(slot uint256.Int, field layout.Field) Variable {
	return s.fieldOf(slot, field, s.word(s.self, slot))
}

// fieldOf returns a part of a word that has a value.
func (s *storage) fieldOf(slot uint256.Int, field layout.Field, word uint256.Int) Variable {
	v := Variable{Name: field.Path, Type: field.Type.Label, Path: field.Path, Slot: &Slot{}}
	v.Slot.Address, v.Slot.Key = s.self, slot.Bytes32()
	if strings.HasSuffix(field.Path, ".length") {
		v.Type = "uint256"
	}
	shown := field
	var form *variables.Form
	if s.types != nil {
		form = s.types.StoredForm(field)
	}
	if form != nil {
		shown.Kind = form.Kind
		v.cell = &cell{kind: inStorage, slot: *v.Slot, field: field, form: *form}
	}
	v.Value = shown.Format(word)
	switch {
	case shown.Kind == layout.KindAddress || shown.Kind == layout.KindContract:
		v.Value = s.account(common.HexToAddress(v.Value))
	case form != nil && shown.Kind == layout.KindEnum:
		v.Value = form.Named(v.Value)
	}
	return v
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

// stackWords returns the stack of a frame, the top first.
func (s *Session) stackWords(f *StackFrame) (list []Variable) {
	stack := s.stackOf(f)
	for i := len(stack) - 1; i >= 0; i-- {
		name := fmt.Sprintf("stack[%d]", len(stack)-1-i)
		c := &cell{kind: onStack, depth: f.Frame.Depth, index: i, form: uintForm}
		list = append(list, Variable{Name: name, Type: "bytes32", Value: stack[i].Hex(), Path: name, cell: c})
	}
	return list
}

// maxWords bounds the words of memory that are shown.
const maxWords = 4096

// words returns bytes as words of 32 bytes by offset.
func words(data []byte) (list []Variable) {
	for at := 0; at < len(data) && at < 32*maxWords; at += 32 {
		list = append(list, Variable{Name: fmt.Sprintf("0x%04x", at), Type: "bytes32", Value: hexutil.Encode(data[at:min(at+32, len(data))])})
	}
	return list
}

// memoryWords returns the memory of a frame.
func (s *Session) memoryWords(f *StackFrame) []Variable {
	memory := s.Machine.View().Memory(f.Frame)
	list := words(memory)
	for i := range list {
		if at := 32 * i; at+32 <= len(memory) {
			list[i].cell = &cell{kind: inMemory, depth: f.Frame.Depth, index: at, form: uintForm}
		}
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
