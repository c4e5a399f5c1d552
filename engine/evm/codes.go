package evm

import (
	"bytes"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Codes interns bytecode: equal bytes are one *Code with one ID. All Worlds
// and Machines of a campaign share one Codes; it is safe for concurrent use.
//
// A campaign can make new bytecode without end (a factory that writes fuzzed
// immutables into what it deploys). Beyond a bound Codes stops remembering:
// such Codes still run and still have their bytes and hash, but they all share
// the ID Overflow, so nobody's tables grow with them.
type Codes struct {
	mu      sync.RWMutex
	runtime map[common.Hash]*Code
	init    map[common.Hash]*Code
	known   []*Code // creation code without its arguments, see AddInit
	all     []*Code
	bytes   int
}

// Bounds of what Codes remembers.
const (
	maxCodes     = 1 << 14
	maxCodeBytes = 128 << 20
)

// Overflow is the ID of Codes that came after the table was full.
const Overflow = maxCodes

// NewCodes returns an empty table.
func NewCodes() *Codes {
	return &Codes{runtime: make(map[common.Hash]*Code), init: make(map[common.Hash]*Code)}
}

// Runtime interns deployed code. The bytes are kept, and must not change.
// Empty code is nil.
func (c *Codes) Runtime(code []byte) *Code {
	if len(code) == 0 {
		return nil
	}
	return c.intern(c.runtime, code, false)
}

// Init interns creation code as it runs: constructor arguments included,
// unless AddInit made the code before them known. Nil if there is none: to
// create a contract of nothing is allowed, and runs nothing.
func (c *Codes) Init(code []byte) *Code {
	if len(code) == 0 {
		return nil
	}
	if known := c.knownInit(code); known != nil {
		return known
	}
	return c.intern(c.init, code, true)
}

// AddInit makes known that code is creation code that runs with constructor
// arguments behind it. All that Init gets with this prefix is one Code, whose
// Bytes are without the arguments.
func (c *Codes) AddInit(code []byte) *Code {
	known := c.intern(c.init, code, true)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, k := range c.known {
		if k == known {
			return known
		}
	}
	c.known = append(c.known, known)
	return known
}

// All lists the Codes in the order of their IDs.
func (c *Codes) All() []*Code {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.all[:len(c.all):len(c.all)]
}

func (c *Codes) knownInit(code []byte) *Code {
	c.mu.RLock()
	defer c.mu.RUnlock()
	var longest *Code
	for _, k := range c.known {
		if bytes.HasPrefix(code, k.Bytes) && (longest == nil || len(k.Bytes) > len(longest.Bytes)) {
			longest = k
		}
	}
	return longest
}

func (c *Codes) intern(table map[common.Hash]*Code, code []byte, init bool) *Code {
	hash := crypto.Keccak256Hash(code)
	c.mu.RLock()
	found := table[hash]
	c.mu.RUnlock()
	if found != nil {
		return found
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if found = table[hash]; found != nil {
		return found
	}
	if init {
		code = bytes.Clone(code) // it lies in the memory of a frame
	}
	made := &Code{ID: len(c.all), Hash: hash, Bytes: code, Init: init, blocks: blocks(code)}
	if len(c.all) >= maxCodes || c.bytes+len(code) > maxCodeBytes {
		made.ID = Overflow
		return made
	}
	table[hash] = made
	c.all = append(c.all, made)
	c.bytes += len(code)
	return made
}
