package ast

import (
	"errors"
	"fmt"
	"strconv"

	"leveret/solc/srcmap"
)

// Read parses the syntax tree of one source file: sources.NAME.ast of solc's
// standard JSON output, or sources.NAME.legacyAST of compilers without it. The
// result does not alias json.
func Read(json []byte) (*Unit, error) {
	r := &reader{scanner: scanner{data: json}, strings: map[string]string{}}
	r.unit = &Unit{declarations: map[int]*Node{}}
	root, err := r.node("", 0)
	if err == nil && r.next() != 0 {
		err = r.syntax("the end")
	}
	if err == nil && root.Type != SourceUnit {
		err = fmt.Errorf("root is %q, not a SourceUnit", root.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("syntax tree: %w", err)
	}
	r.unit.Root = root
	return r.unit, nil
}

// A reader builds nodes from JSON. Lists of children and attributes grow on
// stacks and move to their final place when the node is complete.
type reader struct {
	scanner
	unit     *Unit
	strings  map[string]string // interned strings: types and names repeat often
	children []*Node
	attrs    []attr
	nodes    chunks[Node]
	lists    chunks[*Node]
	values   chunks[attr]
	external []reference
}

// A reference is a name in inline assembly that refers to a declaration outside
// of it.
type reference struct {
	span        srcmap.Span
	declaration string
}

// node reads the object at the current position. The Type of an object that is
// not a node is empty.
func (r *reader) node(role string, index int) (*Node, error) {
	n := &r.nodes.take(1)[0]
	n.Role, n.Index = role, index
	children, attrs := len(r.children), len(r.attrs)
	name := ""
	err := r.object(func(key []byte) error {
		f, known := fields[string(key)]
		if !known {
			return r.fieldNodes(r.intern(key))
		}
		switch f.action {
		case nodeType:
			return r.scalar(&n.Type)
		case identifier:
			return r.number(&n.ID)
		case source:
			return r.span(&n.Span)
		case keep:
			if f.key == keyName {
				return r.scalar(&name)
			}
			return r.keep(f.key, key)
		}
		return r.special(n, f.action)
	})
	if err != nil {
		return nil, err
	}
	r.complete(n, name, children, attrs)
	return n, nil
}

// special reads the fields whose values are not nodes.
func (r *reader) special(n *Node, a action) error {
	if c := r.next(); c != '{' && c != '[' {
		if a == declaration {
			return r.keep(keyReferenced, nil)
		}
		return r.skip()
	}
	switch a {
	case typing:
		return r.object(func(key []byte) error { return r.keepKnown(key, keyTypeString, keyTypeIdentifier) })
	case common:
		return r.object(func(key []byte) error {
			if string(key) == "typeString" {
				return r.keep(keyCommonType, nil)
			}
			return r.skip()
		})
	case attributes:
		return r.object(r.attribute)
	case external:
		return r.fieldNodes("externalReferences")
	case declaration:
		return r.fieldNodes("declaration")
	}
	return r.skip()
}

// keepKnown stores the next value if key names a known attribute.
func (r *reader) keepKnown(key []byte, wanted ...key) error {
	f := fields[string(key)]
	for _, k := range wanted {
		if f.key == k {
			return r.keep(k, nil)
		}
	}
	return r.skip()
}

// keep stores a scalar or a list of scalars as attribute k, and nodes as
// children in the field of that name.
func (r *reader) keep(k key, field []byte) error {
	switch r.next() {
	case '{', '[':
		return r.mixed(k, field)
	}
	value := ""
	if err := r.scalar(&value); err != nil {
		return err
	}
	if value != "" {
		r.attrs = append(r.attrs, attr{k, value})
	}
	return nil
}

// mixed reads an object, or an array whose elements are nodes or scalars.
func (r *reader) mixed(k key, field []byte) error {
	role := r.intern(field)
	if r.next() == '{' {
		return r.child(role, 0)
	}
	joined, count := "", 0
	err := r.array(func() error {
		count++
		if c := r.next(); c == '{' {
			return r.child(role, count-1)
		} else if c == '[' {
			return r.skip()
		}
		value := ""
		if err := r.scalar(&value); err != nil {
			return err
		}
		if joined != "" {
			joined += listMark
		}
		joined += value
		return nil
	})
	if joined != "" {
		r.attrs = append(r.attrs, attr{k, r.intern([]byte(joined))})
	}
	return err
}

// fieldNodes reads the nodes in a value.
func (r *reader) fieldNodes(role string) error {
	switch r.next() {
	case '{':
		return r.child(role, 0)
	case '[':
		index := -1
		return r.array(func() error {
			index++
			if r.next() == '{' {
				return r.child(role, index)
			}
			return r.skip()
		})
	}
	return r.skip()
}

// child reads an object and pushes it on the stack of children. For an object
// that is not a node, it pushes the nodes in it.
func (r *reader) child(role string, index int) error {
	n, err := r.node(role, index)
	if err != nil {
		return err
	}
	if n.Type != "" {
		r.children = append(r.children, n)
		return nil
	}
	if id := n.get(keyReferenced); id != "" && role == "externalReferences" {
		r.external = append(r.external, reference{span: n.Span, declaration: id})
	}
	for _, c := range n.Children {
		c.Role, c.Index = role, index
		r.children = append(r.children, c)
	}
	return nil
}

// scalar reads a string, number or true into to; null and false set "".
func (r *reader) scalar(to *string) error {
	switch r.next() {
	case '"':
		text, err := r.text()
		*to = r.intern(text)
		return err
	case '{', '[':
		return r.skip()
	}
	word, err := r.word()
	if err == nil && string(word) != "null" && string(word) != "false" {
		*to = r.intern(word)
	}
	return err
}

func (r *reader) number(to *int) error {
	text := ""
	if err := r.scalar(&text); err != nil || text == "" {
		return err
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		return fmt.Errorf("offset %d: id: %w", r.pos, err)
	}
	*to = n
	return nil
}

var errSource = errors.New("source location is not a string")

func (r *reader) span(to *srcmap.Span) error {
	if r.next() != '"' {
		return errSource
	}
	text, err := r.text()
	if err == nil {
		*to, err = srcmap.ParseSpan(string(text))
	}
	return err
}

func (r *reader) intern(b []byte) string {
	if s, ok := r.strings[string(b)]; ok {
		return s
	}
	s := string(b)
	r.strings[s] = s
	return s
}
