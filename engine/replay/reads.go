package replay

import (
	"cmp"
	"slices"
	"strings"

	"github.com/holiman/uint256"

	"leveret/engine/finding"
)

// Reads lists the state variables that the blamed lines read in the
// transactions so far, with their last values.
func (r *Recorder) Reads() []finding.VariableRead {
	var list []finding.VariableRead
	for place, value := range r.reads {
		list = append(list, finding.VariableRead{Place: place, Value: value})
	}
	slices.SortFunc(list, func(a, b finding.VariableRead) int {
		return cmp.Or(cmp.Compare(a.Place.Span.Start, b.Place.Span.Start), cmp.Compare(a.Place.Span.Length, b.Place.Span.Length))
	})
	return list
}

// read records the variable read on a blamed line. If a word holds several
// variables, it is the one that the source names.
func (r *Recorder) read(f *frame, w word) {
	blamed := &r.blamed.Place
	if f.at == nil || f.at.Place.File != blamed.File || f.at.Place.Start.Line < blamed.Start.Line || f.at.Place.End.Line > blamed.End.Line {
		return
	}
	value := r.ledger.get(w)
	other := *new(uint256.Int).Not(&value) // makes all variables of the word differ
	for _, v := range r.changes(f, w, value, other) {
		if named(f.at.Text, v.Path) {
			r.reads[f.at.Place] = r.named(plainNumber(v.Before))
			return
		}
	}
}

// named reports whether an expression may refer to a variable: both end with
// the same name, regardless of keys.
func named(expression, path string) bool {
	return lastName(expression) == lastName(path)
}

// lastName is "amount[]" of "stakes[user1].amount[3]".
func lastName(path string) string {
	var name strings.Builder
	depth := 0
	for _, c := range path {
		switch {
		case c == '[':
			if depth++; depth == 1 {
				name.WriteString("[]")
			}
		case c == ']':
			depth--
		case depth > 0:
		case c == '.':
			name.Reset()
		default:
			name.WriteRune(c)
		}
	}
	return name.String()
}
