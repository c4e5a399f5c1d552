package cheat

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rlp"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A broadcast makes calls from one frame come from an account, as its
// transactions. None is sent anywhere.
type broadcast struct {
	depth  int            // of the frame that asked for it
	caller common.Address // of the cheatcode: whose calls are changed
	origin common.Address // before
	sender common.Address // msg.sender and tx.origin of the calls
	once   bool           // only the next call
}

// A delegation is an account whose code is another's [EIP-7702], from a nonce on.
type delegation struct {
	authority common.Address
	nonce     uint64
}

// broadcasts are what scripts sign and send.
type broadcasts struct {
	active      *broadcast
	delegations []delegation // attached to the next transaction
}

func (b *broadcasts) clone() broadcasts { return broadcasts{b.active, slices.Clone(b.delegations)} }

// create2Factory is the contract through which broadcasts create with CREATE2.
var create2Factory = common.HexToAddress("0x4e59b44847b379578588920cA78FbF26c0B4956C")

// signedDelegation is the struct Vm.SignedDelegation: v, r, s, nonce and implementation.
const signedDelegation = "(uint8,bytes32,bytes32,uint64,address)"

var broadcastRows = []row{
	{"broadcast()", "", func(c *call) error { return c.broadcast(nil, true) }, "makes the next call come from the only remembered key's account, or from tx.origin; no transaction is sent"},
	{"broadcast(address)", "", func(c *call) error { return c.broadcast(&c.args[0].Word, true) }, "makes the next call come from an account; no transaction is sent"},
	{"broadcast(uint256)", "", func(c *call) error { return c.broadcastKey(true) }, "makes the next call come from a private key's account; no transaction is sent"},
	{"startBroadcast()", "", func(c *call) error { return c.broadcast(nil, false) }, "makes calls until stopBroadcast come from the only remembered key's account, or from tx.origin; no transaction is sent"},
	{"startBroadcast(address)", "", func(c *call) error { return c.broadcast(&c.args[0].Word, false) }, "makes calls until stopBroadcast come from an account; no transaction is sent"},
	{"startBroadcast(uint256)", "", func(c *call) error { return c.broadcastKey(false) }, "makes calls until stopBroadcast come from a private key's account; no transaction is sent"},
	{"stopBroadcast()", "", (*call).stopBroadcast, "ends startBroadcast"},
	{"getWallets()", "(address[])", (*call).getWallets, "returns the addresses of the remembered keys"},
	{"signDelegation(address,uint256)", "(" + signedDelegation + ")", func(c *call) error { return c.signDelegation(false, false) }, "signs a delegation of a private key's account to an implementation"},
	{"signDelegation(address,uint256,uint64)", "(" + signedDelegation + ")", func(c *call) error { return c.signDelegation(false, false) }, "signs a delegation with a nonce"},
	{"signDelegation(address,uint256,bool)", "(" + signedDelegation + ")", func(c *call) error { return c.signDelegation(c.flag(2), false) }, "signs a delegation for this chain or for all"},
	{"signAndAttachDelegation(address,uint256)", "(" + signedDelegation + ")", func(c *call) error { return c.signDelegation(false, true) }, "signs a delegation of a private key's account and applies it"},
	{"signAndAttachDelegation(address,uint256,uint64)", "(" + signedDelegation + ")", func(c *call) error { return c.signDelegation(false, true) }, "signs a delegation with a nonce and applies it"},
	{"signAndAttachDelegation(address,uint256,bool)", "(" + signedDelegation + ")", func(c *call) error { return c.signDelegation(c.flag(2), true) }, "signs a delegation for this chain or for all, and applies it"},
	{"attachDelegation(" + signedDelegation + ")", "", func(c *call) error { return c.attachDelegation(false) }, "applies a signed delegation"},
	{"attachDelegation(" + signedDelegation + ",bool)", "", func(c *call) error { return c.attachDelegation(c.flag(1)) }, "applies a delegation that was signed for this chain or for all"},
}

func (c *call) broadcast(sender *uint256.Int, once bool) error {
	b := &c.memory.broadcasts
	switch {
	case c.memory.pranks.at(c.depth()) != nil:
		return errors.New("you have an active prank; broadcasting and pranks are not compatible")
	case b.active != nil:
		return errors.New("a broadcast is active already")
	}
	origin := *c.state.Origin()
	b.active = &broadcast{depth: c.depth(), caller: c.frame.Self, origin: origin, sender: origin, once: once}
	if sender != nil {
		b.active.sender = sender.Bytes20()
	} else if len(c.memory.wallets) == 1 {
		for a := range c.memory.wallets {
			b.active.sender = a
		}
	}
	return nil
}

func (c *call) broadcastKey(once bool) error {
	key, err := privateKey(c.bytes32(0))
	if err != nil {
		return err
	}
	a := crypto.PubkeyToAddress(key.PublicKey)
	if err := c.broadcast(new(uint256.Int).SetBytes20(a[:]), once); err != nil {
		return err
	}
	c.memory.wallets.add(key)
	return nil
}

func (c *call) stopBroadcast() error {
	b := &c.memory.broadcasts
	if b.active == nil {
		return errors.New("no broadcast in progress to stop")
	}
	b.active = nil
	return nil
}

func (c *call) getWallets() error {
	list := listValue(addressType, nil)
	for _, a := range slices.SortedFunc(maps.Keys(c.memory.wallets), common.Address.Cmp) {
		list.Elems = append(list.Elems, addressValue(a))
	}
	return c.give(list)
}

// enter changes a call that is broadcast; it may answer it.
func (b *broadcasts) enter(s *evm.State, depth int, m *evm.Message, isolated bool) *evm.Ending {
	x := b.active
	if x == nil || depth != x.depth || m.From != x.caller {
		return nil
	}
	*s.Origin(), m.From = x.sender, x.sender
	if m.Static {
		if !x.once {
			return nil
		}
		return &evm.Ending{Left: m.Gas, Err: evm.ErrReverted, Output: cheatcodeError("`staticcall`s are not allowed after `broadcast`; use `startBroadcast` instead")}
	}
	nonce := s.Nonce(x.sender) + 1
	for _, d := range b.delegations {
		if d.authority == x.sender {
			nonce++
		}
	}
	b.delegations = nil
	if isolated {
		nonce-- // the transaction increments it
	}
	s.SetNonce(x.sender, nonce)
	return nil
}

// enterCreation changes a creation that is broadcast, and executes it if it has to
// go through the factory.
func (b *broadcasts) enterCreation(s *evm.State, parent *evm.Frame, m *evm.Message) *evm.Ending {
	x, depth := b.active, depthOf(parent)
	if x == nil || depth < x.depth || m.From != x.caller {
		return nil
	}
	if depth == x.depth && m.Kind == evm.FrameCreate2 {
		return b.throughFactory(s, parent, m)
	}
	*s.Origin() = x.sender
	if depth == x.depth {
		m.From = x.sender
	}
	return nil
}

// throughFactory executes a CREATE2 as the call of the factory that a transaction
// would make.
func (b *broadcasts) throughFactory(s *evm.State, parent *evm.Frame, m *evm.Message) *evm.Ending {
	if len(s.Code(create2Factory)) == 0 {
		return &evm.Ending{Left: m.Gas, Err: evm.ErrReverted, Output: errorString("missing CREATE2 deployer: " + create2Factory.Hex())}
	}
	salt := m.Salt.Bytes32()
	inner := evm.Message{Kind: evm.FrameCall, From: m.From, Self: create2Factory, To: create2Factory, Input: slices.Concat(salt[:], m.Input), Value: m.Value, Gas: m.Gas}
	b.enter(s, depthOf(parent), &inner, false)
	e := s.Send(parent, &inner)
	if e.Err == nil && len(e.Output) == common.AddressLength {
		e.Created = common.Address(e.Output)
	} else if e.Err == nil {
		e.Err = evm.ErrReverted
	}
	return &e
}

// leave ends what a broadcast changed for a message.
func (b *broadcasts) leave(s *evm.State, depth int) {
	if x := b.active; x != nil && x.depth == depth {
		*s.Origin() = x.origin
		if x.once {
			b.active = nil
		}
	}
}

// signingHash is what the authority of a delegation signs [EIP-7702].
func signingHash(chain uint64, implementation common.Address, nonce uint64) []byte {
	list, err := rlp.EncodeToBytes([]any{chain, implementation, nonce})
	if err != nil {
		panic(err) // numbers and bytes always have an encoding
	}
	return crypto.Keccak256([]byte{5}, list)
}

// nextNonce returns the nonce that the next delegation of an account must have.
func (c *call) nextNonce(authority common.Address) uint64 {
	b := &c.memory.broadcasts
	for _, d := range slices.Backward(b.delegations) {
		if d.authority == authority {
			return d.nonce + 1
		}
	}
	nonce := c.state.Nonce(authority)
	if b.active != nil && b.active.sender == authority {
		nonce++
	}
	return nonce
}

// delegationChain returns the chain that a delegation is for, 0 for all.
func (c *call) delegationChain(all bool) uint64 {
	if all {
		return 0
	}
	return c.state.Block().ChainID
}

func (c *call) signDelegation(allChains, attach bool) error {
	key, err := privateKey(c.bytes32(1))
	if err != nil {
		return err
	}
	implementation, authority := c.address(0), crypto.PubkeyToAddress(key.PublicKey)
	nonce := c.nextNonce(authority)
	if in := c.code.inputs; len(in) == 3 && in[2].Type.Size == 64 {
		nonce = c.number(2)
	}
	signature, err := crypto.Sign(signingHash(c.delegationChain(allChains), implementation, nonce), key)
	if err != nil {
		return err
	}
	if attach {
		if err := c.delegate(authority, implementation, nonce); err != nil {
			return err
		}
	}
	v := numberValue(uint64(signature[64]))
	return c.give(tupleValue(c.code.outputs[0].Type, v, hashValue(common.Hash(signature[:32])), hashValue(common.Hash(signature[32:64])), numberValue(nonce), addressValue(implementation)))
}

func (c *call) attachDelegation(allChains bool) error {
	fields := c.args[0].Elems
	implementation, nonce := fields[4].Address(), fields[3].Word.Uint64()
	r, s := fields[1].Word.Bytes32(), fields[2].Word.Bytes32()
	signature := append(slices.Concat(r[:], s[:]), byte(fields[0].Word.Uint64()))
	key, err := crypto.SigToPub(signingHash(c.delegationChain(allChains), implementation, nonce), signature)
	if err != nil {
		return err
	}
	return c.delegate(crypto.PubkeyToAddress(*key), implementation, nonce)
}

// delegate lets an account run the code of an implementation, or none if that is
// the zero address.
func (c *call) delegate(authority, implementation common.Address, nonce uint64) error {
	if want := c.nextNonce(authority); nonce != want {
		return fmt.Errorf("invalid nonce for 0x%x: expected %d, got %d", authority, want, nonce)
	}
	var code []byte
	if implementation != (common.Address{}) {
		code = slices.Concat([]byte{0xef, 0x01, 0x00}, implementation[:])
	}
	c.state.SetCode(authority, code)
	b := &c.memory.broadcasts
	b.delegations = append(b.delegations, delegation{authority, nonce})
	c.rememberArgs()
	return nil
}
