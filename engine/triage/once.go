package triage

import (
	"bytes"
	"slices"

	"leveret/engine/program"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// assertedSpan returns the span of an event AssertionFailed and an assert beside it
// in one line: they say the same failure twice. For another place it returns its own
// span.
func assertedSpan(b *program.Location) srcmap.Span {
	at := b.Node.Statement()
	if at == nil || at.Parent == nil || b.Source == nil {
		return b.Place.Span
	}
	list := at.Parent.List("statements")
	if i := slices.Index(list, at); i >= 0 {
		for _, event := range list[max(i-1, 0):min(i+2, len(list))] {
			if check := assertBeside(event, list, b.Source.Text); check != nil && (at == event || at == check) {
				from, to := min(event.Span.Start, check.Span.Start), max(event.Span.End(), check.Span.End())
				return srcmap.Span{Source: event.Span.Source, Start: from, Length: to - from}
			}
		}
	}
	return b.Place.Span
}

// assertBeside returns the assert in the line of an event AssertionFailed and next to
// it, the one after it first; nil if there is none.
func assertBeside(event *ast.Node, list []*ast.Node, text []byte) *ast.Node {
	if call := event.Child("eventCall"); call == nil || call.Callee() == nil || call.Callee().Name() != "AssertionFailed" {
		return nil
	}
	at := slices.Index(list, event)
	for _, i := range []int{at + 1, at - 1} {
		if i < 0 || i >= len(list) || !sameLine(text, list[i].Span.Start, event.Span.Start) {
			continue
		}
		if call := list[i].Child("expression"); call != nil && call.IsBuiltin("assert") {
			return list[i]
		}
	}
	return nil
}

// sameLine reports whether two offsets are in one line of a text.
func sameLine(text []byte, a, b int) bool {
	return bytes.IndexByte(text[min(a, b):max(a, b)], '\n') < 0
}
