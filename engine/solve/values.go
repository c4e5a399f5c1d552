package solve

import (
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/corpus"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/input"
	"leveret/engine/search"
	"leveret/solc/layout"
)

// storageValues draws values that storage words can hold.
type storageValues struct {
	search *search.Search
	known  int                         // preimages when the words below were described
	words  map[evm.Slot][]layout.Field // variables in storage words
}

// draw draws a value for a storage word that e reads. If the storage layout
// knows the variable, the variable can hold the value.
func (v *storageValues) draw(e *corpus.Entry, slot evm.Slot) exec.Override {
	generator := v.search.Generator
	old := v.search.Corpus.LastState(e).World.Storage(slot.Address, slot.Key)
	pool := generator.Pool(e.Function())
	fields := v.fields(slot)
	if len(fields) == 0 {
		word := input.RandomWord(generator.Random, input.WordType{Bits: 256}, pool)
		return exec.Override{Slot: slot, Value: word.Bytes32()}
	}
	f := fields[generator.Random.IntN(len(fields))]
	var value, word uint256.Int
	word.SetBytes32(old[:])
	switch f.Kind {
	case layout.KindAddress, layout.KindContract:
		address := generator.Mutation.Addresses.Draw(generator.Random)
		value.SetBytes20(address[:])
	case layout.KindBool:
		if value = f.Value(word); value.IsZero() {
			value.SetOne()
		} else {
			value.Clear()
		}
	default:
		value = v.amount(input.WordType{Bits: 8 * f.Width, Signed: f.Signed()}, pool)
	}
	word = f.Insert(word, value)
	mask := f.Insert(uint256.Int{}, *new(uint256.Int).SetAllOne())
	return exec.Override{Slot: slot, Value: word.Bytes32(), Mask: mask, Identity: isIdentity(&f)}
}

// usualBits bounds nearly all amounts in storage; larger ones mostly overflow
// something.
const usualBits = 96

// amount draws a number: half of the time from the dictionary, else one of any
// magnitude, mostly a usual one.
func (v *storageValues) amount(t input.WordType, pool input.Pool) (value uint256.Int) {
	r := v.search.Generator.Random
	if r.IntN(2) == 0 {
		return input.RandomWord(r, t, pool)
	}
	bits := t.Bits
	if r.IntN(4) > 0 {
		bits = min(bits, usualBits)
	}
	value = uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
	value.Rsh(&value, uint(255-r.IntN(bits)))
	return t.Wrap(&value)
}

// isIdentity reports whether all variables of a storage word are identities.
func (v *storageValues) isIdentity(slot evm.Slot) bool {
	fields := v.fields(slot)
	return len(fields) > 0 && !slices.ContainsFunc(fields, func(f layout.Field) bool { return !isIdentity(&f) })
}

// isIdentity reports whether the values of a variable are identities: no value
// lies between two others.
func isIdentity(f *layout.Field) bool {
	return f.Kind == layout.KindAddress || f.Kind == layout.KindContract || f.Kind == layout.KindBool
}

// maxWords bounds the words whose variables are remembered.
const maxWords = 1 << 12

// fields returns the variables in a storage word; nil if unknown.
func (v *storageValues) fields(slot evm.Slot) []layout.Field {
	if known := v.search.Generator.Demand.Preimages.Known(); v.words == nil || v.known != known || len(v.words) >= maxWords {
		v.known, v.words = known, map[evm.Slot][]layout.Field{}
	}
	list, ok := v.words[slot]
	if !ok {
		list = v.describe(slot)
		v.words[slot] = list
	}
	return list
}

func (v *storageValues) describe(slot evm.Slot) []layout.Field {
	for _, d := range v.search.Subject.Deployment.Contracts {
		if d.Address != slot.Address || d.Contract.Layout == nil {
			continue
		}
		var key uint256.Int
		key.SetBytes32(slot.Key[:])
		description, _ := d.Contract.Layout.Describe(key, v.search.Generator.Demand.Preimages.Near)
		return description.Fields
	}
	return nil
}
