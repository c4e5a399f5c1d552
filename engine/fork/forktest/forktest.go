// Package forktest serves a chain by JSON-RPC, for tests of forks. It knows no
// client.
package forktest

import (
	"encoding/json"
	"maps"
	"net/http"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/rpc"
)

// A Chain is what a Server answers. Its accounts are the same after every block,
// whatever its transactions do.
type Chain struct {
	ID       hexutil.Uint64             `json:"id"`
	Latest   hexutil.Uint64             `json:"latest"`
	Salt     string                     `json:"salt"` // chains with another one have other blocks
	Accounts map[common.Address]Account `json:"accounts"`

	// Blocks has the transactions of blocks, as JSON-RPC gives them.
	Blocks map[hexutil.Uint64][]map[string]any `json:"blocks"`
}

// An Account is an account of a Chain.
type Account struct {
	Balance hexutil.Uint64              `json:"balance"`
	Nonce   hexutil.Uint64              `json:"nonce"`
	Code    hexutil.Bytes               `json:"code"`
	Storage map[common.Hash]common.Hash `json:"storage"`
}

// Read parses a Chain.
func Read(text []byte) (*Chain, error) {
	c := &Chain{}
	return c, json.Unmarshal(text, c)
}

// BlockHash returns the hash of a block.
func (c *Chain) BlockHash(number uint64) common.Hash {
	h := common.Hash{0: 0xb1}
	copy(h[1:], c.Salt)
	h[30], h[31] = byte(number>>8), byte(number)
	return h
}

// A Server answers questions about a Chain. It is an http.Handler, also one for a
// proxy of all hosts.
type Server struct {
	rpc *rpc.Server

	// Before answers a request instead of the Server if it returns true. Requests
	// are counted from 1.
	Before func(w http.ResponseWriter, r *http.Request, number int) bool

	mu       sync.Mutex
	requests int
	methods  map[string]int
}

// New returns a Server of a Chain that does not change.
func New(c *Chain) *Server {
	s := &Server{rpc: rpc.NewServer(), methods: map[string]int{}}
	if err := s.rpc.RegisterName("eth", &api{c, s}); err != nil {
		panic(err)
	}
	return s
}

func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests++
	number := s.requests
	s.mu.Unlock()
	if s.Before == nil || !s.Before(w, r, number) {
		s.rpc.ServeHTTP(w, r)
	}
}

// Requests returns how many requests came.
func (s *Server) Requests() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.requests
}

// Asked returns how often a method was called.
func (s *Server) Asked(method string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.methods[method]
}

func (s *Server) count(method string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.methods[method]++
}

// An api has the methods, named as the rpc package wants them.
type api struct {
	chain  *Chain
	server *Server
}

func (a *api) ChainId() hexutil.Uint64 {
	a.server.count("eth_chainId")
	return a.chain.ID
}

func (a *api) GetBlockByNumber(number rpc.BlockNumber, full bool) map[string]any {
	a.server.count("eth_getBlockByNumber")
	n := uint64(number)
	if number == rpc.LatestBlockNumber {
		n = uint64(a.chain.Latest)
	}
	if n > uint64(a.chain.Latest) {
		return nil
	}
	b := map[string]any{
		"number": hexutil.Uint64(n), "hash": a.chain.BlockHash(n), "parentHash": a.chain.BlockHash(n - 1), "timestamp": hexutil.Uint64(1_700_000_000 + 12*n),
		"mixHash": common.Hash{5: 7, 31: byte(n)}, "miner": common.Address{1, 2, 3}, "baseFeePerGas": hexutil.Uint64(9),
		"gasLimit": hexutil.Uint64(36_000_000),
	}
	if full {
		b["transactions"] = a.chain.Blocks[hexutil.Uint64(n)]
	}
	return b
}

func (a *api) GetTransactionByHash(hash common.Hash) map[string]any {
	a.server.count("eth_getTransactionByHash")
	for number, list := range a.chain.Blocks {
		for _, tx := range list {
			if tx["hash"] == hash.Hex() {
				found := maps.Clone(tx)
				found["blockNumber"] = number
				return found
			}
		}
	}
	return nil
}

// FeeHistory tells the price of blobs in a block, which is 3.
func (a *api) FeeHistory(_ hexutil.Uint64, _ rpc.BlockNumber, _ []float64) map[string]any {
	a.server.count("eth_feeHistory")
	return map[string]any{"baseFeePerBlobGas": []hexutil.Uint64{3, 4}}
}

func (a *api) GetBalance(addr common.Address, _ rpc.BlockNumberOrHash) hexutil.Uint64 {
	a.server.count("eth_getBalance")
	return a.chain.Accounts[addr].Balance
}

func (a *api) GetTransactionCount(addr common.Address, _ rpc.BlockNumberOrHash) hexutil.Uint64 {
	a.server.count("eth_getTransactionCount")
	return a.chain.Accounts[addr].Nonce
}

func (a *api) GetCode(addr common.Address, _ rpc.BlockNumberOrHash) hexutil.Bytes {
	a.server.count("eth_getCode")
	return a.chain.Accounts[addr].Code
}

func (a *api) GetStorageAt(addr common.Address, key common.Hash, _ rpc.BlockNumberOrHash) common.Hash {
	a.server.count("eth_getStorageAt")
	return a.chain.Accounts[addr].Storage[key]
}
