package evmtest

import (
	"fmt"
	"math/rand/v2"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// A Scenario makes accounts and Calls from a random source and checks them.
type Scenario struct {
	Name   string
	Weight int // share of the Calls of Run
	Run    func(c *Checker, r *rand.Rand) error
}

// Scenarios returns all of them.
func Scenarios() []Scenario {
	return []Scenario{
		{"statements", 40, func(c *Checker, r *rand.Rand) error { return c.sequences(r, statementProgram) }},
		{"stack", 40, func(c *Checker, r *rand.Rand) error { return c.sequences(r, stackProgram) }},
		{"compiled", 40, func(c *Checker, r *rand.Rand) error { return c.sequences(r, compiledProgram) }},
		{"bytes", 10, func(c *Checker, r *rand.Rand) error { return c.sequences(r, byteProgram) }},
		{"operations", 20, (*Checker).operations},
		{"gas", 40, (*Checker).everyGas},
		{"depth", 1, (*Checker).depth},
	}
}

// Run checks at least n Calls of Scenarios in proportion to their weights. The
// same seed checks the same Calls.
func (c *Checker) Run(n int, seed uint64) error {
	end := c.Calls + n
	var spent [16]int
	for round := uint64(0); c.Calls < end; round++ {
		next := 0
		list := Scenarios()
		for i, s := range list {
			if spent[i]*list[next].Weight < spent[next]*s.Weight {
				next = i
			}
		}
		before := c.Calls
		if err := c.Round(list[next], seed, round); err != nil {
			return err
		}
		spent[next] += c.Calls - before
	}
	return nil
}

// Round runs a Scenario once.
func (c *Checker) Round(s Scenario, seed, round uint64) error {
	if err := s.Run(c, rand.New(rand.NewPCG(seed, round))); err != nil {
		return fmt.Errorf("%s, seed %d, round %d: %w", s.Name, seed, round, err)
	}
	return nil
}

// sequences executes Calls one after the other. Forks are taken and left at
// random, so a change that shows through a Fork is a difference too.
func (c *Checker) sequences(r *rand.Rand, generate func(*rand.Rand, int) []byte) error {
	first, err := randomTwin(r, generate)
	if err != nil {
		return err
	}
	kept := []*Twin{first}
	for range 25 {
		tw := pick(r, kept)
		if len(kept) < 5 && r.IntN(4) == 0 {
			tw = tw.Fork()
			kept = append(kept, tw)
		}
		b, call := RandomCall(r)
		if _, err := c.Call(tw, b, call); err != nil {
			return err
		}
	}
	for _, tw := range kept {
		if err := tw.Reference.Compare(tw.World); err != nil {
			return fmt.Errorf("a Fork that was not used: %w", err)
		}
	}
	return nil
}

// everyGas executes Calls with each amount of gas up to what they use, so that
// they run out of it at each of their instructions, or with amounts in that
// range where there are too many.
func (c *Checker) everyGas(r *rand.Rand) error {
	tw, err := randomTwin(r, pick(r, generators()[:3]))
	if err != nil {
		return err
	}
	for range 3 {
		b, call := RandomCall(r)
		call.Gas = 300_000
		out, err := c.Call(tw.Fork(), b, call)
		// A Call that halts leaves nothing to compare.
		for tries := 0; err == nil && out.Status == evm.Halt && tries < 8; tries++ {
			b, call = RandomCall(r)
			call.Gas = 300_000
			out, err = c.Call(tw.Fork(), b, call)
		}
		if err != nil {
			return err
		}
		step := 1 + out.GasUsed/150
		if r.IntN(2) == 0 && out.GasUsed > 150 { // the last ones, one by one
			call.Gas, step = out.GasUsed-min(out.GasUsed-1, uint64(r.IntN(2_000))), 1
		} else {
			call.Gas = 1 + r.Uint64N(step)
		}
		for range 152 {
			if call.Gas > out.GasUsed+1 {
				break
			}
			if _, err := c.Call(tw.Fork(), b, call); err != nil {
				return err
			}
			call.Gas += step
		}
	}
	return nil
}

// depth recurses to the limit, by calls or by creations.
func (c *Checker) depth(r *rand.Rand) error {
	tw, err := NewTwin()
	if err != nil {
		return err
	}
	p := &program{r: r}
	p.small()
	p.op(vm.POP)
	switch op := pick(r, []vm.OpCode{vm.CALL, vm.CALLCODE, vm.DELEGATECALL, vm.STATICCALL, vm.CREATE, vm.CREATE2}); op {
	case vm.CREATE, vm.CREATE2: // itself as creation code
		p.op(vm.CODESIZE, vm.PUSH0, vm.PUSH0, vm.CODECOPY)
		if op == vm.CREATE2 {
			p.small()
		}
		p.op(vm.CODESIZE, vm.PUSH0, vm.PUSH0, op)
	default:
		p.op(vm.PUSH0, vm.PUSH0, vm.PUSH0, vm.PUSH0)
		if op == vm.CALL || op == vm.CALLCODE {
			p.op(vm.PUSH0)
		}
		p.op(vm.ADDRESS, vm.GAS, op)
	}
	p.op(vm.PUSH0, vm.MSTORE, vm.MSIZE, vm.PUSH0, pick(r, []vm.OpCode{vm.RETURN, vm.REVERT, vm.STOP, vm.INVALID}))
	tw.Set(Alice, 0, nil)
	tw.Set(Here, 0, p.finish())
	call := evm.Call{From: Alice, To: Here, Gas: 1 << pick(r, []uint{14, 20, 24, 40})}
	_, err = c.Call(tw, evm.BlockContext{Number: 1, Coinbase: common.Address{1}}, call)
	return err
}

// operations applies one operation to edges in all the forms that a compiler of
// blocks may treat on their own: each operand a constant or not, and the result
// as a condition.
func (c *Checker) operations(r *rand.Rand) error {
	op, operands := anyOperation(r)
	tw, err := NewTwin()
	if err != nil {
		return err
	}
	p := &program{r: r}
	at := uint64(0)
	var data []byte
	for range 24 {
		for range operands {
			word := anyWord(r)
			if bytes := word.Bytes32(); r.IntN(2) == 0 {
				p.push(uint64(len(data)))
				p.op(vm.CALLDATALOAD)
				data = append(data, bytes[:]...)
			} else {
				p.word(word)
			}
		}
		p.op(op, vm.DUP1)
		if r.IntN(2) == 0 {
			p.op(vm.ISZERO)
		}
		p.skip(func() { p.op(vm.NOT) })
		p.push(at)
		p.op(vm.MSTORE)
		at += 32
	}
	p.push(at)
	p.op(vm.PUSH0, vm.RETURN)
	tw.Set(Alice, 0, nil)
	tw.Set(Here, 0, p.finish())
	for range 4 {
		call := evm.Call{From: Alice, To: Here, Data: data, Gas: 100_000}
		if _, err := c.Call(tw, evm.BlockContext{Number: 1}, call); err != nil {
			return err
		}
		r.Shuffle(len(data)/32, func(i, j int) {
			for k := range 32 {
				data[32*i+k], data[32*j+k] = data[32*j+k], data[32*i+k]
			}
		})
	}
	return nil
}

// anyOperation returns an operation without effects and how many words it
// needs.
func anyOperation(r *rand.Rand) (vm.OpCode, int) {
	n := r.IntN(len(unaryOps) + len(binaryOps) + len(ternaryOps))
	switch {
	case n < len(unaryOps):
		return unaryOps[n], 1
	case n < len(unaryOps)+len(binaryOps):
		return binaryOps[n-len(unaryOps)], 2
	}
	return ternaryOps[n-len(unaryOps)-len(binaryOps)], 3
}
