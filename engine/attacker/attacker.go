// Package attacker is the attacker's contract: real EVM code that does, whenever
// it is called, what a Script in its storage says [ENGINE.md section 9]. It
// accepts, reverts, uses up all gas, or calls back before it returns, and it
// answers with words of the Script's, so that it can stand in for any
// dependency.
//
// It knows no World and no campaign: it says what the code is and which
// storage words a Script becomes; whoever runs transactions puts them there.
package attacker

import (
	"encoding/binary"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// Code is what stands at the attacker's address. Callers must not change it.
var Code = assemble(program())

// A Word is a storage word of the attacker's contract.
type StorageWord struct{ Key, Value common.Hash }

// Where a Script stands in storage. The first word says it all in short; it
// is zero if there is no Script, and the rest is then never looked at.
//
//	word 0   bits 0-7 mode, 8-15 words to return, 16-31 depth,
//	         32-63 bytes of calldata, 64-223 target
//	word 1   wei of the re-entrance
//	word 256 + i     ith word to return
//	word 65536 + i   ith 32 bytes of the calldata
const (
	wordValue   = 1
	wordReturns = 1 << 8
	wordData    = 1 << 16
)

// Bounds of what a Script can hold; what is beyond is left out.
const (
	MaxReturns = 1<<8 - 1
	MaxDepth   = 1<<16 - 1
	MaxData    = 1 << 14
)

// Storage returns the storage words that tell the attacker's contract what to
// do; nil for nil.
func Storage(s *input.Script) []StorageWord {
	if s == nil {
		return nil
	}
	returns := s.Returns[:min(len(s.Returns), MaxReturns)]
	data := s.Data[:min(len(s.Data), MaxData)]
	var head common.Hash
	head[31] = byte(s.Mode)
	head[30] = byte(len(returns))
	binary.BigEndian.PutUint16(head[28:], uint16(min(max(s.Depth, 1), MaxDepth)))
	words := []StorageWord{}
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
