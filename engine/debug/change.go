package debug

import (
	"errors"
	"fmt"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/debug/variables"
	"leveret/engine/evm"
	"leveret/solc/layout"
)

// A cell is where a variable has its value, if that can be set.
type cell struct {
	kind  cellKind
	depth int            // of the frame of the EVM that has it: Frame.Depth
	index int            // word of its stack, from the bottom; byte of its memory
	slot  Slot           // of storage
	field layout.Field   // of the slot
	of    common.Address // that has the balance
	form  variables.Form
}

type cellKind uint8

const (
	onStack cellKind = iota
	inMemory
	inStorage
	balance
	sender
	sentValue
	origin
	blockNumber
	blockTime
)

// A change sets a cell before the instruction at a position runs.
type change struct {
	at Position
	cell
	value uint256.Int // aligned to the right
}

// Limits of what is set.
const (
	maxChanges    = 100
	maxRecordings = 8 // that a Session keeps: one for each position at which values are set
)

// amend applies the changes at a position to the running Call.
func (r *Recording) amend(at Position, s *evm.Step) {
	for i := range r.changes {
		if r.changes[i].at == at {
			r.changes[i].apply(r.Machine, s.Frame)
		}
	}
}

// apply sets the cell. f is the innermost frame.
func (c *change) apply(m *evm.Machine, f *evm.Frame) {
	for f.Depth > c.depth && f.Parent != nil {
		f = f.Parent
	}
	poke := m.Poke()
	value := c.value
	switch c.kind {
	case onStack, inMemory:
		value = c.form.Align(value)
		if c.kind == onStack {
			poke.Stack(f, c.index, &value)
		} else {
			poke.Memory(f, c.index, &value)
		}
	case inStorage:
		c.store(m, value)
	case balance:
		poke.Balance(c.of, &value)
	case sender:
		f.From = value.Bytes20()
	case sentValue:
		f.Value = value
	case origin:
		*poke.Origin() = value.Bytes20()
	case blockNumber:
		poke.Block().SetHeight(&value)
	case blockTime:
		poke.Block().SetTime(&value)
	}
}

// store sets the field of a word of storage.
func (c *change) store(m *evm.Machine, value uint256.Int) {
	view, poke := m.View(), m.Poke()
	read, write := view.Storage, poke.Storage
	if c.slot.Transient {
		read, write = view.Transient, poke.Transient
	}
	var word uint256.Int
	before := read(c.slot.Address, c.slot.Key)
	word = c.field.Insert(*word.SetBytes32(before[:]), value)
	write(c.slot.Address, c.slot.Key, word.Bytes32())
}

// Errors of Set.
var (
	errFails   = errors.New("nothing that is set here has an effect: the call fails by this instruction; step back first")
	errChanges = fmt.Errorf("there are %d changes already; go back before one", maxChanges)
	errPlaces  = fmt.Errorf("values are set at %d positions already; go back before one", maxRecordings)
)

// Set sets a variable to the value of an expression in a function on the stack, and
// executes the transactions again: the Session goes on in a Recording in which the value
// is set at the position. Everything before is as it was. The Session returns to the
// Recording without the change by Rejoin.
func (s *Session) Set(v *Variable, text string, frame int) error {
	switch {
	case v.cell == nil && v.Parts != nil:
		return fmt.Errorf("%s is not a single value; set its parts", v.Name)
	case v.cell == nil:
		return fmt.Errorf("%s cannot be set", v.Name)
	case s.FailureAt(s.at) != nil:
		return errFails
	}
	value, err := s.parse(&v.cell.form, text, frame)
	if err != nil {
		return err
	}
	changed := change{at: s.at, cell: *v.cell, value: value}
	list := slices.DeleteFunc(slices.Clone(s.changes), func(c change) bool { return c.replacedBy(&changed) })
	base, again := s.Recording, len(s.before) > 0 && s.changedAt() == s.at
	switch {
	case len(list) == maxChanges:
		return errChanges
	case len(s.before) == maxRecordings && !again:
		return errPlaces
	}
	s.Close() // the Recording uses the Machine
	made, err := record(s.ctx, &Recording{
		Subject: base.Subject, visit: base.visit, codeTable: base.codeTable, fails: base.fails, changes: append(list, changed),
	})
	switch {
	case err != nil:
		return err
	case s.at >= made.end || made.frameAt(s.at) != base.frameAt(s.at):
		return errDiverged
	}
	if !again {
		s.before = append(s.before, base)
	}
	s.Recording = made
	return nil
}

// replacedBy reports whether another change sets the same cell at the same position.
func (c *change) replacedBy(other *change) bool {
	return c.at == other.at && c.kind == other.kind && c.depth == other.depth && c.index == other.index &&
		c.slot == other.slot && c.field.Offset == other.field.Offset && c.of == other.of
}

// changedAt returns the position of the newest change.
func (s *Session) changedAt() Position { return s.changes[len(s.changes)-1].at }

// Changed reports whether values were set on the way to the position.
func (s *Session) Changed() bool { return len(s.before) > 0 }

// Rejoin drops changes behind the position, and reports whether there were any: the
// Session goes on in the Recording without them.
func (s *Session) Rejoin() bool {
	dropped := false
	for len(s.before) > 0 && s.at < s.changedAt() {
		s.drop()
		dropped = true
	}
	return dropped
}

// Restore drops all changes. The Session goes on in the first Recording, where the first
// value was set.
func (s *Session) Restore() {
	for len(s.before) > 0 {
		s.at = min(s.at, s.changedAt())
		s.drop()
	}
}

// drop drops the changes at the newest position.
func (s *Session) drop() {
	s.Close()
	last := len(s.before) - 1
	s.Recording, s.before = s.before[last], s.before[:last]
}

// parse returns the value of an expression in a form, aligned to the right.
func (s *Session) parse(form *variables.Form, text string, frame int) (value uint256.Int, err error) {
	if n, ok := form.Member(text); ok {
		return *value.SetUint64(n), nil
	}
	v, err := s.Evaluate(text, frame)
	if err != nil {
		return value, err
	}
	return form.Parse(plain(v.Value))
}
