package evm

import (
	"bytes"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Codes interns bytecode: equal bytes are one *Code with one ID. All Worlds and
// Machines of a campaign share one Codes; it is safe for concurrent use.
//
// A campaign can create bytecode without end, such as a factory that writes
// fuzzed immutables into the code it deploys. Beyond a limit Codes no longer
// interns: new Codes still run and have their bytes and hash, but all share the
// ID Overflow, so tables by ID stay bounded. Codes that differ only in words
// written into them share an ID from the second on, see Share.
type Codes struct {
	mu      sync.RWMutex
	runtime map[common.Hash]*Code
	init    map[common.Hash]*Code
	known   []*Code // creation code without its arguments, see AddInit
	all     []*Code // with IDs of their own
	bytes   int

	templates, inits []*template       // see Share and ShareInit
	shapes           map[string]*shape // by what alike codes have in common
}

// Limits of Codes.
const (
	maxCodes     = 1 << 14
	maxCodeBytes = 64 << 20
)

// Overflow is the ID of all Codes beyond the limit.
const Overflow = maxCodes

// NewCodes returns an empty table.
func NewCodes() *Codes {
	return &Codes{runtime: make(map[common.Hash]*Code), init: make(map[common.Hash]*Code), shapes: make(map[string]*shape)}
}

// Len returns how many IDs Codes have.
func (c *Codes) Len() int {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return len(c.all)
}

// Runtime interns deployed code. It keeps the bytes, which must not change.
// Empty code gives nil.
func (c *Codes) Runtime(code []byte) *Code {
	if len(code) == 0 {
		return nil
	}
	return c.intern(c.runtime, code, false)
}

// Init interns creation code with its constructor arguments, or without them if
// AddInit registered the code. Empty code gives nil: creating an empty contract
// is allowed and runs nothing.
func (c *Codes) Init(code []byte) *Code {
	if len(code) == 0 {
		return nil
	}
	if known := c.knownInit(code); known != nil {
		return known
	}
	if prefix := c.withoutArguments(code); prefix != nil {
		return c.AddInit(prefix)
	}
	return c.intern(c.init, code, true)
}

// AddInit registers creation code without constructor arguments. Init then
// returns this Code for all creation code with this prefix, with Bytes that
// exclude the arguments.
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
		code = bytes.Clone(code) // it aliases the memory of a frame
	}
	made, kept := c.add(hash, code, init)
	if kept {
		table[hash] = made
		c.bytes += len(code)
	}
	return made
}
