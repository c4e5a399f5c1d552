package evm

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// A heldPrecompile is a precompiled contract that a Machine can stop before,
// not while, it runs.
type heldPrecompile struct {
	vm.PrecompiledContract
	machine *Machine
	rounds  bool // blake2: the input determines the running time
}

// blake2 is the address of the compression function of EIP-152.
var blake2 = common.Address{19: 9}

// blake2Input is the input length of the function, and maxRounds the limit of
// rounds in one Call. The chain charges one gas per round: 30 million take
// seconds.
const (
	blake2Input = 213
	maxRounds   = 1 << 20
)

// heldPrecompiles are the precompiled contracts of a Machine.
func (m *Machine) heldPrecompiles() vm.PrecompiledContracts {
	held := vm.PrecompiledContracts{}
	for address, p := range vm.ActivePrecompiledContracts(chainRules) {
		held[address] = &heldPrecompile{p, m, address == blake2}
	}
	return held
}

// Run runs the contract unless the Call was stopped. A call that takes too long
// stops the Call.
func (p *heldPrecompile) Run(input []byte) ([]byte, error) {
	if p.machine.cancelled.Load() {
		return nil, ErrCancelled
	}
	if p.rounds && len(input) == blake2Input && binary.BigEndian.Uint32(input) > maxRounds {
		p.machine.evm.Cancel()
		return nil, ErrSlow
	}
	return p.PrecompiledContract.Run(input)
}
