package evm

import (
	"encoding/binary"

	"leveret/engine/input"
)

// TxCall returns the message that tx stands for. It holds calldata, which the
// caller has made with tx.AppendCalldata and owns.
func TxCall(tx *input.Tx, calldata []byte) Call {
	return Call{From: tx.From.Address(), To: tx.To, Data: calldata, Value: tx.Value}
}

// makers is how many make blocks by turns.
const makers = 4

// After returns the block that follows b after a delay. Another block has
// another maker and other randomness, always the same for its number.
func (b BlockContext) After(d input.Delay) BlockContext {
	if d.Blocks > 0 {
		b.Number += d.Blocks
		b.Coinbase[0] = byte(b.Number % makers)
		binary.BigEndian.PutUint64(b.Prevrandao[24:], scattered(b.Number))
	}
	b.Timestamp += d.Seconds
	return b
}

// scattered is a number that has nothing to do with n (splitmix64).
func scattered(n uint64) uint64 {
	n = (n + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
