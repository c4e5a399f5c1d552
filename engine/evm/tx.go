package evm

import (
	"encoding/binary"

	"leveret/engine/input"
)

// TxCall returns the message of tx. The Call keeps calldata, which the caller
// built with tx.AppendCalldata.
func TxCall(tx *input.Tx, calldata []byte) Call {
	c := Call{From: tx.From.Address(), To: tx.To, Data: calldata, Value: tx.Value}
	if tx.Function.Forces() {
		c.To = input.Forcer
	}
	return c
}

// makers is the number of block producers, which alternate.
const makers = 4

// After returns the block that follows b after a delay. The coinbase and
// prevrandao are functions of its number.
func (b BlockContext) After(d input.Delay) BlockContext {
	if d.Blocks > 0 {
		b.Number += d.Blocks
		b.Coinbase[0] = byte(b.Number % makers)
		binary.BigEndian.PutUint64(b.Prevrandao[24:], scattered(b.Number))
	}
	b.Timestamp += d.Seconds
	return b
}

// scattered is a pseudo-random function of n (splitmix64).
func scattered(n uint64) uint64 {
	n = (n + 0x9e3779b97f4a7c15) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}
