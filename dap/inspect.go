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
// of variables are used once, so that old ones are errors.
type view struct {
	last   int // number that was given
	stack  []debug.StackFrame
	frames map[int]int // index in stack
	groups map[int]func() []debug.Variable
}

func newView() view {
	return view{frames: map[int]int{}, groups: map[int]func() []debug.Variable{}}
}

// clear forgets everything at a move.
func (v *view) clear() {
	v.stack = nil
	clear(v.frames)
	clear(v.groups)
}

// group numbers a group of variables; 0 for none.
func (v *view) group(f func() []debug.Variable) int {
	if f == nil {
		return 0
	}
	v.last++
	v.groups[v.last] = f
	return v.last
}

// frame returns the function with a number that the client was told.
func (s *session) frame(id int) (*debug.StackFrame, error) {
	i, known := s.view.frames[id]
	if !known {
		return nil, errors.New("there is no such frame at this position; ask for stackTrace again")
	}
	return &s.view.stack[i], nil
}

func (s *session) threads(*struct{}) (any, error) {
	name := "transactions"
	if s.Session != nil {
		n := s.TransactionAt(s.Position())
		tx, _, _ := s.Transaction(n)
		name = fmt.Sprintf("%d of %d: %s", n+1, s.Transactions(), tx.Call+tx.More)
	}
	return dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: theThread, Name: name}}}, nil
}

func (s *session) stackTrace(a *dap.StackTraceArguments) (any, error) {
	if a.ThreadId != theThread {
		return nil, fmt.Errorf("there is no thread %d", a.ThreadId)
	}
	stack, err := s.Stack()
	if err != nil {
		return nil, err
	}
	if s.view.stack == nil {
		s.view.stack = stack
	}
	ids := make([]int, len(stack))
	for id, i := range s.view.frames {
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
			s.view.last++
			ids[i] = s.view.last
			s.view.frames[ids[i]] = i
		}
		list = append(list, s.stackFrame(&stack[i], ids[i]))
	}
	return dap.StackTraceResponseBody{StackFrames: list, TotalFrames: len(stack)}, nil
}

func (s *session) stackFrame(f *debug.StackFrame, id int) dap.StackFrame {
	frame := dap.StackFrame{Id: id, Name: f.Name, CanRestart: true, InstructionPointerReference: s.address(f.Frame.Code, f.PC)}
	place := f.Shown
	if place.File == "" {
		frame.PresentationHint = "subtle"
		return frame
	}
	frame.Source = s.sourceOf(place)
	frame.Line, frame.Column = place.Start.Line-s.zeroLine, place.Start.Column-s.zeroColumn
	frame.EndLine, frame.EndColumn = place.End.Line-s.zeroLine, place.End.Column-s.zeroColumn
	return frame
}

// sourceOf describes the file of a place: by its path, or by a number if it has none.
func (s *session) sourceOf(p finding.Place) *dap.Source {
	if p.Path != "" {
		return &dap.Source{Name: p.File, Path: p.Path}
	}
	for i, source := range s.Sources() {
		if source.Name == p.File {
			return &dap.Source{Name: p.File, SourceReference: i + 1}
		}
	}
	return nil
}

func (s *session) scopes(a *dap.ScopesArguments) (any, error) {
	f, err := s.frame(a.FrameId)
	if err != nil {
		return nil, err
	}
	var list []dap.Scope
	for _, scope := range s.Scopes(f) {
		list = append(list, dap.Scope{Name: scope.Name, VariablesReference: s.view.group(scope.Variables), Expensive: scope.Expensive, PresentationHint: scope.Hint})
	}
	return dap.ScopesResponseBody{Scopes: list}, nil
}

// maxVariables bounds the variables of one response.
const maxVariables = 5000

func (s *session) variables(a *dap.VariablesArguments) (any, error) {
	group, known := s.view.groups[a.VariablesReference]
	if !known {
		return nil, errors.New("there is no such group of variables at this position; ask for scopes again")
	}
	if err := s.Stand(); err != nil {
		return nil, err
	}
	all := group()
	if a.Filter == "indexed" {
		all = nil
	}
	from := min(max(a.Start, 0), len(all))
	to := min(len(all), from+maxVariables)
	if a.Count > 0 {
		to = min(to, from+min(a.Count, maxVariables))
	}
	list := []dap.Variable{}
	for _, v := range all[from:to] {
		list = append(list, dap.Variable{Name: v.Name, Value: v.Value, Type: v.Type, EvaluateName: v.Path, VariablesReference: s.view.group(v.Parts)})
	}
	return dap.VariablesResponseBody{Variables: list}, nil
}

// evaluated evaluates an expression in a frame; 0 is the innermost one.
func (s *session) evaluated(expression string, frame int) (debug.Variable, error) {
	at := 0
	if frame != 0 {
		if _, err := s.frame(frame); err != nil {
			return debug.Variable{}, err
		}
		at = s.view.frames[frame]
	}
	return s.Evaluate(expression, at)
}

func (s *session) evaluate(a *dap.EvaluateArguments) (any, error) {
	v, err := s.evaluated(a.Expression, a.FrameId)
	if err != nil {
		return nil, err
	}
	return dap.EvaluateResponseBody{Result: v.Value, Type: v.Type, VariablesReference: s.view.group(v.Parts)}, nil
}

func (s *session) exceptionInfo(a *dap.ExceptionInfoArguments) (any, error) {
	if a.ThreadId != theThread {
		return nil, fmt.Errorf("there is no thread %d", a.ThreadId)
	}
	f := s.FailureAt(s.Position())
	at, found := s.Finding()
	isFinding := found && at == s.Position()
	if f == nil && !isFinding {
		return nil, errors.New("nothing fails at this position")
	}
	body := dap.ExceptionInfoResponseBody{ExceptionId: "finding", BreakMode: "always", Description: s.Blamed.Message}
	if f != nil {
		body.ExceptionId = []string{"revert", "panic", "halt"}[f.Kind]
		body.Details = &dap.ExceptionDetails{Message: s.Explain(f), TypeName: body.ExceptionId}
	}
	if body.Description == "" {
		body.Description = s.Explain(f)
	}
	return body, nil
}

// source returns the text of a source of the project without a file.
func (s *session) source(a *dap.SourceArguments) (any, error) {
	n := a.SourceReference
	if a.Source != nil && a.Source.SourceReference != 0 {
		n = a.Source.SourceReference
	}
	sources := s.Sources()
	if a.Source != nil && n == 0 {
		n = 1 + slices.IndexFunc(sources, func(x *solc.Source) bool { return x.Path == a.Source.Path && x.Path != "" })
	}
	if n < 1 || n > len(sources) {
		return nil, errors.New("there is no such source in the project")
	}
	return dap.SourceResponseBody{Content: string(sources[n-1].Text), MimeType: "text/x-solidity"}, nil
}
