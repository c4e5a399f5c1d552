package suite

import (
	"slices"
	"strings"

	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// maxFixture bounds the values of a fixture.
const maxFixture = 1 << 12

// Fixtures are the values of a test contract's fixtures by name.
type Fixtures map[string][]input.Value

// Fixtures returns the values of the test contract's fixtures: functions fixture…
// that return a list, and public arrays of such names (fuzz_fixtures in
// crates/forge/src/runner.rs in foundry). One that fails is left out.
func (s *Suite) Fixtures() Fixtures {
	all := Fixtures{}
	for _, f := range s.Program.ABI(s.Program.UnderTest).Functions {
		if len(f.Outputs) != 1 || solc.FunctionTestKind(f.Name, len(f.Inputs) > 0) != solc.Fixture {
			continue
		}
		name := fixtureName(strings.TrimPrefix(f.Name, "fixture"))
		switch {
		case len(f.Inputs) == 0:
			if v, ok := s.result(f, nil); ok && (v.Type.Kind == input.KindSlice || v.Type.Kind == input.KindArray) {
				all[name] = v.Elems
			}
		case len(f.Inputs) == 1 && f.Inputs[0].Type.String() == "uint256":
			all[name] = s.elements(f)
		}
	}
	return all
}

// elements returns the elements of a public array, whose getter is f.
func (s *Suite) elements(f *input.Function) (list []input.Value) {
	index := input.Zero(f.Inputs[0].Type)
	for len(list) < maxFixture {
		index.Word.SetUint64(uint64(len(list)))
		v, ok := s.result(f, []input.Value{index})
		if !ok {
			break
		}
		list = append(list, v)
	}
	return list
}

// result returns what a function of the test contract returns after setUp.
func (s *Suite) result(f *input.Function, args []input.Value) (v input.Value, ok bool) {
	o := s.ask(s.world, (&input.Tx{Function: f, Args: args}).Calldata())
	values, err := input.Decode(f.Outputs, o.Return)
	if o.Status != evm.Success || err != nil || len(values) != 1 {
		return v, false
	}
	return values[0], true
}

// fixtureName is how names of parameters and of their fixtures compare.
func fixtureName(name string) string { return strings.ToLower(strings.Trim(name, "_")) }

// Of returns the values for the arguments of a function that a test calls; none if
// no argument has any. As in forge, a fixture of another type than the argument's
// has none for it.
func (all Fixtures) Of(f *input.Function) (list [][]input.Value) {
	for i, p := range f.Inputs {
		values := all[fixtureName(p.Name)]
		other := func(v input.Value) bool { return !v.Type.Same(p.Type) }
		if len(values) == 0 || slices.ContainsFunc(values, other) {
			continue
		}
		if list == nil {
			list = make([][]input.Value, len(f.Inputs))
		}
		list[i] = values
	}
	return list
}

func upperFirst(name string) string {
	if name == "" || name[0] < 'a' || name[0] > 'z' {
		return name
	}
	return string(name[0]-'a'+'A') + name[1:]
}
