package cheat

import (
	"errors"
	"fmt"
	"slices"

	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// A spent is the gas of a call or a creation.
type spent struct {
	limit, left uint64
	refunded    int64
}

// gas is what cheatcodes know and change of gas.
type gas struct {
	lastCall, lastFrame *spent
	refunds             []uint64 // by depth: refund counter at the start of the frame
	paused              bool     // nothing is charged for
	measures            []measure
}

// A measure is a gas snapshot that was started.
type measure struct {
	group, name string
	depth       int
	left        uint64 // gas of the frame, after the cheatcode that started it
}

func (g *gas) clone() gas {
	own := *g
	own.refunds, own.measures = nil, slices.Clone(g.measures)
	return own
}

const gasStruct = "((uint64,uint64,uint64,int64,uint64))"

var gasRows = []row{
	{"lastCallGas()", gasStruct, func(c *call) error { return c.lastGas(c.memory.gas.lastCall, "no external call was made yet") }, "returns the gas of the last call"},
	{"lastFrameGas()", gasStruct, func(c *call) error {
		return c.lastGas(c.memory.gas.lastFrame, "no external call or create was made yet")
	}, "returns the gas of the last call or creation"},
	{"pauseGasMetering()", "", func(c *call) error { c.memory.gas.paused = true; return c.observe() }, "stops charging for gas"},
	{"resumeGasMetering()", "", (*call).resumeGas, "charges for gas again"},
	{"resetGasMetering()", "", (*call).resetGas, "gives the frame the gas back that it used"},
	{"snapshotValue(string,uint256)", "", func(*call) error { return nil }, "writes a value to forge's folder of snapshots, which has no effect here"},
	{"snapshotValue(string,string,uint256)", "", func(*call) error { return nil }, "writes a value of a group to forge's folder of snapshots, which has no effect here"},
	{"snapshotGasLastCall(string)", "(uint256)", (*call).lastCallUsed, "returns the gas of the last call; no file is written"},
	{"snapshotGasLastCall(string,string)", "(uint256)", (*call).lastCallUsed, "returns the gas of the last call; no file is written"},
	{"snapshotGasLastFrame(string)", "(uint256)", (*call).lastFrameUsed, "returns the gas of the last call or creation; no file is written"},
	{"snapshotGasLastFrame(string,string)", "(uint256)", (*call).lastFrameUsed, "returns the gas of the last call or creation; no file is written"},
	{"startSnapshotGas(string)", "", func(c *call) error { return c.startGas("", c.text(0)) }, "starts to measure gas"},
	{"startSnapshotGas(string,string)", "", func(c *call) error { return c.startGas(c.text(0), c.text(1)) }, "starts to measure gas, in a group"},
	{"stopSnapshotGas()", "(uint256)", func(c *call) error { return c.stopGas(nil) }, "returns the gas since the last startSnapshotGas; no file is written"},
	{"stopSnapshotGas(string)", "(uint256)", func(c *call) error { return c.stopGas(nil) }, "returns the gas since the last startSnapshotGas; no file is written"},
	{"stopSnapshotGas(string,string)", "(uint256)", func(c *call) error { return c.stopGas(&measure{group: c.text(0), name: c.text(1)}) }, "returns the gas since a startSnapshotGas; no file is written"},
}

// enter notes the refunds at the start of a message.
func (g *gas) enter(s *evm.State, depth int) {
	for len(g.refunds) <= depth {
		g.refunds = append(g.refunds, 0)
	}
	g.refunds[depth] = s.Refund()
}

// leave notes what a message cost.
func (g *gas) leave(s *evm.State, depth int, m *evm.Message, e *evm.Ending) {
	x := &spent{limit: m.Gas, left: e.Left}
	if e.Failed() {
		x.left = e.Unspent
	}
	if !e.Failed() && depth < len(g.refunds) {
		x.refunded = int64(s.Refund() - g.refunds[depth])
	}
	g.lastFrame = x
	if !m.Creates() {
		g.lastCall = x
	}
}

// forget forgets the last frame at a message that reverted as expected, so that it
// seems to have succeeded.
func (g *gas) forget(m *evm.Message, e *evm.Ending) {
	if !e.Failed() && !isCheat(m) {
		g.lastFrame = nil
	}
}

func (c *call) lastGas(x *spent, missing string) error {
	if x == nil {
		return errors.New(missing)
	}
	refunded := input.Value{Type: intType}
	refunded.Word.SetUint64(uint64(x.refunded))
	refunded.Word.ExtendSign(&refunded.Word, uint256.NewInt(7))
	return c.give(tupleValue(c.code.outputs[0].Type, numberValue(x.limit), numberValue(x.limit-x.left), numberValue(0), refunded, numberValue(x.left)))
}

// resumeGas charges for gas again, for the call of the cheatcode too.
func (c *call) resumeGas() error {
	if g := &c.memory.gas; g.paused {
		g.paused = false
		c.state.Charge(c.frame, warmCall)
	}
	return c.observe()
}

func (c *call) resetGas() error {
	c.memory.gas.paused = false
	if !c.state.Exact() {
		return evm.ErrRestart
	}
	c.state.Refill(c.frame, c.message.Gas)
	return c.observe()
}

// group returns the group of a measure: the test contract's if the test
// names none.
func (c *call) group(name string) string {
	if name == "" {
		return c.Config.Contract
	}
	return name
}

func (c *call) lastCallUsed() error {
	return c.giveUsed(c.memory.gas.lastCall, "no external call was made yet")
}

func (c *call) lastFrameUsed() error {
	return c.giveUsed(c.memory.gas.lastFrame, "no external call or create was made yet")
}

// giveUsed gives the gas of a call or a creation.
func (c *call) giveUsed(x *spent, missing string) error {
	if x == nil {
		return errors.New(missing)
	}
	return c.give(numberValue(x.limit - x.left))
}

func (c *call) startGas(group, name string) error {
	g := &c.memory.gas
	if len(g.measures) > 0 {
		return fmt.Errorf("gas snapshot was already started with group: %s and name: %s", g.measures[0].group, g.measures[0].name)
	}
	g.measures = append(g.measures, measure{c.group(group), name, c.depth(), c.state.Gas(c.frame) + c.message.Gas})
	return nil
}

// snapshotCost is the gas of the two cheatcodes around a measured piece of code,
// which forge takes off; a warm call comes on top of what State.Gas tells.
const (
	snapshotCost = 171
	warmCall     = 100
)

func (c *call) stopGas(named *measure) error {
	g := &c.memory.gas
	if named == nil {
		if len(g.measures) == 0 {
			return errors.New("no active gas snapshot; call `startGasSnapshot` first")
		}
		named = &g.measures[len(g.measures)-1]
	}
	i := slices.IndexFunc(g.measures, func(x measure) bool { return x.group == named.group && x.name == named.name })
	if i < 0 {
		return fmt.Errorf("no gas snapshot was started with the name: %s in group: %s", named.name, named.group)
	}
	x := g.measures[i]
	g.measures = slices.Delete(g.measures, i, i+1)
	value := uint64(0)
	if left := c.state.Gas(c.frame) + c.message.Gas + warmCall; x.depth == c.depth() && x.left > left+snapshotCost {
		value = x.left - left - snapshotCost
	}
	return c.give(numberValue(value))
}
