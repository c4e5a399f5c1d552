package lookahead

import "math/bits"

// mix folds x into h. It is fast and sufficient for keys of internal data;
// lookahead ids are cryptographic.
func mix(h, x uint64) uint64 {
	hi, lo := bits.Mul64(h^0x9e3779b97f4a7c15, x^0xd6e8feb86659fd93)
	return hi ^ lo ^ bits.RotateLeft64(h, 23) + x
}

// A key is 128 bits of hash.
type key [2]uint64

func (k key) with(x uint64) key {
	return key{mix(k[0], x), mix(k[1], x^0xa0761d6478bd642f)}
}
