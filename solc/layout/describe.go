package layout

import (
	"strings"

	"github.com/holiman/uint256"
)

// Preimages returns the preimage of the hash behind a slot: keccak256(preimage)
// + offset = slot, where offset is within the size of arrays and structs. It
// returns false for slots that no known hash explains.
type Preimages func(slot uint256.Int) (preimage []byte, offset uint256.Int, ok bool)

// A Description names the fields of a storage slot.
type Description struct {
	Slot   uint256.Int
	Fields []Field // by increasing Offset
}

// Path returns the names of all fields, separated by commas.
func (d Description) Path() string {
	names := make([]string, len(d.Fields))
	for i, f := range d.Fields {
		names[i] = f.Path
	}
	return strings.Join(names, ", ")
}

// A FieldChange is the change of one field by a write.
type FieldChange struct {
	Field         Field
	Before, After string // formatted
}

// Changes returns the fields that differ between two values of the slot.
func (d Description) Changes(before, after uint256.Int) []FieldChange {
	var changes []FieldChange
	for _, f := range d.Fields {
		if f.Value(before) != f.Value(after) {
			changes = append(changes, FieldChange{Field: f, Before: f.Format(before), After: f.Format(after)})
		}
	}
	return changes
}

// Fields returns the fields of a slot at a fixed position, by increasing Offset;
// nil if the slot belongs to no variable.
func (l *Layout) Fields(slot uint256.Int) []Field {
	return l.fields(slot, nil, 0)
}

// Describe names a slot. With nil preimages it names only slots at fixed
// positions.
func (l *Layout) Describe(slot uint256.Int, preimages Preimages) (Description, bool) {
	fields := l.fields(slot, preimages, 0)
	return Description{Slot: slot, Fields: fields}, len(fields) > 0
}

// maxHashes bounds the nesting of hashes, that is of mappings and arrays. It
// ends the search in circular preimages.
const maxHashes = 32

func (l *Layout) fields(slot uint256.Int, preimages Preimages, hashes int) []Field {
	var fields []Field
	for _, v := range l.Variables {
		fields = descend(fields, v.Type, v.Name, distance(slot, v.Slot), v.Offset)
	}
	if fields != nil || preimages == nil || hashes == maxHashes {
		return fields
	}
	preimage, offset, ok := preimages(slot)
	if !ok || len(preimage) < 32 {
		return nil
	}
	var parent uint256.Int
	key := preimage[:len(preimage)-32]
	parent.SetBytes(preimage[len(key):])
	for _, f := range l.fields(parent, preimages, hashes+1) {
		if found := hashed(f, key, offset); found != nil {
			return found
		}
	}
	return nil
}

// distance returns slot - base modulo 2^256.
func distance(slot, base uint256.Int) uint256.Int { return *slot.Sub(&slot, &base) }

// hashed returns the fields of the slot at offset after the hash of key and the
// slot of container.
func hashed(container Field, key []byte, offset uint256.Int) []Field {
	t := container.Type
	switch {
	case t.Encoding == MappingKeys && container.Kind == KindMapping:
		name, ok := keyName(t.Key, key)
		if !ok {
			return nil
		}
		return descend(nil, t.Elem, container.Path+"["+name+"]", offset, 0)
	case len(key) > 0:
		return nil
	case t.Encoding == DynamicArray:
		return elements(nil, t.Elem, strings.TrimSuffix(container.Path, lengthSuffix), offset, nil)
	case t.Encoding == ByteString && !container.Data:
		var end uint256.Int
		offset.Lsh(&offset, 5)
		end.AddUint64(&offset, 32)
		path := container.Path + "[" + offset.Dec() + ":" + end.Dec() + "]"
		return []Field{{Path: path, Type: t, Kind: t.Kind, Width: 32, Data: true}}
	}
	return nil
}

const lengthSuffix = ".length"

// descend appends the fields of t in its slot number rel; t starts at a byte
// offset from the right of its first slot. It appends nothing if t has fewer
// slots.
func descend(to []Field, t *Type, path string, rel uint256.Int, offset int) []Field {
	if size := t.slots(); rel.Cmp(&size) >= 0 {
		return to
	}
	switch t.Kind {
	case KindStruct:
		for _, m := range t.Members {
			to = descend(to, m.Type, path+"."+m.Name, distance(rel, m.Slot), m.Offset)
		}
		return to
	case KindArray:
		return elements(to, t.Elem, path, rel, &t.Length)
	case KindSlice:
		return append(to, Field{Path: path + lengthSuffix, Type: t, Kind: KindUint, Width: 32})
	case KindMapping, KindString, KindBytes:
		return append(to, Field{Path: path, Type: t, Kind: t.Kind, Width: 32})
	}
	width := min(t.width(), 32-offset)
	return append(to, Field{Path: path, Type: t, Kind: t.Kind, Offset: offset, Width: width})
}

// elements appends the fields of an array's elements in the slot rel slots after
// the first element. length is nil if unknown.
func elements(to []Field, elem *Type, path string, rel uint256.Int, length *uint64) []Field {
	within := func(i *uint256.Int) bool { return length == nil || i.LtUint64(*length) }
	var index uint256.Int
	if !elem.Kind.Elementary() {
		size := elem.slots()
		index.DivMod(&rel, &size, &rel)
		if !within(&index) {
			return to
		}
		return descend(to, elem, path+"["+index.Dec()+"]", rel, 0)
	}
	perSlot := 32 / elem.width()
	if index.Mul(&rel, uint256.NewInt(uint64(perSlot))); rel.BitLen() > 248 {
		return to
	}
	for i := range perSlot {
		if within(&index) {
			to = descend(to, elem, path+"["+index.Dec()+"]", uint256.Int{}, i*elem.width())
		}
		index.AddUint64(&index, 1)
	}
	return to
}
