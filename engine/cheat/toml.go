package cheat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
	"github.com/pelletier/go-toml/v2/unstable"
)

// Bounds of TOML. The parser recurses at brackets and at dots in keys.
const (
	maxTOML      = 4 << 20
	maxTOMLDepth = 10_000
)

// parseTOML reads TOML as the JSON value that stands for it: dates are text, and so
// are numbers that are not finite; the text "null" is nil.
func parseTOML(text string) (any, error) {
	if err := checkTOML(text); err != nil {
		return nil, fmt.Errorf("failed parsing TOML: %w", err)
	}
	var table map[string]any
	if err := toml.Unmarshal([]byte(text), &table); err != nil {
		return nil, fmt.Errorf("failed parsing TOML: %w", err)
	}
	order := keyOrder{}
	order.read(text)
	return order.tree(table, "", maxJSONDepth)
}

// checkTOML rejects text that could exhaust the stack.
func checkTOML(text string) error {
	if len(text) > maxTOML {
		return fmt.Errorf("more than %d MB", maxTOML>>20)
	}
	depth, dots := 0, 0
	for i := range len(text) {
		switch text[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth = max(depth-1, 0)
		case '.':
			dots++
		case '\n':
			dots = 0
		}
		if depth > maxTOMLDepth || dots > maxTOMLDepth {
			return errJSONDepth
		}
	}
	return nil
}

// A keyOrder has the keys of tables in the order of the text, by the path of the
// table. Tables of one array share a path.
type keyOrder map[string]map[string]int

// read notes the keys of a text that is TOML.
func (o keyOrder) read(text string) {
	p := unstable.Parser{}
	p.Reset([]byte(text))
	path := ""
	for p.NextExpression() {
		switch e := p.Expression(); e.Kind {
		case unstable.Table, unstable.ArrayTable:
			path = o.note("", e.Key())
		case unstable.KeyValue:
			o.noteValue(o.note(path, e.Key()), e.Value())
		}
	}
}

// note adds the keys of a dotted key below a path and returns where it leads.
func (o keyOrder) note(path string, keys unstable.Iterator) string {
	for keys.Next() {
		key := string(keys.Node().Data)
		known := o[path]
		if known == nil {
			known = map[string]int{}
			o[path] = known
		}
		if _, ok := known[key]; !ok {
			known[key] = len(known)
		}
		path = pathOf(path, key)
	}
	return path
}

// noteValue adds the keys of tables within a value.
func (o keyOrder) noteValue(path string, v *unstable.Node) {
	for children := v.Children(); children.Next(); {
		switch child := children.Node(); child.Kind {
		case unstable.KeyValue:
			o.noteValue(o.note(path, child.Key()), child.Value())
		case unstable.InlineTable, unstable.Array:
			o.noteValue(path, child)
		}
	}
}

func pathOf(path, key string) string { return path + "\x00" + key }

// tree returns the JSON value of a TOML value at a path.
func (o keyOrder) tree(v any, path string, depth int) (any, error) {
	if depth == 0 {
		return nil, errJSONDepth
	}
	switch v := v.(type) {
	case string:
		if v == "null" {
			return nil, nil
		}
		return v, nil
	case bool:
		return v, nil
	case int64:
		return json.Number(strconv.FormatInt(v, 10)), nil
	case float64:
		return floatTree(v), nil
	case []any:
		list := make([]any, len(v))
		for i := range v {
			e, err := o.tree(v[i], path, depth-1)
			if err != nil {
				return nil, err
			}
			list[i] = e
		}
		return list, nil
	case map[string]any:
		return o.table(v, path, depth)
	case time.Time:
		return v.Format(time.RFC3339Nano), nil
	}
	return fmt.Sprint(v), nil // a local date or time
}

func (o keyOrder) table(t map[string]any, path string, depth int) (any, error) {
	rank := o[path]
	keys := make([]string, 0, len(t))
	for key := range t {
		keys = append(keys, key)
	}
	slices.SortFunc(keys, func(a, b string) int { return rank[a] - rank[b] })
	out := newObject()
	for _, key := range keys {
		e, err := o.tree(t[key], pathOf(path, key), depth-1)
		if err != nil {
			return nil, err
		}
		out.set(key, e)
	}
	return out, nil
}

func floatTree(f float64) any {
	switch {
	case math.IsNaN(f):
		return "NaN"
	case math.IsInf(f, 0):
		return strings.TrimPrefix(strings.ToLower(strconv.FormatFloat(f, 'g', -1, 64)), "+")
	case f == math.Trunc(f) && math.Abs(f) < 1e16:
		return json.Number(strconv.FormatFloat(f, 'f', 1, 64))
	}
	return json.Number(strconv.FormatFloat(f, 'g', -1, 64))
}

// writeTOML writes a JSON object. Keys are sorted.
func writeTOML(tree any) ([]byte, error) {
	if _, ok := tree.(*object); !ok {
		return nil, errors.New("failed to serialize TOML: not an object")
	}
	var b bytes.Buffer
	e := toml.NewEncoder(&b)
	e.SetArraysMultiline(true)
	if err := e.Encode(tomlOf(tree)); err != nil {
		return nil, fmt.Errorf("failed to serialize TOML: %w", err)
	}
	return b.Bytes(), nil
}

func tomlOf(v any) any {
	switch v := v.(type) {
	case nil:
		return "null"
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
		if f, err := v.Float64(); err == nil {
			return f
		}
		return string(v)
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = tomlOf(v[i])
		}
		return list
	case *object:
		table := make(map[string]any, len(v.keys))
		for _, key := range v.keys {
			table[key] = tomlOf(v.values[key])
		}
		return table
	}
	return v
}
