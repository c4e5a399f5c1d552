package debug

import (
	"slices"
	"sort"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/debug/variables"
)

// A stop is a position at which a user looked at values.
type stop struct {
	*Recording
	at Position
}

// Stop notes that the user looks at the position. The scope "Changed" compares it with
// the one noted before.
func (s *Session) Stop() {
	s.stops[0], s.stops[1] = s.stops[1], stop{s.Recording, s.at}
}

// Limits of what is compared.
const (
	maxSince = 1000 // words of storage
	maxLocal = 500  // locals with their parts
	maxDeep  = 3    // parts of parts
)

// An image has the values that are compared.
type image struct {
	words    map[Slot]uint256.Int
	balances map[common.Address]uint256.Int
	locals   map[string]string // by path; nil: the function does not run
}

// changed returns what is other than at the last stop, as "old → new": the locals of a
// function, as "→ new" those that were declared since, words of storage of all accounts,
// and balances.
func (s *Session) changed(f *StackFrame) (list []Variable) {
	last := s.stops[0]
	if last.Recording == nil {
		return nil
	}
	number := min(last.TransactionAt(last.at), s.TransactionAt(s.at))
	slots := last.written(nil, number, last.at)
	slots = s.written(slots, number, s.at)
	function := *f
	probe := &Session{Recording: last.Recording, ctx: s.ctx, at: last.at}
	s.Close() // they share the Machine
	old, ok := probe.imageAt(slots, s.accounts, func(g *StackFrame) bool {
		return last.TransactionAt(last.at) == s.TransactionAt(s.at) && g.Frame.Number == function.number && g.Entry == function.Entry && g.Base == function.Base
	})
	probe.Close()
	if !ok {
		return nil
	}
	now, ok := s.imageAt(slots, s.accounts, func(g *StackFrame) bool {
		return g.Frame.Number == function.number && g.depth == function.depth
	})
	if !ok {
		return nil
	}
	return s.differences(slots, &old, &now, f)
}

// written adds the words that transactions from one on write before a position, or that
// were set.
func (r *Recording) written(slots []Slot, number int, before Position) []Slot {
	known := map[Slot]bool{}
	for _, slot := range slots {
		known[slot] = true
	}
	byNumber := make([]Slot, len(r.slots))
	for slot, n := range r.slots {
		byNumber[n] = slot
	}
	add := func(slot Slot) {
		if !known[slot] && len(slots) < maxSince {
			known[slot] = true
			slots = append(slots, slot)
		}
	}
	start := r.txs[number].start
	for i := sort.Search(len(r.writes), func(i int) bool { return r.writes[i].at >= start }); i < len(r.writes) && r.writes[i].at < before; i++ {
		add(byNumber[r.writes[i].slot])
	}
	for i := range r.changes {
		if r.changes[i].kind == inStorage {
			add(r.changes[i].slot)
		}
	}
	return slots
}

// imageAt reads the values at the position, with the locals of the function that is
// wanted; false if the execution ends.
func (s *Session) imageAt(slots []Slot, accounts []common.Address, wanted func(*StackFrame) bool) (m image, ok bool) {
	stack, err := s.Stack()
	if err != nil {
		return m, false
	}
	view := s.Machine.View()
	m.words, m.balances = map[Slot]uint256.Int{}, map[common.Address]uint256.Int{}
	for _, slot := range slots {
		read := view.Storage
		if slot.Transient {
			read = view.Transient
		}
		word := read(slot.Address, slot.Key)
		m.words[slot] = *new(uint256.Int).SetBytes32(word[:])
	}
	for _, a := range accounts {
		m.balances[a] = view.Balance(a)
	}
	if i := slices.IndexFunc(stack, func(g StackFrame) bool { return wanted(&g) }); i >= 0 {
		m.locals = map[string]string{}
		flatten(m.locals, s.locals(&stack[i]), 0)
	}
	return m, true
}

// flatten adds variables and their parts by path.
func flatten(to map[string]string, list []Variable, depth int) {
	for i := range list {
		if len(to) == maxLocal {
			return
		}
		v := &list[i]
		to[v.Path] = v.Value
		if v.Parts != nil && v.reference == nil && depth < maxDeep {
			flatten(to, v.Parts(), depth+1)
		}
	}
}

// differences compares images. The variables of the account of a function need no name
// of the contract.
func (s *Session) differences(slots []Slot, old, now *image, f *StackFrame) (list []Variable) {
	add := func(v Variable, before, after string) {
		if before != after {
			list = append(list, Variable{Name: v.Name, Type: v.Type, Path: v.Path, Value: before + " → " + after})
		}
	}
	paths := make([]string, 0, len(now.locals))
	for path := range now.locals {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		before, known := old.locals[path]
		switch after := now.locals[path]; {
		case before == variables.Unknown || after == variables.Unknown:
		case known:
			add(Variable{Name: path, Path: path}, before, after)
		case old.locals != nil && root(path) == path:
			list = append(list, Variable{Name: path, Path: path, Value: "→ " + after})
		}
	}
	for _, slot := range slots {
		before, after := old.words[slot], now.words[slot]
		if before == after {
			continue
		}
		for _, v := range s.named(slot, f) {
			add(v.Variable, v.show(before), v.show(after))
		}
	}
	for _, a := range s.accounts {
		before, after := old.balances[a], now.balances[a]
		v := s.balanceOf(a, s.name(a))
		v.Name += ".balance"
		add(v, before.Dec(), after.Dec())
	}
	return list
}

// A shown is a variable in a word.
type shown struct {
	Variable
	show func(word uint256.Int) string
}

// named returns the variables in a word, or the word itself if they are not known.
func (s *Session) named(slot Slot, f *StackFrame) (list []shown) {
	prefix, st := "", s.storageOf(f)
	if slot.Address != f.self {
		prefix, st = s.name(slot.Address)+".", s.storageAt(slot.Address)
	}
	if st != nil && !slot.Transient {
		var key uint256.Int
		d, _ := st.layout.Describe(*key.SetBytes32(slot.Key[:]), s.preimages.Find)
		for _, field := range d.Fields {
			v := shown{Variable{Name: prefix + field.Path, Type: field.Type.Label}, func(word uint256.Int) string {
				return st.fieldOf(key, field, word).Value
			}}
			if prefix == "" {
				v.Path = field.Path
			}
			list = append(list, v)
		}
	}
	if len(list) == 0 {
		name := "storage[" + slot.Key.Hex() + "]"
		if slot.Transient {
			name = "transient " + name
		}
		list = []shown{{Variable{Name: prefix + name, Type: "bytes32"}, func(word uint256.Int) string { return word.Hex() }}}
	}
	return list
}
