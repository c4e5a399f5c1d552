package evm

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
)

// A MinedTransaction is a transaction as a block of a chain has it.
type MinedTransaction struct {
	Call                           // Gas is its limit; Tx has the prices that it paid
	Authorizations []Authorization // [EIP-7702]
}

// An Authorization lets an account run the code of another one [EIP-7702].
type Authorization = types.SetCodeAuthorization

// A Mined is a transaction with its block.
type Mined struct {
	MinedTransaction
	Block  BlockContext
	Before []MinedTransaction // earlier ones of the block
}

// ErrFunds is the error of a transaction whose sender cannot pay for it.
var ErrFunds = errors.New("the sender has less than the value and the price of the gas limit")

// Apply executes a transaction on w as a chain does: the sender pays for gas, the
// coinbase earns the tip, and the nonce grows. The Outcome's GasUsed is that of the
// transaction, after the refund. One that fails leaves what it paid.
//
// An error says why a block could not have the transaction in this place, or why the
// state could not be read; w is then of no use. Nonces are not checked.
func (m *Machine) Apply(w *World, b BlockContext, t *MinedTransaction) (out Outcome, err error) {
	call := t.Call
	if call.Tx == nil {
		call.Tx = &TxContext{}
	}
	intrinsic, floor := t.intrinsicGas(), m.floorGas(t.Data)
	if t.Gas < max(intrinsic, floor) {
		return out, fmt.Errorf("its gas limit of %d is less than the %d that it costs at least", t.Gas, max(intrinsic, floor))
	}
	if err := pay(w, &call); err != nil {
		return out, cmp.Or(w.err(), err)
	}
	nonce := w.Nonce(t.From)
	if t.Create {
		call.To = crypto.CreateAddress(t.From, nonce)
	} else {
		w.SetNonce(t.From, nonce+1)
	}
	call.AccessList = slices.Clone(t.AccessList)
	refund := uint64(0)
	for i := range t.Authorizations {
		refund += call.authorize(w, b.ChainID, &t.Authorizations[i])
	}
	if target, ok := delegation(w.Code(t.To)); ok && !t.Create {
		call.AccessList = append(call.AccessList, AccessTuple{Address: target})
	}
	call.Gas -= intrinsic
	m.hooks, m.recorder = nil, nil
	m.execute(w, &b, &call, &out)
	if out.Unfinished() || out.Slow {
		return out, out.Halt
	}
	if out.Status == Success {
		out.Logs = m.Logs()
		m.Commit(w)
	} else if t.Create {
		w.SetNonce(t.From, nonce+1)
	}
	used := intrinsic + out.GasUsed
	used = max(used-min(refund+out.Refund, used/params.RefundQuotientEIP3529), floor)
	settle(w, &b, &call, t.Gas-used, used)
	out.GasUsed = used
	return out, w.err()
}

// err returns the first error of the Source; nil if there was none.
func (w *World) err() error {
	if b := backingOf(w.view()); b != nil {
		return b.Err()
	}
	return nil
}

// intrinsicGas returns what a transaction costs before it runs [EIP-2930, EIP-7702].
func (t *MinedTransaction) intrinsicGas() uint64 {
	gas := IntrinsicGas(t.Data, t.Create) + uint64(len(t.Authorizations))*params.CallNewAccountGas
	return gas + uint64(len(t.AccessList))*params.TxAccessListAddressGas + uint64(t.AccessList.StorageKeys())*params.TxAccessListStorageKeyGas
}

// pay takes the price of a transaction's gas and blobs from its sender.
func pay(w *World, c *Call) error {
	price := product(c.Gas, &c.Tx.GasPrice)
	blobs := product(uint64(len(c.Tx.BlobHashes))*params.BlobTxBlobGasPerBlob, &c.Tx.BlobBaseFee)
	price.Add(&price, &blobs)
	balance, needed := w.Balance(c.From), price
	if _, over := needed.AddOverflow(&needed, &c.Value); over || balance.Lt(&needed) {
		return ErrFunds
	}
	balance.Sub(&balance, &price)
	w.SetBalance(c.From, &balance)
	return nil
}

// settle gives the sender back what its gas cost that is left, and the coinbase its
// part of what was used.
func settle(w *World, b *BlockContext, c *Call, left, used uint64) {
	earn(w, c.From, product(left, &c.Tx.GasPrice))
	if c.Tx.GasPrice.Gt(&b.BaseFee) {
		tip := c.Tx.GasPrice
		tip.Sub(&tip, &b.BaseFee)
		earn(w, b.Coinbase, product(used, &tip))
	}
}

func earn(w *World, a common.Address, wei uint256.Int) {
	if wei.IsZero() {
		return
	}
	balance := w.Balance(a)
	balance.Add(&balance, &wei)
	w.SetBalance(a, &balance)
}

func product(n uint64, price *uint256.Int) (wei uint256.Int) {
	wei.SetUint64(n)
	wei.Mul(&wei, price)
	return wei
}

// authorize carries out an authorization and returns the refund for it. One that is
// not valid is passed over.
func (c *Call) authorize(w *World, chain uint64, a *Authorization) (refund uint64) {
	if !a.ChainID.IsZero() && a.ChainID.CmpUint64(chain) != 0 || a.Nonce+1 == 0 {
		return 0
	}
	authority, err := a.Authority()
	if err != nil {
		return 0
	}
	c.AccessList = append(c.AccessList, AccessTuple{Address: authority})
	code := w.Code(authority)
	if _, delegates := delegation(code); code != nil && !delegates || w.Nonce(authority) != a.Nonce {
		return 0
	}
	if w.Exists(authority) {
		refund = params.CallNewAccountGas - params.TxAuthTupleGas
	}
	w.SetNonce(authority, a.Nonce+1)
	if a.Address == (common.Address{}) {
		w.SetCode(authority, nil)
	} else {
		w.SetCode(authority, types.AddressToDelegation(a.Address))
	}
	return refund
}

// delegation returns the account whose code an account runs.
func delegation(code *Code) (common.Address, bool) {
	if code == nil {
		return common.Address{}, false
	}
	return types.ParseDelegation(code.Bytes)
}
