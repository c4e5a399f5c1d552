package dap

import (
	"errors"
	"fmt"
	"slices"

	"github.com/google/go-dap"

	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/solc"
)

// theThread is the only one: transactions run one after another.
const theThread = 1

// A view is what the client was shown of the position. The numbers of frames and groups
// of variables are used once, so that old ones are errors. One group has one number at a
// position, however often it is asked for, also if a value is set there.
type view struct {
	*debug.Session
	client *client

	last    int // number that was given
	stack   []debug.StackFrame
	ids     map[int]int   // index in stack, by the number of a frame
	groups  map[int]group // by number
	numbers map[group]int
}

// A group is a list of variables: a scope of a frame, the parts of a variable in a
// group, or the parts of the value of an expression.
type group struct {
	frame  int    // index of the frame
	parent int    // number of the group that has the variable; 0: none
	name   string // of the scope or the variable, or the expression
	nth    int    // of the variables with the name in the parent
	value  bool   // of an expression
}

func newView(s *debug.Session, to *client) *view {
	return &view{Session: s, client: to, ids: map[int]int{}, groups: map[int]group{}, numbers: map[group]int{}}
}

// clear forgets everything at a move.
func (w *view) clear() {
	w.stack = nil
	clear(w.ids)
	clear(w.groups)
	clear(w.numbers)
}

// maxGroups bounds the groups at a position. Variables beyond have no parts.
const maxGroups = 20_000

// number returns the number of a group; 0 if there are too many.
func (w *view) number(g group) int {
	if n := w.numbers[g]; n != 0 || len(w.groups) == maxGroups {
		return n
	}
	w.last++
	w.groups[w.last], w.numbers[g] = g, w.last
	return w.last
}

// frames returns the stack at the position.
func (w *view) frames() ([]debug.StackFrame, error) {
	if err := w.Stand(); err != nil {
		return nil, err
	}
	if w.stack == nil {
		stack, err := w.Stack()
		if err != nil {
			return nil, err
		}
		w.stack = stack
	}
	return w.stack, nil
}

// frame returns the function with a number that the client was told, and its index.
func (w *view) frame(id int) (*debug.StackFrame, int, error) {
	i, known := w.ids[id]
	if !known {
		return nil, 0, errors.New("there is no such frame at this position; ask for stackTrace again")
	}
	stack, err := w.frames()
	if err != nil {
		return nil, 0, err
	}
	if i >= len(stack) {
		return nil, 0, errors.New("there is no such frame any more; ask for stackTrace again")
	}
	return &stack[i], i, nil
}

// errNoGroup refuses the number of a group of another position.
var errNoGroup = errors.New("there is no such group of variables at this position; ask for scopes again")

// list returns the variables of a group, and the group.
func (w *view) list(number int) ([]debug.Variable, group, error) {
	g, known := w.groups[number]
	if !known {
		return nil, g, errNoGroup
	}
	switch {
	case g.value:
		v, err := w.Evaluate(g.name, g.frame)
		if err != nil {
			return nil, g, err
		}
		return partsOf(&v), g, nil
	case g.parent != 0:
		v, err := w.member(g.parent, g.name, g.nth)
		if err != nil {
			return nil, g, err
		}
		return partsOf(v), g, nil
	}
	stack, err := w.frames()
	if err != nil || g.frame >= len(stack) {
		return nil, g, errors.Join(err, errNoGroup)
	}
	for _, scope := range w.Scopes(&stack[g.frame]) {
		if scope.Name == g.name {
			return scope.Variables(), g, nil
		}
	}
	return nil, g, errNoGroup
}

func partsOf(v *debug.Variable) []debug.Variable {
	if v.Parts == nil {
		return nil
	}
	return v.Parts()
}

// member returns the nth variable of a group with a name, from 0.
func (w *view) member(number int, name string, nth int) (*debug.Variable, error) {
	list, _, err := w.list(number)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].Name != name {
			continue
		}
		if nth == 0 {
			return &list[i], nil
		}
		nth--
	}
	return nil, fmt.Errorf("there is no variable %s in this group", clip(name))
}

func (w *view) stackTrace(a *dap.StackTraceArguments) (any, error) {
	if a.ThreadId != theThread {
		return nil, fmt.Errorf("there is no thread %d", a.ThreadId)
	}
	stack, err := w.frames()
	if err != nil {
		return nil, err
	}
	ids := make([]int, len(stack))
	for id, i := range w.ids {
		ids[i] = id
	}
	from := min(max(a.StartFrame, 0), len(stack))
	to := len(stack)
	if a.Levels > 0 {
		to = min(to, from+min(a.Levels, len(stack)))
	}
	list := []dap.StackFrame{}
	for i := from; i < to; i++ {
		if ids[i] == 0 {
			w.last++
			ids[i] = w.last
			w.ids[ids[i]] = i
		}
		list = append(list, w.stackFrame(&stack[i], ids[i]))
	}
	return dap.StackTraceResponseBody{StackFrames: list, TotalFrames: len(stack)}, nil
}

func (w *view) stackFrame(f *debug.StackFrame, id int) dap.StackFrame {
	frame := dap.StackFrame{Id: id, Name: f.Name, CanRestart: true, InstructionPointerReference: address(w.Session, f.Frame.Code, f.PC)}
	place := f.Shown
	if place.File == "" {
		frame.PresentationHint = "subtle"
		return frame
	}
	frame.Source = w.sourceOf(place)
	frame.Line, frame.Column = place.Start.Line-w.client.zeroLine, place.Start.Column-w.client.zeroColumn
	frame.EndLine, frame.EndColumn = place.End.Line-w.client.zeroLine, place.End.Column-w.client.zeroColumn
	return frame
}

// sourceOf describes the file of a place: by its path, or by a number if it has none.
func (w *view) sourceOf(p finding.Place) *dap.Source {
	if p.Path != "" {
		return &dap.Source{Name: p.File, Path: p.Path}
	}
	for i, source := range w.Sources() {
		if source.Name == p.File {
			return &dap.Source{Name: p.File, SourceReference: i + 1}
		}
	}
	return nil
}

func (w *view) scopes(a *dap.ScopesArguments) (any, error) {
	f, index, err := w.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	var list []dap.Scope
	for _, scope := range w.Scopes(f) {
		n := w.number(group{frame: index, name: scope.Name})
		list = append(list, dap.Scope{Name: scope.Name, VariablesReference: n, Expensive: scope.Expensive, PresentationHint: scope.Hint})
	}
	return dap.ScopesResponseBody{Scopes: list}, nil
}

// maxVariables bounds the variables of one response.
const maxVariables = 5000

func (w *view) variables(a *dap.VariablesArguments) (any, error) {
	all, g, err := w.list(a.VariablesReference)
	if err != nil {
		return nil, err
	}
	if a.Filter == "indexed" {
		all = nil
	}
	from := min(max(a.Start, 0), len(all))
	to := min(len(all), from+maxVariables)
	if a.Count > 0 {
		to = min(to, from+min(a.Count, maxVariables))
	}
	list := []dap.Variable{}
	named := map[string]int{}
	for i := range all[:to] {
		v := &all[i]
		nth := named[v.Name]
		if named[v.Name]++; i < from {
			continue
		}
		shown := dap.Variable{Name: v.Name, Value: v.Value, Type: v.Type, EvaluateName: v.Path}
		if v.Parts != nil {
			shown.VariablesReference = w.number(group{frame: g.frame, parent: a.VariablesReference, name: v.Name, nth: nth})
		}
		if !v.Settable() {
			shown.PresentationHint = &dap.VariablePresentationHint{Attributes: []string{"readOnly"}}
		}
		list = append(list, shown)
	}
	return dap.VariablesResponseBody{Variables: list}, nil
}

// evaluated evaluates an expression in a frame; 0 is the innermost one.
func (w *view) evaluated(expression string, frame int) (v debug.Variable, index int, err error) {
	if frame != 0 {
		if _, index, err = w.frame(frame); err != nil {
			return v, 0, err
		}
	}
	v, err = w.Evaluate(expression, index)
	return v, index, err
}

// parts returns the number of the group of the parts of the value of an expression; 0 if
// it has none.
func (w *view) parts(v *debug.Variable, expression string, frame int) int {
	if v.Parts == nil {
		return 0
	}
	if v.Path != "" {
		expression = v.Path
	}
	return w.number(group{frame: frame, name: expression, value: true})
}

func (w *view) exceptionInfo(a *dap.ExceptionInfoArguments) (any, error) {
	if a.ThreadId != theThread {
		return nil, fmt.Errorf("there is no thread %d", a.ThreadId)
	}
	f := w.FailureAt(w.Position())
	at, found := w.Finding()
	isFinding := found && at == w.Position()
	if f == nil && !isFinding {
		return nil, errors.New("nothing fails at this position")
	}
	body := dap.ExceptionInfoResponseBody{ExceptionId: "finding", BreakMode: "always", Description: w.Blamed.Message}
	if f != nil {
		body.ExceptionId = []string{"revert", "panic", "halt"}[f.Kind]
		body.Details = &dap.ExceptionDetails{Message: w.Explain(f), TypeName: body.ExceptionId}
	}
	if body.Description == "" {
		body.Description = w.Explain(f)
	}
	return body, nil
}

// source returns the text of a source of the project without a file.
func (w *view) source(a *dap.SourceArguments) (any, error) {
	n := a.SourceReference
	if a.Source != nil && a.Source.SourceReference != 0 {
		n = a.Source.SourceReference
	}
	sources := w.Sources()
	if a.Source != nil && n == 0 {
		n = 1 + slices.IndexFunc(sources, func(x *solc.Source) bool { return x.Path == a.Source.Path && x.Path != "" })
	}
	if n < 1 || n > len(sources) {
		return nil, errors.New("there is no such source in the project")
	}
	return dap.SourceResponseBody{Content: string(sources[n-1].Text), MimeType: "text/x-solidity"}, nil
}

// dataBreakpointInfo names the word of storage of a variable.
func (w *view) dataBreakpointInfo(a *dap.DataBreakpointInfoArguments) (any, error) {
	none := func(why string) (any, error) { return dap.DataBreakpointInfoResponseBody{Description: why}, nil }
	var v debug.Variable
	if a.VariablesReference == 0 {
		var err error
		if v, _, err = w.evaluated(a.Name, a.FrameId); err != nil {
			return none(err.Error())
		}
	} else {
		list, _, err := w.list(a.VariablesReference)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(list, func(v debug.Variable) bool { return v.Name == a.Name })
		if i < 0 {
			return none("there is no variable " + clip(a.Name))
		}
		v = list[i]
	}
	if v.Slot == nil {
		return none(clip(a.Name) + " is not in one word of storage")
	}
	return dap.DataBreakpointInfoResponseBody{DataId: dataID(*v.Slot, v.Path), Description: v.Name, AccessTypes: []dap.DataBreakpointAccessType{"write"}}, nil
}
