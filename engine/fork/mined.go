package fork

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// Transaction returns a transaction of the chain at endpoint, with its block and the
// transactions before it. Those that the chain itself made, not a signature, are left
// out, as in forge. If the cache knows the transaction, it asks nothing.
func (c *Client) Transaction(endpoint string, hash common.Hash) (*evm.Mined, error) {
	e, err := c.endpoint(endpoint)
	if err != nil {
		return nil, err
	}
	cache := c.cacheOf(e)
	m := cache.mined(hash)
	if m == nil {
		if m, err = e.mined(hash); err != nil {
			return nil, err
		}
		cache.keepMined(hash, m)
	}
	return m.mined(e, hash)
}

// A mined is what is kept of a transaction: its block, and the transactions up to it.
type mined struct {
	Header       Header        `json:"header"`
	Parent       common.Hash   `json:"parent"`
	BlobBaseFee  hexutil.U256  `json:"blobBaseFee"`
	Transactions []transaction `json:"transactions"`
}

// A transaction is the part of one that is read.
type transaction struct {
	Hash           common.Hash         `json:"hash"`
	Type           hexutil.Uint64      `json:"type"`
	From           common.Address      `json:"from"`
	To             *common.Address     `json:"to"`
	Gas            hexutil.Uint64      `json:"gas"`
	GasPrice       *hexutil.U256       `json:"gasPrice,omitempty"`             // paid, by most nodes
	MaxFee         *hexutil.U256       `json:"maxFeePerGas,omitempty"`         // [EIP-1559]
	MaxTip         *hexutil.U256       `json:"maxPriorityFeePerGas,omitempty"` // [EIP-1559]
	Value          hexutil.U256        `json:"value"`
	Input          hexutil.Bytes       `json:"input"`
	AccessList     evm.AccessList      `json:"accessList,omitempty"`
	BlobHashes     []common.Hash       `json:"blobVersionedHashes,omitempty"`
	Authorizations []evm.Authorization `json:"authorizationList,omitempty"`
}

// Types of transactions.
const (
	blobType    = 3    // [EIP-4844]
	newestType  = 4    // [EIP-7702]
	depositType = 0x7e // of chains of the OP stack, made by the chain
)

// systemSenders are accounts for which chains make transactions.
var systemSenders = []common.Address{
	common.HexToAddress("0x00000000000000000000000000000000000A4B05"), // Arbitrum
	common.HexToAddress("0xDeaDDEaDDeAdDeAdDEAdDEaddeAddEAdDEAd0001"), // OP stack
}

// isSystem reports whether the chain made a transaction.
func (t *transaction) isSystem() bool {
	return t.Type == depositType || slices.Contains(systemSenders, t.From)
}

// price returns what a unit of gas cost.
func (t *transaction) price(base *uint256.Int) uint256.Int {
	if t.MaxFee == nil || t.MaxTip == nil {
		if t.GasPrice == nil {
			return uint256.Int{}
		}
		return uint256.Int(*t.GasPrice)
	}
	price := uint256.Int(*t.MaxTip)
	if _, over := price.AddOverflow(&price, base); over || price.Gt((*uint256.Int)(t.MaxFee)) {
		return uint256.Int(*t.MaxFee)
	}
	return price
}

// mined returns what executes a transaction.
func (m *mined) mined(e *endpoint, hash common.Hash) (*evm.Mined, error) {
	made := &evm.Mined{Block: m.Header.Block()}
	for i := range m.Transactions {
		t := &m.Transactions[i]
		if t.Hash != hash && t.isSystem() {
			continue
		}
		if t.Type > newestType {
			return nil, fmt.Errorf("transaction %v of block %d of %s has the type %d, which only its chain can execute", t.Hash, m.Header.Number, e.host, uint64(t.Type))
		}
		x := evm.MinedTransaction{Authorizations: t.Authorizations}
		x.From, x.Data, x.Value, x.Gas, x.AccessList = t.From, t.Input, uint256.Int(t.Value), uint64(t.Gas), t.AccessList
		x.Tx = &evm.TxContext{GasPrice: t.price(&m.Header.BaseFee), BlobBaseFee: uint256.Int(m.BlobBaseFee), BlobHashes: t.BlobHashes}
		if x.Create = t.To == nil; !x.Create {
			x.To = *t.To
		}
		if t.Hash == hash {
			made.MinedTransaction = x
			return made, nil
		}
		made.Before = append(made.Before, x)
	}
	return nil, errors.New("the transaction is not in its block")
}

// mined asks for a transaction and its block.
func (e *endpoint) mined(hash common.Hash) (*mined, error) {
	var where *struct {
		Hash  common.Hash     `json:"hash"`
		Block *hexutil.Uint64 `json:"blockNumber"`
	}
	if err := e.ask(question{Method: "eth_getTransactionByHash", Args: []any{hash}, Result: &where}); err != nil {
		return nil, err
	}
	switch {
	case where == nil:
		return nil, fmt.Errorf("%s has no transaction %v; check the hash, and that the endpoint is one of its chain", e.host, hash)
	case where.Block == nil:
		return nil, fmt.Errorf("transaction %v is not in a block of %s yet", hash, e.host)
	case where.Hash != hash:
		return nil, e.malformed("eth_getTransactionByHash", "another transaction")
	}
	number := uint64(*where.Block)
	var b *struct {
		block
		Parent       common.Hash   `json:"parentHash"`
		Transactions []transaction `json:"transactions"`
	}
	var chain hexutil.Uint64
	err := e.ask(
		question{Method: "eth_chainId", Result: &chain},
		question{Method: "eth_getBlockByNumber", Args: []any{hexutil.Uint64(number), true}, Result: &b},
	)
	switch {
	case err != nil:
		return nil, err
	case b == nil:
		return nil, e.malformed("eth_getBlockByNumber", "no block")
	}
	if err := e.checkBlock(&b.block, &number); err != nil {
		return nil, err
	}
	at := slices.IndexFunc(b.Transactions, func(t transaction) bool { return t.Hash == hash })
	if at < 0 {
		return nil, e.malformed("eth_getBlockByNumber", fmt.Sprintf("a block without its transaction %v", hash))
	}
	m := &mined{Header: b.header(uint64(chain)), Parent: b.Parent, Transactions: b.Transactions[:at+1]}
	if slices.ContainsFunc(m.Transactions, func(t transaction) bool { return t.Type == blobType }) {
		m.BlobBaseFee, err = e.blobBaseFee(number)
	}
	return m, err
}

// blobBaseFee returns the price of a unit of blob gas in a block.
func (e *endpoint) blobBaseFee(number uint64) (hexutil.U256, error) {
	var fees struct {
		Blob []hexutil.U256 `json:"baseFeePerBlobGas"`
	}
	if err := e.ask(question{Method: "eth_feeHistory", Args: []any{hexutil.Uint64(1), hexutil.Uint64(number), []float64{}}, Result: &fees}); err != nil {
		return hexutil.U256{}, err
	}
	if len(fees.Blob) == 0 {
		return hexutil.U256{}, e.malformed("eth_feeHistory", "no price of blobs")
	}
	return fees.Blob[0], nil
}

// minedFile returns the file of a transaction at the endpoint.
func (c *cache) minedFile(hash common.Hash) string {
	return filepath.Join(filepath.Dir(c.index), "transactions", filepath.Base(c.index), fmt.Sprintf("%x", hash))
}

// mined returns what is kept of a transaction; nil if nothing is, or if the chain was
// reorganised since.
func (c *cache) mined(hash common.Hash) *mined {
	m := &mined{}
	if c == nil || !readSealed(c.minedFile(hash), m) {
		return nil
	}
	if name, known := c.blocks()[m.Header.Number-1]; known && name.Hash != m.Parent {
		return nil
	}
	return m
}

// keepMined keeps a transaction; if it cannot, the next run asks again.
func (c *cache) keepMined(hash common.Hash, m *mined) {
	if c != nil {
		_ = writeSealed(c.minedFile(hash), m)
	}
}
