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

// Drop returns a subsequence of seq that still fails and from which no single
// element can be removed. It removes large parts first, calls fails at most
// budget times and decrements budget.
func Drop[T any](seq []T, fails func([]T) bool, budget *int) []T {
	for size := max(1, len(seq)/2); size > 0; {
		shrunk := false
		for i := 0; i+size <= len(seq) && *budget > 0; {
			shorter := slices.Concat(seq[:i], seq[i+size:])
			*budget--
			if fails(shorter) {
				seq, shrunk = shorter, true
			} else {
				i += size
			}
		}
		if !shrunk || size > 1 {
			size /= 2
		}
	}
	return seq
}

// Shrink returns the shortest and simplest Sequence it finds for which fails
// holds: fewer Txs, then simpler Parameters. It calls fails at most budget
// times.
func Shrink(s input.Sequence, fails func(input.Sequence) bool, budget int) input.Sequence {
	s.Txs = Drop(s.Txs, func(txs []input.Tx) bool {
		return len(txs) > 0 && fails(input.Sequence{Deployment: s.Deployment, Txs: txs})
	}, &budget)
	for again := true; again && budget > 0; {
		again = false
		for i := range s.Txs {
			var plainer bool
			s, plainer = simplifyTx(s, i, fails, &budget)
			again = again || plainer
		}
		var plainer bool
		s, plainer = simplifyTogether(s, fails, &budget)
		again = again || plainer
	}
	return s
}

// simplifyTx simplifies the Parameters of one Tx, one at a time.
func simplifyTx(s input.Sequence, i int, fails func(input.Sequence) bool, budget *int) (input.Sequence, bool) {
	plainer := false
	try := func(tx input.Tx) bool {
		if *budget <= 0 {
			return false
		}
		*budget--
		candidate := s.WithTx(i, tx)
		if !fails(candidate) {
			return false
		}
		s, plainer = candidate, true
		return true
	}
	if s.Txs[i].Script != nil {
		tx := s.Txs[i]
		tx.Script = nil
		try(tx)
	}
	parameters := input.Parameters(&s.Txs[i])
	for index := 0; index < len(parameters) && *budget > 0; index++ {
		p := parameters[index]
		word := input.Get(&s.Txs[i], &p)
		for _, w := range plainerWords(&p, word) {
			if try(input.Set(&s.Txs[i], &p, w)) {
				parameters = input.Parameters(&s.Txs[i])
				break
			}
		}
	}
	return s, plainer
}

// plainerWords lists replacements of a word, the simplest first; none for a
// word that is simple already, so that shrinking terminates.
func plainerWords(p *input.Parameter, word uint256.Int) []uint256.Int {
	if p.Kind == input.ParamActor {
		return actorsBelow(word)
	}
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
	if size.GtUint64(1) {
		list = append(list, with(part.SubUint64(&size, 1)))
	}
	return list
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

// actorsBelow lists simpler actors: users before the attacker, everybody before
// the deployer, whose privileges a finding should not need.
func actorsBelow(word uint256.Int) []uint256.Int {
	order := []input.Actor{input.User1, input.User2, input.Attacker, input.Deployer}
	var list []uint256.Int
	for _, a := range order {
		if uint64(a) == word.Uint64() {
			break
		}
		list = append(list, *uint256.NewInt(uint64(a)))
	}
	return list
}

func plainerAddresses(word uint256.Int) []uint256.Int {
	var list []uint256.Int
	if word.IsZero() {
		return nil
	}
	list = append(list, uint256.Int{})
	for _, a := range []input.Actor{input.User1, input.User2, input.Attacker, input.Deployer} {
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

// simplifyTogether simplifies values that occur in several places: the secret
// of a commit-reveal scheme can only change in both transactions at once.
func simplifyTogether(s input.Sequence, fails func(input.Sequence) bool, budget *int) (input.Sequence, bool) {
	plainer := false
	for _, data := range repeated(s) {
		for _, shorter := range shorterData(data) {
			if *budget <= 0 {
				return s, plainer
			}
			*budget--
			if candidate := replaceAll(s, data, shorter); fails(candidate) {
				s, plainer = candidate, true
				break
			}
		}
	}
	return s, plainer
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
