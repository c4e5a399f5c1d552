package cheat

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/input"
)

// The well-known accounts of tests are those of the mnemonic of Hardhat and Anvil, and of
// small private keys.
func TestKnownAccounts(t *testing.T) {
	s := seeds{}
	for i := range uint64(10) {
		key, err := s.derive("test test test test test test test test test test test junk", defaultPath, i, english)
		if err != nil {
			t.Fatal(err)
		}
		own, err := crypto.ToECDSA(key)
		if err != nil {
			t.Fatal(err)
		}
		actor := input.Actor(crypto.PubkeyToAddress(own.PublicKey))
		if known := actor.Key(); known == nil || !bytes.Equal(crypto.FromECDSA(known), key) || actor.KnownAs() != fmt.Sprintf("account %d of Hardhat and Anvil", i) {
			t.Errorf("account %d is %s", i, actor.KnownAs())
		}
	}
	one, _ := input.ParseActor("0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf")
	if one.KnownAs() != "the account of private key 1" || crypto.PubkeyToAddress(one.Key().PublicKey) != one.Address() {
		t.Errorf("%s is %s", one, one.KnownAs())
	}
	if other := (input.Actor{1}); other.Key() != nil || other.KnownAs() != "" || input.User1.KnownAs() != "" {
		t.Error("an account without a known key has one")
	}
}
