package evm

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/bytecode"
)

// Codes that differ only in words written into them when they are created are
// alike: contracts with immutables, minimal proxies [EIP-1167], clones with
// arguments behind their code. A campaign creates them without end, so those after
// the first share one ID and with it a translation and what others know by ID.

// A shape is what alike codes have in common.
type shape struct {
	free   []bytecode.Range // immediates of pushes that differ, ascending
	end    int              // from here on bytes differ that are data; the length of the code if none do
	id     int              // of the codes after the first; -1: there is none yet
	blocks []uint16         // of the first
}

// A template is compiled code.
type template struct {
	object []byte
	free   []bytecode.Range // bytes that are written when it is deployed or linked
	seen   bool             // of creation code: it was interned with other arguments
}

// Limits of codes without a template that are alike. They are larger than
// proxies, and smaller than what compilers make of a contract.
const (
	maxSmallCode = 128  // bytes of instructions
	maxSmallData = 1024 // bytes of instructions and data
	leastFree    = 20   // bytes of an immediate that may differ
)

// Share registers compiled code that is deployed with different words in some
// ranges, such as immutables. It ignores code with ranges that are no immediates of
// pushes.
func (c *Codes) Share(object []byte, ranges []bytecode.Range) {
	analysis := bytecode.New(object)
	ranges = slices.Clone(ranges)
	slices.SortFunc(ranges, func(a, b bytecode.Range) int { return a.Start - b.Start })
	for _, r := range ranges {
		i, ok := analysis.InstructionAt(uint64(r.Start - 1))
		if !ok || len(analysis.Immediate(i)) != r.Length {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.templates = append(c.templates, &template{object: object, free: ranges})
}

// ShareInit registers compiled creation code, whose ranges are written when it is
// linked. If it is interned with several arguments, Init treats it as AddInit
// does.
func (c *Codes) ShareInit(object []byte, ranges []bytecode.Range) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.inits = append(c.inits, &template{object: object, free: ranges})
}

// withoutArguments returns the part of creation code that was interned before
// with other arguments; nil if none was.
func (c *Codes) withoutArguments(code []byte) []byte {
	hash := crypto.Keccak256Hash(code)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.init[hash] != nil {
		return nil
	}
	for _, t := range c.inits {
		n := len(t.object)
		if len(code) <= n || !bytecode.EqualModulo(code[:n], t.object, t.free) {
			continue
		}
		if t.seen {
			return code[:n]
		}
		t.seen = true
	}
	return nil
}

// shapeOf returns the shape of a code that is interned for the first time, and
// whether a code was alike; nil if it has none.
func (c *Codes) shapeOf(code []byte, init bool) (s *shape, found bool) {
	key, free, end := "", []bytecode.Range(nil), len(code)
	if t := c.templateOf(code); !init && t != nil {
		key, free = string(skeleton(code, t.free, end)), t.free
	} else if free, end = small(code); end < 0 {
		return nil, false
	} else {
		key = string(skeleton(code, free, end))
	}
	if init {
		key += "init"
	}
	if s = c.shapes[key]; s != nil {
		return s, true
	}
	s = &shape{free: free, end: end, id: -1}
	c.shapes[key] = s
	return s, false
}

func (c *Codes) templateOf(code []byte) *template {
	for _, t := range c.templates {
		if bytecode.EqualModulo(code, t.object, t.free) {
			return t
		}
	}
	return nil
}

// small returns the wide immediates of a small code that no compiler made, and
// where its data begins; -1 if it is another code.
func small(code []byte) (free []bytecode.Range, end int) {
	if len(code) > maxSmallData {
		return nil, -1
	}
	analysis := bytecode.New(code)
	if analysis.End > maxSmallCode || len(analysis.Metadata) > 0 {
		return nil, -1
	}
	for i, in := range analysis.Instructions[:analysis.Count] {
		if n := len(analysis.Immediate(i)); n >= leastFree {
			free = append(free, bytecode.Range{Start: int(in.PC) + 1, Length: n})
		}
	}
	return free, analysis.End
}

// skeleton returns code with zeros where alike codes differ.
func skeleton(code []byte, free []bytecode.Range, end int) []byte {
	s := slices.Clone(code)
	for _, r := range free {
		clear(s[r.Start:r.End()])
	}
	clear(s[end:])
	return s
}

// Free returns the ranges of c in which codes with the same ID have other bytes:
// immediates of pushes.
func (c *Code) Free() []bytecode.Range {
	if c.shape == nil {
		return nil
	}
	return c.shape.free
}

// alike reports whether a translation of c is one of d.
func (c *Code) alike(d *Code) bool { return c == d || c.shape != nil && c.shape == d.shape }

// beyond reports whether a pc is in bytes that differ among the codes alike, so that
// no translation has it.
func (c *Code) beyond(pc uint64) bool {
	return c.shape != nil && pc >= uint64(c.shape.end) && pc < uint64(len(c.Bytes))
}

// differs reports whether the PUSH at pc pushes another word in codes alike.
func (c *Code) differs(pc uint64) bool {
	return slices.ContainsFunc(c.Free(), func(r bytecode.Range) bool { return uint64(r.Start) == pc+1 })
}

// add makes a code with a hash. The caller holds the lock.
func (c *Codes) add(hash common.Hash, code []byte, init bool) (made *Code, kept bool) {
	made = &Code{ID: len(c.all), Hash: hash, Bytes: code, Init: init, dests: destinations(code)}
	kept = len(c.all) < maxCodes && c.bytes+len(code) <= maxCodeBytes
	s, found := c.shapeOf(code, init)
	switch {
	case found && s.id >= 0:
		made.ID, made.shape, made.blocks = s.id, s, s.blocks
		return made, kept
	case found && kept:
		s.id, made.shape, made.blocks = made.ID, s, s.blocks
	default:
		made.blocks = blocks(code)
	}
	if s != nil && !found {
		s.blocks = made.blocks
	}
	if !kept {
		made.ID = Overflow
		return made, false
	}
	c.all = append(c.all, made)
	return made, true
}
