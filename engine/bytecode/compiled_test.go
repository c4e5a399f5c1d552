package bytecode_test

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"leveret/engine/bytecode"
)

func TestCompilersSelectors(t *testing.T) {
	for _, c := range contracts(t) {
		code := bytecode.New(c.code(t))
		want := map[string]string{}
		for signature, id := range c.Methods {
			want[id] = signature
		}
		for _, s := range code.Selectors() {
			id := hex.EncodeToString(s.ID[:])
			if want[id] == "" {
				t.Errorf("%s: selector %s is not a function", c.name(), id)
			}
			delete(want, id)
			if i, ok := code.InstructionAt(uint64(s.Test)); !ok || code.Instructions[i].Op != bytecode.JUMPI {
				t.Errorf("%s: %s tested at %d, which is no JUMPI", c.name(), id, s.Test)
			}
		}
		for id, signature := range want {
			t.Errorf("%s: %s %s not found", c.name(), id, signature)
		}
	}
}

// The compiler's source map has one entry an instruction, so it knows how
// many there are.
func TestCompilersInstructionCount(t *testing.T) {
	for _, c := range contracts(t) {
		if c.Map == "" {
			continue
		}
		code := bytecode.New(c.code(t))
		if want := strings.Count(c.Map, ";") + 1; code.Count != want {
			t.Errorf("%s: %d instructions, source map has %d", c.name(), code.Count, want)
		}
	}
}

func TestCompilersMetadata(t *testing.T) {
	for _, c := range contracts(t) {
		raw := c.code(t)
		code := bytecode.New(raw)
		want := 1
		if strings.Contains(c.Contract, ":Mixed") {
			want = 2 // the contained Child's
		}
		if len(code.Metadata) != want {
			t.Fatalf("%s: %d pieces of metadata, want %d", c.name(), len(code.Metadata), want)
		}
		last := code.Metadata[want-1]
		if last.End() != len(raw) {
			t.Errorf("%s: trailer ends at %d of %d", c.name(), last.End(), len(raw))
		}
		if code.End > code.Metadata[0].Start {
			t.Errorf("%s: code ends at %d, in metadata", c.name(), code.End)
		}
		changed := bytes.Clone(raw)
		for _, r := range code.Metadata {
			changed[r.Start+12]++ // within the hash
		}
		if !bytes.Equal(withoutMetadata(raw), withoutMetadata(changed)) {
			t.Errorf("%s: differs without metadata", c.name())
		}
	}
}

func TestCompilersConstants(t *testing.T) {
	for _, c := range contracts(t) {
		if !strings.Contains(c.Contract, ":Mixed") {
			continue
		}
		roles := map[uint64]map[bytecode.Role]bool{}
		selectors := 0
		for _, k := range bytecode.New(c.code(t)).Constants() {
			if k.Role == bytecode.RoleSelector {
				selectors++
			}
			if k.Word.IsUint64() {
				if roles[k.Word.Uint64()] == nil {
					roles[k.Word.Uint64()] = map[bytecode.Role]bool{}
				}
				roles[k.Word.Uint64()][k.Role] = true
			}
		}
		for _, plain := range []uint64{77, 7, 13, 100} {
			if !roles[plain][bytecode.RolePlain] {
				t.Errorf("%s: %d is not among the plain constants", c.name(), plain)
			}
		}
		if selectors < len(c.Methods) {
			t.Errorf("%s: %d selector constants, %d functions", c.name(), selectors, len(c.Methods))
		}
	}
}
