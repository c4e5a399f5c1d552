package cheat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"leveret/engine/input"
)

// A JSON value is nil, a bool, a json.Number, a string, a []any or an *object.

// An object is a JSON object that keeps the order of its keys.
type object struct {
	keys   []string
	values map[string]any
}

func newObject() *object { return &object{values: map[string]any{}} }

// set adds or replaces a value.
func (o *object) set(key string, value any) {
	if _, known := o.values[key]; !known {
		o.keys = append(o.keys, key)
	}
	o.values[key] = value
}

// clone returns an object that changes independently; its values are shared.
func (o *object) clone() *object {
	c := &object{keys: slices.Clone(o.keys), values: make(map[string]any, len(o.values))}
	for k, v := range o.values {
		c.values[k] = v
	}
	return c
}

// Bounds of JSON: the deepest nesting, of TOML too, as in forge, and the values that
// one text may have.
const (
	maxJSONDepth  = 128
	maxJSONValues = 1 << 20
)

var (
	errJSONDepth  = errors.New("recursion limit exceeded")
	errJSONValues = fmt.Errorf("more than %d values", maxJSONValues)
)

// parseJSON reads JSON, which may have comments.
func parseJSON(text string) (any, error) {
	plain, err := stripComments(text)
	if err != nil {
		return nil, fmt.Errorf("failed parsing JSON: %w", err)
	}
	v, err := parseStrictJSON(plain)
	if err != nil {
		return nil, fmt.Errorf("failed parsing JSON: %w", err)
	}
	return v, nil
}

// parseStrictJSON reads JSON without comments.
func parseStrictJSON(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	v, err := (&jsonReader{d, maxJSONValues}).read(maxJSONDepth)
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	if _, err := d.Token(); err != io.EOF {
		return nil, errors.New("trailing characters")
	}
	return v, nil
}

// A jsonReader reads one value, with so many values in it at most.
type jsonReader struct {
	*json.Decoder
	left int
}

func (d *jsonReader) read(depth int) (any, error) {
	if depth == 0 {
		return nil, errJSONDepth
	}
	if d.left--; d.left < 0 {
		return nil, errJSONValues
	}
	token, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('['):
		list := []any{}
		for d.More() {
			v, err := d.read(depth - 1)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := d.Token()
		return list, err
	case json.Delim('{'):
		o := newObject()
		for d.More() {
			key, err := d.Token()
			if err != nil {
				return nil, err
			}
			v, err := d.read(depth - 1)
			if err != nil {
				return nil, err
			}
			o.set(key.(string), v)
		}
		_, err := d.Token()
		return o, err
	}
	return token, nil
}

// stripComments replaces comments with spaces.
func stripComments(text string) (string, error) {
	if !strings.Contains(text, "/") {
		return text, nil
	}
	out := []byte(text)
	for i := 0; i < len(out); i++ {
		switch {
		case out[i] == '"':
			for i++; i < len(out) && out[i] != '"'; i++ {
				if out[i] == '\\' {
					i++
				}
			}
		case bytes.HasPrefix(out[i:], []byte("//")):
			n := bytes.IndexAny(out[i:], "\r\n")
			if n < 0 {
				n = len(out) - i
			}
			blank(out[i : i+n])
		case bytes.HasPrefix(out[i:], []byte("/*")):
			n := bytes.Index(out[i+2:], []byte("*/"))
			if n < 0 {
				return "", errors.New("unterminated block comment")
			}
			blank(out[i : i+n+4])
		}
	}
	return string(out), nil
}

// blank replaces all but line ends.
func blank(text []byte) {
	for i, c := range text {
		if c != '\n' && c != '\r' {
			text[i] = ' '
		}
	}
}

// appendJSON writes a value on one line.
func appendJSON(dst []byte, v any) []byte {
	switch v := v.(type) {
	case *object:
		dst = append(dst, '{')
		for i, key := range v.keys {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendQuoted(dst, key), ':')
			dst = appendJSON(dst, v.values[key])
		}
		return append(dst, '}')
	case []any:
		dst = append(dst, '[')
		for i := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, v[i])
		}
		return append(dst, ']')
	case string:
		return appendQuoted(dst, v)
	}
	text, _ := json.Marshal(v) // nil, a bool or a number
	return append(dst, text...)
}

// prettyJSON writes a value on many lines.
func prettyJSON(v any) []byte {
	var b bytes.Buffer
	json.Indent(&b, appendJSON(nil, v), "", "  ") // of our own JSON: no error
	return b.Bytes()
}

func appendQuoted(dst []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string: no error
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}

// coerceJSON reads a JSON value as a value of a type. Tuples whose fields have names
// are objects, others are arrays.
func coerceJSON(v any, t *input.Type) (input.Value, error) {
	switch v := v.(type) {
	case []any:
		return coerceArray(v, t)
	case *object:
		return coerceObject(v, t)
	case string:
		switch t.Kind {
		case input.KindString:
			return input.Value{Type: t, Data: []byte(v)}, nil
		case input.KindUint, input.KindInt:
			return coerce(v, t)
		}
	}
	return coerce(strings.ReplaceAll(string(appendJSON(nil, v)), `"`, ""), t)
}

func coerceArray(list []any, t *input.Type) (input.Value, error) {
	element := func(int) *input.Type { return t.Elem }
	want := len(list)
	switch {
	case t.Kind == input.KindTuple && !isStruct(t):
		element = func(i int) *input.Type { return t.Fields[i].Type }
		want = len(t.Fields)
	case t.Kind == input.KindArray:
		want = t.Size
	case t.Kind != input.KindSlice:
		return input.Value{}, fmt.Errorf("expected %s, found array", t)
	}
	if len(list) != want {
		return input.Value{}, errors.New("array length mismatch")
	}
	out := input.Value{Type: t, Elems: make([]input.Value, len(list))}
	for i := range list {
		e, err := coerceJSON(list[i], element(i))
		if err != nil {
			return out, err
		}
		out.Elems[i] = e
	}
	return out, nil
}

func coerceObject(o *object, t *input.Type) (input.Value, error) {
	if !isStruct(t) {
		return input.Value{}, fmt.Errorf("expected %s, found JSON object", t)
	}
	out := input.Value{Type: t, Elems: make([]input.Value, len(t.Fields))}
	for i, f := range t.Fields {
		v, ok := o.values[f.Name]
		if !ok {
			return out, fmt.Errorf("field %q not found in JSON object", f.Name)
		}
		e, err := coerceJSON(v, f.Type)
		if err != nil {
			return out, err
		}
		out.Elems[i] = e
	}
	return out, nil
}

// isStruct reports whether a type is a struct whose fields are known by name.
func isStruct(t *input.Type) bool {
	return t.Kind == input.KindTuple && (len(t.Fields) == 0 || t.Fields[0].Name != "")
}
