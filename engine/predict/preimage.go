package predict

import (
	"bytes"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// preimages makes two hashes equal by making their preimages equal.
func preimages(o *Observation, c *Comparison) [][]Move {
	if c.Relation != Equal || o.Preimage == nil {
		return nil
	}
	var list [][]Move
	c.sides(func(is, want *uint256.Int) {
		if moves := o.rehash(common.Hash(is.Bytes32()), common.Hash(want.Bytes32()), 0); len(moves) > 0 {
			list = append(list, moves)
		}
	})
	return list
}

// maxHashDepth bounds hashes of hashes.
const maxHashDepth = 3

func (o *Observation) rehash(is, want common.Hash, depth int) []Move {
	mine, ok := o.hashed(is)
	theirs, known := o.hashed(want)
	if !ok || !known || depth == maxHashDepth {
		return nil
	}
	if moves := o.wholeData(mine, theirs); moves != nil {
		return moves
	}
	if len(mine) != len(theirs) {
		return nil
	}
	if len(mine)%32 == 0 {
		if moves := o.words(mine, theirs, depth); moves != nil {
			return moves
		}
	}
	return o.packed(mine, theirs)
}

// wholeData searches for a bytes or string Value in mine, alone or between two
// parts with which theirs starts and ends too.
func (o *Observation) wholeData(mine, theirs []byte) (moves []Move) {
	o.each(func(tx int, p *input.Parameter, _ *uint256.Int) {
		if moves != nil || p.Kind != input.ParamLength && p.Kind != input.ParamRawLength {
			return
		}
		call := input.CallOf(&o.Sequence.Txs[tx], p)
		data := call.Data
		if p.Path != nil {
			if p.Of.Kind == input.KindSlice {
				return
			}
			data = call.At(p.Path).Data
		}
		if !o.spend(len(mine) / 32) {
			return
		}
		at := bytes.Index(mine, data)
		if at < 0 || len(data) == 0 && len(mine) > 0 {
			return
		}
		before, after := mine[:at], mine[at+len(data):]
		if len(theirs) < len(before)+len(after) || !bytes.HasPrefix(theirs, before) || !bytes.HasSuffix(theirs, after) {
			return
		}
		put := bytes.Clone(theirs[len(before) : len(theirs)-len(after)])
		if len(put) <= input.MaxBytes {
			moves = []Move{{Tx: tx, Param: *p, Data: append([]byte{}, put...)}}
		}
	})
	return moves
}

// words makes mine equal to theirs word by word, through inner hashes where a
// word is one.
func (o *Observation) words(mine, theirs []byte, depth int) []Move {
	var moves []Move
	for at := 0; at < len(mine); at += 32 {
		var is, want uint256.Int
		is.SetBytes32(mine[at : at+32])
		want.SetBytes32(theirs[at : at+32])
		if is == want {
			continue
		}
		m := o.setEqual(&is, &want)
		if m == nil {
			m = o.rehash(common.Hash(mine[at:at+32]), common.Hash(theirs[at:at+32]), depth+1)
		}
		if m == nil {
			return nil
		}
		moves = append(moves, m...)
	}
	return moves
}

// setEqual sets the first Parameter with value is.
func (o *Observation) setEqual(is, want *uint256.Int) (moves []Move) {
	o.each(func(tx int, p *input.Parameter, w *uint256.Int) {
		if moves != nil {
			return
		}
		if found := same(&o.Sequence.Txs[tx], tx, p, w, is, want); len(found) > 0 {
			moves = found[0]
		}
	})
	return moves
}

// packed makes mine equal to theirs by Parameters that occur in it without
// padding, as in abi.encodePacked.
func (o *Observation) packed(mine, theirs []byte) []Move {
	left := bytes.Clone(mine)
	var moves []Move
	o.each(func(tx int, p *input.Parameter, w *uint256.Int) {
		if p.Kind != input.ParamArg || p.Word.Bits%8 != 0 || p.Word.Bits < 16 {
			return
		}
		size := p.Word.Bits / 8
		word := w.Bytes32()
		part := word[32-size:]
		if p.Word.Left {
			part = word[:size]
		}
		if !o.spend(len(left) / 32) {
			return
		}
		at := bytes.Index(left, part)
		if at < 0 || bytes.Equal(left[at:at+size], theirs[at:at+size]) {
			return
		}
		var put [32]byte
		if p.Word.Left {
			copy(put[:], theirs[at:at+size])
		} else {
			copy(put[32-size:], theirs[at:at+size])
		}
		copy(left[at:], theirs[at:at+size])
		var out uint256.Int
		out.SetBytes32(put[:])
		moves = append(moves, Move{Tx: tx, Param: *p, Word: p.Word.Wrap(&out)})
	})
	if !bytes.Equal(left, theirs) {
		return nil
	}
	return moves
}
