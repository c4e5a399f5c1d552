package evm

import "github.com/ethereum/go-ethereum/common"

// A transientWord is a word of EIP-1153.
type transientWord struct {
	transientKey
	value common.Hash
	noted int32 // see overlay.noteWord
}

type transientKey struct {
	addr common.Address
	key  common.Hash
}

// transients are the transient words of one transaction. Contracts use few, so
// a scan finds them until there are many.
type transients struct {
	list  []transientWord
	table map[transientKey]int // complete once the list is longer than scanned
}

// find returns the position of a word; -1 if it was never written.
func (ts *transients) find(addr *common.Address, key *common.Hash) int {
	wanted := transientKey{*addr, *key}
	if len(ts.list) > scanned {
		if at, ok := ts.table[wanted]; ok {
			return at
		}
		return -1
	}
	for i := range ts.list {
		if ts.list[i].transientKey == wanted {
			return i
		}
	}
	return -1
}

// add adds a new word and returns its position.
func (ts *transients) add(addr *common.Address, key *common.Hash) int {
	ts.list = append(ts.list, transientWord{transientKey: transientKey{*addr, *key}})
	switch n := len(ts.list); {
	case n == scanned+1:
		ts.table = make(map[transientKey]int, 4*scanned)
		for i := range ts.list {
			ts.table[ts.list[i].transientKey] = i
		}
	case n > scanned:
		ts.table[ts.list[n-1].transientKey] = n - 1
	}
	return len(ts.list) - 1
}

func (ts *transients) reset() { ts.list, ts.table = reused(ts.list, keptEntries), nil }
