package evm

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A Fork is a hard fork whose rules a Machine follows.
type Fork uint8

// The forks, newest first. Of London there is what it has in common with Paris.
const (
	Osaka Fork = iota
	Prague
	Cancun
	Shanghai
	London
	forks
)

// String returns the name of a fork.
func (f Fork) String() string {
	return [...]string{"Osaka", "Prague", "Cancun", "Shanghai", "London"}[f]
}

// newestOpcodes are the opcodes that each fork has.
var newestOpcodes = [forks]bytecode.Fork{Osaka: bytecode.Osaka, Prague: bytecode.Cancun, Cancun: bytecode.Cancun, Shanghai: bytecode.Shanghai, London: bytecode.London}

// A Chain says what a Machine executes in. The zero value has the
// newest rules and transactions that cost nothing.
type Chain struct {
	Fork      Fork
	Limits    bool                     // limits on the size of code [EIP-170] and creation code [EIP-3860]
	BlockHash func(uint64) common.Hash // hash of a block; nil: the function BlockHash
	Unbounded bool                     // no limit on the rounds of one blake2
	Delegates bool                     // accounts delegate to others before Prague, too [revm]
	GasPrice  uint256.Int              // in wei, of Calls without a Tx
	Endowed   bool                     // the ether of Calls is new: the sender keeps its own [Echidna]
}

// delegates reports whether code can name another account [EIP-7702].
func (c *Chain) delegates() bool { return c.Fork <= Prague || c.Delegates }

// rules are go-ethereum's rules of a fork, for its precompiles.
func (f Fork) rules() params.Rules {
	rules := chainRules
	rules.IsOsaka = f == Osaka
	rules.IsPrague = f <= Prague
	rules.IsCancun = f <= Cancun
	return rules
}

// defines reports whether an opcode has an instruction that does not halt.
func (f Fork) defines(op byte) bool {
	return bytecode.Ops[op].Name != "" && op != bytecode.INVALID && bytecode.Ops[op].Fork <= newestOpcodes[f]
}

// precompiles are the precompiled contracts of each fork, by the number in their
// address.
var precompiles = func() (all [forks][1 << 9]vm.PrecompiledContract) {
	for fork := range forks {
		for address, contract := range vm.ActivePrecompiledContracts(fork.rules()) {
			all[fork][binary.BigEndian.Uint16(address[18:])] = contract
		}
	}
	return all
}()

// precompile returns the precompiled contract at addr; nil if there is none.
func (f Fork) precompile(addr *common.Address) vm.PrecompiledContract {
	if binary.BigEndian.Uint64(addr[:]) != 0 || binary.BigEndian.Uint64(addr[8:]) != 0 {
		return nil
	}
	if n := binary.BigEndian.Uint32(addr[16:]); n < uint32(len(precompiles[f])) {
		return precompiles[f][n]
	}
	return nil
}
