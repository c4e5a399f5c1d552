package bytecode_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// goEthereumRules returns the rules that switch each fork's opcodes on.
func goEthereumRules() map[bytecode.Fork]params.Rules {
	r := params.Rules{}
	rules := map[bytecode.Fork]params.Rules{bytecode.Frontier: r}
	next := func(f bytecode.Fork, set func(*params.Rules)) {
		set(&r)
		rules[f] = r
	}
	next(bytecode.Homestead, func(r *params.Rules) { r.IsHomestead, r.IsEIP150, r.IsEIP158 = true, true, true })
	next(bytecode.Byzantium, func(r *params.Rules) { r.IsByzantium = true })
	next(bytecode.Constantinople, func(r *params.Rules) { r.IsConstantinople = true })
	next(bytecode.Istanbul, func(r *params.Rules) { r.IsPetersburg, r.IsIstanbul = true, true })
	next(bytecode.London, func(r *params.Rules) { r.IsBerlin, r.IsLondon = true, true })
	next(bytecode.Shanghai, func(r *params.Rules) { r.IsMerge, r.IsShanghai = true, true })
	next(bytecode.Cancun, func(r *params.Rules) { r.IsCancun = true })
	next(bytecode.Osaka, func(r *params.Rules) { r.IsPrague, r.IsOsaka = true, true })
	return rules
}

func TestOpsAgreeWithGoEthereum(t *testing.T) {
	for fork, rules := range goEthereumRules() {
		table, err := vm.LookupInstructionSet(rules)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 256 {
			op := bytecode.Op(i)
			row := bytecode.Ops[op]
			assigned := table[i].HasCost() || op == bytecode.STOP
			ours := row.Name != "" && row.Fork <= fork
			if op == bytecode.INVALID {
				continue // an assigned opcode that go-ethereum treats like the others
			}
			if assigned != ours {
				t.Errorf("fork %d opcode %#02x: assigned is %v, in go-ethereum %v", fork, op, ours, assigned)
			}
			if !assigned || !ours {
				continue
			}
			low, high := table[i].Stack()
			if want := 1024 + int(row.Pops) - int(row.Pushes); low != int(row.Pops) || high != want {
				t.Errorf("%s: stack limits %d, %d; in go-ethereum %d, %d", row.Name, row.Pops, want, low, high)
			}
			name := vm.OpCode(i).String()
			if name != row.Name && op != bytecode.PREVRANDAO {
				t.Errorf("%#02x is %q, in go-ethereum %q", op, row.Name, name)
			}
		}
	}
}

func TestDisassemble(t *testing.T) {
	// PUSH1 4, JUMP, INVALID, JUMPDEST, CALLVALUE, PUSH1 4, JUMPI, PUSH2 cut off
	raw := []byte{0x60, 4, 0x56, 0xfe, 0x5b, 0x34, 0x60, 4, 0x57, 0x61, 0xab}
	c := bytecode.New(raw)
	var pcs []uint32
	for i, in := range c.Instructions {
		pcs = append(pcs, in.PC)
		if at, ok := c.InstructionAt(uint64(in.PC)); !ok || at != i {
			t.Errorf("InstructionAt(%d) = %d, %v", in.PC, at, ok)
		}
	}
	if want := []uint32{0, 2, 3, 4, 5, 6, 8, 9}; !equal(pcs, want) {
		t.Errorf("pcs %v, want %v", pcs, want)
	}
	for _, pc := range []uint64{1, 7, 10, 11, 1 << 40} {
		if _, ok := c.InstructionAt(pc); ok {
			t.Errorf("an instruction at %d", pc)
		}
	}
	var starts []uint32
	for _, b := range c.Blocks {
		starts = append(starts, b.Start)
	}
	if want := []uint32{0, 3, 4, 9}; !equal(starts, want) {
		t.Errorf("blocks at %v, want %v", starts, want)
	}
	if got := c.Push(7, new(uint256.Int)); got.Uint64() != 0xab00 {
		t.Errorf("cut-off push is %s", got.Hex())
	}
	if !equal(c.Jumpis, []uint32{8}) {
		t.Errorf("JUMPIs at %v", c.Jumpis)
	}
	if !c.IsJumpdest(4) || c.IsJumpdest(3) || c.IsJumpdest(1<<40) {
		t.Error("jump destinations")
	}
}

func equal(a, b []uint32) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func TestEqualModulo(t *testing.T) {
	a := []byte{1, 2, 3, 4, 5, 6}
	b := []byte{1, 9, 9, 4, 5, 6}
	immutable := []bytecode.Range{{Start: 1, Length: 2}}
	if !bytecode.EqualModulo(a, b, immutable) {
		t.Error("differs outside the immutable")
	}
	b[3] = 0
	if bytecode.EqualModulo(a, b, immutable) || bytecode.EqualModulo(a, a[:5], immutable) {
		t.Error("same although it differs")
	}
	if !bytecode.EqualModulo(a, a, []bytecode.Range{{Start: -3, Length: 100}}) {
		t.Error("a range beyond the code")
	}
}

// FuzzCode checks what must hold for any bytes.
func FuzzCode(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0x60, 4, 0x56, 0xfe, 0x5b, 0x34, 0x60, 4, 0x57, 0x61, 0xab})
	f.Add([]byte{0x5f, 0x35, 0x60, 0xe0, 0x1c, 0x80, 0x63, 1, 2, 3, 4, 0x14, 0x60, 0, 0x57})
	f.Add([]byte("\x00\xa1ebzzr0X 0123456789012345678901234567890\x00\x29"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		c := bytecode.New(raw)
		next := uint32(0)
		for i, in := range c.Instructions {
			if in.PC != next {
				t.Fatalf("instruction %d at %d, want %d", i, in.PC, next)
			}
			next = c.Next(i)
			b := c.Blocks[c.BlockOf(i)]
			if int(b.First) > i || int(b.Last) < i {
				t.Fatalf("instruction %d is not in its block", i)
			}
		}
		if int(next) < len(raw) || c.Count > len(c.Instructions) || c.End > int(next) {
			t.Fatalf("decoded %d of %d bytes", next, len(raw))
		}
		plain := withoutMetadata(raw)
		if !bytecode.EqualModulo(raw, plain, c.Metadata) || !bytes.Equal(withoutMetadata(plain), plain) {
			t.Fatal("WithoutMetadata touches more than metadata")
		}
		for _, s := range c.Selectors() {
			if _, ok := c.InstructionAt(uint64(s.Entry)); !ok {
				t.Fatalf("selector enters at %d", s.Entry)
			}
		}
		c.Constants()
	})
}

// withoutMetadata returns code with all metadata zeroed, that of contained
// creation codes included.
func withoutMetadata(code []byte) []byte {
	plain := bytes.Clone(code)
	for _, r := range bytecode.FindMetadata(code) {
		clear(plain[r.Start:r.End()])
	}
	return plain
}

// A block computes words from what it pushes alone, whatever was on the stack before.
func TestComputed(t *testing.T) {
	for _, row := range []struct {
		code string
		want string
	}{
		{"6002604360981b01", "0x4300000000000000000000000000000000000000 0x4300000000000000000000000000000000000002"}, // 2 + (0x43 << 0x98)
		{"600160a01b6001900300", "0x10000000000000000000000000000000000000000 0xffffffffffffffffffffffffffffffffffffffff"},
		{"01600260038002", "0x9"}, // ADD of unknown words, then 3 * 3
		{"6002605b5b6003021b", ""},
		{"6002600301", "0x5"},
		{"600235600301", ""}, // what the calldata says
	} {
		var got []string
		for word := range bytecode.New(common.FromHex(row.code)).Computed() {
			got = append(got, word.Hex())
		}
		slices.Sort(got)
		if strings.Join(got, " ") != row.want {
			t.Errorf("%s: %q, want %q", row.code, got, row.want)
		}
	}
}
