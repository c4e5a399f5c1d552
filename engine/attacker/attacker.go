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
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

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
//	word 0   bits 0-7 mode, 8-15 answers, 16-31 re-entrant calls
//	256 (1 + i)     how many words the ith answer has; they follow
//	65536 (1 + i)   the ith re-entrant call: bits 0-31 bytes of calldata, 32-47 the
//	                call of the contract in which it is made first, 48-63 in how many, 64-223 target
//	          + 1   its wei
//	          + 2   the first 4 bytes of its calldata
//	          + 3 + k   the kth 32 bytes after them, so that each argument is a word
//
// Words from coldSlots on are never written: see program.
const (
	answerSlots = 1 << 8
	callSlots   = 1 << 16
	coldSlots   = 1 << 40

	callWei, callSelector, callArguments = 1, 2, 3
)

// Limits of a Script; Storage drops what exceeds them.
const (
	maxAnswers = 64
	maxWords   = answerSlots - 1
	maxCalls   = 64
	maxTimes   = 1<<16 - 1
	maxData    = 1 << 14
)

// Storage returns the storage words of a Script; nil for nil.
func Storage(s *input.Script) []StorageWord { return new(Layout).Storage(s) }

// A Layout lays Scripts out as storage words, in memory that it uses again.
type Layout struct {
	words []StorageWord
	data  []byte // calldata of a re-entrant call
}

// Storage returns the storage words of a Script, which are valid until the next call;
// nil for nil.
func (l *Layout) Storage(s *input.Script) []StorageWord {
	if s == nil {
		return nil
	}
	l.words = l.words[:0]
	answers := s.Answers[:min(len(s.Answers), maxAnswers)]
	for i, words := range answers {
		l.answer(i, words[:min(len(words), maxWords)])
	}
	var head common.Hash
	head[31], head[30] = byte(s.Mode), byte(len(answers))
	if s.Mode == input.Reenter {
		calls := s.Calls[:min(len(s.Calls), maxCalls)]
		for i := range calls {
			l.call(i, &calls[i])
		}
		binary.BigEndian.PutUint16(head[28:], uint16(len(calls)))
	}
	l.set(0, head)
	return l.words
}

// Usual returns what the attacker contract answers if no Script says it: true, a
// number, or what recipients of tokens and borrowers have to answer.
func Usual(selector [4]byte) []uint256.Int {
	var word uint256.Int
	for _, h := range hooks {
		hash := crypto.Keccak256([]byte(h.signature))
		switch {
		case [4]byte(hash) != selector:
			continue
		case h.answer == "":
			word.SetBytes(selector[:])
			word.Lsh(&word, 224)
		default:
			word.SetBytes(crypto.Keccak256([]byte(h.answer)))
		}
		return []uint256.Int{word}
	}
	return slices.Repeat([]uint256.Int{{1}}, usualWords)
}

// usualWords is how many words the contract answers usually. Callers decode as
// many as they want; price feeds have five.
const usualWords = 8

func (l *Layout) set(n int, v common.Hash) { l.words = append(l.words, StorageWord{key(n), v}) }

func (l *Layout) answer(i int, words []uint256.Int) {
	at := answerSlots * (1 + i)
	l.set(at, key(len(words)))
	for k := range words {
		l.set(at+1+k, words[k].Bytes32())
	}
}

func (l *Layout) call(i int, c *input.Reentry) {
	l.data = c.Tx.AppendCalldata(l.data[:0])
	at, data := callSlots*(1+i), l.data[:min(len(l.data), maxData)]
	var head common.Hash
	binary.BigEndian.PutUint32(head[28:], uint32(len(data)))
	binary.BigEndian.PutUint16(head[26:], uint16(min(max(c.First, 1), maxTimes)))
	binary.BigEndian.PutUint16(head[24:], uint16(min(max(c.Times, 1), maxTimes)))
	copy(head[4:], c.Tx.To[:])
	l.set(at, head)
	l.set(at+callWei, c.Tx.Value.Bytes32())
	var selector common.Hash
	copy(selector[28:], data)
	l.set(at+callSelector, selector)
	for k := 0; 4+32*k < len(data); k++ {
		var w common.Hash
		copy(w[:], data[4+32*k:])
		l.set(at+callArguments+k, w)
	}
}

// A Word is what a storage word of a Script holds that is a Parameter: a word of an
// answer, how many words it has, the wei of a re-entrant call, or 32 bytes of its calldata.
type Word struct {
	Kind  WordKind
	Of    int // index of the answer or of the call
	Index int // WordOfAnswer: of the word; WordOfData: of the byte in the calldata
}

// A WordKind is a kind of Word.
type WordKind uint8

// The kinds of Words.
const (
	WordOfAnswer WordKind = iota
	WordsOfAnswer
	WordOfWei
	WordOfData
)

// WordAt returns what a storage word holds; false if that is no Parameter.
func WordAt(slot common.Hash) (w Word, ok bool) {
	n := new(uint256.Int).SetBytes32(slot[:])
	if !n.IsUint64() || n.Uint64() >= coldSlots {
		return w, false
	}
	switch at := int(n.Uint64()); {
	case at >= callSlots:
		w.Of = at/callSlots - 1
		switch at %= callSlots; {
		case at == callWei:
			w.Kind = WordOfWei
		case at == callSelector:
			w.Kind = WordOfData
		case at >= callArguments:
			w.Kind, w.Index = WordOfData, 4+32*(at-callArguments)
		default:
			return w, false
		}
		return w, true
	case at >= answerSlots:
		w.Of, w.Index = at/answerSlots-1, at%answerSlots-1
		if w.Index < 0 {
			w.Kind, w.Index = WordsOfAnswer, 0
		}
		return w, true
	}
	return w, false
}

func key(n int) (k common.Hash) {
	binary.BigEndian.PutUint64(k[24:], uint64(n))
	return k
}
