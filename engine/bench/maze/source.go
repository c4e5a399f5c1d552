package maze

import (
	"fmt"
	"strings"
)

// A Style says how a maze is written in Solidity.
type Style struct {
	Contract string                     // name
	Head     string                     // members before the functions; may be empty
	Assert   func(assertion int) string // statement of an assertion that fails; nil: assert(false);
}

// Source returns the maze in Solidity. Each assertion has a line of its own,
// whose number is in lines by the assertion's identifier, from 1.
func (m *Maze) Source(s Style) (text string, lines []int) {
	w := &writer{style: s, lines: make([]int, len(m.Witnesses)), line: 1}
	w.print(0, "// SPDX-License-Identifier: MIT")
	w.print(0, "pragma solidity ^0.8.20;")
	w.print(0, "")
	w.print(0, "contract %s {", s.Contract)
	for i, value := range m.initial {
		w.print(1, "uint64 private v%d = %d;", i, value)
	}
	for line := range strings.Lines(s.Head) {
		w.print(1, "%s", strings.TrimRight(line, "\n"))
	}
	for i, f := range m.functions {
		var parameters []string
		for p := range f.parameters {
			parameters = append(parameters, fmt.Sprintf("uint64 a%d", p))
		}
		w.print(0, "")
		w.print(1, "function %s(%s) external {", FunctionName(i), strings.Join(parameters, ", "))
		w.print(2, "unchecked {")
		for _, gate := range f.gates {
			w.print(3, "if (%s) {", gate.cond)
			w.write(4, &gate.write)
			w.print(3, "}")
		}
		w.node(3, f.body)
		w.print(2, "}")
		w.print(1, "}")
	}
	w.print(0, "}")
	return w.text.String(), w.lines
}

// A writer writes a source and notes the lines of assertions.
type writer struct {
	style Style
	text  strings.Builder
	line  int // of what is printed next
	lines []int
}

// print writes one line.
func (w *writer) print(indent int, format string, values ...any) {
	text := fmt.Sprintf(format, values...)
	if text != "" {
		w.text.WriteString(strings.Repeat("    ", indent))
	}
	w.text.WriteString(text + "\n")
	w.line++
}

func (w *writer) node(indent int, n *node) {
	if n.cond == nil {
		w.end(indent, &n.end)
		return
	}
	w.print(indent, "if (%s) {", n.cond)
	w.node(indent+1, n.then)
	w.print(indent, "} else {")
	w.node(indent+1, n.other)
	w.print(indent, "}")
}

func (w *writer) end(indent int, e *end) {
	switch e.kind {
	case endAssertion:
		w.lines[e.assertion] = w.line
		statement := "assert(false);"
		if w.style.Assert != nil {
			statement = w.style.Assert(e.assertion)
		}
		w.print(indent, "%s", statement)
	case endWrite:
		w.write(indent, &e.write)
	}
}

func (w *writer) write(indent int, to *write) {
	w.print(indent, "v%d = %s;", to.variable, to.value)
}
