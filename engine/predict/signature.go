package predict

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Signature is the input of ecrecover besides the digest.
type Signature struct {
	V    byte // 27 or 28
	R, S uint256.Int
}

// Sign returns an actor's signature of a digest; S is in the lower half, as
// libraries require. It fails for actors without a known key.
func Sign(actor input.Actor, digest common.Hash) (Signature, error) {
	key := actor.Key()
	if key == nil {
		return Signature{}, fmt.Errorf("no key of %s", actor)
	}
	b, err := crypto.Sign(digest[:], key)
	if err != nil {
		return Signature{}, err
	}
	s := Signature{V: 27 + b[64]}
	s.R.SetBytes32(b[:32])
	s.S.SetBytes32(b[32:64])
	return s, nil
}

// signatures replaces a checked signature by an actor's, for comparisons with
// the signer: by the wanted actor, or by actors whose addresses are among the
// arguments.
func signatures(o *Observation, c *Comparison) [][]Move {
	var list [][]Move
	for i := range o.Recoveries {
		r := &o.Recoveries[i]
		signer := new(uint256.Int).SetBytes(r.Signer[:])
		if c.Left != *signer && c.Right != *signer {
			continue
		}
		for _, actor := range o.signers(c) {
			s, err := Sign(actor, r.Digest)
			if err != nil {
				continue
			}
			if moves := o.resign(r, &s); moves != nil {
				list = append(list, moves)
			}
		}
		other := &c.Right
		if c.Right == *signer {
			other = &c.Left
		}
		list = append(list, o.undersign(r, other)...)
	}
	return list
}

// mostSigners bounds the signers that Signatures tries.
const mostSigners = 2

// Signatures returns moves that replace a checked signature in s by those of accounts
// in its arguments whose keys are known, or else of actors.
func Signatures(s input.Sequence, r Recovery) (list [][]Move) {
	o := &Observation{Sequence: s}
	o.begin()
	for _, actor := range o.signers(&Comparison{}) {
		signature, err := Sign(actor, r.Digest)
		if err != nil || len(list) == mostSigners {
			continue
		}
		if moves := o.resign(&r, &signature); moves != nil {
			list = append(list, moves)
		}
	}
	return list
}

// undersign replaces an address that cannot sign by an actor, and signs the
// resulting digest: the address is usually part of the signed data, so both
// must change together.
func (o *Observation) undersign(r *Recovery, somebody *uint256.Int) (list [][]Move) {
	if can := input.Actor(somebody.Bytes20()).Key() != nil; can || somebody.IsZero() || o.Preimage == nil {
		return nil
	}
	o.each(func(tx int, p *input.Parameter, w *uint256.Int) {
		if p.Kind != input.ParamArg || p.Of.Kind != input.KindAddress || *w != *somebody {
			return
		}
		for _, actor := range []input.Actor{input.Deployer, input.User1} {
			address := actor.Address()
			s, err := Sign(actor, o.renamed(r.Digest, common.Address(somebody.Bytes20()), address, 0))
			if err != nil {
				continue
			}
			if moves := o.resign(r, &s); moves != nil {
				list = append(list, append(moves, Move{Tx: tx, Param: *p, Word: *new(uint256.Int).SetBytes(address[:])}))
			}
		}
	})
	return list
}

// renamed is the hash that results if another address is hashed, directly or in
// a nested hash.
func (o *Observation) renamed(hash common.Hash, was, is common.Address, depth int) common.Hash {
	in, ok := o.hashed(hash)
	if !ok || depth == maxHashDepth {
		return hash
	}
	in = bytes.ReplaceAll(in, was[:], is[:])
	for at := 0; at+32 <= len(in); at++ {
		inner := common.Hash(in[at : at+32])
		if _, ok := o.hashed(inner); ok {
			other := o.renamed(inner, was, is, depth+1)
			copy(in[at:], other[:])
		}
	}
	return crypto.Keccak256Hash(in)
}

// signers lists the candidate signers, the likeliest first.
func (o *Observation) signers(c *Comparison) []input.Actor {
	var list []input.Actor
	add := func(w *uint256.Int) {
		if actor := input.Actor(w.Bytes20()); w.BitLen() <= 160 && actor.Key() != nil && !slices.Contains(list, actor) {
			list = append(list, actor)
		}
	}
	add(&c.Left)
	add(&c.Right)
	o.each(func(_ int, p *input.Parameter, w *uint256.Int) {
		if p.Of != nil && p.Of.Kind == input.KindAddress {
			add(w)
		}
	})
	if len(list) == 0 {
		list = append(list, input.Deployer, input.User1)
	}
	return list
}

// resign writes a signature to the source of the checked one: a bytes Value, or
// three Parameters.
func (o *Observation) resign(r *Recovery, s *Signature) []Move {
	if moves := o.resignBytes(r, s); moves != nil {
		return moves
	}
	var moves []Move
	take := func(is, want uint256.Int, likely func(*input.Type) bool) bool {
		move, sure := Move{}, false
		o.each(func(tx int, p *input.Parameter, w *uint256.Int) {
			taken := slices.ContainsFunc(moves, func(m Move) bool { return m.Tx == tx && m.Param.Index == p.Index })
			if taken || sure || p.Kind != input.ParamArg || *w != is || p.Word.Wrap(&want) != want {
				return
			}
			if sure = likely(p.Of); sure || move.Param.Of == nil {
				move = Move{Tx: tx, Param: *p, Word: want}
			}
		})
		if move.Param.Of == nil {
			return false
		}
		moves = append(moves, move)
		return true
	}
	if !take(r.R, s.R, isHash) || !take(r.S, s.S, isHash) {
		return nil
	}
	v := *uint256.NewInt(uint64(s.V))
	if !take(r.V, v, isByte) { // code that adds 27 itself
		less := r.V
		less.SubUint64(&less, 27)
		take(less, *uint256.NewInt(uint64(s.V) - 27), isByte)
	}
	return moves
}

// isHash and isByte report the types that signatures use.
func isHash(t *input.Type) bool { return t.Kind == input.KindFixedBytes && t.Size == 32 }
func isByte(t *input.Type) bool { return t.Kind == input.KindUint && t.Size == 8 }

// resignBytes finds a bytes Value that starts with R and S: 65 bytes with V at
// the end, or the 64 of EIP-2098 with V in the top bit of S.
func (o *Observation) resignBytes(r *Recovery, s *Signature) (moves []Move) {
	rs := append(bytes32(&r.R), bytes32(&r.S)...)
	put := append(bytes32(&s.R), bytes32(&s.S)...)
	o.each(func(tx int, p *input.Parameter, _ *uint256.Int) {
		if moves != nil || p.Kind != input.ParamLength || p.Of.Kind != input.KindBytes {
			return
		}
		data := input.CallOf(&o.Sequence.Txs[tx], p).At(p.Path).Data
		switch {
		case len(data) == 65 && bytes.Equal(data[:64], rs):
			v := s.V
			if data[64] < 27 && r.V.GtUint64(26) {
				v -= 27
			}
			moves = []Move{{Tx: tx, Param: *p, Data: append(put, v)}}
		case len(data) == 64 && bytes.Equal(data[:32], rs[:32]):
			put[32] |= (s.V - 27) << 7
			moves = []Move{{Tx: tx, Param: *p, Data: put}}
		}
	})
	return moves
}

func bytes32(w *uint256.Int) []byte {
	b := w.Bytes32()
	return b[:]
}
