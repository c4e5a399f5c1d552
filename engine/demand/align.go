package demand

import (
	"bytes"
	"math/rand/v2"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// An aligning replaces keys in one Tx, each argument and the actor at most
// once. An owner who approves itself has the same address twice, and only one
// of them may have to change.
type aligning struct {
	tx       input.Tx
	params   []input.Parameter // shared
	replaced []int             // of params
	acted    bool              // the actor was replaced
}

// replace writes want to one position that holds have; false if there is none.
func (a *aligning) replace(r *rand.Rand, have, want *uint256.Int) bool {
	chosen, seen := -1, 0
	for i := range a.params {
		p := &a.params[i]
		if a.free(i) && input.Get(&a.tx, p) == *have && p.Word.Wrap(want) == *want {
			if seen++; r.IntN(seen) == 0 {
				chosen = i
			}
		}
	}
	if input.Actor(have.Bytes20()) == a.tx.From && !a.acted {
		if seen++; r.IntN(seen) == 0 {
			a.acted = true
			return a.send(want.Bytes20())
		}
	}
	if chosen < 0 {
		return false
	}
	a.put(chosen, want)
	return true
}

// free reports whether a parameter may be replaced.
func (a *aligning) free(i int) bool {
	return a.params[i].Kind == input.ParamArg && !slices.Contains(a.replaced, i)
}

// put sets a parameter and protects it from further replacement.
func (a *aligning) put(i int, word *uint256.Int) {
	if input.Get(&a.tx, &a.params[i]) != *word {
		a.tx = input.Set(&a.tx, &a.params[i], *word)
	}
	a.replaced = append(a.replaced[:len(a.replaced):len(a.replaced)], i)
}

// rehash writes the preimage of the key want to tx where it has the preimage of
// the key have. It succeeds only if all differing parts occur in tx.
func (d *Demand) rehash(a *aligning, have, want uint256.Int) bool {
	mine, known := d.Preimages.Input(have.Bytes32())
	theirs, ok := d.Preimages.Input(want.Bytes32())
	if !known || !ok || len(mine) != len(theirs) {
		return false
	}
	trial := *a
	for at := 0; at < len(mine); {
		if mine[at] == theirs[at] {
			at++
			continue
		}
		end, ok := trial.part(mine, theirs, at)
		if !ok {
			return false
		}
		at = end
	}
	*a = trial
	return true
}

// part finds the argument, or the actor, at the byte at of mine and replaces it
// by the bytes there in theirs. It returns its end.
func (a *aligning) part(mine, theirs []byte, at int) (end int, ok bool) {
	for i := range a.params {
		p := &a.params[i]
		if !a.free(i) {
			continue
		}
		word := input.Get(&a.tx, p)
		for _, width := range []int{32, max(1, p.Word.Bits/8)} {
			from, found := around(mine, at, tail(&word, width))
			if !found {
				continue
			}
			var put uint256.Int
			put.SetBytes(theirs[from : from+width])
			if p.Word.Wrap(&put) == put {
				a.put(i, &put)
				return from + width, true
			}
		}
	}
	address := a.tx.From.Address()
	from, found := around(mine, at, address[:])
	if !found || a.acted {
		return 0, false
	}
	a.acted = true
	return from + len(address), a.send(common.Address(theirs[from : from+len(address)]))
}

// send lets another account send the transaction; false if it may not.
func (a *aligning) send(from common.Address) bool {
	_, may := a.tx.Function.Sender(from)
	if may {
		a.tx.From = input.Actor(from)
	}
	return may
}

// tail returns the low bytes of a word.
func tail(word *uint256.Int, width int) []byte {
	b := word.Bytes32()
	return b[32-width:]
}

// around finds an occurrence of a piece that contains the byte at.
func around(data []byte, at int, piece []byte) (from int, ok bool) {
	for from = max(0, at-len(piece)+1); from <= at && from+len(piece) <= len(data); from++ {
		if bytes.Equal(data[from:from+len(piece)], piece) {
			return from, true
		}
	}
	return 0, false
}
