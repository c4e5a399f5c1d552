package lookahead

import (
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A machine executes instructions abstractly: its result includes every
// concrete result.
type machine struct {
	nodes
	conditions *[256]refinement // &refinements, by reference to break the initialization cycle
	code       *bytecode.Code
	pushed     []wordID                       // by instruction: the word it pushes, once known
	args       [7]wordID                      // operands of the instruction, kept here to avoid allocation
	fresh      func(i int, extra bool) wordID // returns a new symbol for the instruction at index i; extra for a second one
}

// An effect is the abstract semantics of an instruction. It runs before the
// operands are popped; args holds them, top of the stack first. It returns the
// result, or unknown.
type effect func(m *machine, s *state, i int, args []wordID) wordID

// effects has a row for every assigned opcode except pushes, dups, swaps, pure
// opcodes and jumps.
var effects = validateEffects([256]effect{
	bytecode.KECCAK256: keccak,

	bytecode.ADDRESS:      environment,
	bytecode.BALANCE:      anything,
	bytecode.ORIGIN:       environment,
	bytecode.CALLER:       environment,
	bytecode.CALLVALUE:    environment,
	bytecode.CALLDATALOAD: environment,
	bytecode.CALLDATASIZE: environment,
	bytecode.CALLDATACOPY: overwrite,
	bytecode.CODESIZE:     environment,
	bytecode.CODECOPY:     overwrite,
	bytecode.GASPRICE:     environment,
	bytecode.EXTCODESIZE:  anything,
	bytecode.EXTCODECOPY: func(m *machine, s *state, i int, args []wordID) wordID {
		return overwrite(m, s, i, args[1:])
	},
	bytecode.RETURNDATASIZE: func(_ *machine, s *state, _ int, _ []wordID) wordID { return s.returned },
	bytecode.RETURNDATACOPY: overwrite,
	bytecode.EXTCODEHASH:    anything,

	bytecode.BLOCKHASH:   environment,
	bytecode.COINBASE:    environment,
	bytecode.TIMESTAMP:   environment,
	bytecode.NUMBER:      environment,
	bytecode.PREVRANDAO:  environment,
	bytecode.GASLIMIT:    environment,
	bytecode.CHAINID:     environment,
	bytecode.SELFBALANCE: anything,
	bytecode.BASEFEE:     environment,
	bytecode.BLOBHASH:    environment,
	bytecode.BLOBBASEFEE: environment,

	bytecode.POP: nothing,
	bytecode.MLOAD: func(m *machine, s *state, _ int, args []wordID) wordID {
		if at, ok := m.offset(args[0]); ok {
			return s.memory.load(&m.nodes, at)
		}
		return unknown
	},
	bytecode.MSTORE: func(m *machine, s *state, _ int, args []wordID) wordID {
		if at, ok := m.offset(args[0]); ok {
			s.memory.store(&m.nodes, at, args[1])
		} else {
			s.memory.forget(&m.nodes, 0, 0, false)
		}
		return unknown
	},
	bytecode.MSTORE8: func(m *machine, s *state, _ int, args []wordID) wordID {
		at, ok := m.offset(args[0])
		if !ok {
			s.memory.forget(&m.nodes, 0, 0, false)
			return unknown
		}
		b, known := lowest(&m.nodes, args[1])
		s.memory.write(&m.nodes, at, []byte{b}, known)
		return unknown
	},
	bytecode.SLOAD: func(m *machine, s *state, i int, args []wordID) wordID {
		return m.read(&s.storage, i, args[0])
	},
	bytecode.SSTORE: func(m *machine, s *state, _ int, args []wordID) wordID {
		s.storage = put(&m.nodes, s.storage, args[0], args[1])
		return unknown
	},
	bytecode.PC: func(m *machine, _ *state, i int, _ []wordID) wordID {
		return m.number(uint64(m.code.Instructions[i].PC))
	},
	bytecode.MSIZE:    anything,
	bytecode.GAS:      anything,
	bytecode.JUMPDEST: nothing,
	bytecode.TLOAD: func(m *machine, s *state, i int, args []wordID) wordID {
		return m.read(&s.transient, i, args[0])
	},
	bytecode.TSTORE: func(m *machine, s *state, _ int, args []wordID) wordID {
		s.transient = put(&m.nodes, s.transient, args[0], args[1])
		return unknown
	},
	bytecode.MCOPY: func(m *machine, s *state, i int, args []wordID) wordID {
		to, ok := m.offset(args[0])
		from, fine := m.offset(args[1])
		length, short := m.offset(args[2])
		if ok && fine && short {
			s.memory.copyFrom(&m.nodes, to, from, length)
			return unknown
		}
		return overwrite(m, s, i, args)
	},

	bytecode.LOG0: nothing, bytecode.LOG1: nothing, bytecode.LOG2: nothing,
	bytecode.LOG3: nothing, bytecode.LOG4: nothing,

	bytecode.CREATE: func(m *machine, s *state, i int, _ []wordID) wordID {
		return m.call(s, i, false)
	},
	bytecode.CREATE2: func(m *machine, s *state, i int, _ []wordID) wordID {
		return m.call(s, i, false)
	},
	bytecode.CALL:         func(m *machine, s *state, i int, args []wordID) wordID { return called(m, s, i, args, 5) },
	bytecode.CALLCODE:     func(m *machine, s *state, i int, args []wordID) wordID { return called(m, s, i, args, 5) },
	bytecode.DELEGATECALL: func(m *machine, s *state, i int, args []wordID) wordID { return called(m, s, i, args, 4) },
	bytecode.STATICCALL:   func(m *machine, s *state, i int, args []wordID) wordID { return called(m, s, i, args, 4) },
})

// handled reports whether the machine handles op without a row in effects.
func handled(op bytecode.Op) bool {
	info := bytecode.Ops[op]
	return bytecode.IsPush(op) || bytecode.IsDup(op) || bytecode.IsSwap(op) || info.Pure ||
		info.Flow == bytecode.Jumps || info.Flow == bytecode.Branches || info.Flow == bytecode.Ends
}

// validateEffects panics if an assigned opcode has no row or is handled twice.
func validateEffects(table [256]effect) [256]effect {
	for op, row := range table {
		if handled(bytecode.Op(op)) == (row != nil) {
			panic("lookahead: no effect, or two, for " + bytecode.Ops[op].Name)
		}
	}
	return table
}

// anything is the effect of an opcode with an unknown result.
func anything(_ *machine, _ *state, _ int, _ []wordID) wordID { return unknown }

// nothing is the effect of an opcode that changes only the stack.
func nothing(_ *machine, _ *state, _ int, _ []wordID) wordID { return unknown }

// environment is the effect of an opcode whose result is constant within a
// frame.
func environment(m *machine, s *state, i int, args []wordID) wordID {
	var a [3]wordID
	copy(a[:], args)
	return s.resolve(m.intern(m.code.Instructions[i].Op, a))
}

// overwrite is the effect of a copy into memory: args are destination,
// source and length.
func overwrite(m *machine, s *state, _ int, args []wordID) wordID {
	length, short := m.offset(args[2])
	if short && length == 0 {
		return unknown
	}
	at, _ := m.offset(args[0]) // 0 if unknown: clears everything
	_, ok := m.offset(args[0])
	s.memory.forget(&m.nodes, at, length, short && ok)
	return unknown
}

// keccak gives equal results for equal inputs of whole words, so that a read of
// a mapping element finds its write.
func keccak(m *machine, s *state, _ int, args []wordID) wordID {
	at, ok := m.offset(args[0])
	length, short := m.offset(args[1])
	if !ok || !short || length == 0 || length > 96 {
		return unknown
	}
	words, ok := s.memory.words(&m.nodes, at, length)
	if !ok {
		return unknown
	}
	var a [3]wordID
	copy(a[:], words)
	return s.resolve(m.intern(bytecode.KECCAK256, a))
}

// read is a storage read: an unknown word becomes a symbol and is recorded.
func (m *machine) read(store *[]wordPair, i int, key wordID) wordID {
	w := find(*store, key)
	if w == unknown {
		w = m.fresh(i, false)
		*store = remember(*store, key, w)
	}
	return w
}

// called is the effect of a message call whose output range is at args[out].
func called(m *machine, s *state, i int, args []wordID, out int) wordID {
	at, ok := m.offset(args[out])
	length, short := m.offset(args[out+1])
	if !short || length > 0 {
		if !ok {
			at = 0
		}
		s.memory.forget(&m.nodes, at, length, ok && short)
	}
	return m.call(s, i, m.code.Instructions[i].Op == bytecode.STATICCALL || m.precompiled(args[1]))
}

// call clears what another frame may change. A read-only call preserves the
// storage; any other may call back.
func (m *machine) call(s *state, i int, readOnly bool) wordID {
	if !readOnly {
		s.storage, s.transient = s.storage[:0], s.transient[:0]
	}
	s.returned = m.fresh(i, true)
	return unknown
}

// precompiled reports whether an address is a precompiled contract on every
// chain; these make no calls.
func (m *machine) precompiled(address wordID) bool {
	v := m.value(address)
	return v != nil && !v.IsZero() && v.LtUint64(0x0a)
}

// offset returns the constant of w if memory at that offset is tracked.
func (m *machine) offset(w wordID) (uint32, bool) {
	at, ok := m.small(w)
	return at, ok && at < maxOffset
}

// lowest returns the lowest byte of a constant.
func lowest(n *nodes, w wordID) (byte, bool) {
	v := n.value(w)
	if v == nil {
		return 0, false
	}
	return byte(v.Uint64()), true
}

// step executes the instruction at index i, which is not a jump. It returns
// false if the frame ends there.
func (m *machine) step(s *state, i int) bool {
	op := m.code.Instructions[i].Op
	info := &bytecode.Ops[op]
	height := len(s.stack)
	pops := int(info.Pops)
	if height < pops || height-pops+int(info.Pushes) > 1024 {
		return false
	}
	switch {
	case bytecode.IsPush(op) && !m.code.Fixed(i):
		s.push(m.fresh(i, false))
		return true
	case bytecode.IsPush(op):
		if m.pushed[i] == unknown {
			m.pushed[i] = m.constant(m.code.Push(i, new(uint256.Int)))
		}
		s.push(m.pushed[i])
		return true
	case bytecode.IsDup(op):
		s.push(s.stack[height-pops])
		return true
	case bytecode.IsSwap(op):
		a, b := height-1, height-pops
		s.stack[a], s.stack[b] = s.stack[b], s.stack[a]
		return true
	}
	m.args = [7]wordID{}
	args := m.args[:]
	for k := range pops {
		args[k] = s.stack[height-1-k]
	}
	var w wordID
	if info.Pure {
		w = s.resolve(m.apply(op, [3]wordID(args[:3])))
	} else {
		w = effects[op](m, s, i, args[:pops])
	}
	s.stack = s.stack[:height-pops]
	if info.Pushes == 1 {
		if w == unknown {
			w = m.fresh(i, false)
		}
		s.push(w)
	}
	return true
}
