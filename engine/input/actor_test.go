package input

import (
	"testing"

	"github.com/ethereum/go-ethereum/crypto"
)

func TestActorsAddressesFollowFromTheirKeys(t *testing.T) {
	for _, a := range Actors {
		if want := crypto.PubkeyToAddress(a.Key().PublicKey); a.Address() != want {
			t.Errorf("%s: address %s, key gives %s", a, a.Address(), want)
		}
		if back, ok := ActorOf(a.Address()); !ok || back != a {
			t.Errorf("ActorOf(%s) = %s, %t", a.Address(), back, ok)
		}
		if back, ok := ParseActor(a.String()); !ok || back != a {
			t.Errorf("ParseActor(%q) = %s, %t", a, back, ok)
		}
	}
	if _, ok := ParseActor("nobody"); ok {
		t.Error("ParseActor knows nobody")
	}
}
