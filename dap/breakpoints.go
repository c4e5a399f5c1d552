package dap

import (
	"context"
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

// A breakpoint is one that the client has set.
type breakpoint struct {
	*debug.Breakpoint
	find        func() ([]debug.Position, error) // where it is, without its condition
	instruction debug.Instruction                // of an instruction breakpoint
	answer      dap.Breakpoint                   // that the client got
}

// breakpoints are what the client has set.
type breakpoints struct {
	*debug.Session
	ctx    context.Context
	client *client

	last       int                      // number that was given
	lines      map[string][]*breakpoint // by path
	functions  []*breakpoint
	data       []*breakpoint
	code       []*breakpoint // at instructions
	exceptions []*breakpoint
}

// list returns the breakpoints in a fixed order.
func (m *breakpoints) list() (list []*breakpoint) {
	for _, path := range slices.Sorted(maps.Keys(m.lines)) {
		list = append(list, m.lines[path]...)
	}
	return slices.Concat(list, m.functions, m.data, m.code, m.exceptions)
}

// all returns where the breakpoints are, in a fixed order.
func (m *breakpoints) all() (list []*debug.Breakpoint) {
	for _, x := range m.list() {
		list = append(list, x.Breakpoint)
	}
	return list
}

// maxHits bounds the positions at which all breakpoints stop.
const maxHits = 1 << 24

// full reports whether the client has set breakpoints with too many positions, with
// those of a list that is being made.
func (m *breakpoints) full(list []*breakpoint) bool {
	hits := 0
	for _, x := range slices.Concat(m.list(), list) {
		hits += len(x.Hits)
	}
	return hits > maxHits
}

// errTooMany refuses a request with too many breakpoints.
var errTooMany = fmt.Errorf("there are more than %d breakpoints", maxBreakpoints)

// resolved adds a breakpoint to a list and describes it to the client. The error ends
// the request.
func (m *breakpoints) resolved(b *breakpoint, to *[]*breakpoint) (dap.Breakpoint, error) {
	m.last++
	b.ID = m.last
	b.answer.Id = b.ID
	if err := m.place(b); err != nil {
		return b.answer, err
	}
	if b.answer.Verified && m.full(append(*to, b)) {
		b.answer.Verified, b.answer.Message = false, fmt.Sprintf("the breakpoints are passed more than %d times in all; remove some", maxHits)
	}
	if b.answer.Verified {
		*to = append(*to, b)
	}
	return b.answer, nil
}

// located returns what finds positions that no error prevents.
func located(hits func() []debug.Position) func() ([]debug.Position, error) {
	return func() ([]debug.Position, error) { return hits(), nil }
}

func (m *breakpoints) setBreakpoints(a *dap.SetBreakpointsArguments) (any, error) {
	if a.Source.Path == "" {
		return nil, errors.New("breakpoints need the path of a source")
	}
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	path := filepath.Clean(a.Source.Path)
	delete(m.lines, path)
	lines := m.Lines(path)
	var set []*breakpoint
	answers := []dap.Breakpoint{}
	for _, b := range a.Breakpoints {
		line := debug.AtOrAfter(lines, b.Line+m.client.zeroLine)
		if line == 0 {
			answers = append(answers, dap.Breakpoint{Message: noStatement(path, lines)})
			continue
		}
		mark := &breakpoint{Breakpoint: &debug.Breakpoint{Kind: "breakpoint", Condition: b.Condition, HitCount: b.HitCondition, Log: b.LogMessage}}
		mark.find = located(func() []debug.Position { return m.Line(path, line) })
		mark.answer.Line, mark.answer.Source = line-m.client.zeroLine, &a.Source
		answer, err := m.resolved(mark, &set)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	if len(set) > 0 {
		m.lines[path] = set
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

func (m *breakpoints) breakpointLocations(a *dap.BreakpointLocationsArguments) (any, error) {
	list := []dap.BreakpointLocation{}
	first, last := a.Line+m.client.zeroLine, max(a.Line, a.EndLine)+m.client.zeroLine
	for _, line := range m.Lines(a.Source.Path) {
		if line >= first && line <= last && len(list) < maxBreakpoints {
			list = append(list, dap.BreakpointLocation{Line: line - m.client.zeroLine})
		}
	}
	return dap.BreakpointLocationsResponseBody{Breakpoints: list}, nil
}

func (m *breakpoints) setFunctionBreakpoints(a *dap.SetFunctionBreakpointsArguments) (any, error) {
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	m.functions = nil
	answers := []dap.Breakpoint{}
	for _, b := range a.Breakpoints {
		if _, known := m.Function(b.Name); !known {
			answers = append(answers, dap.Breakpoint{Message: "no contract has this function; write withdraw or Vault.withdraw"})
			continue
		}
		mark := &breakpoint{Breakpoint: &debug.Breakpoint{Kind: "function breakpoint", Condition: b.Condition, HitCount: b.HitCondition}}
		mark.find = located(func() []debug.Position { hits, _ := m.Function(b.Name); return hits })
		answer, err := m.resolved(mark, &m.functions)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
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

func (m *breakpoints) setExceptionBreakpoints(a *dap.SetExceptionBreakpointsArguments) (any, error) {
	options := a.FilterOptions
	for _, f := range a.Filters {
		options = append(options, dap.ExceptionFilterOptions{FilterId: f})
	}
	if len(options) > maxBreakpoints {
		return nil, errTooMany
	}
	m.exceptions = nil
	answers := []dap.Breakpoint{}
	for _, o := range options {
		find, known := exceptions(m.Session)[o.FilterId]
		if !known {
			answers = append(answers, dap.Breakpoint{Message: fmt.Sprintf("there is no filter %q", clip(o.FilterId))})
			continue
		}
		mark := &breakpoint{Breakpoint: &debug.Breakpoint{Kind: "exception", Condition: o.Condition}}
		mark.find = func() ([]debug.Position, error) {
			if mark.Text = ""; o.FilterId == filterFinding {
				mark.Text = m.Blamed.Message
			}
			if mark.Text != "" && !m.Judged() {
				mark.Text = "The place of the finding; whether it shows with the values that were set is not known"
			}
			return find(), nil
		}
		answer, err := m.resolved(mark, &m.exceptions)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	return dap.SetExceptionBreakpointsResponseBody{Breakpoints: answers}, nil
}

// exceptions find the positions of the filters.
func exceptions(s *debug.Session) map[string]func() []debug.Position {
	failing := func(kinds ...debug.FailureKind) func() []debug.Position {
		return func() []debug.Position { return s.Failing(kinds...) }
	}
	return map[string]func() []debug.Position{
		filterFinding: func() []debug.Position {
			if at, found := s.Finding(); found {
				return []debug.Position{at}
			}
			return nil
		},
		filterPanic: failing(debug.Panicked), filterHalt: failing(debug.Halted), filterRevert: failing(debug.Reverted, debug.Panicked),
	}
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

func (m *breakpoints) setDataBreakpoints(a *dap.SetDataBreakpointsArguments) (any, error) {
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	m.data = nil
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
		set := &breakpoint{Breakpoint: &debug.Breakpoint{Kind: "data breakpoint", Text: "A word of storage is about to change", Condition: b.Condition, HitCount: b.HitCondition}}
		set.find = func() ([]debug.Position, error) { return m.Changes(slot, name) }
		if name != "" {
			set.Text = clip(name) + " is about to change"
		}
		answer, err := m.resolved(set, &m.data)
		if err != nil {
			return nil, err
		}
		answers = append(answers, answer)
	}
	return dap.SetDataBreakpointsResponseBody{Breakpoints: answers}, nil
}

// setInstructionBreakpoints finds the positions of all instructions in one execution.
func (m *breakpoints) setInstructionBreakpoints(a *dap.SetInstructionBreakpointsArguments) (any, error) {
	if len(a.Breakpoints) > maxBreakpoints {
		return nil, errTooMany
	}
	m.code = nil
	answers := make([]dap.Breakpoint, len(a.Breakpoints))
	var wanted []debug.Instruction
	var places []int // of wanted in answers
	for i, b := range a.Breakpoints {
		code, pc, err := parseAddress(m.Session, b.InstructionReference, b.Offset)
		if err == nil && !isInstruction(code, pc) {
			err = errors.New("no instruction begins at this address")
		}
		if err != nil {
			answers[i].Message = err.Error()
			continue
		}
		wanted, places = append(wanted, debug.Instruction{Code: code, PC: uint64(pc)}), append(places, i)
	}
	hits, err := m.Executions(wanted)
	if err != nil {
		return nil, err
	}
	for n, i := range places {
		b := &a.Breakpoints[i]
		mark := &breakpoint{Breakpoint: &debug.Breakpoint{Kind: "instruction breakpoint", Condition: b.Condition, HitCount: b.HitCondition}, instruction: wanted[n]}
		mark.find = located(func() []debug.Position { return hits[n] })
		mark.answer.InstructionReference = address(m.Session, wanted[n].Code, wanted[n].PC)
		if answers[i], err = m.resolved(mark, &m.code); err != nil {
			return nil, err
		}
	}
	return dap.SetInstructionBreakpointsResponseBody{Breakpoints: answers}, nil
}

// relocate finds out where breakpoints are in a Recording that replaces another one, and
// tells the client what is new about them.
func (m *breakpoints) relocate() error {
	all := m.list()
	var instructions []debug.Instruction
	for _, b := range m.code {
		instructions = append(instructions, b.instruction)
	}
	executions, err := m.Executions(instructions)
	if err != nil {
		return err
	}
	for i, b := range m.code {
		b.find = func() ([]debug.Position, error) { return executions[i], nil }
	}
	for _, b := range all {
		answer := b.answer
		if err := m.place(b); err != nil {
			return err
		}
		if b.answer.Message != answer.Message || b.answer.Verified != answer.Verified {
			body := dap.BreakpointEventBody{Reason: "changed", Breakpoint: b.answer}
			m.client.then(func() { m.client.notify("breakpoint", body) })
		}
	}
	return m.ctx.Err()
}

// place resolves a breakpoint in the Recording.
func (m *breakpoints) place(b *breakpoint) (err error) {
	if b.Hits, err = b.find(); err != nil {
		return err
	}
	passed := len(b.Hits)
	b.answer.Verified, b.answer.Message = true, ""
	if err := m.Resolve(b.Breakpoint); err != nil {
		if m.ctx.Err() != nil {
			return m.ctx.Err()
		}
		b.Hits, b.answer.Verified, b.answer.Message = nil, false, err.Error()
		return nil
	}
	switch {
	case passed == 0:
		b.answer.Message = "is never reached in this recording"
	case len(b.Hits) == 0:
		b.answer.Message = fmt.Sprintf("is reached %d times, never with this condition", passed)
	}
	return nil
}
