package replay

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc/srcmap"
)

// abiJSON has the types that are hard to decode, for what hostile code returns.
const abiJSON = `[
 {"type":"function","name":"f","inputs":[{"name":"a","type":"tuple[]","components":[{"name":"n","type":"uint256"},{"name":"s","type":"string"}]},{"name":"b","type":"bytes"}],
  "outputs":[{"name":"","type":"int8"},{"name":"list","type":"address[]"}],"stateMutability":"payable"},
 {"type":"event","name":"E","inputs":[{"name":"who","type":"address","indexed":true},{"name":"what","type":"string"}]},
 {"type":"error","name":"Bad","inputs":[{"name":"why","type":"string"},{"name":"kind","type":"uint8","internalType":"enum Kind"}]},
 {"type":"fallback","stateMutability":"payable"}]`

// fakeSource claims that every instruction stands in a file of ten lines, and
// that all code has the ABI above.
func fakeSource(t testing.TB) Resolver {
	abi, err := input.ParseABI([]byte(abiJSON))
	if err != nil {
		t.Fatal(err)
	}
	locations := make([]*Location, 10)
	for i := range locations {
		p := finding.Place{File: "a.sol", Span: srcmap.Span{Start: i, Length: 1}, Start: srcmap.Position{Line: i + 1, Column: 1}}
		locations[i] = &Location{Place: p, Step: p, Text: fmt.Sprintf("line %d", i+1), StepText: fmt.Sprintf("line %d", i+1), Whole: i == 0}
	}
	return Resolver{
		Name:     (*input.Names)(nil).Address,
		Contract: func(*evm.Code) string { return "C" },
		Function: func(_ *evm.Code, data []byte) (*input.Function, []byte) {
			if f := abi.Select(data); f != nil && !f.Raw {
				return f, data[4:]
			}
			return abi.Fallback, data
		},
		Event: func(_ *evm.Code, l *evm.Log) *input.Event {
			if len(l.Topics) > 0 && l.Topics[0] == abi.Events[0].ID {
				return abi.Events[0]
			}
			return nil
		},
		Error: func(_ *evm.Code, data []byte) *input.CustomError {
			if abi.Errors[0].Selector == [4]byte(data) {
				return abi.Errors[0]
			}
			return nil
		},
		Enum:   func(*evm.Code, string, uint64) string { return "" },
		Define: func(*evm.Code, *input.Function) *finding.Place { return &locations[3].Place },
		Locate: func(_ *evm.Code, pc uint64) *Location { return locations[pc%10] },
		Changes: func(_ *evm.Code, before, after uint256.Int, at StorageSlot) []VariableChange {
			if preimage, offset, ok := at.Preimages(at.Key); ok {
				return []VariableChange{{fmt.Sprintf("m[0x%x]+%s", preimage, offset.Dec()), before.Dec(), after.Dec()}}
			}
			return nil
		},
	}
}

var target = common.HexToAddress("0xc0de")

// record runs code with calldata once.
func record(t testing.TB, source Resolver, code, data []byte, blamed finding.Finding) (*Trace, evm.Outcome) {
	w := evm.NewWorld(evm.NewCodes())
	sender := input.User1.Address()
	w.SetBalance(sender, uint256.NewInt(1e18))
	w.SetCode(target, code)
	m := evm.NewMachine()
	m.Steps = 20000
	r := NewRecorder(source, blamed)
	r.Begin(Opening{Call: "user1 calls something"}, input.BlockTime{}, w)
	out := m.Execute(w, evm.BlockContext{Number: 1, GasLimit: evm.DefaultGas}, evm.Call{From: sender, To: target, Data: data, Value: *uint256.NewInt(5)}, r.Hooks())
	r.End()
	return r.Trace(), out
}

// code reads bytecode with spaces in it.
func code(t testing.TB, text string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestWithoutSource(t *testing.T) {
	// sstore(1, 2); log1(0, 0, 7); revert(0, 0)
	trace, _ := record(t, Resolver{}, code(t, "6002 6001 55  6007 6000 6000 a1  6000 6000 fd"), nil, finding.Finding{})
	const want = `
   ├─ slot 1: 0 → 2
   ├─ emit an event that is not known(0x0000000000000000000000000000000000000000000000000000000000000007)
   └─ reverts without a reason
`
	if got := trace.String(); !strings.HasSuffix(got, "gas)"+want) || !strings.HasPrefix(got, "1. user1 calls something") {
		t.Errorf("got\n%s", got)
	}
}

// TestLedger checks values before a write in the presence of reverted calls:
// the called contract writes and reverts, the caller sees nothing of it.
func TestLedger(t *testing.T) {
	source := fakeSource(t)
	source.Changes = nil
	// if calldatasize == 0: sstore(0, 1); call self with one byte; sstore(0, 3)
	// else: sstore(0, 2); revert
	trace, out := record(t, source, code(t, `36 6023 57  6001 6000 55
		6000 6000 6001 6000 6000 30 5a f1 50  6003 6000 55 00
		5b5b5b5b5b5b 5b 6002 6000 55  6000 6000 fd`), nil, finding.Finding{})
	if out.Status != evm.Success {
		t.Fatalf("%+v", out)
	}
	var writes []string
	var walk func(*Frame)
	walk = func(f *Frame) {
		for _, i := range f.Items {
			if i.Kind == ItemWrite {
				writes = append(writes, i.Before+"→"+i.After)
			}
			if i.Call != nil {
				walk(i.Call)
			}
		}
	}
	walk(trace.Txs[0].Root)
	if want := []string{"0→1", "1→2", "1→3"}; !slices.Equal(writes, want) {
		t.Errorf("writes %v, want %v\n%s", writes, want, trace)
	}
}

// TestSlotsWithoutLayout names words by what was hashed.
func TestSlotsWithoutLayout(t *testing.T) {
	user := input.User1.Address()
	r := NewRecorder(fakeSource(t), finding.Finding{})
	word := func(b []byte) []byte { return common.LeftPadBytes(b, 32) }
	entry := append(word(user[:]), word([]byte{3})...)
	nested := append(word([]byte{9}), crypto.Keccak256(entry)...)
	r.hashes.add(entry)
	r.hashes.add(nested)
	for want, slot := range map[string][]byte{
		"7": {7}, "3[user1]": crypto.Keccak256(entry), "3[user1][9]": crypto.Keccak256(nested), "5[0]": crypto.Keccak256(word([]byte{5})),
	} {
		if got := r.slot(*new(uint256.Int).SetBytes(slot), 0); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestPreimages finds mapping keys and array elements, also of nested ones and
// of arrays whose base the optimiser hashed.
func TestPreimages(t *testing.T) {
	p := NewPreimages()
	word := func(n uint64) []byte { b := uint256.NewInt(n).Bytes32(); return b[:] }
	keyed := append(word(42), word(3)...)
	p.add(keyed)
	for _, c := range []struct {
		preimage []byte
		offset   uint64
	}{{word(0), 0}, {word(7), 1000}, {keyed, 0}, {keyed, 2}} {
		var slot uint256.Int
		slot.SetBytes(crypto.Keccak256(c.preimage))
		slot.AddUint64(&slot, c.offset)
		preimage, offset, ok := p.Find(slot)
		if !ok || !bytes.Equal(preimage, c.preimage) || !offset.Eq(uint256.NewInt(c.offset)) {
			t.Errorf("%x + %d: got %x + %s, %v", c.preimage, c.offset, preimage, offset.Dec(), ok)
		}
	}
	for _, n := range []uint64{0, 5, 1 << 60} {
		if preimage, _, ok := p.Find(*uint256.NewInt(n)); ok {
			t.Errorf("slot %d is said to be reached by hashing %x", n, preimage)
		}
	}
}

func TestFold(t *testing.T) {
	steps := func(lines string) (list []Step) {
		for _, c := range lines {
			list = append(list, Step{Depth: 1, Text: string(c), Times: 1, Of: 1,
				Place: finding.Place{File: "a", Span: srcmap.Span{Start: int(c), Length: 1}}})
		}
		return list
	}
	for lines, want := range map[string]string{
		"":            "",
		"abc":         "a b c",
		"aaa":         "a×3/1",
		"xababaz":     "x a×2/2 b a z",
		"abcabcabcd":  "a×3/3 b c d",
		"abab":        "a×2/2 b",
		"aabb":        "a×2/1 b×2/1",
		"pqrspqrspqr": "p×2/4 q r s p q r",
	} {
		var got []string
		for _, s := range fold(steps(lines)) {
			text := s.Text
			if s.Times > 1 {
				text += fmt.Sprintf("×%d/%d", s.Times, s.Of)
			}
			got = append(got, text)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q: %v, want %s", lines, got, want)
		}
	}
}

func TestWrap(t *testing.T) {
	text := strings.Repeat("word, ", 40) + strings.Repeat("x", 90)
	for room := 20; room < 300; room += 7 {
		lines := wrap(text, room, room-3)
		if strings.ReplaceAll(strings.Join(lines, ""), " ", "") != strings.ReplaceAll(text, " ", "") {
			t.Fatalf("%d columns lose something: %q", room, lines)
		}
		for i, l := range lines {
			if columns(l) > room {
				t.Errorf("line %d has %d columns of %d", i, columns(l), room)
			}
		}
	}
}

// TestBounds lets a contract do far more than a Trace holds.
func TestBounds(t *testing.T) {
	// loop: sstore(gas, gas)
	trace, _ := record(t, fakeSource(t), code(t, "5b 5a 5a 55 6000 56"), nil, finding.Finding{})
	if n := len(trace.Txs[0].Steps); n > maxSteps {
		t.Errorf("%d steps", n)
	}
	// loop: log0(0, 0)
	trace, _ = record(t, fakeSource(t), code(t, "5b 6000 6000 a0 6000 56"), nil, finding.Finding{})
	if n := len(trace.Txs[0].Root.Items); n > maxItems || n < 1000 {
		t.Errorf("%d items", n)
	}
	// calls itself until the depth runs out
	trace, _ = record(t, fakeSource(t), code(t, "6000 6000 6000 6000 6000 30 5a f1"), nil, finding.Finding{})
	if lines := trace.Lines(Full(nil)); len(lines) > 3*maxIndent {
		t.Errorf("%d lines", len(lines))
	}
}

// FuzzText runs any code with any calldata: nothing panics, and what contracts
// put in is shown without control characters.
func FuzzText(f *testing.F) {
	for _, seed := range []string{
		"", "fe", "00", "6000 6000 fd", "3660006000376000366000fd", "36600060003736 6000 f3",
		"6001 6000 55 600160015d 6000 6000 a0", "36600060003760003660006000600060003036f1",
		"7f08c379a000000000000000000000000000000000000000000000000000000000600052 36600060043736 6000 fd",
		"36600060003730ff", "3660006000376000 36 6000 f0", "36600060003736600020 36600020 55",
		"36600060003760206000 7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef 6001 6002 6000 6020 a3",
	} {
		f.Add(code(f, seed), []byte{1, 2, 3})
		f.Add(code(f, seed), append(crypto.Keccak256([]byte("f((uint256,string)[],bytes)"))[:4], make([]byte, 128)...))
	}
	f.Add(code(f, "3660006000373660006000fd36600060003736 6000 fd"), append(crypto.Keccak256([]byte("Bad(string,uint8)"))[:4], make([]byte, 96)...))
	source := fakeSource(f)
	f.Fuzz(func(t *testing.T, code, data []byte) {
		blamed := finding.Finding{Oracle: "assertion", Place: source.Locate(nil, 4).Place}
		trace, _ := record(t, source, code, data, blamed)
		marks := 0
		for _, l := range append(trace.Lines(Full(nil)), trace.StepLines(nil)...) {
			for _, c := range l.Text {
				if !unicode.IsGraphic(c) {
					t.Fatalf("%q has a control character", l.Text)
				}
			}
			if n := columns(l.Text); n > 2*Width {
				t.Fatalf("%d columns: %s", n, l.Text)
			}
			if strings.Contains(l.Text, "← here") {
				marks++
			}
		}
		if marks > 1 {
			t.Fatalf("%d marks\n%s", marks, trace)
		}
	})
}
