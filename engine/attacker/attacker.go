// Package attacker is the attacker contract: EVM code that executes the Script
// in its storage on each call. It accepts, reverts, burns all gas, or re-enters
// before it returns. It returns words of the Script, so it can stand in for any
// dependency. See docs/engine.md, "Attacker contracts".
//
// It knows no World and no campaign: it provides the code and the storage words
// of a Script, and the caller that runs transactions writes them.
package attacker

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// Code is the runtime code at the attacker's address. Callers must not change
// it.
var Code = assemble(program())

// A StorageWord is a word of the attacker contract's storage.
type StorageWord struct{ Key, Value common.Hash }

// Layout of a Script in storage. Word 0 is the header; it is zero if there is
// no Script, and the other words are then not read.
//
//	word 0   bits 0-7 mode, 8-15 words to return, 16-31 depth,
//	         32-63 bytes of calldata, 64-223 target
//	word 1   wei of the re-entrant call
//	word 256 + i     ith word to return
//	word 65536 + i   ith 32 bytes of the calldata
const (
	wordValue   = 1
	wordReturns = 1 << 8
	wordData    = 1 << 16
)

// Limits of a Script; Storage drops what exceeds them.
const (
	maxReturns = 1<<8 - 1
	maxDepth   = 1<<16 - 1
	maxData    = 1 << 14
)

// Storage returns the storage words of a Script; nil for nil.
func Storage(s *input.Script) []StorageWord {
	if s == nil {
		return nil
	}
	returns := s.Returns[:min(len(s.Returns), maxReturns)]
	data := s.Data[:min(len(s.Data), maxData)]
	var head common.Hash
	head[31] = byte(s.Mode)
	head[30] = byte(len(returns))
	binary.BigEndian.PutUint16(head[28:], uint16(min(max(s.Depth, 1), maxDepth)))
	words := make([]StorageWord, 0, 2+len(data)/32+1+len(returns))
	if s.Mode == input.Reenter {
		binary.BigEndian.PutUint32(head[24:], uint32(len(data)))
		copy(head[4:], s.Target[:])
		words = append(words, StorageWord{key(wordValue), s.Value.Bytes32()})
		for at := 0; at < len(data); at += 32 {
			var w common.Hash
			copy(w[:], data[at:])
			words = append(words, StorageWord{key(wordData + at/32), w})
		}
	}
	for i := range returns {
		words = append(words, StorageWord{key(wordReturns + i), returns[i].Bytes32()})
	}
	return append(words, StorageWord{key(0), head})
}

func key(n int) (k common.Hash) {
	binary.BigEndian.PutUint64(k[24:], uint64(n))
	return k
}
