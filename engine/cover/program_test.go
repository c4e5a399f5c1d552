package cover

import (
	"encoding/binary"
	"math/rand/v2"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
	"leveret/engine/shadow"
)

var (
	sender = common.HexToAddress("0x5e4d00000000000000000000000000000000005e")
	first  = common.HexToAddress("0xc0de01")
	second = common.HexToAddress("0xc0de02")
)

// An assembly is bytecode under construction.
type assembly []byte

func (a *assembly) op(ops ...byte) *assembly {
	*a = append(*a, ops...)
	return a
}

func (a *assembly) push(n uint64) *assembly {
	*a = binary.BigEndian.AppendUint64(append(*a, bytecode.PUSH1+7), n)
	return a
}

// argument pushes the nth word of the calldata.
func (a *assembly) argument(n int) *assembly {
	return a.push(uint64(32 * n)).op(bytecode.CALLDATALOAD)
}

// jumpi jumps to what the returned function, called later, puts there.
func (a *assembly) jumpi() (land func()) {
	a.op(bytecode.PUSH1+1, 0, 0)
	at := len(*a) - 2
	a.op(bytecode.JUMPI)
	return func() {
		binary.BigEndian.PutUint16((*a)[at:], uint16(len(*a)))
		a.op(bytecode.JUMPDEST)
	}
}

// call calls an account with a word as calldata that is on the stack.
func (a *assembly) call(to common.Address) *assembly {
	a.push(0).op(bytecode.MSTORE)
	a.push(0).push(0).push(32).push(0).push(0)
	a.op(append([]byte{bytecode.PUSH1 + 19}, to[:]...)...)
	return a.op(bytecode.GAS, bytecode.CALL)
}

// loop runs as often as the first argument says.
func loop() []byte {
	a := &assembly{}
	a.argument(0)
	start := uint64(len(*a))
	a.op(bytecode.JUMPDEST, bytecode.DUP1, bytecode.ISZERO)
	end := a.jumpi()
	a.push(1).op(bytecode.SWAP1, bytecode.SUB)
	a.push(start).op(bytecode.JUMP)
	end()
	return *a
}

// A lab runs bytecode before a Recorder.
type lab struct {
	m        *Map
	world    *evm.World
	machine  *evm.Machine
	recorder *Recorder
}

// newLab puts codes at first, second and so on.
func newLab(codes ...[]byte) *lab {
	l := &lab{m: NewMap(), world: evm.NewWorld(evm.NewCodes()), machine: evm.NewMachine()}
	for i, code := range codes {
		l.world.SetCode([]common.Address{first, second}[i], code)
	}
	l.world.SetBalance(sender, uint256.NewInt(1e18))
	l.recorder = NewRecorder(l.m, func(*evm.Code) bool { return true })
	return l
}

// run calls first, on a copy of the World.
func (l *lab) run(args ...uint256.Int) (*Run, evm.Outcome) {
	out := l.machine.Record(l.world.Fork(), evm.BlockContext{Number: 1}, l.call(args), l.recorder)
	return l.recorder.Finish(out.Status), out
}

func (l *lab) execute(h *evm.Hooks, args []uint256.Int) evm.Outcome {
	return l.machine.Execute(l.world.Fork(), evm.BlockContext{Number: 1}, l.call(args), h)
}

func (l *lab) call(args []uint256.Int) evm.Call {
	var data []byte
	for _, a := range args {
		word := a.Bytes32()
		data = append(data, word[:]...)
	}
	return evm.Call{From: sender, To: first, Data: data, Gas: 5_000_000}
}

// learn shows the Map what the shadow tier sees of a call, and the Recorder the
// Map.
func (l *lab) learn(args ...uint256.Int) []shadow.Decision {
	l.run(args...)
	o := shadow.New(shadow.NewState())
	l.execute(o.Hooks(), args)
	var pointers []*shadow.Decision
	for i := range o.Branches {
		pointers = append(pointers, &o.Branches[i])
	}
	l.m.Learn(pointers)
	l.run(args...)
	return o.Branches
}

func (l *lab) code() *evm.Code { return l.world.Code(first) }

func numbers(list ...uint64) (out []uint256.Int) {
	for _, n := range list {
		out = append(out, *uint256.NewInt(n))
	}
	return out
}

// arguments are how many words random programs look at.
const arguments = 4

// randomProgram makes a program of conditional jumps, forwards and in short
// loops, on trees of comparisons of arguments, constants and storage.
func randomProgram(r *rand.Rand, statements int) []byte {
	a := &assembly{}
	a.statements(r, statements)
	return *a.op(bytecode.STOP)
}

func (a *assembly) statements(r *rand.Rand, n int) {
	for range n {
		switch r.IntN(6) {
		case 0: // a write
			a.operand(r)
			a.push(r.Uint64N(4)).op(bytecode.SSTORE)
		case 1: // a loop of up to seven rounds
			a.argument(r.IntN(arguments)).push(7).op(bytecode.AND)
			start := uint64(len(*a))
			a.op(bytecode.JUMPDEST, bytecode.DUP1, bytecode.ISZERO)
			end := a.jumpi()
			if n > 1 {
				a.statements(r, 1)
			}
			a.push(1).op(bytecode.SWAP1, bytecode.SUB)
			a.push(start).op(bytecode.JUMP)
			end()
			a.op(bytecode.POP)
		default:
			a.condition(r, 2)
			land := a.jumpi()
			if n > 1 {
				a.statements(r, n/2)
			}
			land()
		}
	}
}

var compares = []byte{bytecode.LT, bytecode.GT, bytecode.SLT, bytecode.SGT, bytecode.EQ, bytecode.SUB}

func (a *assembly) condition(r *rand.Rand, depth int) {
	switch r.IntN(6) {
	case 0, 1:
		if depth > 0 {
			a.condition(r, depth-1)
			a.op(bytecode.ISZERO)
			a.condition(r, depth-1)
			a.op(bytecode.ISZERO, []byte{bytecode.AND, bytecode.OR}[r.IntN(2)])
			return
		}
		fallthrough
	case 2:
		a.operand(r)
		a.op(bytecode.ISZERO)
	default:
		a.operand(r)
		a.operand(r)
		a.op(compares[r.IntN(len(compares))])
	}
}

func (a *assembly) operand(r *rand.Rand) {
	switch r.IntN(5) {
	case 0:
		a.push(r.Uint64N(6))
	case 1:
		a.push(r.Uint64N(4)).op(bytecode.SLOAD)
	default:
		a.argument(r.IntN(arguments))
	}
}

func randomArguments(r *rand.Rand) (args []uint256.Int) {
	for range arguments {
		if r.IntN(2) == 0 {
			args = append(args, *uint256.NewInt(r.Uint64N(8)))
		} else {
			args = append(args, operand(r))
		}
	}
	return args
}
