package shadow

import (
	"leveret/engine/bytecode"
	"leveret/engine/evm"

	"github.com/ethereum/go-ethereum/common"
)

// txConstants are the opcodes with a constant result within a transaction, with
// the bytes that can be nonzero.
var txConstants = map[bytecode.Op]struct {
	kind  Kind
	bytes uint32
}{
	bytecode.ORIGIN:      {FromOrigin, addressBytes},
	bytecode.GASPRICE:    {FromGasPrice, everywhere},
	bytecode.COINBASE:    {FromCoinbase, addressBytes},
	bytecode.TIMESTAMP:   {FromTimestamp, 0xff},
	bytecode.NUMBER:      {FromNumber, 0xff},
	bytecode.PREVRANDAO:  {FromPrevrandao, everywhere},
	bytecode.GASLIMIT:    {FromGasLimit, 0xff},
	bytecode.CHAINID:     {FromChain, everywhere},
	bytecode.BASEFEE:     {FromBaseFee, everywhere},
	bytecode.BLOBBASEFEE: {FromBaseFee, everywhere},
}

// environment mirrors opcodes that read the frame, the transaction, the block
// or an account, and all opcodes without other handling.
func (o *Observer) environment(f *frame, s *evm.Step) {
	if l, ok := txConstants[s.Op]; ok {
		o.txConstant(f, s, l.kind, l.bytes)
		return
	}
	switch s.Op {
	case bytecode.ADDRESS:
		f.push(f.self)
	case bytecode.CALLER:
		f.push(f.caller)
	case bytecode.CALLVALUE:
		f.push(f.value)
	case bytecode.CALLDATASIZE:
		f.push(f.size)
	case bytecode.PC, bytecode.CODESIZE:
		f.answer(&o.g, s, 0, 0)
	case bytecode.MSIZE:
		f.answer(&o.g, s, o.inputs.source(FromMemorySize), 0xff)
	case bytecode.GAS:
		f.answer(&o.g, s, o.inputs.source(FromGas), 0xff)
	case bytecode.RETURNDATASIZE:
		o.returnSize(f, s)
	case bytecode.SELFBALANCE:
		o.inputs.holds(f.answer(&o.g, s, o.balance(s.Frame.Self), everywhere), s.Frame.Self)
	case bytecode.BALANCE:
		account := common.Address(s.Top(0).Bytes20())
		o.inputs.holds(f.about(&o.g, s, o.balance(account), everywhere), account)
	case bytecode.EXTCODESIZE, bytecode.EXTCODEHASH:
		f.about(&o.g, s, o.inputs.of(TaintSource{Kind: FromCode, Address: common.Address(s.Top(0).Bytes20())}), everywhere)
	case bytecode.BLOCKHASH:
		o.asked(f, s, f.about(&o.g, s, o.inputs.source(FromBlockHash), everywhere))
	case bytecode.BLOBHASH:
		f.about(&o.g, s, o.inputs.source(FromChain), everywhere)
	default:
		o.other(f, s)
	}
}

// returnSize mirrors RETURNDATASIZE, which is zero before any call.
func (o *Observer) returnSize(f *frame, s *evm.Step) {
	if f.call.op == 0 {
		f.answer(&o.g, s, 0, 0)
		return
	}
	why, size := o.inputs.shortness(&f.call), f.call.outSize
	if o.Script == (common.Address{}) || !o.g.sets.HasKind(o.g.nodes[size].data, FromScript) {
		f.answer(&o.g, s, why, 0xff)
		return
	}
	f.push(o.g.returnedWord(size, why))
}

// other mirrors an opcode by its effect on the stack height. Unassigned opcodes
// end the frame.
func (o *Observer) other(f *frame, s *evm.Step) {
	info := bytecode.Ops[s.Op]
	if len(f.stack) < int(info.Pops) {
		return
	}
	f.drop(int(info.Pops))
	for range info.Pushes {
		f.answer(&o.g, s, o.inputs.source(FromUnknown), everywhere)
	}
}
