package input

import (
	"crypto/ecdsa"
	"slices"
	"strings"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// An Actor is an account that sends transactions.
type Actor common.Address

// The actors of every campaign, unless Function.Senders says otherwise. Each
// has a balance; only the attacker has code. Their addresses follow from their
// keys.
var (
	Deployer = Actor(common.HexToAddress("0xfCc325b8BC60348191922Bba7708D28e4043c411"))
	User1    = Actor(common.HexToAddress("0xbaaeEfEA295dE77BCCa62140AF59496bC0d9D33D"))
	User2    = Actor(common.HexToAddress("0x1EC77bAcAd9d8b554CF40Ed5cfDe103e6B0e62e3"))
	Attacker = Actor(common.HexToAddress("0x70d281256f0E80A430F6f28B7f8357aC6014D4aC"))
)

// Actors lists the actors of every campaign.
var Actors = [...]Actor{Deployer, User1, User2, Attacker}

var actorNames = [len(Actors)]string{"deployer", "user1", "user2", "attacker"}

// Address returns the actor's account.
func (a Actor) Address() common.Address { return common.Address(a) }

// String returns the name of one of Actors, and the checksummed hexadecimal
// address of another account.
func (a Actor) String() string {
	if i := a.number(); i >= 0 {
		return actorNames[i]
	}
	return a.Address().Hex()
}

// number returns the index of a in Actors; -1 if it is not there. Every digest asks,
// and slices.Index would compare by calls.
func (a Actor) number() int {
	for i := range Actors {
		if Actors[i] == a {
			return i
		}
	}
	return -1
}

// ParseActor is the inverse of String; the address needs no checksum.
func ParseActor(s string) (Actor, bool) {
	if i := slices.Index(actorNames[:], s); i >= 0 {
		return Actors[i], true
	}
	a, ok := parseAddress(s)
	return Actor(a), ok
}

// parseAddress parses 0x and 40 hexadecimal digits.
func parseAddress(s string) (a common.Address, ok bool) {
	if len(s) != 2+2*common.AddressLength || !strings.HasPrefix(s, "0x") || !common.IsHexAddress(s) {
		return a, false
	}
	return common.HexToAddress(s), true
}

// ActorOf returns the one of Actors with an address; false if it is another's.
func ActorOf(address common.Address) (Actor, bool) {
	a := Actor(address)
	return a, a.number() >= 0
}

// actorKeys derives the private keys of Actors from their names. The keys are
// public, and signatures in a Sequence stay valid.
var actorKeys = sync.OnceValue(func() (keys [len(Actors)]*ecdsa.PrivateKey) {
	for i, name := range actorNames {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte("leveret actor " + name)))
		if err != nil {
			panic(err) // probability 2^-128, and the hash is fixed
		}
		keys[i] = key
	}
	return keys
})

// Key returns the secp256k1 key of one of Actors or of a well-known account of
// tests; nil for another account, whose key is not known.
func (a Actor) Key() *ecdsa.PrivateKey {
	if i := a.number(); i >= 0 {
		return actorKeys()[i]
	}
	return knownKeys()[a.Address()].key
}

// MaySend lists who may send transactions to f: its Senders, or Actors. Callers
// must not change the list.
func (f *Function) MaySend() []Actor {
	if f == nil || len(f.Senders) == 0 {
		return Actors[:]
	}
	return f.Senders
}

// SentBy returns f with other Senders; none means Actors.
func (f *Function) SentBy(senders []Actor) *Function {
	return f.Restricted(func(f *Function) { f.Senders = senders })
}

// Restricted returns a copy of f for one campaign, with other Senders, MaxDelay
// or Mutability.
func (f *Function) Restricted(change func(*Function)) *Function {
	other := *f
	change(&other)
	if other.fixed {
		other.params = walkParameters(&Tx{Function: &other, Args: other.Zero()})
	}
	return &other
}

// Sender returns the index in MaySend of an address, as ParamActor has it;
// false if it may not send transactions to f.
func (f *Function) Sender(address common.Address) (index uint64, ok bool) {
	i := slices.Index(f.MaySend(), Actor(address))
	return uint64(max(i, 0)), i >= 0
}
