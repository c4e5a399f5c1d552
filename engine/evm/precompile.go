package evm

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// A heldPrecompile is a precompiled contract that a Machine can stop before it
// runs: a call of one cannot be stopped while it does.
type heldPrecompile struct {
	vm.PrecompiledContract
	machine *Machine
	rounds  bool // it is blake2: the input says how long it takes
}

// blake2 is the address of the compression function of EIP-152.
var blake2 = common.Address{19: 9}

// blake2Input is the length of what the function takes, and maxRounds how many
// rounds a Call may ask for at once. The chain charges one unit of gas for each:
// 30 million take seconds.
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

// Run runs the contract unless the Call was stopped; a call that takes too long
// stops it.
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
