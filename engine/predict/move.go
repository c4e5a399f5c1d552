package predict

import (
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A Move sets one Parameter of one Tx or, if Data is not nil, all bytes of the
// bytes or string Value, or the raw calldata, that contains Param.
type Move struct {
	Tx    int
	Param input.Parameter
	Word  uint256.Int
	Data  []byte
}

// Apply returns s with all moves applied, in order. Those of elements of a list that an
// earlier one made too short change nothing.
func Apply(s input.Sequence, moves []Move) input.Sequence {
	for i := range moves {
		m := &moves[i]
		tx := s.Txs[m.Tx]
		switch {
		case !tx.Has(&m.Param):
			continue
		case m.Data == nil:
			tx = input.Set(&tx, &m.Param, m.Word)
		default:
			tx = tx.WithCall(&m.Param, m.withData)
		}
		s = s.WithTx(m.Tx, tx)
	}
	return s
}

// withData returns the call of m's Parameter with all bytes replaced.
func (m *Move) withData(call input.Tx) input.Tx {
	if m.Param.Path == nil {
		call.Data = m.Data
		return call
	}
	v := *call.At(m.Param.Path)
	v.Data = m.Data
	return call.WithArg(m.Param.Path, v)
}

// First returns the first Tx that moves change; the states before it can be
// reused.
func First(moves []Move) int {
	first := moves[0].Tx
	for i := range moves {
		first = min(first, moves[i].Tx)
	}
	return first
}

// An axis is the line of inputs that a LineSearch follows: each position from 0
// to max stands for moves.
type axis struct {
	max   uint256.Int
	bias  uint256.Int // the integer at a position is the position less the bias
	bits  int         // width of the integers' type
	moves func(x *uint256.Int) []Move
}

// parameterAxis is the axis of one Parameter; positions are its ordinals.
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
