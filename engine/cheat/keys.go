package cheat

import (
	"crypto/ecdsa"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// wallet is the struct Vm.Wallet: address, public key and private key.
const wallet = "(address,uint256,uint256,uint256)"

var keyRows = []row{
	{"addr(uint256)", "(address)", (*call).addr, "returns the address of a private key"},
	{"createWallet(string)", "(" + wallet + ")", func(c *call) error { return c.createWallet(crypto.Keccak256([]byte(c.text(0))), c.text(0)) }, "makes a wallet whose private key is the hash of a name, and labels its address"},
	{"createWallet(uint256)", "(" + wallet + ")", func(c *call) error { return c.createWallet(c.bytes32(0), "") }, "makes a wallet of a private key"},
	{"createWallet(uint256,string)", "(" + wallet + ")", func(c *call) error { return c.createWallet(c.bytes32(0), c.text(1)) }, "makes a wallet of a private key, and labels its address"},
	{"getNonce(" + wallet + ")", "(uint64)", func(c *call) error { return c.give(numberValue(c.state.Nonce(c.args[0].Elems[0].Address()))) }, "returns the nonce of a wallet"},
	{"deriveKey(string,uint32)", "(uint256)", func(c *call) error { return c.deriveKey(defaultPath, c.number(1), english) }, "derives a private key from a mnemonic at m/44'/60'/0'/0/index"},
	{"deriveKey(string,string,uint32)", "(uint256)", func(c *call) error { return c.deriveKey(c.text(1), c.number(2), english) }, "derives a private key from a mnemonic at a path"},
	{"deriveKey(string,uint32,string)", "(uint256)", func(c *call) error { return c.deriveKey(defaultPath, c.number(1), c.text(2)) }, "derives a private key from a mnemonic in another language"},
	{"deriveKey(string,string,uint32,string)", "(uint256)", func(c *call) error { return c.deriveKey(c.text(1), c.number(2), c.text(3)) }, "derives a private key from a mnemonic in another language, at a path"},
	{"rememberKey(uint256)", "(address)", (*call).rememberKey, "adds a private key to those that sign for its address"},
	{"rememberKeys(string,string,uint32)", "(address[])", func(c *call) error { return c.rememberKeys(english, c.number(2)) }, "derives private keys from a mnemonic and adds them to those that sign"},
	{"rememberKeys(string,string,string,uint32)", "(address[])", func(c *call) error { return c.rememberKeys(c.text(2), c.number(3)) }, "derives private keys from a mnemonic in another language and adds them to those that sign"},
}

// Work of an operation on a curve, as ECRECOVER costs, and of a key of a mnemonic.
const (
	curveWork  = 3_000
	deriveWork = 200_000
)

// wallets are the private keys by address that vm.rememberKey added.
type wallets map[common.Address]*ecdsa.PrivateKey

func (w wallets) clone() wallets { return maps.Clone(w) }

// add returns the address of a key that signs from now on.
func (w *wallets) add(key *ecdsa.PrivateKey) common.Address {
	if *w == nil {
		*w = wallets{}
	}
	a := crypto.PubkeyToAddress(key.PublicKey)
	(*w)[a] = key
	return a
}

// signer returns the key of an address, or the only key if there is no address.
func (w wallets) signer(a *common.Address) (*ecdsa.PrivateKey, error) {
	switch {
	case len(w) == 0:
		return nil, errors.New("no wallets available")
	case a == nil && len(w) > 1:
		return nil, errors.New("could not determine signer, there are multiple signers available use vm.sign(signer, digest) to specify one")
	case a == nil:
		return slices.Collect(maps.Values(w))[0], nil
	case w[*a] == nil:
		return nil, fmt.Errorf("signer with address %s is not available", a)
	}
	return w[*a], nil
}

// bytes32 returns an argument of one word as bytes.
func (c *call) bytes32(i int) []byte {
	w := c.args[i].Word.Bytes32()
	return w[:]
}

// privateKey checks a private key of secp256k1.
func privateKey(key []byte) (*ecdsa.PrivateKey, error) {
	if err := checkKey(key, "Secp256k1", crypto.S256().Params().N); err != nil {
		return nil, err
	}
	return crypto.ToECDSA(key)
}

func checkKey(key []byte, curve string, order *big.Int) error {
	switch n := new(big.Int).SetBytes(key); {
	case n.Sign() == 0:
		return errors.New("private key cannot be 0")
	case n.Cmp(order) >= 0:
		return fmt.Errorf("private key must be less than the %s curve order (%d)", curve, order)
	}
	return nil
}

func (c *call) addr() error {
	c.state.Work(curveWork)
	key, err := privateKey(c.bytes32(0))
	if err != nil {
		return err
	}
	return c.give(addressValue(crypto.PubkeyToAddress(key.PublicKey)))
}

func (c *call) createWallet(secret []byte, name string) error {
	c.state.Work(curveWork)
	key, err := privateKey(secret)
	if err != nil {
		return err
	}
	a := crypto.PubkeyToAddress(key.PublicKey)
	if len(c.args) > 1 || c.args[0].Type.Kind == input.KindString {
		c.setLabel(a, name)
	}
	return c.give(input.Value{Type: c.code.outputs[0].Type, Elems: []input.Value{
		addressValue(a), bigValue(key.X), bigValue(key.Y), bigValue(new(big.Int).SetBytes(secret)),
	}})
}

func bigValue(n *big.Int) input.Value {
	w, _ := uint256.FromBig(n)
	return wordValue(w)
}

func (c *call) deriveKey(path string, index uint64, language string) error {
	c.state.Work(deriveWork)
	key, err := c.seeds.derive(c.text(0), path, index, language)
	if err != nil {
		return err
	}
	return c.give(bigValue(new(big.Int).SetBytes(key)))
}

func (c *call) rememberKey() error {
	c.state.Work(curveWork)
	key, err := privateKey(c.bytes32(0))
	if err != nil {
		return err
	}
	c.rememberArgs()
	return c.give(addressValue(c.memory.wallets.add(key)))
}

// maxKeys bounds how many keys one call derives: each takes milliseconds.
const maxKeys = 1024

func (c *call) rememberKeys(language string, count uint64) error {
	if count > maxKeys {
		return fmt.Errorf("more than %d keys at once", maxKeys)
	}
	list := listValue(addressType, nil)
	for i := range count {
		c.state.Work(deriveWork)
		secret, err := c.seeds.derive(c.text(0), c.text(1), i, language)
		if err != nil {
			return err
		}
		key, err := privateKey(secret)
		if err != nil {
			return err
		}
		c.rememberArgs()
		list.Elems = append(list.Elems, addressValue(c.memory.wallets.add(key)))
	}
	return c.give(list)
}
