package evm

import "github.com/ethereum/go-ethereum/common"

// setNonce sets an account's nonce, creating it if need be.
func (w *World) setNonce(addr common.Address, nonce uint64) {
	w.change(addr, func(r *record) { r.nonce = nonce })
}

// list returns the Codes in the order of their IDs.
func (c *Codes) list() []*Code {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[:len(c.all):len(c.all)]
}
