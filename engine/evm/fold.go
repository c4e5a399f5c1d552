package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/holiman/uint256"
)

// foldable gives the number of words that an opcode takes, for those whose
// result depends on nothing else.
var foldable = [256]int{
	vm.ADD: 2, vm.MUL: 2, vm.SUB: 2, vm.DIV: 2, vm.SDIV: 2, vm.MOD: 2, vm.SMOD: 2,
	vm.ADDMOD: 3, vm.MULMOD: 3, vm.EXP: 2, vm.SIGNEXTEND: 2,
	vm.LT: 2, vm.GT: 2, vm.SLT: 2, vm.SGT: 2, vm.EQ: 2, vm.ISZERO: 1,
	vm.AND: 2, vm.OR: 2, vm.XOR: 2, vm.NOT: 1, vm.BYTE: 2,
	vm.SHL: 2, vm.SHR: 2, vm.SAR: 2, vm.CLZ: 1,
}

// A Folder computes what an instruction leaves on the stack for constant
// words, by running it on go-ethereum's interpreter. It belongs to one
// goroutine.
type Folder struct {
	evm     *vm.EVM
	program []byte
}

// NewFolder returns a Folder.
func NewFolder() *Folder {
	context := newBlockContext()
	return &Folder{evm: vm.NewEVM(context, new(overlay), chainConfig, vm.Config{})}
}

// Folds tells whether Fold knows op, and how many words it takes.
func Folds(op byte) (words int, ok bool) { return foldable[op], foldable[op] > 0 }

// Fold runs op on args, of which the first is the top of the stack. It
// reports false for an opcode that does more than compute, or if the number
// of args is wrong.
func (f *Folder) Fold(op byte, args ...uint256.Int) (result uint256.Int, ok bool) {
	if n, known := Folds(op); !known || n != len(args) {
		return result, false
	}
	f.program = f.program[:0]
	for i := len(args) - 1; i >= 0; i-- {
		word := args[i].Bytes32()
		f.program = append(append(f.program, byte(vm.PUSH32)), word[:]...)
	}
	f.program = append(f.program, op, byte(vm.PUSH0), byte(vm.MSTORE), byte(vm.PUSH1), 32, byte(vm.PUSH0), byte(vm.RETURN))
	contract := vm.NewContract(common.Address{}, common.Address{}, new(uint256.Int), vm.NewGasBudget(1<<20, 0), nil)
	contract.SetCallCode(common.Hash{}, f.program)
	ret, err := f.evm.Run(contract, nil, true)
	if err != nil {
		panic("evm: a program of constants failed: " + err.Error())
	}
	result.SetBytes(ret)
	return result, true
}
