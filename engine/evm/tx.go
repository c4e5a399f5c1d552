package evm

import "leveret/engine/input"

// TxCall returns the message that tx stands for. It holds calldata, which the
// caller has made with tx.AppendCalldata and owns.
func TxCall(tx *input.Tx, calldata []byte) Call {
	return Call{From: tx.From.Address(), To: tx.To, Data: calldata, Value: tx.Value}
}

// After returns the block that follows b after a delay.
func (b Block) After(d input.Delay) Block {
	b.Number += d.Blocks
	b.Timestamp += d.Seconds
	return b
}
