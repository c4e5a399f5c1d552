package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// An account is the state of one address that a transaction touched.
type account struct {
	addr    common.Address
	exists  bool // set for an empty account too, until the transaction ends
	warm    bool // in the access list
	touched bool // called by a frame that did not fail; only known with an Inspector
	changed bool // anything but storage; never unset by a revert
	written bool // storage; never unset by a revert
	created bool // a contract deployed in this transaction [EIP-6780]
	doomed  bool // self-destructed and to be deleted
	nonce   uint64
	balance uint256.Int
	code    *Code
	index   int32     // position in accounts
	stores  []*record // records of its storage, newest first
	loaded  bool      // stores is set
}

// accounts holds the accounts of one transaction and reuses them for the next
// one. Most transactions touch few accounts, so a scan from the newest beats a
// map until there are many.
type accounts struct {
	list  []*account // the first used are live
	used  int
	last  *account
	err   error                       // why the Call ends: an account or a word could not be read, and no others are (a *SourceError), or a bound is reached
	table map[common.Address]*account // complete once used exceeds scanned
}

const scanned = 16

// get returns the account at addr and loads it from top if it is new.
func (as *accounts) get(top *layer, addr *common.Address) *account {
	if as.last != nil && as.last.addr == *addr {
		return as.last
	}
	if a := as.known(addr); a != nil {
		as.last = a
		return a
	}
	a := as.add()
	a.addr = *addr
	if as.err == nil {
		as.load(a, top)
	}
	if as.used > scanned {
		as.fill()
	}
	as.last = a
	return a
}

// load sets the account to what it is in top.
func (as *accounts) load(a *account, top *layer) {
	r := top.lookup(&a.addr)
	if r == nil {
		return
	}
	if r.exists {
		a.exists, a.nonce, a.balance, a.code = true, r.nonce, r.balance, r.code
	}
	if r.storage != nil && r.storage.err != nil {
		as.err = r.storage.err
	}
}

func (as *accounts) known(addr *common.Address) *account {
	if as.used > scanned {
		return as.table[*addr]
	}
	for i := as.used - 1; i >= 0; i-- {
		if as.list[i].addr == *addr {
			return as.list[i]
		}
	}
	return nil
}

// add returns a blank account at the end of the list.
func (as *accounts) add() *account {
	if as.used == len(as.list) {
		as.list = append(as.list, new(account))
	}
	a := as.list[as.used]
	*a = account{index: int32(as.used), stores: a.stores[:0]}
	as.used++
	return a
}

// fill brings the table up to date with the list.
func (as *accounts) fill() {
	if as.table == nil {
		as.table = make(map[common.Address]*account)
	}
	if len(as.table) == as.used-1 {
		a := as.list[as.used-1]
		as.table[a.addr] = a
		return
	}
	for _, a := range as.list[:as.used] {
		as.table[a.addr] = a
	}
}

// live returns the accounts of this transaction.
func (as *accounts) live() []*account { return as.list[:as.used] }

func (as *accounts) reset() {
	as.used, as.last, as.err = 0, nil, nil
	if len(as.list) > keptEntries {
		as.list, as.table = nil, nil
	}
	if len(as.table) > 0 {
		clear(as.table)
	}
}
