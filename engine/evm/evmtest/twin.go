package evmtest

import (
	"math/rand/v2"

	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
)

// generators make programs, each of another kind.
func generators() []func(r *rand.Rand, depth int) []byte {
	return []func(r *rand.Rand, depth int) []byte{statementProgram, stackProgram, compiledProgram, byteProgram}
}

// AnyProgram returns a random program of any kind.
func AnyProgram(r *rand.Rand) []byte { return anyProgram(r, 0) }

// anyProgram is a program of any kind. Those of one kind call the others.
func anyProgram(r *rand.Rand, depth int) []byte {
	list := generators()
	if n := r.IntN(8); n < len(list) {
		return list[n](r, depth)
	}
	return pick(r, list[:3])(r, depth)
}

// byteProgram is made of random instructions without any order.
func byteProgram(r *rand.Rand, _ int) []byte {
	code := make([]byte, 1+r.IntN(60))
	for i := range code {
		code[i] = byte(r.IntN(256))
		switch r.IntN(3) {
		case 0: // most bytes are no instructions
			code[i] = byte(pick(r, binaryOps))
		case 1:
			code[i] = byte(pick(r, nullaryOps))
		}
	}
	return code
}

// RandomTwin makes a Twin with contracts of random programs of all kinds.
func RandomTwin(r *rand.Rand) (*Twin, error) { return randomTwin(r, anyProgram) }

// randomTwin makes a Twin with contracts of random programs, an account that
// delegates to one, and accounts in the way of creations.
func randomTwin(r *rand.Rand, generate func(r *rand.Rand, depth int) []byte) (*Twin, error) {
	tw, err := NewTwin()
	if err != nil {
		return nil, err
	}
	tw.Set(Alice, 1_000_000, nil)
	tw.Set(Bob, 1_000, nil)
	for i := range contracts {
		addr := ContractAddress(i)
		switch {
		case i == contracts-1 && r.IntN(2) == 0:
			to := ContractAddress(r.IntN(contracts))
			if r.IntN(4) == 0 {
				to = pick(r, pool)
			}
			tw.Set(addr, uint64(r.IntN(20)), types.AddressToDelegation(to))
		case r.IntN(4) == 0:
			tw.Set(addr, uint64(r.IntN(20)), anyProgram(r, 0))
		default:
			tw.Set(addr, uint64(r.IntN(20)), generate(r, 0))
		}
		for key := range r.IntN(3) {
			tw.SetStorage(addr, common.Hash{31: byte(key)}, anyWord(r).Bytes32())
		}
	}
	collide(tw, r)
	return tw, nil
}

// collide puts accounts where contracts create theirs: with wei, with code, or
// with storage.
func collide(tw *Twin, r *rand.Rand) {
	for range r.IntN(4) {
		addr := crypto.CreateAddress(ContractAddress(r.IntN(contracts)), uint64(r.IntN(2)))
		if tw.World.Exists(addr) {
			continue
		}
		switch r.IntN(3) {
		case 0:
			tw.Set(addr, 3, nil)
		case 1:
			tw.Set(addr, 0, []byte{byte(vm.CALLER), byte(vm.SELFDESTRUCT)})
		default:
			tw.Set(addr, 1, nil)
			tw.SetStorage(addr, common.Hash{}, common.Hash{31: 1})
		}
	}
}

// RandomCall returns a Call of a random Twin.
func RandomCall(r *rand.Rand) (evm.BlockContext, evm.Call) {
	data := make([]byte, r.IntN(96))
	for i := range data {
		data[i] = byte(r.IntN(4))
	}
	if r.IntN(2) == 0 {
		data = calldata(r)
	}
	c := evm.Call{From: pick(r, []common.Address{Alice, Bob}), To: pick(r, pool), Data: data}
	if r.IntN(8) > 0 {
		c.To = ContractAddress(r.IntN(contracts))
	}
	if r.IntN(12) == 0 {
		c.Create, c.To, c.Data = true, common.Address{}, deploying(anyProgram(r, 1))
		if r.IntN(4) == 0 {
			c.Data = anyProgram(r, 1)
		}
	}
	c.Value.SetUint64(uint64(max(0, r.IntN(12)-9)))
	if r.IntN(40) == 0 {
		c.Value.SetUint64(1 << 40)
	}
	c.Gas = uint64(20_000 + r.IntN(600_000))
	if r.IntN(8) == 0 {
		c.Gas = uint64(1 + r.IntN(30_000))
	}
	b := evm.BlockContext{Number: uint64(r.IntN(300)), Timestamp: r.Uint64(), GasLimit: evm.DefaultGas, Coinbase: Bob}
	b.Prevrandao[3] = byte(r.IntN(256))
	b.BaseFee.SetUint64(uint64(r.IntN(3)))
	return b, c
}

// calldata is a selector of a compiled program and random words.
func calldata(r *rand.Rand) []byte {
	data := []byte{0, 0, 0, byte(r.IntN(6))}
	for range r.IntN(5) {
		word := anyWord(r).Bytes32()
		data = append(data, word[:]...)
	}
	return data
}

// Choices is a source of random numbers that are the bytes of a fuzzer's input,
// and after them few and small ones.
type Choices struct {
	Bytes []byte
	after rand.PCG
}

// Uint64 implements rand.Source.
func (c *Choices) Uint64() uint64 {
	if len(c.Bytes) == 0 {
		return c.after.Uint64()
	}
	b := c.Bytes[0]
	c.Bytes = c.Bytes[1:]
	// Bounded numbers come from the upper or from the lower bits.
	return uint64(b)<<56 | uint64(b)
}
