package layout

import (
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
)

// Variable returns the state variable with the given name. If a contract and its
// base have private variables of that name, it returns the first one in storage.
func (l *Layout) Variable(name string) (Variable, bool) {
	for _, v := range l.Variables {
		if v.Name == name {
			return v, true
		}
	}
	return Variable{}, false
}

// Locate is the inverse of Describe: it returns the slot and the field that a
// path names, such as "pool.fee", "codes[3]" or `pools["x"][4].low`.
func (l *Layout) Locate(path string) (slot uint256.Int, f Field, ok bool) {
	name, rest, ok := splitPath(path)
	if !ok {
		return slot, f, false
	}
	for _, v := range l.Variables {
		if v.Name != name {
			continue
		}
		at := location{slot: v.Slot, offset: v.Offset, t: v.Type}
		if at.walk(rest) {
			for _, f := range at.fields(path) {
				if f.Path == path {
					return at.slot, f, true
				}
			}
		}
	}
	return slot, f, false
}

// A location is the storage location of a part of a variable.
type location struct {
	slot   uint256.Int
	offset int
	t      *Type
	data   bool // text of a long string
	length bool // of an array
}

// fields returns the field at the location, or nothing if there are several.
func (p location) fields(path string) []Field {
	if p.data {
		return []Field{{Path: path, Type: p.t, Kind: p.t.Kind, Width: 32, Data: true}}
	}
	return descend(nil, p.t, strings.TrimSuffix(path, lengthSuffix), uint256.Int{}, p.offset)
}

// walk follows the rest of a path from p.
func (p *location) walk(rest string) bool {
	for rest != "" {
		var step string
		var ok bool
		if step, rest, ok = splitPath(rest); !ok || p.data || p.length {
			return false
		}
		if name, member := strings.CutPrefix(step, "."); member {
			ok = p.member(name)
		} else {
			ok = strings.HasSuffix(step, "]") && p.entry(step[1:len(step)-1])
		}
		if !ok {
			return false
		}
	}
	return true
}

// member moves to a member of a struct, or to the length of an array.
func (p *location) member(name string) bool {
	if p.t.Kind == KindSlice && "."+name == lengthSuffix {
		p.length = true
		return true
	}
	for _, m := range p.t.Members {
		if m.Name == name {
			p.slot.Add(&p.slot, &m.Slot)
			p.offset, p.t = m.Offset, m.Type
			return true
		}
	}
	return false
}

// entry moves to an element of an array, an entry of a mapping, or a part of
// a long string.
func (p *location) entry(name string) bool {
	switch p.t.Kind {
	case KindMapping:
		key, ok := parseKey(p.t.Key, name)
		if !ok {
			return false
		}
		p.slot = hash(key, p.slot)
		p.offset, p.t = 0, p.t.Elem
		return true
	case KindSlice:
		p.slot = hash(nil, p.slot)
		return p.element(name, nil)
	case KindArray:
		return p.element(name, &p.t.Length)
	case KindString, KindBytes:
		return p.part(name)
	}
	return false
}

func (p *location) element(name string, length *uint64) bool {
	index, ok := parseIndex(name)
	if !ok || length != nil && !index.LtUint64(*length) {
		return false
	}
	elem := p.t.Elem
	p.offset, p.t = 0, elem
	size := elem.slots()
	if elem.Kind.Elementary() {
		perSlot := uint256.NewInt(uint64(32 / elem.width()))
		var within uint256.Int
		index.DivMod(&index, perSlot, &within)
		p.offset = int(within.Uint64()) * elem.width()
	}
	index.Mul(&index, &size)
	p.slot.Add(&p.slot, &index)
	return true
}

// part moves to the bytes [from:to) of a long string: 32 bytes from a multiple
// of 32.
func (p *location) part(name string) bool {
	from, to, ok := strings.Cut(name, ":")
	start, okFrom := parseIndex(from)
	end, okTo := parseIndex(to)
	end.SubUint64(&end, 32)
	if !ok || !okFrom || !okTo || end != start || start.Uint64()%32 != 0 {
		return false
	}
	p.slot = hash(nil, p.slot)
	start.Rsh(&start, 5)
	p.slot.Add(&p.slot, &start)
	p.offset, p.data = 0, true
	return true
}

// parseIndex reads decimal digits.
func parseIndex(text string) (uint256.Int, bool) {
	n, ok := new(big.Int).SetString(text, 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 256 || text != n.String() {
		return uint256.Int{}, false
	}
	index, _ := uint256.FromBig(n)
	return *index, true
}

// hash returns keccak256(key . slot).
func hash(key []byte, slot uint256.Int) (hashed uint256.Int) {
	word := slot.Bytes32()
	hashed.SetBytes(crypto.Keccak256(key, word[:]))
	return hashed
}
