package evm

import (
	"bytes"
	"encoding/binary"
	"testing"

	"leveret/engine/bytecode"
)

func TestCodesInternEqualBytes(t *testing.T) {
	c := NewCodes()
	a, b := c.Runtime([]byte{1, 2}), c.Runtime([]byte{1, 2})
	if a != b || a.ID != 0 || a.Init {
		t.Errorf("%+v, %+v", a, b)
	}
	memory := []byte{1, 2}
	i := c.Init(memory)
	memory[0] = 9
	if i == a || !i.Init || i.ID != 1 || !bytes.Equal(i.Bytes, []byte{1, 2}) {
		t.Errorf("creation code of the same bytes: %+v", i)
	}
	if c.Runtime(nil) != nil || c.Init(nil) != nil {
		t.Error("empty code is not nil")
	}
	if all := c.list(); len(all) != 2 || all[0] != a || all[1] != i {
		t.Errorf("%v", all)
	}
}

func TestCodesPreferTheLongestKnownCreationCode(t *testing.T) {
	c := NewCodes()
	short, long := c.AddInit([]byte{1}), c.AddInit([]byte{1, 2})
	if got := c.Init([]byte{1, 2, 3}); got != long {
		t.Errorf("%+v", got)
	}
	if got := c.Init([]byte{1, 3}); got != short {
		t.Errorf("%+v", got)
	}
	if got := c.Init([]byte{2}); got == short || got == long {
		t.Errorf("%+v", got)
	}
}

func TestCodesAreBounded(t *testing.T) {
	c := NewCodes()
	for i := range uint32(maxCodes + 100) {
		code := binary.BigEndian.AppendUint32([]byte{bytecode.PUSH0 + 4}, i)
		if got := c.Runtime(code); got.ID != min(int(i), Overflow) || !bytes.Equal(got.Bytes, code) {
			t.Fatalf("code %d: %+v", i, got)
		}
	}
	if n := len(c.list()); n != maxCodes {
		t.Errorf("%d codes remembered", n)
	}
}
