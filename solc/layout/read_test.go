package layout

import (
	"strings"
	"testing"
)

// All compilers give the common variables of the tours the same locations.
func TestReadAllVersions(t *testing.T) {
	for _, name := range tours {
		l := tour(t, name)
		for path, want := range map[string]struct {
			slot   uint64
			offset int
			kind   Kind
			width  int
		}{
			"owner": {0, 0, KindAddress, 20}, "state": {0, 20, KindEnum, 1}, "pool.on": {3, 24, KindBool, 1},
			"pool.high": {3, 16, KindUint, 8}, "pool.tail[2]": {4, 2, KindUint, 1}, "small": {6, 0, KindUint, 1},
			"codes.length": {7, 0, KindUint, 32}, "data": {8, 0, KindBytes, 32}, "label": {9, 0, KindString, 32},
			"fixedCodes[1]": {10, 3, KindUint, 3},
		} {
			slot, f, ok := l.Locate(path)
			if !ok || slot != word(want.slot) || f.Offset != want.offset || f.Kind != want.kind || f.Width != want.width {
				t.Errorf("%s: %s has slot %s, %+v", name, path, slot.Dec(), f)
			}
		}
		if v, ok := l.Variable("owner"); !ok || v.ID == 0 || !strings.HasSuffix(v.Contract, ":Tour") {
			t.Errorf("%s: owner is %+v", name, v)
		}
	}
}

func TestReadEmpty(t *testing.T) {
	l, err := Read([]byte(`{"storage":[],"types":null}`))
	if err != nil || len(l.Variables) != 0 || l.Fields(word(0)) != nil {
		t.Errorf("%+v, %v", l, err)
	}
}

func TestReadErrors(t *testing.T) {
	const variable = `{"astId":1,"contract":"a:A","label":"x","offset":0,"slot":"0","type":"t"}`
	for _, input := range []string{
		"", "[]", `{"storage":[` + variable + `],"types":{}}`,
		`{"storage":[{"slot":"x"}]}`, `{"types":{"t":{"encoding":"other","numberOfBytes":"1"}}}`,
		`{"types":{"t":{"encoding":"inplace","numberOfBytes":"-1"}}}`,
		`{"types":{"t":{"encoding":"inplace","numberOfBytes":"` + strings.Repeat("9", 78) + `"}}}`,
		`{"types":{"t":{"encoding":"mapping","numberOfBytes":"32"}}}`,
		`{"types":{"t":{"encoding":"dynamic_array","numberOfBytes":"32"}}}`,
		`{"types":{"t":{"encoding":"inplace","numberOfBytes":"32","members":[` + variable + `]}}}`,
		`{"types":{"t_array(t)2_storage":{"encoding":"inplace","numberOfBytes":"64","base":"t_array(t)2_storage"}}}`,
		`{"types":{"t":{"encoding":"inplace","numberOfBytes":"1"}},"storage":[` + strings.Replace(variable, `"offset":0`, `"offset":32`, 1) + `]}`,
	} {
		if l, err := Read([]byte(input)); err == nil {
			t.Errorf("%s: accepted as %+v", input, l)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(layoutJSON(f, "new-0.8.30"), "codes[3]")
	f.Add(layoutJSON(f, "middle-0.5.17"), `pools["x"][4].low`)
	f.Add([]byte(`{"storage":[],"types":null}`), "")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		l, err := Read(data)
		if err != nil {
			return
		}
		for n := range uint64(20) {
			for _, field := range l.Fields(word(n)) {
				if field.Width < 1 || field.Offset < 0 || field.Offset+field.Width > 32 {
					t.Errorf("slot %d: %+v", n, field)
				}
				field.Format(word(n))
			}
		}
		w := world{}
		w.keccak(bytes32(word(1)), bytes32(word(0)))
		h := w.keccak(bytes32(word(0)))
		l.Describe(plus(h, 1), w.preimages)
		l.Locate(path)
	})
}
