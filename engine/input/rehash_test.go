package input

import (
	"bytes"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Hashes of what changes are made anew in later arguments, by the place of a word in what is
// hashed if it is not the only one of its kind.
func TestRehashed(t *testing.T) {
	word := func(a Actor) []byte { return common.LeftPadBytes(a.Address().Bytes(), 32) }
	packed := func(a Actor) []byte { return a.Address().Bytes() }
	open, take := mustSignature(t, "open(address,address,uint256)"), mustSignature(t, "take(uint256,bytes32)")
	known := map[common.Hash][]byte{}
	learn := func(parts ...[]byte) []byte {
		in := slices.Concat(parts...)
		hash := crypto.Keccak256Hash(in)
		known[hash] = in
		return hash[:]
	}
	preimage := func(h common.Hash) ([]byte, bool) { in, ok := known[h]; return in, ok }
	sequence := func(from, asset, backing Actor, id []byte) Sequence {
		first, second := Tx{From: from, Function: open, Args: open.Zero()}, Tx{Function: take, Args: take.Zero()}
		first.Args[0].Word.SetBytes(word(asset))
		first.Args[1].Word.SetBytes(word(backing))
		second.Args[1].Word.SetBytes(id)
		return Sequence{Txs: []Tx{first, second}}
	}
	for _, row := range []struct {
		name          string
		asset         Actor
		from, backing Actor // of the child
		is, want      []byte
	}{
		{"encoded", User1, User1, Attacker, learn(word(User1), word(User2)), learn(word(User1), word(Attacker))},
		{"first of equals stays", User2, Deployer, Attacker, learn(word(User2), word(User2)), learn(word(User2), word(Attacker))},
		{"all where they are fewer", User2, Deployer, Attacker, learn(word(User2), word(User1)), learn(word(Attacker), word(User1))},
		{"sender", User1, Attacker, User2, learn(word(Deployer), word(User2)), learn(word(Attacker), word(User2))},
		{"packed", User1, Deployer, Attacker, learn(packed(User2), []byte{1}, packed(User1)), learn(packed(Attacker), []byte{1}, packed(User1))},
		{"hash of a hash", User1, Deployer, Attacker, learn(word(User1), learn(word(User2), word(User1))), learn(word(User1), learn(word(Attacker), word(User1)))},
		{"another hash", User1, Deployer, Attacker, learn(word(User1), word(User1)), nil},
		{"no hash", User1, Deployer, Attacker, word(User2), nil},
		{"nothing changed", User1, Deployer, User2, learn(word(User1), word(User2)), nil},
	} {
		parent, child := sequence(Deployer, row.asset, User2, row.is), sequence(row.from, row.asset, row.backing, row.is)
		if row.name == "encoded" {
			parent = sequence(User1, row.asset, User2, row.is)
		}
		got, made := Rehashed(parent, child, 0, preimage)
		want := row.want
		if want == nil {
			want = row.is
		}
		if w := got.Txs[1].Args[1].Word.Bytes32(); !bytes.Equal(w[:], want) || (len(made) > 0) != (row.want != nil) {
			t.Errorf("%s: %x, want %x; %d hashes", row.name, w, want, len(made))
		}
		for _, in := range made {
			if !bytes.Equal(known[crypto.Keccak256Hash(in)], in) {
				t.Errorf("%s: %x is the input of no hash", row.name, in)
			}
		}
		if w := child.Txs[1].Args[1].Word.Bytes32(); !bytes.Equal(w[:], row.is) {
			t.Errorf("%s: the child has changed", row.name)
		}
	}
}
