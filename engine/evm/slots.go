package evm

import (
	"math/bits"

	"github.com/holiman/uint256"
)

// A slotWord is a storage word that a transaction touched. The EVM queries each
// word several times (warm, original, current), so one entry has all answers.
type slotWord struct {
	account int32
	warm    bool  // in the access list
	loaded  bool  // original and current are loaded
	noted   int32 // see overlay.noteWord

	toldRead, toldWrite bool // the Recorder knows of a read and of a write

	key      uint256.Int
	original uint256.Int // before the transaction; see overlay.before
	current  uint256.Int
}

// words is a hash table of the words of one transaction. Words keep their
// position in the list, by which the journal names them. Clearing the table
// takes constant time.
type words struct {
	list  []slotWord
	cells []cell // a power of two, open addressing
	shift uint
	round uint32 // cells of other rounds are empty
	last  int32  // position of the last result; -1: none
}

type cell struct {
	round uint32
	pos   int32
}

const firstCells = 64

// at returns the position of a word and adds it if it is new.
func (ws *words) at(account int32, key *uint256.Int) int32 {
	if ws.last >= 0 {
		if w := &ws.list[ws.last]; w.account == account && w.key == *key {
			return ws.last
		}
	}
	if ws.cells == nil || len(ws.list)*2 >= len(ws.cells) {
		ws.grow()
	}
	i := ws.hash(account, key)
	for ws.cells[i].round == ws.round {
		pos := ws.cells[i].pos
		if w := &ws.list[pos]; w.account == account && w.key == *key {
			ws.last = pos
			return pos
		}
		i = (i + 1) & (len(ws.cells) - 1)
	}
	pos := int32(len(ws.list))
	ws.list = append(ws.list, slotWord{account: account, key: *key})
	ws.cells[i] = cell{ws.round, pos}
	ws.last = pos
	return pos
}

// hash mixes the key, since keys may be small integers as well as hashes.
func (ws *words) hash(account int32, key *uint256.Int) int {
	h := key[0] ^ bits.RotateLeft64(key[1], 23) ^ bits.RotateLeft64(key[2], 41) ^ key[3] ^ uint64(account)<<40
	return int(h * 0x9e3779b97f4a7c15 >> ws.shift)
}

func (ws *words) grow() {
	size := max(2*len(ws.cells), firstCells)
	ws.cells = make([]cell, size)
	ws.shift = uint(64 - bits.TrailingZeros(uint(size)))
	ws.round = 1
	for pos := range ws.list {
		i := ws.hash(ws.list[pos].account, &ws.list[pos].key)
		for ws.cells[i].round == ws.round {
			i = (i + 1) & (size - 1)
		}
		ws.cells[i] = cell{ws.round, int32(pos)}
	}
}

// reset removes all words.
func (ws *words) reset() {
	ws.list = reused(ws.list, keptEntries)
	ws.last = -1
	ws.round++
	switch {
	case len(ws.cells) > 4*keptEntries:
		ws.cells = nil
	case ws.round == 0:
		clear(ws.cells)
		ws.round = 1
	}
}
