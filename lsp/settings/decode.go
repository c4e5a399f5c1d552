package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// A Source is who says something: the client, or a file of the workspace.
type Source struct {
	Name      string // for warnings: "initializationOptions", "leveret.toml"
	Workspace bool   // anyone who can write to the workspace wrote this
}

// A Warning is one sentence about one key that was not taken.
type Warning string

// A Reader decodes settings. Oracles are the names that oracles.<name> may
// have; none means that any is taken.
type Reader struct {
	Oracles []string
}

// JSON lays the settings of a JSON value over base. The value may be the tree
// itself, or hold it below "leveret"; keys may be nested or dotted. Null and
// nothing say nothing.
func (r Reader) JSON(base Settings, raw []byte, from Source) (Settings, []Warning) {
	if len(raw) == 0 {
		return base, nil
	}
	var v any
	if err := json.Unmarshal(raw, &v); err != nil {
		return base, []Warning{Warning(fmt.Sprintf("%s: not JSON: %v", from.Name, err))}
	}
	switch v := v.(type) {
	case nil:
		return base, nil
	case map[string]any:
		return r.tree(base, v, from)
	}
	return base, []Warning{Warning(fmt.Sprintf("%s: settings are not an object", from.Name))}
}

// TOML lays the settings of a leveret.toml over base.
func (r Reader) TOML(base Settings, raw []byte, from Source) (Settings, []Warning) {
	var tree map[string]any
	if err := toml.Unmarshal(raw, &tree); err != nil {
		return base, []Warning{Warning(fmt.Sprintf("%s: %v", from.Name, err))}
	}
	return r.tree(base, tree, from)
}

func (r Reader) tree(base Settings, tree map[string]any, from Source) (Settings, []Warning) {
	flat := map[string]any{}
	flatten(flat, "", tree, 0)
	var warnings []Warning
	for _, name := range slices.Sorted(maps.Keys(flat)) {
		if err := r.set(&base, name, flat[name], from); err != nil {
			warnings = append(warnings, Warning(fmt.Sprintf("%s: leveret.%s: %v", from.Name, name, err)))
		}
	}
	return base, warnings
}

// maxDepth bounds the nesting that is looked at; the deepest key has two parts
// below "leveret".
const maxDepth = 8

// flatten gives every leaf its dotted name, without a leading "leveret".
func flatten(into map[string]any, prefix string, tree map[string]any, depth int) {
	for key, v := range tree {
		name := prefix + key
		if prefix == "" {
			name = strings.TrimPrefix(name, "leveret.")
		}
		child, ok := v.(map[string]any)
		switch {
		case ok && name == "leveret":
			flatten(into, "", child, depth+1)
		case ok && depth < maxDepth:
			flatten(into, name+".", child, depth+1)
		case v == nil: // a client's way of saying "not set"
		default:
			into[name] = v
		}
	}
}

func (r Reader) set(s *Settings, name string, v any, from Source) error {
	if oracle, ok := strings.CutPrefix(name, oraclePrefix); ok {
		if len(r.Oracles) > 0 && !slices.Contains(r.Oracles, oracle) {
			return fmt.Errorf("there is no oracle of this name%s", didYouMean(oracle, r.Oracles))
		}
		return setOracle(s, oracle, v)
	}
	for _, key := range Keys {
		if key.Name != name || key.set == nil {
			continue
		}
		if from.Workspace && name == "trusted" {
			return fmt.Errorf("ignored in workspace settings; set it in the editor")
		}
		if from.Workspace && key.Restricted && !s.Trusted {
			return fmt.Errorf("ignored, because the workspace is not trusted")
		}
		return key.set(s, v)
	}
	return fmt.Errorf("unknown setting%s", didYouMean(name, r.names()))
}

func (r Reader) names() []string {
	var names []string
	for _, key := range Keys {
		if key.set != nil {
			names = append(names, key.Name)
		}
	}
	for _, oracle := range r.Oracles {
		names = append(names, oraclePrefix+oracle)
	}
	return names
}
