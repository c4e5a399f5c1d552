package dap

import (
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/google/go-dap"

	"leveret/engine/debug"
	"leveret/engine/evm"
)

// maxBreakpoints bounds the breakpoints of one request.
const maxBreakpoints = 1000

// breakpoints are what the client has set.
type breakpoints struct {
	last       int                            // number that was given
	lines      map[string][]*debug.Breakpoint // by path
	functions  []*debug.Breakpoint
	data       []*debug.Breakpoint
	code       []*debug.Breakpoint // at instructions
	exceptions []*debug.Breakpoint
}

// all returns the breakpoints in a fixed order.
func (b *breakpoints) all() (list []*debug.Breakpoint) {
	for _, path := range slices.Sorted(maps.Keys(b.lines)) {
		list = append(list, b.lines[path]...)
	}
	return slices.Concat(list, b.functions, b.data, b.code, b.exceptions)
}

// maxHits bounds the positions at which all breakpoints stop.
const maxHits = 1 << 24

// full reports whether the client has set breakpoints with too many positions, with
// those of a list that is being made.
func (b *breakpoints) full(list []*debug.Breakpoint) bool {
	hits := 0
	for _, x := range slices.Concat(b.all(), list) {
		hits += len(x.Hits)
	}
	return hits > maxHits
}

// errTooMany refuses a request with too many breakpoints.
var errTooMany = fmt.Errorf("there are more than %d breakpoints", maxBreakpoints)

// resolved adds a breakpoint to a list and describes it to the client.
func (s *session) resolved(b *debug.Breakpoint, to *[]*debug.Breakpoint) dap.Breakpoint {
	s.marks.last++
	b.ID = s.marks.last
	passed := len(b.Hits)
	out := dap.Breakpoint{Id: b.ID, Verified: true}
	err := s.Resolve(b)
	if err == nil && s.marks.full(append(*to, b)) {
		err = fmt.Errorf("the breakpoints are passed more than %d times in all; remove some", maxHits)
	}
	if err != nil {
		out.Verified, out.Message = false, err.Error()
		return out
	}
	*to = append(*to, b)
	switch {
	case passed == 0:
		out.Message = "is never reached in this recording"
	case len(b.Hits) == 0:
		out.Message = fmt.Sprintf("is reached %d times, never with this condition", passed)
	}
	return out
}

func (s *session) setBreakpoints(a *dap.SetBreakpointsArguments) (any, error) {
	if a.Source.Path == "" {
		return nil, errors.New("breakpoints need the path of a source")
	}
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	if s.marks.lines == nil {
		s.marks.lines = map[string][]*debug.Breakpoint{}
	}
	path := filepath.Clean(a.Source.Path)
	delete(s.marks.lines, path)
	lines := s.Lines(path)
	hits := map[int][]debug.Position{}
	var set []*debug.Breakpoint
	answers := []dap.Breakpoint{}
	for _, b := range a.Breakpoints {
		line := debug.AtOrAfter(lines, b.Line+s.zeroLine)
		if line == 0 {
			answers = append(answers, dap.Breakpoint{Message: noStatement(path, lines)})
			continue
		}
		if _, known := hits[line]; !known {
			hits[line] = s.Line(path, line)
		}
		answer := s.resolved(&debug.Breakpoint{Kind: "breakpoint", Condition: b.Condition, HitCount: b.HitCondition, Log: b.LogMessage, Hits: hits[line]}, &set)
		answer.Line, answer.Source = line-s.zeroLine, &a.Source
		answers = append(answers, answer)
	}
	if len(set) > 0 {
		s.marks.lines[path] = set
	}
	return dap.SetBreakpointsResponseBody{Breakpoints: answers}, nil
}

// noStatement says why a line has no breakpoint, in a file with statements at lines.
func noStatement(path string, lines []int) string {
	if len(lines) == 0 {
		return filepath.Base(path) + " has no code of the contracts that are debugged"
	}
	return "no statement is at or after this line"
}

func (s *session) breakpointLocations(a *dap.BreakpointLocationsArguments) (any, error) {
	list := []dap.BreakpointLocation{}
	first, last := a.Line+s.zeroLine, max(a.Line, a.EndLine)+s.zeroLine
	for _, line := range s.Lines(a.Source.Path) {
		if line >= first && line <= last && len(list) < maxBreakpoints {
			list = append(list, dap.BreakpointLocation{Line: line - s.zeroLine})
		}
	}
	return dap.BreakpointLocationsResponseBody{Breakpoints: list}, nil
}

func (s *session) setFunctionBreakpoints(a *dap.SetFunctionBreakpointsArguments) (any, error) {
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	s.marks.functions = nil
	answers := []dap.Breakpoint{}
	for _, b := range a.Breakpoints {
		hits, known := s.Function(b.Name)
		if !known {
			answers = append(answers, dap.Breakpoint{Message: "no contract has this function; write withdraw or Vault.withdraw"})
			continue
		}
		answers = append(answers, s.resolved(&debug.Breakpoint{Kind: "function breakpoint", Condition: b.Condition, HitCount: b.HitCondition, Hits: hits}, &s.marks.functions))
	}
	return dap.SetFunctionBreakpointsResponseBody{Breakpoints: answers}, nil
}

// The filters of exceptions.
const (
	filterFinding = "finding"
	filterPanic   = "panic"
	filterHalt    = "halt"
	filterRevert  = "revert"
)

var exceptionFilters = []dap.ExceptionBreakpointsFilter{
	{Filter: filterFinding, Label: "The finding", Description: "Stop where the finding or the test fails", Default: true, SupportsCondition: true},
	{Filter: filterPanic, Label: "Any panic", Description: "Stop where a check of the compiler fails: assert, overflow, index", SupportsCondition: true},
	{Filter: filterHalt, Label: "Any exceptional halt", Description: "Stop where a frame runs out of gas or executes an invalid instruction", SupportsCondition: true},
	{Filter: filterRevert, Label: "Any revert", Description: "Stop where a frame reverts, with a panic too", SupportsCondition: true},
}

func (s *session) setExceptionBreakpoints(a *dap.SetExceptionBreakpointsArguments) (any, error) {
	options := a.FilterOptions
	for _, f := range a.Filters {
		options = append(options, dap.ExceptionFilterOptions{FilterId: f})
	}
	if len(options) > maxBreakpoints {
		return nil, errTooMany
	}
	s.marks.exceptions = nil
	answers := []dap.Breakpoint{}
	for _, o := range options {
		b := &debug.Breakpoint{Kind: "exception", Condition: o.Condition}
		switch o.FilterId {
		case filterFinding:
			b.Text = s.Blamed.Message
			if at, found := s.Finding(); found {
				b.Hits = []debug.Position{at}
			}
		case filterPanic:
			b.Hits = s.Failing(debug.Panicked)
		case filterHalt:
			b.Hits = s.Failing(debug.Halted)
		case filterRevert:
			b.Hits = s.Failing(debug.Reverted, debug.Panicked)
		default:
			answers = append(answers, dap.Breakpoint{Message: fmt.Sprintf("there is no filter %q", clip(o.FilterId))})
			continue
		}
		answers = append(answers, s.resolved(b, &s.marks.exceptions))
	}
	return dap.SetExceptionBreakpointsResponseBody{Breakpoints: answers}, nil
}

// dataBreakpointInfo names the word of storage of a variable.
func (s *session) dataBreakpointInfo(a *dap.DataBreakpointInfoArguments) (any, error) {
	none := func(why string) (any, error) { return dap.DataBreakpointInfoResponseBody{Description: why}, nil }
	var v debug.Variable
	if a.VariablesReference == 0 {
		var err error
		if v, err = s.evaluated(a.Name, a.FrameId); err != nil {
			return none(err.Error())
		}
	} else {
		group, known := s.view.groups[a.VariablesReference]
		if !known {
			return nil, errors.New("there is no such group of variables at this position; ask for scopes again")
		}
		if err := s.Stand(); err != nil {
			return nil, err
		}
		all := group()
		i := slices.IndexFunc(all, func(v debug.Variable) bool { return v.Name == a.Name })
		if i < 0 {
			return none("there is no variable " + clip(a.Name))
		}
		v = all[i]
	}
	if v.Slot == nil {
		return none(clip(a.Name) + " is not in one word of storage")
	}
	return dap.DataBreakpointInfoResponseBody{DataId: dataID(*v.Slot, v.Path), Description: v.Name, AccessTypes: []dap.DataBreakpointAccessType{"write"}}, nil
}

// dataID writes a word of storage, its account and key, and the expression of the
// variable in it, which may be empty.
func dataID(s debug.Slot, expression string) string {
	kind := "storage"
	if s.Transient {
		kind = "transient"
	}
	return kind + ":" + hex.EncodeToString(s.Address[:]) + ":" + hex.EncodeToString(s.Key[:]) + ":" + expression
}

// parseDataID is the inverse of dataID.
func parseDataID(id string) (slot debug.Slot, expression string, ok bool) {
	parts := strings.SplitN(id, ":", 4)
	if len(parts) != 4 {
		return slot, "", false
	}
	address, err := hex.DecodeString(parts[1])
	key, err2 := hex.DecodeString(parts[2])
	if err != nil || err2 != nil || len(address) != 20 || len(key) != 32 || parts[0] != "storage" && parts[0] != "transient" {
		return slot, "", false
	}
	slot.Slot = evm.Slot{Address: [20]byte(address), Key: [32]byte(key)}
	slot.Transient = parts[0] == "transient"
	return slot, parts[3], true
}

func (s *session) setDataBreakpoints(a *dap.SetDataBreakpointsArguments) (any, error) {
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	s.marks.data = nil
	answers := []dap.Breakpoint{}
	for _, b := range a.Breakpoints {
		slot, name, ok := parseDataID(b.DataId)
		switch {
		case !ok:
			answers = append(answers, dap.Breakpoint{Message: "not an id of dataBreakpointInfo"})
			continue
		case b.AccessType != "" && b.AccessType != "write":
			answers = append(answers, dap.Breakpoint{Message: "only changes stop"})
			continue
		}
		hits, err := s.Changes(slot, name)
		if err != nil {
			return nil, err
		}
		set := &debug.Breakpoint{Kind: "data breakpoint", Text: "A word of storage is about to change", Condition: b.Condition, HitCount: b.HitCondition, Hits: hits}
		if name != "" {
			set.Text = clip(name) + " is about to change"
		}
		answers = append(answers, s.resolved(set, &s.marks.data))
	}
	return dap.SetDataBreakpointsResponseBody{Breakpoints: answers}, nil
}

// setInstructionBreakpoints finds the positions of all instructions in one execution.
func (s *session) setInstructionBreakpoints(a *dap.SetInstructionBreakpointsArguments) (any, error) {
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	s.marks.code = nil
	answers := make([]dap.Breakpoint, len(a.Breakpoints))
	var wanted []debug.Instruction
	var places []int // of wanted in answers
	for i, b := range a.Breakpoints {
		code, pc, err := s.parseAddress(b.InstructionReference, b.Offset)
		if err == nil && !isInstruction(code, pc) {
			err = errors.New("no instruction begins at this address")
		}
		if err != nil {
			answers[i].Message = err.Error()
			continue
		}
		wanted, places = append(wanted, debug.Instruction{Code: code, PC: uint64(pc)}), append(places, i)
	}
	hits, err := s.Executions(wanted)
	if err != nil {
		return nil, err
	}
	for n, i := range places {
		b := &a.Breakpoints[i]
		answers[i] = s.resolved(&debug.Breakpoint{Kind: "instruction breakpoint", Condition: b.Condition, HitCount: b.HitCondition, Hits: hits[n]}, &s.marks.code)
		answers[i].InstructionReference = s.address(wanted[n].Code, wanted[n].PC)
	}
	return dap.SetInstructionBreakpointsResponseBody{Breakpoints: answers}, nil
}
