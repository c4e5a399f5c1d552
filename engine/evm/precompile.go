package evm

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// blake2 is the address of the compression function of EIP-152.
var blake2 = common.Address{19: 9}

// blake2Input is the input length of the function, and maxRounds the limit of
// rounds in one Call. The chain charges one gas per round: 30 million take
// seconds.
const (
	blake2Input = 213
	maxRounds   = 1 << 20
)

// runPrecompile runs a precompiled contract. A Call is stopped before it, not
// while it runs; one that takes too long stops the Call.
func (m *Machine) runPrecompile(p vm.PrecompiledContract, addr *common.Address, data []byte, gas uint64) (output []byte, left uint64, err error) {
	cost := p.RequiredGas(data)
	if gas < cost {
		return nil, gas, ErrOutOfGas
	}
	gas -= cost
	if err = m.workSlow(cost); err != nil {
		return nil, gas, err
	}
	if m.cancelled.Load() {
		return nil, gas, ErrCancelled
	}
	if *addr == blake2 && len(data) == blake2Input && binary.BigEndian.Uint32(data) > maxRounds && !m.Chain.Unbounded {
		return nil, gas, ErrSlow
	}
	if cost < cachedCost {
		output, err = p.Run(data)
	} else {
		output, err = m.results.run(p, addr, data)
	}
	return output, gas, err
}

// A resultCache remembers what expensive precompiled contracts returned: inputs
// vary few of the signatures that they check.
type resultCache map[string]precompiled

// A precompiled is a result. The output does not change.
type precompiled struct {
	output []byte
	err    error
}

// Limits of a resultCache. The cheapest cached contract is ecrecover.
const (
	cachedCost    = 3_000
	cachedInput   = 512
	cachedResults = 1 << 10
)

// run returns the result of a contract, whose address is short.
func (c *resultCache) run(p vm.PrecompiledContract, addr *common.Address, data []byte) ([]byte, error) {
	if len(data) > cachedInput {
		return p.Run(data)
	}
	var buffer [cachedInput + 2]byte
	key := append(append(buffer[:0], addr[18:]...), data...)
	if known, ok := (*c)[string(key)]; ok {
		return known.output, known.err
	}
	output, err := p.Run(data)
	if *c == nil || len(*c) >= cachedResults {
		*c = resultCache{}
	}
	(*c)[string(key)] = precompiled{output, err}
	return output, err
}

// HasPrecompile reports whether a precompiled contract is at an address.
func (f Fork) HasPrecompile(a common.Address) bool { return f.precompile(&a) != nil }
