package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/common/math"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/tests"
	"github.com/holiman/uint256"
)

// A fixture is one test of a file: a state, and a transaction with several
// values for its data, gas limit and value.
type fixture struct {
	Env         env                    `json:"env"`
	Pre         types.GenesisAlloc     `json:"pre"`
	Transaction transaction            `json:"transaction"`
	Post        map[string][]postState `json:"post"` // by fork

	reference *tests.StateTest // the same for go-ethereum
}

type env struct {
	Coinbase      common.UnprefixedAddress `json:"currentCoinbase"`
	Random        *math.HexOrDecimal256    `json:"currentRandom"`
	GasLimit      math.HexOrDecimal64      `json:"currentGasLimit"`
	Number        math.HexOrDecimal64      `json:"currentNumber"`
	Timestamp     math.HexOrDecimal64      `json:"currentTimestamp"`
	BaseFee       *math.HexOrDecimal256    `json:"currentBaseFee"`
	ExcessBlobGas *math.HexOrDecimal64     `json:"currentExcessBlobGas"`
}

type transaction struct {
	GasPrice             *math.HexOrDecimal256 `json:"gasPrice"`
	MaxFeePerGas         *math.HexOrDecimal256 `json:"maxFeePerGas"`
	MaxPriorityFeePerGas *math.HexOrDecimal256 `json:"maxPriorityFeePerGas"`
	Nonce                *math.HexOrDecimal256 `json:"nonce"`
	To                   string                `json:"to"`
	Data                 []string              `json:"data"`
	AccessLists          []*types.AccessList   `json:"accessLists"`
	GasLimit             []math.HexOrDecimal64 `json:"gasLimit"`
	Value                []string              `json:"value"`
	PrivateKey           hexutil.Bytes         `json:"secretKey"`
	Sender               *common.Address       `json:"sender"`
	BlobHashes           []common.Hash         `json:"blobVersionedHashes"`
	Authorizations       []authorization       `json:"authorizationList"`
}

type authorization struct {
	ChainID *math.HexOrDecimal256 `json:"chainId"`
	Address common.Address        `json:"address"`
	Nonce   math.HexOrDecimal64   `json:"nonce"`
	V       math.HexOrDecimal64   `json:"v"`
	R       *math.HexOrDecimal256 `json:"r"`
	S       *math.HexOrDecimal256 `json:"s"`
}

type postState struct {
	Root      common.UnprefixedHash `json:"hash"`
	Logs      common.UnprefixedHash `json:"logs"`
	Exception string                `json:"expectException"` // not empty: the transaction is invalid
	Indexes   struct{ Data, Gas, Value int }
}

// A file is a file of fixtures.
type file struct {
	path     string
	category string // its folder
}

// listFiles lists the fixtures below dir.
func listFiles(dir string) ([]file, error) {
	var list []file
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && strings.HasSuffix(path, ".json") {
			category, _ := filepath.Rel(dir, filepath.Dir(path))
			list = append(list, file{path, filepath.ToSlash(category)})
		}
		return err
	})
	if err == nil && len(list) == 0 {
		err = fmt.Errorf("%s has no tests", dir)
	}
	return list, err
}

// read returns the fixtures of a file by name, and the names in order.
func (f file) read() (map[string]*fixture, []string, error) {
	text, err := os.ReadFile(f.path)
	if err != nil {
		return nil, nil, err
	}
	fixtures := make(map[string]*fixture)
	if err := json.Unmarshal(text, &fixtures); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.path, err)
	}
	references := make(map[string]*tests.StateTest)
	if err := json.Unmarshal(text, &references); err != nil {
		return nil, nil, fmt.Errorf("%s: %w", f.path, err)
	}
	var names []string
	for name := range fixtures {
		fixtures[name].reference = references[name]
		names = append(names, name)
	}
	slices.Sort(names)
	return fixtures, names, nil
}

// sender returns the address that signs the transaction.
func (tx *transaction) sender() (common.Address, error) {
	if tx.Sender != nil {
		return *tx.Sender, nil
	}
	key, err := crypto.ToECDSA(tx.PrivateKey)
	if err != nil {
		return common.Address{}, fmt.Errorf("the sender's key: %w", err)
	}
	return crypto.PubkeyToAddress(key.PublicKey), nil
}

// message returns the transaction with the values that p names, and the fee of
// a unit of gas that is paid.
func (f *fixture) message(p *postState) (*core.Message, error) {
	tx := &f.Transaction
	from, err := tx.sender()
	if err != nil {
		return nil, err
	}
	message := &core.Message{
		From: from, Nonce: (*big.Int)(tx.Nonce).Uint64(), GasLimit: uint64(tx.GasLimit[p.Indexes.Gas]),
		BlobHashes: tx.BlobHashes, Data: common.FromHex(tx.Data[p.Indexes.Data]),
	}
	if tx.To != "" {
		to := common.HexToAddress(tx.To)
		message.To = &to
	}
	value, ok := math.ParseBig256(strings.TrimSuffix(tx.Value[p.Indexes.Value], "0x"))
	if !ok {
		return nil, fmt.Errorf("bad value %q", tx.Value[p.Indexes.Value])
	}
	message.Value = uint256.MustFromBig(value)
	message.GasPrice = tx.price(word(f.Env.BaseFee))
	if p.Indexes.Data < len(tx.AccessLists) && tx.AccessLists[p.Indexes.Data] != nil {
		message.AccessList = *tx.AccessLists[p.Indexes.Data]
	}
	if tx.Authorizations != nil {
		message.SetCodeAuthorizations = []types.SetCodeAuthorization{}
	}
	for _, a := range tx.Authorizations {
		message.SetCodeAuthorizations = append(message.SetCodeAuthorizations, types.SetCodeAuthorization{
			ChainID: *word(a.ChainID), Address: a.Address, Nonce: uint64(a.Nonce), V: uint8(a.V), R: *word(a.R), S: *word(a.S),
		})
	}
	return message, nil
}

// price returns what a unit of gas costs [EIP-1559].
func (tx *transaction) price(base *uint256.Int) *uint256.Int {
	if tx.GasPrice != nil {
		return word(tx.GasPrice)
	}
	price, limit := new(uint256.Int).Add(word(tx.MaxPriorityFeePerGas), base), word(tx.MaxFeePerGas)
	if price.Gt(limit) {
		return limit
	}
	return price
}

// word returns a word, 0 for nil.
func word(n *math.HexOrDecimal256) *uint256.Int {
	if n == nil {
		return new(uint256.Int)
	}
	return uint256.MustFromBig((*big.Int)(n))
}
