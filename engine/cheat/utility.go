package cheat

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// create2Deployer is the contract with which forge deploys by CREATE2.
var create2Deployer = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

var utilityRows = []row{
	{"computeCreateAddress(address,uint256)", "(address)", (*call).computeCreateAddress, "returns the address of a contract that an account deploys at a nonce"},
	{"computeCreate2Address(bytes32,bytes32,address)", "(address)", func(c *call) error { return c.computeCreate2Address(c.address(2)) }, "returns the address of a contract deployed with CREATE2"},
	{"computeCreate2Address(bytes32,bytes32)", "(address)", func(c *call) error { return c.computeCreate2Address(create2Deployer) }, "returns the address of a contract deployed with CREATE2 by the usual deployer"},
	{"ensNamehash(string)", "(bytes32)", (*call).ensNamehash, "returns the hash of an ENS name"},
	{"toBase64(bytes)", "(string)", func(c *call) error { return c.base64(base64.StdEncoding) }, "encodes data as base64"},
	{"toBase64(string)", "(string)", func(c *call) error { return c.base64(base64.StdEncoding) }, "encodes text as base64"},
	{"toBase64URL(bytes)", "(string)", func(c *call) error { return c.base64(base64.URLEncoding) }, "encodes data as base64 for URLs"},
	{"toBase64URL(string)", "(string)", func(c *call) error { return c.base64(base64.URLEncoding) }, "encodes text as base64 for URLs"},
	{"toRlp(bytes[])", "(bytes)", (*call).toRLP, "encodes a list as RLP"},
	{"fromRlp(bytes)", "(bytes[])", (*call).fromRLP, "decodes a list of RLP"},
	{"interceptInitcode()", "", (*call).interceptInitcode, "makes the next creation revert with its creation code"},
	{"pauseTracing()", "", func(*call) error { return nil }, "does nothing: traces are complete"},
	{"resumeTracing()", "", func(*call) error { return nil }, "does nothing: traces are complete"},
}

func (c *call) computeCreateAddress() error {
	nonce := &c.args[1].Word
	if !nonce.IsUint64() {
		return errors.New("nonce must be less than 2^64")
	}
	return c.give(addressValue(crypto.CreateAddress(c.address(0), nonce.Uint64())))
}

func (c *call) computeCreate2Address(deployer common.Address) error {
	return c.give(addressValue(crypto.CreateAddress2(deployer, c.word(0), c.bytes32(1))))
}

// ensNamehash hashes the labels from the last to the first [EIP-137].
func (c *call) ensNamehash() error {
	var node common.Hash
	name := strings.ReplaceAll(c.text(0), "\uFE0F", "")
	for name != "" {
		dot := strings.LastIndexByte(name, '.')
		node = crypto.Keccak256Hash(node[:], crypto.Keccak256([]byte(name[dot+1:])))
		name = name[:max(dot, 0)]
	}
	return c.give(hashValue(node))
}

func (c *call) base64(e *base64.Encoding) error {
	return c.give(textValue(e.EncodeToString(c.data(0))))
}

func (c *call) toRLP() error {
	items := make([][]byte, len(c.args[0].Elems))
	for i := range items {
		items[i] = c.args[0].Elems[i].Data
	}
	data, err := rlp.EncodeToBytes(items)
	if err != nil {
		return err
	}
	return c.give(bytesValue(data))
}

func (c *call) fromRLP() error {
	var items [][]byte
	if err := rlp.DecodeBytes(c.data(0), &items); err != nil {
		return fmt.Errorf("Failed to decode RLP: %w", err)
	}
	list := listValue(bytesType, make([]input.Value, len(items)))
	for i, item := range items {
		list.Elems[i] = bytesValue(item)
	}
	return c.give(list)
}

func (c *call) interceptInitcode() error {
	if c.memory.intercept {
		return errors.New("vm.interceptInitcode() has already been called")
	}
	c.memory.intercept = true
	return nil
}

// intercepted ends a creation that vm.interceptInitcode is for; nil for others.
func (m *memory) intercepted(msg *evm.Message) *evm.Ending {
	if !m.intercept || !msg.Creates() {
		return nil
	}
	m.intercept = false
	return &evm.Ending{Output: msg.Input, Left: msg.Gas, Err: evm.ErrReverted}
}
