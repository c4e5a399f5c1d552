package input

import (
	"crypto/ecdsa"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

var actorNames = [ActorCount]string{Deployer: "deployer", User1: "user1", User2: "user2", Attacker: "attacker"}

// String returns the actor's name: deployer, user1, user2 or attacker.
func (a Actor) String() string {
	if int(a) >= ActorCount {
		return "nobody"
	}
	return actorNames[a]
}

// ParseActor is the inverse of String.
func ParseActor(name string) (Actor, bool) {
	for i, n := range actorNames {
		if n == name {
			return Actor(i), true
		}
	}
	return 0, false
}

// actorKeys derives the actors' private keys from their names. The keys are
// public, and signatures in a Sequence stay valid.
var actorKeys = sync.OnceValue(func() (keys [ActorCount]*ecdsa.PrivateKey) {
	for i, name := range actorNames {
		key, err := crypto.ToECDSA(crypto.Keccak256([]byte("leveret actor " + name)))
		if err != nil {
			panic(err) // probability 2^-128, and the hash is fixed
		}
		keys[i] = key
	}
	return keys
})

// Key returns the actor's secp256k1 key.
func (a Actor) Key() *ecdsa.PrivateKey { return actorKeys()[a] }

// The actors' addresses, derived from the keys.
var actorAddresses = [ActorCount]common.Address{
	Deployer: common.HexToAddress("0xfCc325b8BC60348191922Bba7708D28e4043c411"),
	User1:    common.HexToAddress("0xbaaeEfEA295dE77BCCa62140AF59496bC0d9D33D"),
	User2:    common.HexToAddress("0x1EC77bAcAd9d8b554CF40Ed5cfDe103e6B0e62e3"),
	Attacker: common.HexToAddress("0x70d281256f0E80A430F6f28B7f8357aC6014D4aC"),
}

// Address returns the actor's account.
func (a Actor) Address() common.Address { return actorAddresses[a] }

// ActorOf returns the actor with an address.
func ActorOf(address common.Address) (Actor, bool) {
	for i := range actorAddresses {
		if actorAddresses[i] == address {
			return Actor(i), true
		}
	}
	return 0, false
}
