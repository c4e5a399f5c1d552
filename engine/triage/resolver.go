package triage

import (
	"encoding/hex"
	"regexp"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/replay"
	"leveret/engine/search"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/layout"
	"leveret/solc/srcmap"
)

// A resolver answers the questions of a replay.Recorder from the sources of the
// project. It is not safe for concurrent use.
type resolver struct {
	subject *search.Subject
	names   *input.Names
	labels  map[common.Address]string // given by the contracts; they precede names
	located map[*evm.Code][]located   // by pc
}

// located is the cached Location of one instruction.
type located struct {
	known bool
	*replay.Location
}

func newResolver(s *search.Subject) *resolver {
	return &resolver{
		subject: s, names: input.NewNames(s.Deployment.Record),
		located: map[*evm.Code][]located{},
	}
}

func (n *resolver) source() replay.Resolver {
	r := replay.Resolver{
		Name: n.name, Account: n.account, Contract: n.contractOf, Function: n.functionOf, Event: n.eventOf, Error: n.errorOf,
		Enum: n.enumOf, Define: n.define, Locate: n.locate, Changes: n.changes,
	}
	if s := n.subject.Suite; s != nil {
		r.Answered, r.Explain = n.answered, s.Explained
	}
	return r
}

func (n *resolver) name(a common.Address) string {
	if label := n.labels[a]; label != "" {
		return label
	}
	return n.names.Address(a)
}

// account is the inverse of name.
func (n *resolver) account(name string) (common.Address, bool) {
	var first common.Address
	found := false
	for a, label := range n.labels {
		if label == name && (!found || a.Cmp(first) < 0) {
			first, found = a, true
		}
	}
	if found {
		return first, true
	}
	return n.names.Resolve(name)
}

// answered returns the function of a call of a test that ran no code: a cheatcode,
// or one that is mocked, by the selectors that the project knows.
func (n *resolver) answered(to common.Address, data []byte) *input.Function {
	if f := n.subject.Suite.Called(to, data); f != nil {
		return f
	}
	f, _ := selected(n.subject, nil, data)
	return f
}

func (n *resolver) abiAt(a common.Address) *input.ABI {
	if c := n.subject.Program.ContractAt(n.subject.Deployment.World, a); c != nil {
		return n.subject.Program.ABI(c)
	}
	return nil
}

func (n *resolver) contractOf(code *evm.Code) string {
	if c := n.subject.Program.InfoOf(code).Contract; c != nil {
		return c.Name
	}
	return ""
}

// abisFor lists the ABIs that may describe code, its own first.
func abisFor(s *search.Subject, code *evm.Code) []*input.ABI {
	var list []*input.ABI
	if code != nil {
		if c := s.Program.InfoOf(code).Contract; c != nil {
			list = append(list, s.Program.ABI(c))
		}
	}
	for _, c := range s.Program.Project {
		list = append(list, s.Program.ABI(c))
	}
	for _, d := range s.Deployment.Contracts { // mocks do not belong to the project
		list = append(list, s.Program.ABI(d.Contract))
	}
	return list
}

// functionOf returns the function that data calls and its arguments. Code of
// other projects is looked up by the selectors that this project knows.
func (n *resolver) functionOf(code *evm.Code, data []byte) (*input.Function, []byte) {
	o := n.subject.Program.InfoOf(code)
	if o.Contract == nil {
		return selected(n.subject, code, data)
	}
	abi := n.subject.Program.ABI(o.Contract)
	if code.Init {
		return abi.Constructor, data[min(len(data), len(o.Code.Object)):]
	}
	f := abi.Select(data)
	if f == nil || f.Raw {
		if m := methodOf(o.Contract, data); m != nil {
			return m, data[4:]
		}
		return f, data
	}
	return f, data[4:]
}

// selected returns the function that data calls by the selectors of the project, and its
// arguments.
func selected(s *search.Subject, code *evm.Code, data []byte) (*input.Function, []byte) {
	if len(data) < 4 {
		return nil, data
	}
	for _, abi := range abisFor(s, code) {
		if f := abi.Select(data); f != nil && !f.Raw {
			return f, data[4:]
		}
	}
	return nil, data
}

// storagePointer matches a parameter of a library function for which the ABI has
// no type: it is a slot.
var storagePointer = regexp.MustCompile(`[^,()]+ storage\b`)

// methodOf returns the function of a library that the ABI does not describe.
func methodOf(c *solc.Contract, data []byte) *input.Function {
	if len(data) < 4 {
		return nil
	}
	for signature, selector := range c.Methods {
		if selector != hex.EncodeToString(data[:4]) {
			continue
		}
		if f, err := input.ParseSignature(storagePointer.ReplaceAllString(signature, "uint256")); err == nil {
			return f
		}
		name, _, _ := strings.Cut(signature, "(")
		return &input.Function{Name: name, Signature: signature, Raw: true}
	}
	return nil
}

func (n *resolver) eventOf(code *evm.Code, l *evm.Log) *input.Event {
	for _, abi := range abisFor(n.subject, code) {
		for _, e := range abi.Events {
			if e.Anonymous || len(l.Topics) == 0 || e.ID != l.Topics[0] {
				continue
			}
			if _, err := input.DecodeLog(e, l.Topics, l.Data); err == nil {
				return e // the same event may be declared with other parameters indexed
			}
		}
	}
	return nil
}

func (n *resolver) errorOf(code *evm.Code, data []byte) *input.CustomError {
	for _, abi := range abisFor(n.subject, code) {
		for _, e := range abi.Errors {
			if e.Selector == [4]byte(data) {
				return e
			}
		}
	}
	return nil
}

// enumOf returns the name of a value of an enum, such as "enum Pool.State" in
// the ABI.
func (n *resolver) enumOf(code *evm.Code, internal string, value uint64) string {
	name := strings.TrimPrefix(internal, "enum ")
	short := name[strings.LastIndexByte(name, '.')+1:]
	for _, s := range n.buildOf(code).Sources {
		if s == nil || s.Unit == nil {
			continue
		}
		for _, d := range s.Unit.Root.Find(ast.EnumDefinition) {
			if d.Name() == short && (short == name || d.Contract() != nil && d.Contract().Name()+"."+short == name) {
				return member(d, value)
			}
		}
	}
	return ""
}

// member returns the name of a value of an enum.
func member(enum *ast.Node, value uint64) string {
	members := enum.List("members")
	if value >= uint64(len(members)) {
		return ""
	}
	return enum.Name() + "." + members[value].Name()
}

func (n *resolver) buildOf(code *evm.Code) *solc.Build {
	if code != nil {
		if c := n.subject.Program.InfoOf(code).Contract; c != nil {
			return c.Build
		}
	}
	return n.subject.Program.UnderTest.Build
}

// define returns the place of a function, or of the variable that a getter reads.
func (n *resolver) define(code *evm.Code, f *input.Function) *finding.Place {
	if code == nil { // nothing is deployed there
		return nil
	}
	c := n.subject.Program.InfoOf(code).Contract
	if c == nil || c.Node == nil {
		return nil
	}
	x := c.Build.Trees()
	for _, d := range append(x.Functions(c.Node, false), x.StateVariables(c.Node)...) {
		if !declares(x, d, f) {
			continue
		}
		if s := c.Build.SpanSource(d.Span); s != nil {
			p := n.subject.Program.PlaceOf(s, d.NameSpan(s.Text))
			return &p
		}
	}
	return nil
}

func declares(x *ast.Index, d *ast.Node, f *input.Function) bool {
	if f.Constructor || f.Raw {
		return d.Type == ast.FunctionDefinition && d.Kind() == f.Name
	}
	if d.Name() != f.Name {
		return false
	}
	signature, ok := x.Signature(d)
	return !ok || signature == f.Signature
}

// locate returns what an instruction stands for.
func (n *resolver) locate(code *evm.Code, pc uint64) *replay.Location {
	if pc >= uint64(len(code.Bytes)) {
		return nil
	}
	list := n.located[code]
	if list == nil {
		list = make([]located, len(code.Bytes))
		n.located[code] = list
	}
	if !list[pc].known {
		list[pc] = located{true, n.location(code, pc)}
	}
	return list[pc].Location
}

func (n *resolver) location(code *evm.Code, pc uint64) *replay.Location {
	b, ok := n.subject.Program.LocateSite(oracle.Site{Code: code, PC: pc})
	if !ok {
		return nil
	}
	l := &replay.Location{Place: b.Place, Text: b.Text, Step: b.Place, StepText: b.Text}
	if b.Node == nil {
		return l
	}
	if oracle.IsDefinition(b.Node) && b.Node.Span == b.Place.Span {
		if b.Node.Type == ast.ContractDefinition {
			return nil
		}
		l.Whole = true
		return l
	}
	s := stepOf(b.Node)
	switch {
	case s == nil && b.Node.Statement() != nil:
		l.Step, l.StepText = finding.Place{}, "" // a block is no step
	case s != nil:
		l.Step = n.subject.Program.PlaceOf(b.Source, s.Span)
		l.StepText = srcmap.Excerpt(b.Source.Text[s.Span.Start:s.Span.End()])
	}
	return l
}

// stepOf returns the unit of stepping around a node: its statement, or, of a
// statement that contains others, the part with the node.
func stepOf(node *ast.Node) *ast.Node {
	statement := node.Statement()
	if statement == nil {
		return nil
	}
	switch statement.Type {
	case ast.IfStatement, ast.ForStatement, ast.WhileStatement, ast.DoWhileStatement, ast.TryStatement,
		ast.YulIf, ast.YulForLoop, ast.YulSwitch:
		for node != statement && node.Parent != statement {
			node = node.Parent
		}
		for _, part := range []string{"condition", "externalCall"} {
			if head := statement.Child(part); node == statement && head != nil {
				return head
			}
		}
		if node.Type == ast.TryCatchClause {
			return nil
		}
		return node
	case ast.Block, ast.UncheckedBlock, ast.YulBlock, ast.InlineAssembly:
		return nil
	}
	return statement
}

// changes returns the variables that a storage write changes, by the layout of
// the contract that code is compiled from.
func (n *resolver) changes(code *evm.Code, before, after uint256.Int, at replay.StorageSlot) []replay.VariableChange {
	c := n.subject.Program.InfoOf(code).Contract
	if c == nil || c.Layout == nil {
		return nil
	}
	description, ok := c.Layout.Describe(at.Key, at.Preimages)
	if !ok {
		return nil
	}
	var list []replay.VariableChange
	for _, change := range description.Changes(before, after) {
		f := change.Field
		list = append(list, replay.VariableChange{
			Path:   f.Path,
			Before: n.variable(c, f, before, change.Before),
			After:  n.variable(c, f, after, change.After),
		})
	}
	return list
}

// variable formats a value of a storage variable; enums by member.
func (n *resolver) variable(c *solc.Contract, f layout.Field, word uint256.Int, plain string) string {
	if f.Kind != layout.KindEnum {
		return plain
	}
	value := f.Value(word)
	if d := c.Build.Trees().Declaration(enumID(f.Type.ID)); d != nil && value.IsUint64() {
		if m := member(d, value.Uint64()); m != "" {
			return m
		}
	}
	return plain
}

// enumID returns the id of the declaration in "t_enum(State)12".
func enumID(id string) int {
	digits := id[strings.LastIndexByte(id, ')')+1:]
	number := 0
	for _, c := range digits {
		if c < '0' || c > '9' || number > 1<<40 {
			return 0
		}
		number = number*10 + int(c-'0')
	}
	return number
}
