package attacker

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/input"
)

var (
	home   = input.Attacker.Address()
	target = common.HexToAddress("0x1000")
	ether  = uint256.NewInt(1e18)
)

// newWorld returns a World with a script of the attacker contract and a program
// at target.
func newWorld(s *input.Script, program string) *evm.World {
	w := evm.NewWorld(evm.NewCodes())
	w.SetBalance(home, ether)
	w.SetBalance(target, ether)
	w.SetBalance(input.User1.Address(), ether)
	w.SetCode(home, Code)
	w.SetCode(target, assemble(program))
	for _, word := range Storage(s) {
		w.SetStorage(home, word.Key, word.Value)
	}
	return w
}

// ask calls the attacker contract.
func ask(w *evm.World, gas uint64, data []byte) evm.Outcome {
	return evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{From: input.User1.Address(), To: home, Data: data, Gas: gas}, nil)
}

func selector(signature string) []byte { return crypto.Keccak256([]byte(signature))[:4] }

// words joins 32-byte words.
func words(list ...uint64) []byte {
	var out []byte
	for _, n := range list {
		w := uint256.NewInt(n).Bytes32()
		out = append(out, w[:]...)
	}
	return out
}

func returns(list ...uint64) (out []uint256.Int) {
	for _, n := range list {
		out = append(out, *uint256.NewInt(n))
	}
	return out
}

func answers(list ...[]uint256.Int) [][]uint256.Int { return list }

// anyCall takes any calldata.
var anyCall = &input.Function{Name: "fallback", Signature: "fallback()", Raw: true, Mutability: input.Payable}

// reentry is a call of target, back from a call of the attacker contract.
func reentry(data []byte, wei *uint256.Int, first, times int) input.Reentry {
	r := input.Reentry{Tx: input.Tx{From: input.Attacker, To: target, Function: anyCall, Data: data}, First: first, Times: times}
	if wei != nil {
		r.Tx.Value = *wei
	}
	return r
}

func reenters(answers [][]uint256.Int, calls ...input.Reentry) input.Script {
	return input.Script{Mode: input.Reenter, Calls: calls, Answers: answers}
}

func TestModes(t *testing.T) {
	question := append(selector("price()"), words(7)...)
	hook := selector("onERC721Received(address,address,uint256,bytes)")
	padded := common.RightPadBytes(hook, 32)
	rows := []struct {
		name   string
		script *input.Script
		data   []byte
		status evm.Status
		ret    []byte
	}{
		{"no script, plain transfer", nil, nil, evm.Success, nil},
		{"no script, asked", nil, question, evm.Success, words(1, 1, 1, 1, 1, 1, 1, 1)},
		{"no script, hook", nil, hook, evm.Success, padded},
		{"no script, three bytes", nil, []byte{1, 2, 3}, evm.Success, words(1, 1, 1, 1, 1, 1, 1, 1)},
		{"flash loan", nil, selector("onFlashLoan(address,address,uint256,uint256,bytes)"), evm.Success,
			crypto.Keccak256([]byte("ERC3156FlashBorrower.onFlashLoan"))},
		{"accept", &input.Script{}, nil, evm.Success, nil},
		{"one word", &input.Script{Answers: answers(returns(5))}, question, evm.Success, words(5)},
		{"three words", &input.Script{Answers: answers(returns(5, 0, 9))}, question, evm.Success, words(5, 0, 9)},
		{"words for a hook", &input.Script{Answers: answers(returns(5))}, hook, evm.Success, words(5)},
		{"words, plain transfer", &input.Script{Answers: answers(returns(5))}, nil, evm.Success, nil},
		{"refuse", &input.Script{Mode: input.Refuse}, nil, evm.Revert, nil},
		{"refuse, asked", &input.Script{Mode: input.Refuse, Answers: answers(returns(5))}, question, evm.Revert, nil},
		{"burn", &input.Script{Mode: input.BurnGas}, nil, evm.Halt, nil},
		{"burn, asked", &input.Script{Mode: input.BurnGas}, question, evm.Halt, nil},
	}
	for _, row := range rows {
		t.Run(row.name, func(t *testing.T) {
			out := ask(newWorld(row.script, "STOP"), 0, row.data)
			if out.Status != row.status || !bytes.Equal(out.Return, row.ret) {
				t.Errorf("status %v, returned %x (%v)", out.Status, out.Return, out.Halt)
			}
			if out.Status == evm.Halt && !errors.Is(out.Halt, vm.ErrOutOfGas) {
				t.Errorf("halts because of %v", out.Halt)
			}
		})
	}
}

// A plain transfer with the stipend of send and transfer follows every script,
// but never re-enters.
func TestStipend(t *testing.T) {
	for _, row := range []struct {
		script *input.Script
		status evm.Status
	}{
		{nil, evm.Success},
		{&input.Script{Answers: answers(returns(1, 2, 3))}, evm.Success},
		{&input.Script{Mode: input.Refuse}, evm.Revert},
		{&input.Script{Mode: input.BurnGas}, evm.Halt},
		{&input.Script{Mode: input.Reenter, Calls: []input.Reentry{reentry([]byte{1}, nil, 1, 3)}}, evm.Success},
	} {
		w := newWorld(row.script, "1 PUSH0 SSTORE")
		w.SetCode(common.HexToAddress("0x2000"), assemble(fmt.Sprintf(
			"PUSH0 PUSH0 PUSH0 PUSH0 1 %s PUSH0 CALL PUSH0 MSTORE 32 PUSH0 RETURN", home.Hex())))
		w.SetBalance(common.HexToAddress("0x2000"), ether)
		var inner evm.Status
		hooks := &evm.Hooks{Exit: func(f *evm.Frame, status evm.Status, _ []byte, _ uint64, _ error) {
			if f.To == home {
				inner = status
				if f.Gas != 2300 {
					t.Errorf("%d gas", f.Gas)
				}
			}
		}}
		evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{From: input.User1.Address(), To: common.HexToAddress("0x2000")}, hooks)
		if inner != row.status {
			t.Errorf("%+v: %v", row.script, inner)
		}
		if w.Storage(target, common.Hash{}) != (common.Hash{}) {
			t.Errorf("%+v re-entered", row.script)
		}
	}
}

// counts calls the attacker contract back, counts its own calls, and keeps the
// calldata and wei of the last.
const counts = `
	PUSH0 SLOAD 1 ADD PUSH0 SSTORE
	PUSH0 CALLDATALOAD 1 SSTORE 32 CALLDATALOAD 2 SSTORE CALLVALUE 3 SSTORE CALLDATASIZE 4 SSTORE
	PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 CALLER GAS CALL`

func TestReenter(t *testing.T) {
	data := append(selector("withdraw(uint256)"), words(42)...)
	for depth := range 6 {
		s := reenters(answers(returns(8)), reentry(data, uint256.NewInt(9), 0, depth))
		w := newWorld(&s, counts)
		out := ask(w, 0, selector("anything()"))
		if out.Status != evm.Success || !bytes.Equal(out.Return, words(8)) {
			t.Fatalf("depth %d: %v %x", depth, out.Status, out.Return)
		}
		want := []common.Hash{
			key(max(1, depth)),
			common.BytesToHash(data[:32]), common.BytesToHash(common.RightPadBytes(data[32:], 32)),
			key(9), key(len(data)),
		}
		for i, v := range want {
			if have := w.Storage(target, key(i)); have != v {
				t.Errorf("depth %d: word %d is %x, not %x", depth, i, have, v)
			}
		}
		again := ask(w, 0, nil) // the count ends with the transaction
		if n := w.Storage(target, key(0)); again.Status != evm.Success || n.Big().Uint64() != 2*uint64(max(1, depth)) {
			t.Errorf("depth %d: %v re-entrances after a second transaction", depth, n)
		}
	}
}

// Of several re-entrant calls each is made in the calls of the contract that it is
// meant for, in order; those within one another count, too.
func TestReenterInTurn(t *testing.T) {
	remembers := "PUSH0 SLOAD 8 SHL CALLDATASIZE OR PUSH0 SSTORE " + // the sizes of all calldata so far
		"CALLDATASIZE 9 EQ @nested JUMPI STOP nested: PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 CALLER GAS CALL"
	call := func(size, first, times int) input.Reentry { return reentry(make([]byte, size), nil, first, times) }
	for _, row := range []struct {
		calls []input.Reentry
		asked int
		want  uint64
	}{
		{nil, 2, 0},
		{[]input.Reentry{call(1, 1, 1), call(2, 1, 1)}, 2, 0x0102},
		{[]input.Reentry{call(1, 2, 1), call(2, 1, 2)}, 3, 0x020102},
		{[]input.Reentry{call(1, 3, 9), call(40, 2, 1)}, 4, 0x280101},
		{[]input.Reentry{call(9, 1, 1), call(3, 1, 1), call(4, 2, 1)}, 1, 0x090403},
	} {
		s := reenters(nil, row.calls...)
		w := newWorld(&s, remembers)
		asks := common.HexToAddress("0x2000")
		w.SetCode(asks, assemble(strings.Repeat("PUSH0 PUSH0 PUSH0 PUSH0 PUSH0 "+home.Hex()+" GAS CALL POP ", row.asked)))
		evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{From: input.User1.Address(), To: asks}, nil)
		if have := w.Storage(target, common.Hash{}); have != key(int(row.want)) {
			t.Errorf("%+v: %x, not %x", row.calls, have, row.want)
		}
	}
}

// A script with the usual answers answers what no script does.
func TestUsual(t *testing.T) {
	questions := [][]byte{selector("price()"), {1, 2, 3}}
	for _, h := range hooks {
		questions = append(questions, selector(h.signature))
	}
	for _, question := range questions {
		s := input.Script{Answers: answers(Usual([4]byte(append(question, 0))))}
		one, other := ask(newWorld(nil, "STOP"), 0, question), ask(newWorld(&s, "STOP"), 0, question)
		if !bytes.Equal(one.Return, other.Return) {
			t.Errorf("%x: %x and %x", question, one.Return, other.Return)
		}
	}
}

// Calls get one answer after another, the last one again and again, whether they are
// static or not; the next transaction starts with the first.
func TestAnswersInTurn(t *testing.T) {
	for _, call := range []string{"PUSH0 %s GAS CALL", "%s GAS STATICCALL"} {
		s := input.Script{Answers: answers(returns(5), returns(6), nil, returns(8))}
		w := newWorld(&s, "STOP")
		asks := common.HexToAddress("0x2000")
		program := ""
		for i := range 6 {
			program += fmt.Sprintf("32 %d 4 PUSH0 "+call+" POP RETURNDATASIZE %d MSTORE ", 64*i, home.Hex(), 64*i+32)
		}
		w.SetCode(asks, assemble(program+"384 PUSH0 RETURN"))
		for range 2 {
			out := evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{From: input.User1.Address(), To: asks}, nil)
			if want := words(5, 32, 6, 32, 0, 0, 8, 32, 8, 32, 8, 32); !bytes.Equal(out.Return, want) {
				t.Errorf("%s: %x", call, out.Return)
			}
		}
	}
}

// Every storage word of a script that is a Parameter is found by its slot.
func TestWordAt(t *testing.T) {
	data := append([]byte{1, 2, 3, 4}, words(42, 43)...)
	s := reenters(answers(returns(5, 6), returns(7)), reentry([]byte{9}, nil, 1, 1), reentry(data, ether, 1, 1))
	for _, stored := range Storage(&s) {
		at, ok := WordAt(stored.Key)
		if !ok {
			continue
		}
		value := new(uint256.Int).SetBytes32(stored.Value[:])
		switch at.Kind {
		case WordOfAnswer:
			ok = s.Answers[at.Of][at.Index].Eq(value)
		case WordsOfAnswer:
			ok = value.Eq(uint256.NewInt(uint64(len(s.Answers[at.Of]))))
		case WordOfWei:
			ok = s.Calls[at.Of].Tx.Value.Eq(value)
		case WordOfData:
			part := s.Calls[at.Of].Tx.Data[at.Index:]
			if at.Index == 0 {
				ok = bytes.Equal(part[:min(4, len(part))], stored.Value[28:][:min(4, len(part))])
			} else {
				ok = bytes.Equal(part[:32], stored.Value[:])
			}
		}
		if !ok {
			t.Errorf("%+v holds %x", at, stored.Value)
		}
	}
	for _, n := range []int{0, 1, 255, 1 << 16, coldSlots, coldSlots + 257} {
		if at, ok := WordAt(key(n)); ok {
			t.Errorf("word %d is %+v", n, at)
		}
	}
}

// A Layout that is used again lays a script out as a new one does.
func TestLayoutAgain(t *testing.T) {
	long := reenters(answers(returns(5, 6), returns(7)), reentry([]byte{9}, nil, 1, 1), reentry(append([]byte{1, 2, 3, 4}, words(42, 43)...), ether, 1, 1))
	short := reenters(nil, reentry([]byte{9}, nil, 1, 1))
	var l Layout
	for _, s := range []*input.Script{&long, &short, nil, &long} {
		if got, want := l.Storage(s), Storage(s); !slices.Equal(got, want) {
			t.Errorf("%+v: %x, not %x", s, got, want)
		}
	}
}

// A failing re-entrant call has no effect, and in a static call none is tried.
func TestReenterInVain(t *testing.T) {
	s := reenters(answers(returns(8)), reentry(nil, nil, 1, 2))
	if out := ask(newWorld(&s, "PUSH0 PUSH0 REVERT"), 0, []byte{1, 2, 3, 4}); out.Status != evm.Success || !bytes.Equal(out.Return, words(8)) {
		t.Errorf("%v %x", out.Status, out.Return)
	}
	w := newWorld(&s, "1 PUSH0 SSTORE")
	static := common.HexToAddress("0x2000")
	w.SetCode(static, assemble(fmt.Sprintf(
		"32 PUSH0 4 PUSH0 %s GAS STATICCALL 32 MSTORE 64 PUSH0 RETURN", home.Hex())))
	out := evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{From: input.User1.Address(), To: static}, nil)
	if !bytes.Equal(out.Return, words(8, 1)) {
		t.Errorf("a static call gets %x", out.Return)
	}
}

// Code that runs by DELEGATECALL in another contract leaves its storage alone.
func TestBorrowed(t *testing.T) {
	w := newWorld(nil, fmt.Sprintf("%d PUSH0 SSTORE PUSH0 PUSH0 PUSH0 PUSH0 %s GAS DELEGATECALL PUSH0 MSTORE 32 PUSH0 RETURN",
		input.BurnGas, home.Hex()))
	out := evm.NewMachine().Execute(w, evm.BlockContext{}, evm.Call{From: input.User1.Address(), To: target}, nil)
	if !bytes.Equal(out.Return, words(1)) {
		t.Errorf("%v %x", out.Halt, out.Return)
	}
}

func TestAssemble(t *testing.T) {
	rows := []struct {
		program string
		want    []byte
	}{
		{"STOP ; a comment", []byte{bytecode.STOP}},
		{"1 0x0102 0x0001 256 0", []byte{0x60, 1, 0x61, 1, 2, 0x61, 0, 1, 0x61, 1, 0, 0x5f}},
		{"@end JUMP end: STOP", []byte{0x61, 0, 4, 0x56, 0x5b, 0x00}},
	}
	for _, row := range rows {
		if have := assemble(row.program); !bytes.Equal(have, row.want) {
			t.Errorf("%s: %x, not %x", row.program, have, row.want)
		}
	}
	for _, bad := range []string{"JUNK", "@nowhere", "-1"} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%q assembles", bad)
				}
			}()
			assemble(bad)
		}()
	}
}
