package settings

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// An Origin is where settings come from: the client or a file of the workspace.
type Origin struct {
	Name      string // for warnings: "initializationOptions", "leveret.toml"
	Workspace bool   // anyone who can write to the workspace wrote this
}

// A Warning is a sentence about a key that was ignored.
type Warning string

// A Reader decodes settings. Oracles are the valid names in oracles.<name>; if
// there are none, all names are valid.
type Reader struct {
	Oracles []string
}

// JSON returns base with the settings of a JSON value. The value may have them
// at the top or below "leveret"; keys may be nested or dotted. null and an
// empty value set nothing.
func (r Reader) JSON(base Settings, raw []byte, from Origin) (Settings, []Warning) {
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

// TOML returns base with the settings of a leveret.toml.
func (r Reader) TOML(base Settings, raw []byte, from Origin) (Settings, []Warning) {
	var tree map[string]any
	if err := toml.Unmarshal(raw, &tree); err != nil {
		line := 1
		if bad := (*toml.DecodeError)(nil); errors.As(err, &bad) {
			line, _ = bad.Position()
		}
		return base, []Warning{Warning(fmt.Sprintf("%s:%d: invalid TOML, so that the file is ignored: %s; correct it",
			from.Name, line, strings.TrimPrefix(err.Error(), "toml: ")))}
	}
	return r.tree(base, tree, from)
}

func (r Reader) tree(base Settings, tree map[string]any, from Origin) (Settings, []Warning) {
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

// maxDepth bounds the nesting. The deepest key has two parts below "leveret".
const maxDepth = 8

// flatten maps dotted names, without a leading "leveret", to leaves.
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
		case v == nil: // not set
		default:
			into[name] = v
		}
	}
}

func (r Reader) set(s *Settings, name string, v any, from Origin) error {
	if oracle, ok := strings.CutPrefix(name, oraclePrefix); ok {
		if len(r.Oracles) > 0 && !slices.Contains(r.Oracles, oracle) {
			return fmt.Errorf("unknown oracle%s", didYouMean(oracle, r.Oracles))
		}
		return setOracle(s, oracle, v)
	}
	for _, key := range Keys {
		if key.Name != name || key.set == nil {
			continue
		}
		if from.Workspace && key.User {
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
