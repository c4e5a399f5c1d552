package layout

import (
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
)

// keyName formats a mapping key as in source code. key has the hashed form.
func keyName(t *Type, key []byte) (string, bool) {
	switch {
	case t.Kind == KindString:
		return strconv.Quote(string(key)), true
	case t.Kind == KindBytes:
		return hexutil.Encode(key), true
	case len(key) != 32 || !t.Kind.Elementary():
		return "", false
	case t.Kind == KindFixedBytes:
		return hexutil.Encode(key[:t.width()]), true
	}
	var word uint256.Int
	word.SetBytes32(key)
	return format(t.Kind, word, t.width()), true
}

// parseKey is the inverse of keyName.
func parseKey(t *Type, name string) ([]byte, bool) {
	switch t.Kind {
	case KindString:
		text, err := strconv.Unquote(name)
		return []byte(text), err == nil
	case KindBytes:
		data, err := hexutil.Decode(name)
		return data, err == nil
	case KindFixedBytes:
		data, err := hexutil.Decode(name)
		return common.RightPadBytes(data, 32), err == nil && len(data) == t.width()
	case KindBool:
		word := make([]byte, 32)
		if name == "true" {
			word[31] = 1
		}
		return word, name == "true" || name == "false"
	case KindAddress, KindContract:
		return common.LeftPadBytes(common.FromHex(name), 32), common.IsHexAddress(name)
	case KindUint, KindInt, KindEnum, KindUserValue:
		return parseNumber(t, name)
	}
	return nil, false
}

// parseNumber parses a decimal or 0x-hexadecimal number within the range of the
// type.
func parseNumber(t *Type, name string) ([]byte, bool) {
	n, ok := new(big.Int).SetString(name, 0)
	if !ok || strings.ContainsAny(name, "_bBoO") && !strings.HasPrefix(name, "0x") {
		return nil, false
	}
	bits := 8 * t.width()
	if t.Kind == KindInt {
		bits--
	}
	magnitude := n
	if n.Sign() < 0 {
		magnitude = new(big.Int).Not(n)
	}
	if magnitude.BitLen() > bits || n.Sign() < 0 && t.Kind != KindInt {
		return nil, false
	}
	word, _ := uint256.FromBig(n)
	bytes := word.Bytes32()
	return bytes[:], true
}

// splitPath splits the first member, index or key off a path: "a", ".b", "[3]",
// `["x]"]`. ok is false if there is none.
func splitPath(path string) (first, rest string, ok bool) {
	if !strings.HasPrefix(path, "[") {
		end := 0
		for end < len(path) && (end == 0 || path[end] != '.') && path[end] != '[' {
			end++
		}
		return path[:end], path[end:], end > 0
	}
	if strings.HasPrefix(path, `["`) {
		quoted, err := strconv.QuotedPrefix(path[1:])
		if err != nil || !strings.HasPrefix(path[1+len(quoted):], "]") {
			return "", "", false
		}
		end := 1 + len(quoted) + 1
		return path[:end], path[end:], true
	}
	end := strings.IndexByte(path, ']')
	if end < 0 {
		return "", "", false
	}
	return path[:end+1], path[end+1:], true
}
