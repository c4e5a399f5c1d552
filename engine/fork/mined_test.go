package fork_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/fork"
	"leveret/engine/fork/forktest"
)

// transaction returns a transaction of alice as JSON-RPC gives it.
func transaction(n byte, change map[string]any) map[string]any {
	tx := map[string]any{
		"hash": common.Hash{31: n}.Hex(), "type": "0x0", "from": alice, "to": token, "gas": "0x5208", "gasPrice": "0xb", "value": "0x2", "input": "0x0102",
	}
	for k, v := range change {
		tx[k] = v
	}
	return tx
}

// minedChain has a block with transactions of all types.
func minedChain() *forktest.Chain {
	c := chain()
	c.Blocks = map[hexutil.Uint64][]map[string]any{300: {
		transaction(1, map[string]any{"type": "0x7e", "gasPrice": "0x0", "from": common.Address{7}}),
		transaction(2, nil),
		transaction(3, map[string]any{"type": "0x1", "to": nil, "accessList": []any{map[string]any{"address": token, "storageKeys": []common.Hash{key}}}}),
		transaction(4, map[string]any{"type": "0x2", "gasPrice": "0x64", "maxFeePerGas": "0x64", "maxPriorityFeePerGas": "0x1"}),
		transaction(5, map[string]any{"type": "0x3", "maxFeePerGas": "0xa", "maxPriorityFeePerGas": "0x64", "blobVersionedHashes": []common.Hash{{1}}}),
		transaction(6, map[string]any{"type": "0x4", "authorizationList": []any{map[string]any{
			"chainId": "0xa", "address": token, "nonce": "0x3", "yParity": "0x1", "r": "0x1", "s": "0x2",
		}}}),
		transaction(7, map[string]any{"type": "0x66"}),
		transaction(8, nil),
	}}
	return c
}

func TestTransactions(t *testing.T) {
	s, o := serve(t, minedChain())
	first := newClient(t, o)
	check := func(c *fork.Client) {
		t.Helper()
		m, err := c.Transaction(endpoint, common.Hash{31: 6})
		if err != nil {
			t.Fatal(err)
		}
		if m.Block.Number != 300 || m.Block.ChainID != 10 || len(m.Before) != 4 {
			t.Fatalf("%+v", m)
		}
		all := append(m.Before, m.MinedTransaction)
		for i, want := range []uint64{11, 11, 10, 10, 11} {
			x := all[i]
			if x.Tx.GasPrice != *uint256.NewInt(want) || x.From != alice || x.Gas != 21_000 || x.Value.Uint64() != 2 || len(x.Data) != 2 || x.Create != (i == 1) {
				t.Errorf("transaction %d: %+v with %+v", i, x, x.Tx)
			}
		}
		if list := all[1].AccessList; len(list) != 1 || list[0].Address != token || list[0].StorageKeys[0] != key {
			t.Errorf("access list %v", list)
		}
		if tx := all[3].Tx; len(tx.BlobHashes) != 1 || tx.BlobBaseFee.Uint64() != 3 {
			t.Errorf("blobs %+v", tx)
		}
		if a := m.Authorizations; len(a) != 1 || a[0].Address != token || a[0].Nonce != 3 || a[0].R.Uint64() != 1 {
			t.Errorf("authorizations %+v", a)
		}
	}
	check(first)
	asked := s.Requests()
	o.Transport = proxy(t, http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }))
	check(newClient(t, o)) // offline
	if s.Requests() != asked {
		t.Errorf("%d more requests", s.Requests()-asked)
	}
	for hash, want := range map[common.Hash]string{
		{31: 9}: "http://rpc.test:8545 has no transaction 0x0000000000000000000000000000000000000000000000000000000000000009; check the hash",
		{31: 8}: "0x0000000000000000000000000000000000000000000000000000000000000007 of block 300 of http://rpc.test:8545 has the type 102, which only its chain can execute",
	} {
		_, err := first.Transaction(endpoint, hash)
		checkSecret(t, err)
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// A transaction is asked for again after a reorganisation of the chain.
func TestTransactionsOfReorganisedChains(t *testing.T) {
	_, o := serve(t, minedChain())
	if _, err := newClient(t, o).Transaction(endpoint, common.Hash{31: 2}); err != nil {
		t.Fatal(err)
	}
	other := minedChain()
	other.Salt = "other"
	other.Blocks[301] = other.Blocks[300]
	delete(other.Blocks, 300)
	o.Transport = proxy(t, forktest.New(other))
	c := newClient(t, o)
	f, err := c.Open(endpoint, block(299))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Account(token); err != nil {
		t.Fatal(err)
	}
	c.Close()
	m, err := newClient(t, o).Transaction(endpoint, common.Hash{31: 2})
	if err != nil || m.Block.Number != 301 {
		t.Errorf("%+v, %v", m, err)
	}
}

// TestAnvilTransactions executes the transactions of a block of a real node again, and
// compares what they lead to with its state.
func TestAnvilTransactions(t *testing.T) {
	address := anvil(t)
	node, err := rpc.Dial(address)
	if err != nil {
		t.Fatal(err)
	}
	defer node.Close()
	tell := func(result any, method string, args ...any) {
		t.Helper()
		if err := node.Call(result, method, args...); err != nil {
			t.Fatalf("%s: %v", method, err)
		}
	}
	var rich []common.Address
	tell(&rich, "eth_accounts")
	miner := common.HexToAddress("0xc01")
	tell(nil, "anvil_setCoinbase", miner)
	tell(nil, "anvil_setCode", token, "0x5f355f55"+"43600155"+"3a600255"+"48600355"+"00") // the argument, NUMBER, GASPRICE, BASEFEE
	tell(nil, "anvil_setCode", alice, "0x5ffd")
	tell(nil, "evm_setAutomine", false)
	var hashes []common.Hash
	for i, tx := range []map[string]any{
		{"to": token, "data": common.Hash{31: 5}},
		{"to": alice}, // fails
		{"data": "0x60015ff3", "value": "0x7"},
		{"to": token, "data": common.Hash{31: 6}, "accessList": []any{map[string]any{"address": token, "storageKeys": []common.Hash{{}}}}},
		{"to": rich[5], "value": "0x1234"},
	} {
		tx["from"], tx["gas"], tx["maxFeePerGas"], tx["maxPriorityFeePerGas"] = rich[i%3], "0x30d40", "0x77359400", hexutil.Uint64(9-i)
		var hash common.Hash
		tell(&hash, "eth_sendTransaction", tx)
		hashes = append(hashes, hash)
	}
	tell(nil, "evm_mine")
	last := hashes[len(hashes)-1]
	c := newClient(t, fork.Options{})
	m, err := c.Transaction(address, last)
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Before) != len(hashes)-1 {
		t.Fatalf("%d transactions before the last one", len(m.Before))
	}
	parent := m.Block.Number - 1
	f, err := c.Open(address, &parent)
	if err != nil {
		t.Fatal(err)
	}
	after, err := c.Open(address, &m.Block.Number)
	if err != nil {
		t.Fatal(err)
	}
	w, machine := evm.NewBacking(evm.NewCodes(), f).World(), evm.NewMachine()
	for _, tx := range append(m.Before, m.MinedTransaction) {
		if _, err := machine.Apply(w, m.Block, &tx); err != nil {
			t.Fatal(err)
		}
	}
	made := common.Address{}
	for a := range w.Accounts() {
		if code := w.Code(a); code != nil && a != token && a != alice {
			made = a
		}
	}
	for _, a := range append(rich[:6], miner, token, alice, made) {
		want, err := after.Account(a)
		if err != nil {
			t.Fatal(err)
		}
		if got := w.Balance(a); got != want.Balance || w.Nonce(a) != want.Nonce {
			t.Errorf("%v has %v and nonce %d, and at the node %v and %d", a, got.Dec(), w.Nonce(a), want.Balance.Dec(), want.Nonce)
		}
	}
	for i := range byte(4) {
		want, err := after.Storage(token, common.Hash{31: i})
		if got := w.Storage(token, common.Hash{31: i}); err != nil || got != want || got == (common.Hash{}) {
			t.Errorf("word %d is %v, and at the node %v, %v", i, got, want, err)
		}
	}
}
