package cheat

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// An expectedEmit is an event that vm.expectEmit waits for: first for the one that
// the test emits as the model, then for one like it.
type expectedEmit struct {
	depth     int // of the frame that expects it
	checks    [5]bool
	emitter   *common.Address
	anonymous bool
	count     uint64

	model    *evm.Log // nil: not emitted yet
	found    bool
	seen     map[common.Address]uint64 // events like the model, by emitter
	mismatch string                    // of the last event that was not like it
}

// emits are the expected events: those to be found in order, then those found.
type emits []*expectedEmit

func (es emits) clone() emits {
	own := slices.Clone(es)
	for i, e := range own {
		one := *e
		one.seen = maps.Clone(e.seen)
		own[i] = &one
	}
	return own
}

var emitRows = func() []row {
	var rows []row
	for _, form := range []struct {
		name, types string
		flags       int // of the first arguments
		docs        string
	}{
		{"expectEmit", "", 0, "expects the next call to emit the event that follows"},
		{"expectEmit", "bool,bool,bool,bool", 4, "expects the next call to emit the event that follows, compared in part"},
		{"expectEmitAnonymous", "", 0, "expects the next call to emit the anonymous event that follows"},
		{"expectEmitAnonymous", "bool,bool,bool,bool,bool", 5, "expects the next call to emit the anonymous event that follows, compared in part"},
	} {
		for _, rest := range []struct{ types, docs string }{{"", ""}, {"address", ", from an emitter"}, {"uint64", ", a number of times"}, {"address,uint64", ", from an emitter, a number of times"}} {
			anonymous := form.name == "expectEmitAnonymous"
			if anonymous && strings.Contains(rest.types, "uint64") {
				continue
			}
			types := strings.Trim(form.types+","+rest.types, ",")
			run := func(c *call) error {
				e := &expectedEmit{depth: c.depth(), checks: [5]bool{true, true, true, true, true}, anonymous: anonymous, count: 1}
				for i := range form.flags {
					e.checks[5-form.flags+i] = c.flag(i)
				}
				at := form.flags
				if strings.HasPrefix(rest.types, "address") {
					a := c.address(at)
					e.emitter = &a
					at++
				}
				if at < len(c.args) {
					e.count = c.number(at)
				}
				c.memory.emits.expect(e)
				c.rememberArgs()
				c.comparesWith(len(c.memory.emits))
				return nil
			}
			rows = append(rows, row{form.name + "(" + types + ")", "", run, form.docs + rest.docs})
		}
	}
	return rows
}()

// open returns the number of events that are not found yet.
func (es emits) open() int {
	n := 0
	for n < len(es) && !es[n].found {
		n++
	}
	return n
}

// expect adds an event before those that were found.
func (es *emits) expect(e *expectedEmit) { *es = slices.Insert(*es, es.open(), e) }

// log takes an event as a model, or compares it with one. It returns why the frame
// that emits it fails; empty if it does not.
func (es *emits) log(l *evm.Log) string {
	list := *es
	if !slices.ContainsFunc(list, func(e *expectedEmit) bool { return !e.found }) {
		return ""
	}
	unset, waiting := false, -1
	for i, e := range list {
		if e.count == 0 && !e.found && e.model != nil && e.like(l) && (e.emitter == nil || *e.emitter == l.Address) {
			return "log emitted but expected 0 times"
		}
		unset = unset || e.model == nil
		if waiting < 0 && !e.found && e.count > 0 {
			waiting = i
		}
	}
	if unset {
		e := list[max(list.open()-1, 0)]
		if e.model == nil {
			return e.fill(l)
		}
		waiting = max(list.open()-1, 0)
	}
	if waiting < 0 {
		return ""
	}
	e := list[waiting]
	list = slices.Delete(list, waiting, waiting+1)
	if e.found = e.compare(l); e.found {
		*es = append(list, e)
	} else {
		*es = slices.Insert(list, 0, e)
	}
	return ""
}

// fill takes an event as the model.
func (e *expectedEmit) fill(l *evm.Log) string {
	if !e.anonymous && len(l.Topics) == 0 {
		return "use vm.expectEmitAnonymous to match anonymous events"
	}
	e.model = &evm.Log{Address: l.Address, Topics: slices.Clone(l.Topics), Data: bytes.Clone(l.Data)}
	return ""
}

// like reports whether an event has what is checked of the model.
func (e *expectedEmit) like(l *evm.Log) bool {
	if len(l.Topics) != len(e.model.Topics) {
		return false
	}
	for i, topic := range l.Topics {
		if e.checks[i] && topic != e.model.Topics[i] {
			return false
		}
	}
	return !e.checks[4] || bytes.Equal(l.Data, e.model.Data)
}

// compare counts an event and reports whether there were enough.
func (e *expectedEmit) compare(l *evm.Log) bool {
	if !e.like(l) {
		e.mismatch = e.difference(l)
		return false
	}
	if e.seen == nil {
		e.seen = make(map[common.Address]uint64)
	}
	e.seen[l.Address]++
	if e.emitter != nil && *e.emitter != l.Address {
		e.mismatch = fmt.Sprintf("log emitter mismatch: expected=0x%x, got=0x%x", *e.emitter, l.Address)
		return false
	}
	return e.seen[l.Address] >= e.count
}

// times returns how often the event was emitted.
func (e *expectedEmit) times() uint64 {
	if e.emitter != nil {
		return e.seen[*e.emitter]
	}
	n := uint64(0)
	for _, times := range e.seen {
		n += times
	}
	return n
}

// difference says how an event differs from the model.
func (e *expectedEmit) difference(l *evm.Log) string {
	const other = "log != expected log"
	want, names := e.model, 1 // the first topic is the event
	if e.anonymous {
		names = 0
	}
	switch {
	case len(l.Topics) != len(want.Topics):
		return other
	case names == 1 && e.checks[0] && len(want.Topics) > 0 && want.Topics[0] != l.Topics[0]:
		return other
	case e.checks[4] && !bytes.Equal(l.Data, want.Data) && (len(l.Data) != len(want.Data) || len(l.Data)%32 != 0):
		return other
	}
	var all []string
	add := func(parameter int, want, got []byte) {
		if !bytes.Equal(want, got) {
			all = append(all, fmt.Sprintf("param %d: expected=0x%s, got=0x%s", parameter, hex.EncodeToString(want), hex.EncodeToString(got)))
		}
	}
	for i := names; i < len(l.Topics); i++ {
		if e.checks[i] {
			add(i-names, want.Topics[i][:], l.Topics[i][:])
		}
	}
	if e.checks[4] && !bytes.Equal(l.Data, want.Data) {
		indexed := max(len(want.Topics)-names, 0)
		for at := 0; at < len(l.Data); at += 32 {
			add(indexed+at/32, want.Data[at:at+32], l.Data[at:at+32])
		}
	}
	switch {
	case len(all) == 0:
		return other
	case e.anonymous:
		return "anonymous log mismatch at " + strings.Join(all, ", ")
	}
	return "log mismatch at " + strings.Join(all, ", ")
}

// settle checks, at the end of a call that did not revert, the events that its
// caller expected; it reports whether they came.
func (es *emits) settle(depth int, m *evm.Message, e *evm.Ending) bool {
	if m.Static || !slices.ContainsFunc(*es, func(x *expectedEmit) bool { return x.depth == depth }) {
		return true
	}
	for _, x := range *es {
		if !x.found && x.count > 0 {
			text := x.mismatch
			if text == "" {
				text = "log != expected log"
			}
			e.Err, e.Output = evm.ErrReverted, input.AppendValues(nil, []input.Value{textValue(text)})
			return false
		}
	}
	for _, x := range *es {
		if times := x.times(); times != x.count {
			text := fmt.Sprintf("log emitted %d times, expected %d", times, x.count)
			if e.Failed() {
				text = revertedInstead("an emit", "expectEmit")
			}
			fail(e, text)
			return false
		}
	}
	*es = nil
	return true
}

// revertedInstead says that a call reverted that should have done something.
func revertedInstead(what, cheatcode string) string {
	return "expected " + what + ", but the call reverted instead. ensure you're testing the happy path when using `" + cheatcode + "`"
}

// finish checks, at the end of the outermost call, that no event is missing.
func (es *emits) finish(e *evm.Ending) bool {
	*es = slices.DeleteFunc(*es, func(x *expectedEmit) bool { return x.found || x.count == 0 })
	if len(*es) == 0 {
		return true
	}
	text := "expected an emit, but no logs were emitted afterwards. you might have mismatched events or not enough events were emitted"
	if e.Failed() {
		text = revertedInstead("an emit", "expectEmit")
	}
	fail(e, text)
	return false
}
