package evm

import (
	"bytes"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
)

// answers is code that returns a word of its own. A compiler's metadata make it
// no small code.
func answers(word byte) []byte {
	code := append([]byte{bytecode.PUSH32}, bytes.Repeat([]byte{word}, 32)...)
	code = append(code, bytecode.PUSH0, bytecode.MSTORE, bytecode.PUSH1, 32, bytecode.PUSH0, bytecode.RETURN, bytecode.INVALID)
	return append(code, 0xa1, 0x64, 's', 'o', 'l', 'c', 0x43, 0, 8, 30, 0, 10)
}

// jumps is small code that jumps to its first argument, followed by data.
func jumps(data ...byte) []byte {
	return append([]byte{bytecode.PUSH0, bytecode.CALLDATALOAD, bytecode.JUMP, bytecode.JUMPDEST, bytecode.STOP}, data...)
}

func TestCodesShareTheIDsOfImmutables(t *testing.T) {
	c := NewCodes()
	c.Share(answers(0), []bytecode.Range{{Start: 1, Length: 32}})
	first, second, third := c.Runtime(answers(1)), c.Runtime(answers(2)), c.Runtime(answers(3))
	if first.ID == second.ID || second.ID != third.ID || second == third || len(first.Free()) > 0 || len(third.Free()) != 1 {
		t.Errorf("%+v, %+v, %+v", first, second, third)
	}
	if again := c.Runtime(answers(3)); again != third || again.Hash == second.Hash {
		t.Errorf("%+v is not interned", again)
	}
	unknown := NewCodes()
	if a, b, c := unknown.Runtime(answers(1)), unknown.Runtime(answers(2)), unknown.Runtime(answers(3)); b.ID == c.ID || a.ID == b.ID {
		t.Error("compiled code without a template shares an ID")
	}
	unaligned := NewCodes()
	unaligned.Share(answers(0), []bytecode.Range{{Start: 2, Length: 31}})
	if unaligned.Runtime(answers(1)); unaligned.Runtime(answers(2)).ID == unaligned.Runtime(answers(3)).ID {
		t.Error("ranges that are no immediates are free")
	}
}

func TestCodesShareTheIDsOfSmallCodes(t *testing.T) {
	c := NewCodes()
	first, second, third := c.Runtime(jumps(1, 2)), c.Runtime(jumps(3, 4)), c.Runtime(jumps(5, 6))
	if first.ID == second.ID || second.ID != third.ID {
		t.Errorf("clones with arguments: %+v, %+v, %+v", first, second, third)
	}
	if other := c.Runtime(jumps(5, 6, 7)); other.ID == third.ID {
		t.Error("codes of different lengths share an ID")
	}
	if c.Init(jumps(3, 4)).ID == second.ID {
		t.Error("creation code and deployed code share an ID")
	}
}

func TestCodesDropArgumentsOfKnownCreationCode(t *testing.T) {
	c := NewCodes()
	object := answers(1)
	c.ShareInit(object, nil)
	with := func(argument byte) []byte { return append(bytes.Clone(object), argument) }
	first := c.Init(with(1))
	if again := c.Init(with(1)); again != first || len(first.Bytes) != len(object)+1 {
		t.Errorf("one creation alone: %+v", again)
	}
	second, third := c.Init(with(2)), c.Init(with(3))
	if second != third || !bytes.Equal(second.Bytes, object) || second == first {
		t.Errorf("%+v, %+v, %+v", first, second, third)
	}
}

// TestSharedTranslationsAreExact calls codes that share a translation, in both
// modes.
func TestSharedTranslationsAreExact(t *testing.T) {
	codes := NewCodes()
	codes.Share(answers(0), []bytecode.Range{{Start: 1, Length: 32}})
	w := NewWorld(codes)
	var list []common.Address
	for i, code := range [][]byte{answers(1), answers(2), answers(3), jumps(1, 2), jumps(3, 4), jumps(0, bytecode.JUMPDEST), jumps(bytecode.JUMPDEST, 0)} {
		at := common.Address{18: 1, 19: byte(i)}
		w.SetCode(at, code)
		list = append(list, at)
	}
	exact, fast := &Machine{Exact: true}, &Machine{}
	for range 2 {
		for _, to := range list {
			for target := range byte(9) {
				call := Call{From: alice, To: to, Gas: 100_000, Data: common.LeftPadBytes([]byte{target}, 32)}
				want := exact.Execute(w, BlockContext{}, call, nil)
				got := fast.Execute(w, BlockContext{}, call, nil)
				if got.Status != want.Status || !bytes.Equal(got.Return, want.Return) || got.GasUsed != want.GasUsed {
					t.Errorf("%v, jump to %d: got %+v, want %+v", to, target, got, want)
				}
			}
		}
	}
	if out := fast.Execute(w, BlockContext{}, Call{From: alice, To: list[2], Gas: 100_000}, nil); !bytes.Equal(out.Return, bytes.Repeat([]byte{3}, 32)) {
		t.Errorf("got %x, want the word of the third code", out.Return)
	}
}
