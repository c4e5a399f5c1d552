package input

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// maxRehashes bounds hashes of hashes.
const maxRehashes = 3

// Rehashed returns child, which differs from parent in the arguments or the sender of its
// ith Tx, with the hashes of these made anew in the arguments of later Txs: identifiers, such
// as keccak256(abi.encode(msg.sender, token)), go on to name the same thing. preimage returns
// the input of a hash. The inputs of the new hashes are returned, too; none if there are none.
func Rehashed(parent, child Sequence, i int, preimage func(common.Hash) ([]byte, bool)) (Sequence, [][]byte) {
	if len(parent.Txs) != len(child.Txs) || i+1 >= len(child.Txs) {
		return child, nil
	}
	r := rehash{preimage: preimage}
	var lister Lister
	for j := i + 1; j < len(child.Txs); j++ {
		tx := child.Txs[j]
		for _, p := range lister.Of(&tx) {
			if p.Kind != ParamArg || p.Word.Bits < 256 {
				continue
			}
			w := Get(&tx, &p)
			if _, known := preimage(w.Bytes32()); !known {
				continue
			}
			if r.changed == nil {
				r.changed = changedWords(&parent.Txs[i], &child.Txs[i])
			}
			if hash, found := r.of(w.Bytes32(), 0); found {
				tx = Set(&tx, &p, *new(uint256.Int).SetBytes32(hash[:]))
				child = child.WithTx(j, tx)
			}
		}
	}
	return child, r.made
}

// A changedWord is a word before and after a change, how many of its bytes code that packs
// values hashes, and which one it is among the words that were the same.
type changedWord struct {
	was, is   [32]byte
	packed    int
	nth, like int
}

// changedWords lists the words of two Txs of the same shape that differ.
func changedWords(was, is *Tx) (list []changedWord) {
	before, after := Parameters(was), Parameters(is)
	if len(before) != len(after) {
		return nil
	}
	like := map[[32]byte]int{}
	add := func(a, b [32]byte, packed int) {
		if a != b {
			list = append(list, changedWord{was: a, is: b, packed: packed, nth: like[a]})
		}
		like[a]++
	}
	add(common.BytesToHash(was.From.Address().Bytes()), common.BytesToHash(is.From.Address().Bytes()), common.AddressLength)
	for k := range before {
		if p := &before[k]; p.Kind == ParamArg || p.Kind == ParamChunk {
			a, b := Get(was, p), Get(is, &after[k])
			size := 32
			if p.Kind == ParamArg && p.Of.Kind == KindAddress {
				size = common.AddressLength
			}
			add(a.Bytes32(), b.Bytes32(), size)
		}
	}
	for k := range list {
		list[k].like = like[list[k].was]
	}
	return list
}

// A rehash makes hashes anew of which words have changed.
type rehash struct {
	preimage func(common.Hash) ([]byte, bool)
	changed  []changedWord
	made     [][]byte // inputs of new hashes
}

// of returns the hash of changed words whose hash before is was; false if it is none.
func (r *rehash) of(was common.Hash, depth int) (common.Hash, bool) {
	in, known := r.preimage(was)
	if !known || depth == maxRehashes {
		return was, false
	}
	out := bytes.Clone(in)
	for k := range r.changed {
		r.changed[k].put(in, out)
	}
	for at := 0; len(in)%32 == 0 && at < len(in); at += 32 {
		if inner, found := r.of(common.Hash(in[at:at+32]), depth+1); found {
			copy(out[at:], inner[:])
		}
	}
	if bytes.Equal(in, out) {
		return was, false
	}
	r.made = append(r.made, out)
	return crypto.Keccak256Hash(out), true
}

// put changes a word in a copy of a preimage: the one of the same rank if the preimage has as
// many like it as the transaction, or else all.
func (c *changedWord) put(in, out []byte) {
	size, step := 32, 32
	if len(in)%32 != 0 {
		size, step = c.packed, 1
	}
	var found []int
	for at := 0; at+size <= len(in); at += step {
		if bytes.Equal(in[at:at+size], c.was[32-size:]) {
			found = append(found, at)
			at += size - step
		}
	}
	if len(found) == c.like {
		found = found[c.nth : c.nth+1]
	}
	for _, at := range found {
		copy(out[at:], c.is[32-size:])
	}
}
