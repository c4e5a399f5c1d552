// Package replay runs sequences again: on a fresh World, to confirm a finding;
// in smaller variants, to shrink its witness; and with a record, to explain
// what happened.
//
// It knows neither sources nor search: a predicate decides whether a sequence
// still fails, and a Resolver maps instructions to the source.
package replay

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
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
	list := smallNumbers(p.Word, word)
	size, with := magnitude(p.Word, word)
	var part uint256.Int
	for shift := uint(size.BitLen() / 2); shift > 0; shift /= 2 {
		list = append(list, with(part.Rsh(&size, shift)))
	}
	return list
}

// smallNumbers lists the small replacements of a number, the smallest first.
func smallNumbers(t input.WordType, word uint256.Int) (list []uint256.Int) {
	size, with := magnitude(t, word)
	for _, small := range []uint64{0, 1, 2, 3, 10, 100, 1000} {
		if size.GtUint64(small) {
			list = append(list, with(uint256.NewInt(small)))
		}
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

// A shared tells apart values that may have to change together.
type shared struct {
	kind input.Kind
	size int
	text string
}

// sharedOf returns what tells v apart; false for a value that is as plain as can be, or
// that has no plainer ones that fit wherever it occurs.
func sharedOf(v *input.Value) (_ shared, ok bool) {
	switch v.Type.Kind {
	case input.KindBytes, input.KindString:
		return shared{kind: input.KindBytes, text: string(v.Data)}, len(v.Data) > 0
	case input.KindUint, input.KindInt, input.KindFixedBytes:
		word := v.Word.Bytes32()
		return shared{v.Type.Kind, v.Type.Size, string(word[:])}, !v.Word.IsZero()
	}
	return shared{}, false
}

// repeated lists the bytes, strings and numbers that occur more than once in arguments.
func repeated(s input.Sequence) (list []input.Value) {
	count := map[shared]int{}
	var visit func([]input.Value)
	visit = func(values []input.Value) {
		for _, v := range values {
			if key, ok := sharedOf(&v); ok {
				if count[key]++; count[key] == 2 {
					list = append(list, v)
				}
			}
			visit(v.Elems)
		}
	}
	for i := range s.Txs {
		visit(s.Txs[i].Args)
	}
	return list
}

// accounts lists the senders that occur more than once, as senders or in what they send.
func accounts(s input.Sequence) (list []input.Actor) {
	count := map[input.Actor]int{}
	for i := range s.Txs {
		tx := &s.Txs[i]
		if count[tx.From] == 0 {
			list = append(list, tx.From)
		}
		count[tx.From]++
		if _, named := input.Renamed(tx.Args, tx.From.Address(), common.Address{}); named {
			count[tx.From]++
		}
	}
	return slices.DeleteFunc(list, func(who input.Actor) bool { return count[who] == 1 })
}

// plainerValues lists replacements of what sharedOf tells apart, the simplest first. Of
// numbers, these are small ones: less of an amount takes more of another one.
func plainerValues(v *input.Value) (list []input.Value) {
	if v.Type.Kind == input.KindBytes || v.Type.Kind == input.KindString {
		for _, data := range shorterData(v.Data) {
			list = append(list, input.Value{Type: v.Type, Data: data})
		}
		return list
	}
	for _, word := range smallNumbers(v.Type.WordType(), v.Word) {
		list = append(list, input.Value{Type: v.Type, Word: word})
	}
	return list
}

// shorterData lists replacements of data, the simplest first.
func shorterData(data []byte) [][]byte {
	list := [][]byte{{}}
	for n := 1; n < len(data); n *= 2 {
		list = append(list, data[:n])
	}
	return append(list, data[:len(data)-1])
}

// replaceAll returns values with by in place of each that old stands for.
func replaceAll(values []input.Value, old shared, by *input.Value) []input.Value {
	values = slices.Clone(values)
	for i := range values {
		v := &values[i]
		if key, ok := sharedOf(v); ok && key == old {
			v.Word, v.Data = by.Word, by.Data
		}
		v.Elems = replaceAll(v.Elems, old, by)
	}
	return values
}
