package cheat

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
)

// A mock is what calls of an address with the start of some data return.
type mock struct {
	data    []byte
	value   *uint256.Int // nil: any
	outputs [][]byte     // of the next calls; the last one stays
	reverts bool
}

// mocks are the mocked calls and functions, by the address whose code would run.
type mocks struct {
	calls     map[common.Address][]mock
	functions map[common.Address]map[string]common.Address // by calldata or selector: whose code runs instead
}

func (ms *mocks) clone() mocks {
	own := mocks{maps.Clone(ms.calls), maps.Clone(ms.functions)}
	for a, list := range own.calls {
		own.calls[a] = slices.Clone(list)
	}
	for a, list := range own.functions {
		own.functions[a] = maps.Clone(list)
	}
	return own
}

var mockRows = func() []row {
	rows := []row{
		{"clearMockedCalls()", "", func(c *call) error { c.memory.mocks.calls = nil; return nil }, "ends all mocks of mockCall"},
		{"mockFunction(address,address,bytes)", "", (*call).mockFunction, "runs the code of another contract for calls of an address with some data or selector"},
	}
	for _, form := range []struct{ name, last, docs string }{
		{"mockCall", "bytes", "makes calls of an address with the start of their data return something"},
		{"mockCalls", "bytes[]", "makes calls of an address with the start of their data return one thing after another"},
		{"mockCallRevert", "bytes", "makes calls of an address with the start of their data revert"},
	} {
		for _, types := range []string{"bytes,", "uint256,bytes,", "bytes4,", "uint256,bytes4,"} {
			if form.name == "mockCalls" && strings.Contains(types, "bytes4") {
				continue
			}
			docs, at := form.docs, strings.Count(types, ",") // of the data
			if at == 2 {
				docs += ", if they have a value"
			}
			run := func(c *call) error {
				m := mock{data: c.bytes(at), reverts: form.name == "mockCallRevert"}
				if at == 2 {
					m.value = &c.args[1].Word
				}
				if form.name == "mockCalls" {
					for i := range c.args[at+1].Elems {
						m.outputs = append(m.outputs, c.args[at+1].Elems[i].Data)
					}
				} else {
					m.outputs = [][]byte{c.data(at + 1)}
				}
				return c.mock(m, true)
			}
			rows = append(rows, row{form.name + "(address," + types + form.last + ")", "", run, docs})
		}
	}
	return append(rows, row{"mockCall(address,bytes,bytes,bool)", "", func(c *call) error {
		return c.mock(mock{data: c.data(1), outputs: [][]byte{c.data(2)}}, c.flag(3))
	}, "as mockCall; says whether an address without code gets some"})
}()

// mock adds a mock in place of one for the same calls. inject gives an address
// without code a byte of it: Solidity checks that there is some.
func (c *call) mock(m mock, inject bool) error {
	a := c.address(0)
	if inject {
		c.state.Touch(a, nil)
		if len(c.state.Code(a)) == 0 {
			c.state.SetCode(a, []byte{0})
		}
	}
	ms := &c.memory.mocks
	if ms.calls == nil {
		ms.calls = make(map[common.Address][]mock)
	}
	list := slices.DeleteFunc(ms.calls[a], func(x mock) bool {
		return bytes.Equal(x.data, m.data) && (x.value == nil) == (m.value == nil) && (x.value == nil || x.value.Eq(m.value))
	})
	ms.calls[a] = append(list, m)
	c.rememberArgs()
	c.comparesWith(len(list))
	return nil
}

func (c *call) mockFunction() error {
	ms, a := &c.memory.mocks, c.address(0)
	if ms.functions == nil {
		ms.functions = make(map[common.Address]map[string]common.Address)
	}
	if ms.functions[a] == nil {
		ms.functions[a] = make(map[string]common.Address)
	}
	ms.functions[a][string(c.data(2))] = c.address(1)
	c.rememberArgs()
	return nil
}

// redirect lets a call run the code of another contract.
func (ms *mocks) redirect(m *evm.Message) {
	list := ms.functions[m.To]
	if list == nil {
		return
	}
	to, ok := list[string(m.Input)]
	if !ok && len(m.Input) >= 4 {
		to, ok = list[string(m.Input[:4])]
	}
	if ok {
		m.To = to
	}
}

// compared returns how many mocks a call is compared with.
func (ms *mocks) compared(m *evm.Message) int { return len(ms.calls[m.To]) }

// answer returns how a mocked call ends; nil for other calls.
func (ms *mocks) answer(s *evm.State, m *evm.Message) *evm.Ending {
	list := ms.calls[m.To]
	best := -1
	for i := range list {
		if x := &list[i]; x.matches(m) && (best < 0 || x.closer(&list[best])) {
			best = i
		}
	}
	if best < 0 || len(list[best].outputs) == 0 {
		return nil
	}
	x := &list[best]
	e := &evm.Ending{Output: x.outputs[0], Left: m.Gas}
	if m.Kind != evm.FrameDelegateCall {
		snapshot := s.Snapshot()
		if err := s.Transfer(m.From, m.Self, &m.Value); err != nil {
			return &evm.Ending{Left: m.Gas, Err: err}
		}
		if x.reverts {
			s.Revert(snapshot)
		}
	}
	if x.reverts {
		e.Err = evm.ErrReverted
	}
	if len(x.outputs) > 1 {
		x.outputs = x.outputs[1:]
	}
	return e
}

func (x *mock) matches(m *evm.Message) bool {
	return bytes.HasPrefix(m.Input, x.data) && (x.value == nil || m.Kind != evm.FrameDelegateCall && x.value.Eq(&m.Value))
}

// closer reports whether x says more about a call that both match.
func (x *mock) closer(y *mock) bool {
	if len(x.data) != len(y.data) {
		return len(x.data) > len(y.data)
	}
	return x.value != nil && y.value == nil
}
