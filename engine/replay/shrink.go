// Package replay runs sequences again: on a fresh World, to confirm a finding;
// in smaller variants, to shrink its witness; and with a record, to explain
// what happened.
//
// It knows neither sources nor search: a predicate decides whether a sequence
// still fails, and a Resolver maps instructions to the source.
package replay

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// Shrink returns the shortest and simplest Sequence it finds for which fails
// holds. It calls fails at most budget times.
func Shrink(s input.Sequence, fails func(input.Sequence) bool, budget int) input.Sequence {
	all := NewShrinking(s, budget)
	for attempt, ok := all.Next(); ok; attempt, ok = all.Next() {
		all.Tell(fails(attempt.Sequence))
	}
	return all.Best()
}

// plainerWords lists replacements of the word of p in tx, the simplest first;
// none for a word that is simple already, so that shrinking terminates.
func plainerWords(tx *input.Tx, p *input.Parameter) []uint256.Int {
	if p.Kind == input.ParamActor {
		return plainerSenders(tx)
	}
	word := input.Get(tx, p)
	if p.Of != nil && p.Of.Kind == input.KindAddress {
		return plainerAddresses(word)
	}
	if word.IsZero() {
		return nil
	}
	list := []uint256.Int{{}}
	size, with := magnitude(p.Word, word)
	for _, small := range []uint64{1, 2, 3, 10, 100, 1000} {
		if size.GtUint64(small) {
			list = append(list, with(uint256.NewInt(small)))
		}
	}
	var part uint256.Int
	for shift := uint(size.BitLen() / 2); shift > 0; shift /= 2 {
		list = append(list, with(part.Rsh(&size, shift)))
	}
	return list
}

// isNumber reports whether words of a Parameter are numbers: less is plainer.
func isNumber(p *input.Parameter) bool {
	return p.Kind != input.ParamActor && (p.Of == nil || p.Of.Kind != input.KindAddress)
}

// magnitude returns the distance of a word from zero and a function that
// returns the word of the same sign at another distance.
func magnitude(t input.WordType, word uint256.Int) (size uint256.Int, with func(*uint256.Int) uint256.Int) {
	switch {
	case t.Left:
		spare := uint(256 - t.Bits)
		size.Rsh(&word, spare)
		return size, func(m *uint256.Int) (w uint256.Int) { return *w.Lsh(m, spare) }
	case t.Signed && word.Sign() < 0:
		size.Neg(&word)
		return size, func(m *uint256.Int) (w uint256.Int) { return *w.Neg(m) }
	}
	return word, func(m *uint256.Int) uint256.Int { return *m }
}

// plainestFirst lists the actors of every campaign, the simplest first: users before
// the attacker, everybody before the deployer, whose privileges a finding
// should not need.
var plainestFirst = [...]input.Actor{input.User1, input.User2, input.Attacker, input.Deployer}

// plainerSenders lists the indices of simpler senders of tx: the simplest
// actors that may send it, then its function's other senders in their order.
func plainerSenders(tx *input.Tx) (list []uint256.Int) {
	may := tx.Function.MaySend()
	for _, a := range slices.Concat(plainestFirst[:], may) {
		if a == tx.From {
			break
		}
		if i, ok := tx.Function.Sender(a.Address()); ok && !slices.Contains(list, uint256.Int{i}) {
			list = append(list, uint256.Int{i})
		}
	}
	return list
}

func plainerAddresses(word uint256.Int) []uint256.Int {
	var list []uint256.Int
	if word.IsZero() {
		return nil
	}
	list = append(list, uint256.Int{})
	for _, a := range plainestFirst {
		var w uint256.Int
		address := a.Address()
		w.SetBytes(address[:])
		if w == word {
			break
		}
		list = append(list, w)
	}
	return list
}

// repeated lists the bytes and strings that occur more than once in s.
func repeated(s input.Sequence) [][]byte {
	count := map[string]int{}
	var list [][]byte
	for i := range s.Txs {
		for _, v := range s.Txs[i].Args {
			if isData(&v) && len(v.Data) > 0 {
				if count[string(v.Data)]++; count[string(v.Data)] == 2 {
					list = append(list, v.Data)
				}
			}
		}
	}
	return list
}

func isData(v *input.Value) bool {
	return v.Type.Kind == input.KindBytes || v.Type.Kind == input.KindString
}

// shorterData lists replacements of data, the simplest first.
func shorterData(data []byte) [][]byte {
	list := [][]byte{{}}
	for n := 1; n < len(data); n *= 2 {
		list = append(list, data[:n])
	}
	return append(list, data[:len(data)-1])
}

func replaceAll(s input.Sequence, old, data []byte) input.Sequence {
	for i := range s.Txs {
		for at, v := range s.Txs[i].Args {
			if isData(&v) && string(v.Data) == string(old) {
				v.Data = data
				s = s.WithTx(i, s.Txs[i].WithArg([]int{at}, v))
			}
		}
	}
	return s
}
