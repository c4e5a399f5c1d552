package layout

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/holiman/uint256"
)

// The format of solc's storageLayout.
type file struct {
	Storage []fileVariable
	Types   map[string]fileType
}

type fileVariable struct {
	ID       int `json:"astId"`
	Contract string
	Label    string
	Offset   int
	Slot     string
	Type     string
}

type fileType struct {
	Encoding string
	Label    string
	Bytes    string `json:"numberOfBytes"`
	Base     string
	Key      string
	Value    string
	Members  []fileVariable
}

var encodings = map[string]Encoding{
	"inplace": Inplace, "mapping": MappingKeys, "dynamic_array": DynamicArray, "bytes": ByteString,
}

// Read parses the storageLayout or transientStorageLayout of a contract in
// solc's standard JSON output.
func Read(data []byte) (*Layout, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("storage layout: %w", err)
	}
	l := &Layout{Types: make(map[string]*Type, len(f.Types))}
	for id := range f.Types {
		l.Types[id] = &Type{ID: id}
	}
	for id, t := range f.Types {
		if err := l.fill(l.Types[id], t); err != nil {
			return nil, fmt.Errorf("storage layout: type %s: %w", id, err)
		}
	}
	if err := l.finite(); err != nil {
		return nil, fmt.Errorf("storage layout: %w", err)
	}
	var err error
	if l.Variables, err = l.variables(f.Storage); err != nil {
		return nil, fmt.Errorf("storage layout: %w", err)
	}
	return l, nil
}

// fill completes a type with a known ID.
func (l *Layout) fill(t *Type, f fileType) (err error) {
	var known bool
	if t.Encoding, known = encodings[f.Encoding]; !known {
		return fmt.Errorf("encoding %q", f.Encoding)
	}
	t.Label = f.Label
	if err := t.Bytes.SetFromDecimal(f.Bytes); err != nil {
		return fmt.Errorf("size %q: %w", f.Bytes, err)
	}
	if t.Bytes.BitLen() > 255 {
		return fmt.Errorf("size %s is more than storage holds", f.Bytes)
	}
	if t.Members, err = l.variables(f.Members); err != nil {
		return err
	}
	for _, part := range []struct {
		name string
		to   **Type
	}{{f.Key, &t.Key}, {f.Value, &t.Elem}, {f.Base, &t.Elem}} {
		if part.name == "" {
			continue
		}
		if *part.to = l.Types[part.name]; *part.to == nil {
			return fmt.Errorf("no type %s", part.name)
		}
	}
	t.Kind = kindOf(t)
	if t.Kind == KindArray {
		t.Length, err = fixedLength(t.ID)
	}
	if err == nil && (t.Encoding == MappingKeys && (t.Key == nil || t.Elem == nil) || t.Encoding == DynamicArray && t.Elem == nil) {
		err = errors.New("element types are missing")
	}
	return err
}

// variables converts state variables or the members of a struct.
func (l *Layout) variables(list []fileVariable) ([]Variable, error) {
	var variables []Variable
	for _, f := range list {
		v := Variable{Name: f.Label, Contract: f.Contract, ID: f.ID, Offset: f.Offset, Type: l.Types[f.Type]}
		if err := v.Slot.SetFromDecimal(f.Slot); err != nil {
			return nil, fmt.Errorf("slot %q of %s: %w", f.Slot, f.Label, err)
		}
		if v.Type == nil {
			return nil, fmt.Errorf("no type %s of %s", f.Type, f.Label)
		}
		if v.Offset < 0 || v.Offset > 31 {
			return nil, fmt.Errorf("offset %d of %s", v.Offset, f.Label)
		}
		variables = append(variables, v)
	}
	slices.SortStableFunc(variables, func(a, b Variable) int {
		if c := a.Slot.Cmp(&b.Slot); c != 0 {
			return c
		}
		return a.Offset - b.Offset
	})
	return variables, nil
}

// finite rejects types that contain themselves in place. They are invalid, and
// traversing them would not end.
func (l *Layout) finite() error {
	const open, done = 1, 2
	state := map[*Type]int{}
	var visit func(t *Type) error
	visit = func(t *Type) error {
		if state[t] == open {
			return fmt.Errorf("type %s contains itself", t.ID)
		}
		if state[t] == done {
			return nil
		}
		state[t] = open
		parts := []*Type{}
		for _, m := range t.Members {
			parts = append(parts, m.Type)
		}
		if t.Kind == KindArray {
			parts = append(parts, t.Elem)
		}
		for _, p := range parts {
			if err := visit(p); err != nil {
				return err
			}
		}
		state[t] = done
		return nil
	}
	for _, t := range l.Types {
		if err := visit(t); err != nil {
			return err
		}
	}
	return nil
}

// prefixes maps the prefixes of solc's type identifiers to kinds.
var prefixes = []struct {
	prefix string
	kind   Kind
}{
	{"t_uint", KindUint}, {"t_int", KindInt}, {"t_bool", KindBool}, {"t_address", KindAddress},
	{"t_contract(", KindContract}, {"t_super(", KindContract}, {"t_enum(", KindEnum},
	{"t_bytes_", KindBytes}, {"t_string_", KindString}, {"t_bytes", KindFixedBytes}, {"t_byte", KindFixedBytes},
	{"t_userDefinedValueType(", KindUserValue}, {"t_function_external", KindExternalFunction},
	{"t_function_", KindInternalFunction}, {"t_mapping(", KindMapping}, {"t_struct(", KindStruct},
}

func kindOf(t *Type) Kind {
	switch {
	case t.Encoding == MappingKeys:
		return KindMapping
	case t.Encoding == DynamicArray:
		return KindSlice
	case t.Members != nil:
		return KindStruct
	case t.Elem != nil:
		return KindArray
	}
	for _, p := range prefixes {
		if strings.HasPrefix(t.ID, p.prefix) {
			return p.kind
		}
	}
	return KindOther
}

// fixedLength returns the number N in "t_array(…)N_storage".
func fixedLength(id string) (uint64, error) {
	digits := strings.TrimSuffix(id[strings.LastIndexByte(id, ')')+1:], "_storage")
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil {
		// longer than any array that can be filled
		var big uint256.Int
		if big.SetFromDecimal(digits) == nil {
			return 1<<64 - 1, nil
		}
		return 0, fmt.Errorf("array length: %w", err)
	}
	return n, nil
}
