package bytecode

// metadataKeys are the keys that solc and compatible compilers write into the
// CBOR map after the code.
var metadataKeys = map[string]bool{
	"ipfs": true, "bzzr0": true, "bzzr1": true, "solc": true, "experimental": true,
}

// FindMetadata returns the ranges of the compiler's CBOR metadata in code, with
// their two length bytes, in ascending order: the trailer of the code itself
// and those of contained creation codes.
func FindMetadata(code []byte) []Range {
	var found []Range
	for i := 0; i+4 < len(code); i++ {
		if code[i] < 0xa1 || code[i] > 0xa6 || code[i+1]>>5 != 3 {
			continue
		}
		n, ok := cborMap(code[i:])
		if !ok || i+n+2 > len(code) || int(code[i+n])<<8|int(code[i+n+1]) != n {
			continue
		}
		found = append(found, Range{i, n + 2})
		i += n + 1
	}
	return found
}

// cborMap returns the length of the CBOR map at the start of data if all its
// keys are metadata keys.
func cborMap(data []byte) (int, bool) {
	at := 1
	for entries := int(data[0] & 0x1f); entries > 0; entries-- {
		key, n, ok := cborString(data[at:])
		if !ok || !metadataKeys[string(key)] {
			return 0, false
		}
		at += n
		if at < len(data) && (data[at] == 0xf4 || data[at] == 0xf5) { // false, true
			at++
			continue
		}
		if _, n, ok = cborString(data[at:]); !ok {
			return 0, false
		}
		at += n
	}
	return at, true
}

// cborString returns the content and the encoded length of the byte or text
// string at the start of data.
func cborString(data []byte) (content []byte, length int, ok bool) {
	if len(data) == 0 || data[0]>>5 != 2 && data[0]>>5 != 3 {
		return nil, 0, false
	}
	head, n := 1, int(data[0]&0x1f)
	if n == 24 && len(data) > 1 {
		head, n = 2, int(data[1])
	} else if n > 23 {
		return nil, 0, false
	}
	if head+n > len(data) {
		return nil, 0, false
	}
	return data[head : head+n], head + n, true
}

// EqualModulo reports whether a and b differ only in the given ranges, such as
// those of immutables and library addresses. It matches a deployed contract
// with its compiled code.
func EqualModulo(a, b []byte, ranges []Range) bool {
	if len(a) != len(b) {
		return false
	}
	free := make([]bool, len(a))
	for _, r := range ranges {
		for i := max(r.Start, 0); i < min(r.End(), len(a)); i++ {
			free[i] = true
		}
	}
	for i := range a {
		if a[i] != b[i] && !free[i] {
			return false
		}
	}
	return true
}
