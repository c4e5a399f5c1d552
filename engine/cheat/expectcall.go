package cheat

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// An expectedCall is what vm.expectCall waits for.
type expectedCall struct {
	to       common.Address
	data     []byte // start of the calldata
	delegate bool   // only delegate calls
	value    *uint256.Int
	gas      *uint64
	least    *uint64 // gas
	count    uint64
	exact    bool // exactly count times, otherwise at least
	seen     uint64
}

// An expectedCreation is what vm.expectCreate waits for.
type expectedCreation struct {
	kind evm.FrameKind
	code []byte // of the new contract
	by   common.Address
}

// calls are the expected calls and creations.
type calls struct {
	calls     []expectedCall
	creations []expectedCreation
}

func (cs *calls) clone() calls { return calls{slices.Clone(cs.calls), slices.Clone(cs.creations)} }

var callRows = func() []row {
	var rows []row
	for _, form := range []struct {
		name, types string
		docs        string
		set         func(*call, *expectedCall) // from the arguments between address and data
	}{
		{"expectCall", "", "", nil},
		{"expectCall", "uint256,", " with a value", func(c *call, e *expectedCall) { e.value = &c.args[1].Word }},
		{"expectCall", "uint256,uint64,", " with a value and an amount of gas", func(c *call, e *expectedCall) { e.value, e.gas = &c.args[1].Word, c.stipended() }},
		{"expectCallMinGas", "uint256,uint64,", " with a value and at least an amount of gas", func(c *call, e *expectedCall) { e.value, e.least = &c.args[1].Word, c.stipended() }},
	} {
		at := 1 + strings.Count(form.types, ",") // of the data
		for _, counted := range []bool{false, true} {
			types, docs := "address,"+form.types+"bytes", "expects a call of an address with the start of its data"+form.docs
			if counted {
				types, docs = types+",uint64", docs+", a number of times"
			}
			run := func(c *call) error {
				e := expectedCall{to: c.address(0), data: c.data(at), count: 1, exact: counted}
				if form.set != nil {
					form.set(c, &e)
				}
				if counted {
					e.count = c.number(at + 1)
				}
				return c.expectCall(e)
			}
			rows = append(rows, row{form.name + "(" + types + ")", "", run, docs})
		}
	}
	return append(rows,
		row{"expectDelegateCall(address,bytes)", "", func(c *call) error {
			return c.expectCall(expectedCall{to: c.address(0), data: c.data(1), delegate: true, count: 1})
		}, "expects a delegate call of an address with the start of its data"},
		row{"expectCreate(bytes,address)", "", func(c *call) error { return c.expectCreation(evm.FrameCreate) }, "expects a creation of a contract with some code by an address"},
		row{"expectCreate2(bytes,address)", "", func(c *call) error { return c.expectCreation(evm.FrameCreate2) }, "expects a creation with CREATE2 of a contract with some code by an address"})
}()

// stipended returns the gas of an expected call, with the stipend that comes with
// a value.
func (c *call) stipended() *uint64 {
	gas := c.number(2)
	if !c.args[1].Word.IsZero() {
		gas += 2300
	}
	return &gas
}

func (c *call) expectCall(e expectedCall) error {
	c.rememberArgs()
	c.comparesWith(len(c.memory.calls.calls))
	return c.memory.calls.expect(e)
}

func (cs *calls) expect(e expectedCall) error {
	for i := range cs.calls {
		x := &cs.calls[i]
		if x.to != e.to || x.delegate != e.delegate || !bytes.Equal(x.data, e.data) {
			continue
		}
		switch {
		case e.exact:
			return errors.New("counted expected calls can only bet set once")
		case x.exact:
			return errors.New("cannot overwrite a counted expectCall with a non-counted expectCall")
		}
		x.count++
		return nil
	}
	cs.calls = append(cs.calls, e)
	return nil
}

func (c *call) expectCreation(kind evm.FrameKind) error {
	cs := &c.memory.calls
	cs.creations = append(cs.creations, expectedCreation{kind, c.data(0), c.address(1)})
	c.rememberArgs()
	return nil
}

// enter counts a call.
func (cs *calls) enter(m *evm.Message) {
	for i := range cs.calls {
		x := &cs.calls[i]
		if x.to == m.To && bytes.HasPrefix(m.Input, x.data) &&
			(x.value == nil || m.Kind != evm.FrameDelegateCall && x.value.Eq(&m.Value)) &&
			(x.gas == nil || *x.gas == m.Gas) && (x.least == nil || *x.least <= m.Gas) &&
			(!x.delegate || m.Kind == evm.FrameDelegateCall) {
			x.seen++
		}
	}
}

// created takes a creation off the list.
func (cs *calls) created(s *evm.State, m *evm.Message, e *evm.Ending) {
	if len(cs.creations) == 0 || e.Created == (common.Address{}) {
		return
	}
	code := s.Code(e.Created)
	i := slices.IndexFunc(cs.creations, func(x expectedCreation) bool {
		return x.by == m.From && x.kind == m.Kind && bytes.Equal(x.code, code)
	})
	if i >= 0 {
		cs.creations = slices.Delete(cs.creations, i, i+1)
	}
}

// finishCalls checks, at the end of the outermost call, that no call is missing.
func (cs *calls) finishCalls(e *evm.Ending) bool {
	for i := range cs.calls {
		x := &cs.calls[i]
		if x.seen == x.count || !x.exact && x.seen > x.count {
			continue
		}
		but := "was called " + times(x.seen)
		if e.Failed() {
			but = "the call reverted instead; ensure you're testing the happy path when using `expectCall`"
		}
		fail(e, fmt.Sprintf("expected call to %s with %s to be called %s, but %s", x.to.Hex(), x.describe(), times(x.count), but))
		return false
	}
	return true
}

// finishCreations checks, at the end of the outermost call, that no creation is
// missing.
func (cs *calls) finishCreations(e *evm.Ending) {
	if len(cs.creations) == 0 {
		return
	}
	x, kind := &cs.creations[0], "CREATE"
	if x.kind == evm.FrameCreate2 {
		kind = "CREATE2"
	}
	fail(e, fmt.Sprintf("expected %s call by address 0x%x for bytecode 0x%x but not found", kind, x.by, x.code))
}

func (x *expectedCall) describe() string {
	text := "data 0x" + hex.EncodeToString(x.data)
	if x.value != nil {
		text += ", value " + x.value.Dec()
	}
	if x.gas != nil {
		text += fmt.Sprint(", gas ", *x.gas)
	}
	if x.least != nil {
		text += fmt.Sprint(", minimum gas ", *x.least)
	}
	if x.delegate {
		text += ", call type DelegateCall"
	}
	return text
}

func times(n uint64) string {
	if n == 1 {
		return "1 time"
	}
	return fmt.Sprintf("%d times", n)
}
