package predict

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Move sets one Parameter of one Tx, or, if Data is not nil, all bytes of
// the bytes or string Value (or of the raw calldata) that Param is part of.
type Move struct {
	Tx    int
	Param input.Parameter
	Word  uint256.Int
	Data  []byte
}

// Apply returns s with all moves made.
func Apply(s input.Sequence, moves []Move) input.Sequence {
	for i := range moves {
		m := &moves[i]
		tx := s.Txs[m.Tx]
		switch {
		case m.Data == nil:
			tx = input.Set(&tx, &m.Param, m.Word)
		case m.Param.Path != nil:
			v := *tx.At(m.Param.Path)
			v.Data = m.Data
			tx = tx.WithArg(m.Param.Path, v)
		default:
			tx.Data = m.Data
		}
		s = s.WithTx(m.Tx, tx)
	}
	return s
}

// First returns the first Tx that moves change: Worlds before it stay good.
func First(moves []Move) int {
	first := moves[0].Tx
	for i := range moves {
		first = min(first, moves[i].Tx)
	}
	return first
}

// An axis is the line of inputs that a Session searches: positions from 0 to
// max, each of which stands for moves.
type axis struct {
	max   uint256.Int
	bias  uint256.Int // a position less the bias is the integer it stands for
	bits  int         // width of the integers' type
	moves func(x *uint256.Int) []Move
}

// parameterAxis is the line along one Parameter; positions are its ordinals.
func parameterAxis(tx int, p input.Parameter) axis {
	a := axis{max: p.Word.MaxOrdinal(), bits: p.Word.Bits}
	if p.Word.Signed {
		a.bias = p.Word.Ordinal(&uint256.Int{})
	}
	a.moves = func(x *uint256.Int) []Move {
		return []Move{{Tx: tx, Param: p, Word: p.Word.Word(x)}}
	}
	return a
}
