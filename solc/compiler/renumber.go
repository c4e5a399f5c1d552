package compiler

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"
)

// A renumbering maps the ids of nodes in one compilation to those in another one
// of the same sources, some of which changed. It is sorted by low.
type renumbering []renumbered

// A renumbered is the range of ids of one source.
type renumbered struct {
	low     int // least id in the earlier compilation
	shift   int
	changed bool // its nodes are others
}

// renumbering compares the ids of the trees that the compiler wrote, of which
// only the ids are read, with those of the earlier trees. It returns nil if a
// segment has no distance, or if ids are not in the order of source names.
func (c *cachedASTs) renumbering(written map[string]cachedAST, texts map[string]inputSource) renumbering {
	segments, changed := c.segments(texts)
	first := changed[0]
	if written[first].low != c.trees[first].low {
		return nil
	}
	var all renumbering
	last := -1 // highest id so far
	add := func(r renumbered, low, high int) bool {
		inOrder := last < low && low <= high
		all, last = append(all, r), high
		return inOrder
	}
	for i, segment := range segments {
		shift, ok := c.shift(segment, written, i == 0) // nothing before the first changed
		for _, name := range segment {
			if tree := c.trees[name]; !ok || !add(renumbered{low: tree.low, shift: shift}, tree.low+shift, tree.high+shift) {
				return nil
			}
		}
		if i < len(changed) {
			now := written[changed[i]]
			if !add(renumbered{low: c.trees[changed[i]].low, changed: true}, now.low, now.high) {
				return nil
			}
		}
	}
	return all
}

// shift returns the distance by which the ids of a segment moved; false if no
// tree of it was written, or if several moved by different distances. fixed
// means that the distance must be 0.
func (c *cachedASTs) shift(segment []string, written map[string]cachedAST, fixed bool) (distance int, ok bool) {
	ok = fixed
	for _, name := range segment {
		now, have := written[name]
		if !have {
			continue
		}
		by := now.low - c.trees[name].low
		if now.high-c.trees[name].high != by || ok && by != distance {
			return by, false
		}
		distance, ok = by, true
	}
	return distance, ok
}

// id returns the id of a node; false if that is a node of a changed source.
func (r renumbering) id(old int) (int, bool) {
	i, found := slices.BinarySearchFunc(r, old, func(s renumbered, id int) int { return cmp.Compare(s.low, id) })
	if !found {
		i--
	}
	if old >= builtIn {
		return old, true
	}
	if i < 0 || r[i].changed {
		return 0, false
	}
	return old + r[i].shift, true
}

// tree renumbers a tree of an unchanged source. It returns false if the tree
// refers to a node of a changed source.
func (r renumbering) tree(text []byte) ([]byte, bool) {
	if !slices.ContainsFunc(r, func(s renumbered) bool { return s.shift != 0 }) {
		return text, true
	}
	w := treeWriter{renumbering: r, out: make([]byte, 0, len(text)+len(text)/64), ok: true}
	for at := 0; at < len(text) && w.ok; {
		switch c := text[at]; {
		case c == '"':
			end := stringEnd(text, at)
			w.literal(text[at:end], end < len(text) && text[end] == ':')
			at = end
		case '0' <= c && c <= '9':
			end := digitsEnd(text, at)
			w.number(text[at:end])
			at = end
		case c == '-': // a built-in declaration
			end := digitsEnd(text, at+1)
			w.out = append(w.out, text[at:end]...)
			at = end
		default:
			w.out = append(w.out, c)
			at++
		}
	}
	return w.out, w.ok
}

// A treeWriter writes a renumbered tree.
type treeWriter struct {
	renumbering
	out []byte
	key []byte // of the current value, with quotes
	ok  bool
}

// literal writes a string. A key of digits is that of a table by node, whose
// values are no ids.
func (w *treeWriter) literal(text []byte, isKey bool) {
	inner := text[1:max(1, len(text)-1)]
	switch {
	case isKey:
		w.key = text
		if allDigits(inner) {
			w.out = append(w.out, '"')
			w.shifted(inner)
			w.out = append(w.out, '"')
			return
		}
	case string(w.key) == `"typeIdentifier"`:
		w.typeIdentifier(text)
		return
	}
	w.out = append(w.out, text...)
}

// number writes a number. All are ids but the sizes of values in assembly and
// what tables by node have.
func (w *treeWriter) number(text []byte) {
	if string(w.key) == `"valueSize"` || allDigits(bytes.Trim(w.key, `"`)) {
		w.out = append(w.out, text...)
		return
	}
	w.shifted(text)
}

func (w *treeWriter) shifted(digits []byte) {
	old, err := strconv.Atoi(string(digits))
	if err != nil {
		w.ok = false
		return
	}
	now, ok := w.id(old)
	w.ok = w.ok && ok
	w.out = strconv.AppendInt(w.out, int64(now), 10)
}

// declared are the types whose identifiers end with the id of a declaration, as
// in "t_struct$_Order_$12_storage".
var declared = [][]byte{[]byte("contract"), []byte("super"), []byte("struct"), []byte("enum"), []byte("userDefinedValueType")}

// typeIdentifier writes the identifier of a type. The compiler writes
// parentheses, commas and dollars as "$_", "_$", "_$_" and "$$$" (libsolidity,
// Type::escapeIdentifier).
func (w *treeWriter) typeIdentifier(text []byte) {
	var open []bool // for each open parenthesis, whether an id follows it
	for at := 0; at < len(text); {
		rest, size := text[at:], 1
		closed := false
		switch {
		case bytes.HasPrefix(rest, []byte("$$$")), bytes.HasPrefix(rest, []byte("_$_")):
			size = 3
		case bytes.HasPrefix(rest, []byte("$_")):
			size = 2
			open = append(open, slices.ContainsFunc(declared, func(kind []byte) bool { return bytes.HasSuffix(text[:at], append([]byte("t_"), kind...)) }))
		case bytes.HasPrefix(rest, []byte("_$")):
			size, closed = 2, true
		case bytes.HasPrefix(rest, []byte("t_module_")):
			size = len("t_module_")
			closed, open = true, append(open, true)
		}
		w.out = append(w.out, rest[:size]...)
		at += size
		if !closed || len(open) == 0 {
			continue
		}
		if end := digitsEnd(text, at); open[len(open)-1] && end > at {
			w.shifted(text[at:end])
			at = end
		}
		open = open[:len(open)-1]
	}
}

// stringEnd returns the offset after the JSON string that starts at an offset.
func stringEnd(text []byte, at int) int {
	for at++; at < len(text); at++ {
		switch text[at] {
		case '\\':
			at++
		case '"':
			return at + 1
		}
	}
	return len(text)
}

func digitsEnd(text []byte, at int) int {
	for at < len(text) && '0' <= text[at] && text[at] <= '9' {
		at++
	}
	return at
}

func allDigits(text []byte) bool { return len(text) > 0 && digitsEnd(text, 0) == len(text) }
