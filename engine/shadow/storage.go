package shadow

import (
	"maps"
	"slices"

	"leveret/engine/bytecode"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// A written is the content of a storage word in the current transaction.
type written struct {
	value ref
	dirty bool // false: unchanged
}

// An undo reverts one write.
type undo struct {
	at        stateSlot
	was       written
	had       bool
	transient bool
}

func (f *frame) slot(key *uint256.Int) stateSlot {
	return stateSlot{f.live.Self, common.Hash(key.Bytes32())}
}

// load returns the word at a slot as a new node with a pending value.
func (o *Observer) load(f *frame, op bytecode.Op, key ref, pc uint64) ref {
	at := f.slot(&o.g.nodes[key].val)
	k := &o.g.nodes[key]
	n := node{
		op: opLoaded, b: key, pc: uint32(pc), frame: f.number, aux: uint32(op),
		index: o.g.sets.Union(k.data, k.index), control: o.g.sets.Union(k.control, f.control.set),
	}
	var value ref
	if op == bytecode.TLOAD {
		value = o.transient[at]
	} else if w, ok := o.storage[at]; ok {
		value = w.value
	} else {
		value = o.before(at)
		o.storage[at] = written{value: value}
	}
	n.a = value
	o.g.carry(&n, value)
	return o.g.add(n)
}

// carry adds all taint of value to n.
func (g *graph) carry(n *node, value ref) {
	m := &g.nodes[value]
	n.data, n.bytes, n.split, n.fixed = m.data, m.bytes, m.split, m.fixed
	n.index = g.sets.Union(n.index, m.index)
	n.control = g.sets.Union(n.control, m.control)
}

// before returns the word at a slot before the transaction. Its value is set
// when the machine loads it.
func (o *Observer) before(at stateSlot) ref {
	src := TaintSource{Kind: FromStorage, Address: at.account, Slot: at.key}
	if at.account == o.Script && o.Script != (common.Address{}) {
		src = TaintSource{Kind: FromScript, Slot: at.key}
	}
	own := o.inputs.of(src)
	n := node{op: opSource, data: own, bytes: everywhere, aux: o.inputs.own(src)}
	if s, ok := o.state.slots[at]; ok {
		n.index, n.control = s.index, s.control
		var by [32]Set
		for i := range by {
			switch {
			case s.split != nil:
				by[i] = o.g.sets.Union(own, s.split[i])
			case s.bytes>>i&1 != 0:
				by[i] = o.g.sets.Union(own, s.data)
			default:
				by[i] = own
			}
		}
		o.g.spread(&n, &by)
	}
	r := o.g.add(n)
	if s := o.state.slots[at]; s.word != 0 {
		o.translator.earlier[r] = s.word
	}
	return r
}

// store writes the word at a slot.
func (w *writes) store(at stateSlot, transient bool, value ref) {
	u := undo{at: at, transient: transient}
	if transient {
		u.was.value, u.had = w.transient[at], true
		w.transient[at] = value
	} else {
		u.was, u.had = w.storage[at]
		w.storage[at] = written{value: value, dirty: true}
	}
	w.journal = append(w.journal, u)
}

// rollback reverts all writes after the journal had a length.
func (w *writes) rollback(length int) {
	for len(w.journal) > length {
		u := w.journal[len(w.journal)-1]
		w.journal = w.journal[:len(w.journal)-1]
		switch {
		case u.transient:
			w.transient[u.at] = u.was.value
		case u.had:
			w.storage[u.at] = u.was
		default:
			delete(w.storage, u.at)
		}
	}
}

// keep records the taint of the written words in the State. It visits them in
// order, because sources are numbered in order of occurrence.
func (o *Observer) keep() {
	for _, at := range slices.SortedFunc(maps.Keys(o.storage), stateSlot.compare) {
		w := o.storage[at]
		if !w.dirty {
			continue
		}
		n := &o.g.nodes[w.value]
		s := stored{data: n.data, index: n.index, control: n.control, bytes: n.bytes, fields: o.fields(w.value)}
		if n.split != 0 {
			by := o.g.splits[n.split]
			s.split = &by
		}
		if o.state.Expressions != nil && !n.fixed && n.data != 0 {
			s.word = o.translator.express(w.value)
		}
		o.state.slots[at] = s
	}
	if o.state.Expressions != nil {
		o.keepPath()
	}
}
