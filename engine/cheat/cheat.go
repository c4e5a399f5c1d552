// Package cheat implements Foundry's cheatcodes and console.log as an
// evm.Inspector: the calls that tests make to the cheatcode address, and what
// these change in the calls after them.
//
// Cheatcodes are rows of the table in table.go. Each group of them has a file with
// its rows, its handlers and the type that owns what the group remembers. What
// needs the host of the process (files, environment, programs, other chains) goes
// through a Host that the caller provides; without one, it is refused.
//
// The reference is forge 1.7 (crates/cheatcodes of foundry-rs/foundry).
package cheat

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/bytecode"
	"leveret/engine/evm"
)

// Addresses that tests call.
var (
	Address = common.HexToAddress("0x7109709ECfa91a80626fF3989D68f67F5b1DD12D") // of the cheatcodes
	Console = common.HexToAddress("0x000000000000000000636F6e736F6c652e6c6f67") // of console.log
)

// Cheats are the cheatcodes of one Machine. They remember in the World what stays
// from one Call to the next, so that every World continues as its own Calls left
// it.
type Cheats struct {
	Config Config
	Report Report // of the last Call

	state   *evm.State
	memory  *memory
	printed int     // bytes of Report.Lines
	counted int     // of memory.size, what the Machine knows
	structs structs // of the project; nil: not asked for yet
	seeds   seeds   // of mnemonics used lately

	backings map[*Fork]*evm.Backing    // of the forks that were selected
	replayed map[*evm.Mined]*evm.World // what transactions find that forks were opened before
}

// A Config is what cheatcodes need to know of a project.
type Config struct {
	Host     Host             // nil: everything outside the chain is refused
	Seed     uint64           // of vm.random…
	Contract string           // name of the test contract
	Tester   common.Address   // the test contract, the same on all forks
	Fork     *Fork            // selected from the start; nil: a chain without contracts
	ChainID  uint64           // of all forks; 0: their own
	Shared   []common.Address // accounts that are the same on all forks, besides forge's
	// ExpectInternal allows vm.expectRevert to expect a revert of the test's own code.
	ExpectInternal bool
	// AssertionsContinue makes failed assertions set FailSlot of the cheatcode address
	// instead of reverting.
	AssertionsContinue bool
	// Isolate makes each call and creation of a test a transaction of its own.
	Isolate bool
	// PranksEnd makes startPrank end with the Call, as in Echidna and Medusa.
	PranksEnd bool
	// Explain describes the custom errors of the project's contracts, and returns ""
	// for other data; it may be nil.
	Explain func(output []byte) string
}

// A Report is what a Call told about itself besides its Outcome.
type Report struct {
	Lines  []string                  // of console.log and of DSTest's events, without line ends; at most 1 MB
	Labels map[common.Address]string // by vm.label, of earlier Calls too
}

// memory is what stays from Call to Call. A Call works on a copy.
type memory struct {
	tools
	block   block
	labels  labels
	pranks  pranks
	reverts reverts
	emits   emits
	calls   calls
	mocks   mocks

	broadcasts broadcasts
	snapshots  snapshots
	recorded   recorded
	diff       stateDiff
	gas        gas
	safe       safeMemory
	arbitrary  arbitrary
	forks      forks
	isolated   isolated
	held       int // estimated bytes, those of recorded and diff excepted
}

// clone returns a copy that changes independently.
func (m *memory) clone() *memory {
	if m == nil {
		return &memory{}
	}
	return &memory{
		block: m.block.clone(), labels: m.labels.clone(), pranks: m.pranks.clone(),
		reverts: m.reverts.clone(), emits: m.emits.clone(), calls: m.calls.clone(), mocks: m.mocks.clone(),
		broadcasts: m.broadcasts.clone(), snapshots: m.snapshots.clone(), recorded: m.recorded.clone(), diff: m.diff.clone(),
		gas: m.gas.clone(), safe: m.safe.clone(), arbitrary: m.arbitrary.clone(), forks: m.forks.clone(), isolated: m.isolated,
		tools: m.tools.clone(), held: m.held,
	}
}

// Begin implements evm.Inspector.
func (c *Cheats) Begin(s *evm.State, env *evm.Env) {
	c.state, c.Report, c.printed = s, Report{}, 0
	var kept *memory
	if env != nil {
		kept, _ = env.Memory.(*memory)
	}
	c.memory = kept.clone()
	if kept == nil && c.Config.Fork != nil {
		c.memory.forks.begin(c.Config.Fork)
	}
	if c.Config.PranksEnd {
		c.memory.pranks = nil
	}
	c.counted = c.memory.size()
	c.memory.block.begin(s)
	c.Report.Labels = c.memory.labels
}

// End implements evm.Inspector.
func (c *Cheats) End() *evm.Env {
	m := c.memory
	return &evm.Env{Block: m.block.change(c.state), Tx: m.block.tx(c.state), Hashes: c.state.BlockHashes(), Memory: m, Size: m.size()}
}

// watched returns the instructions that the groups have to be told of.
func (m *memory) watched() []byte {
	if !m.recorded.wantsAccesses && m.recorded.mappings == nil && !m.diff.active && len(m.safe) == 0 && m.arbitrary.overwrite == nil {
		return nil
	}
	return slices.Concat(m.recorded.watched(), m.diff.watched(), m.safe.watched(), m.arbitrary.watched())
}

// observe asks for what the groups have to see or change of instructions. It
// returns evm.ErrRestart if the Call has to start again for it.
func (c *Cheats) observe() error {
	ops, paused := c.memory.watched(), c.memory.gas.paused
	if !c.state.Exact() {
		if len(ops) > 0 || paused {
			return evm.ErrRestart
		}
		return nil
	}
	c.state.Watch(ops...)
	c.state.Free(paused)
	return nil
}

// Step implements evm.Inspector.
func (c *Cheats) Step(s *evm.Step) {
	k := c.memory
	if s.Op == bytecode.SLOAD && k.arbitrary.overwrite != nil {
		c.loadArbitrary(s.Frame.Self, s.Top(0).Bytes32())
	}
	k.recorded.step(s)
	k.diff.step(c.state, s)
	k.safe.step(c.state, s)
	c.count()
}

// Log implements evm.Inspector.
func (c *Cheats) Log(_ *evm.Frame, l *evm.Log) {
	c.printLog(l)
	if n := len(c.memory.emits); n > 0 {
		c.remember(len(l.Data))
		c.comparesWith(n)
	}
	if text := c.memory.emits.log(l); text != "" {
		c.state.Fail(cheatcodeError(text))
	}
	c.memory.recorded.log(l)
	c.count()
}

// depthOf returns how many frames are open where a message comes from, 0 for the
// outermost one.
func depthOf(parent *evm.Frame) int {
	if parent == nil {
		return 0
	}
	return parent.Depth
}

// Before implements evm.Inspector.
func (c *Cheats) Before(parent *evm.Frame, m *evm.Message) *evm.Ending {
	if parent == nil {
		if err := c.observe(); err != nil {
			return &evm.Ending{Err: err}
		}
	}
	if m.Creates() {
		return c.beforeCreation(parent, m)
	}
	switch m.To {
	case Address:
		return c.answer(parent, m)
	case Console:
		if m.Kind == evm.FrameStaticCall {
			c.isolate(depthOf(parent), m)
		}
		return c.log(m)
	}
	k, depth := c.memory, depthOf(parent)
	c.comparesWith(k.mocks.compared(m) + len(k.calls.calls))
	k.mocks.redirect(m)
	k.gas.enter(c.state, depth)
	k.reverts.enter(depth)
	k.calls.enter(m)
	k.pranks.enter(c.state, depth, m)
	if e := k.mocks.answer(c.state, m); e != nil {
		return e
	}
	if e := k.broadcasts.enter(c.state, depth, m, c.Config.Isolate && depth == 1); e != nil {
		return e
	}
	k.diff.enter(c.state, depth, m)
	c.isolate(depth, m)
	c.count()
	return nil
}

func (c *Cheats) beforeCreation(parent *evm.Frame, m *evm.Message) *evm.Ending {
	k, depth := c.memory, depthOf(parent)
	if e := k.intercepted(m); e != nil {
		return e
	}
	k.gas.enter(c.state, depth)
	k.reverts.enter(depth)
	k.pranks.enter(c.state, depth, m)
	if e := k.broadcasts.enterCreation(c.state, parent, m); e != nil {
		return e
	}
	k.diff.enterCreation(depth, m)
	c.isolate(depth, m)
	c.count()
	return nil
}

// After implements evm.Inspector.
func (c *Cheats) After(parent *evm.Frame, m *evm.Message, e *evm.Ending) {
	k, depth := c.memory, depthOf(parent)
	if !isCheat(m) {
		k.pranks.leave(c.state, depth)
		k.broadcasts.leave(c.state, depth)
	}
	if m.Creates() {
		c.afterCreation(depth, m, e)
	} else {
		c.afterCall(depth, m, e)
	}
	if parent == nil {
		c.remember(k.snapshots.keep(c.state))
	}
}

func (c *Cheats) afterCall(depth int, m *evm.Message, e *evm.Ending) {
	k := c.memory
	if c.inexact(depth, e) {
		return
	}
	if k.reverts.reject(depth, m, e, c.Config.Explain) {
		return
	}
	if k.reverts.satisfy(depth, m, e, &c.Config) {
		k.gas.forget(m, e)
		return
	}
	if isCheat(m) {
		return
	}
	k.gas.leave(c.state, depth, m, e)
	k.diff.leave(c.state, depth, m, e)
	if rejects(e) {
		return
	}
	if k.emits.settle(depth, m, e) && depth == 0 && k.calls.finishCalls(e) && k.emits.finish(e) {
		k.calls.finishCreations(e)
	}
}

func (c *Cheats) afterCreation(depth int, m *evm.Message, e *evm.Ending) {
	k := c.memory
	if c.inexact(depth, e) {
		return
	}
	if k.reverts.satisfyCreation(depth, e, &c.Config) {
		k.gas.forget(m, e)
		return
	}
	if depth > 0 {
		k.gas.leave(c.state, depth, m, e)
	}
	k.diff.leave(c.state, depth, m, e)
	k.calls.created(c.state, m, e)
}

// inexact starts a Call again that gives back what a message had left when it halted
// as expected, which only the exact mode knows.
func (c *Cheats) inexact(depth int, e *evm.Ending) bool {
	x := c.memory.reverts.expected
	if x == nil || depth > x.depth || !e.Failed() || e.Err == evm.ErrReverted || c.state.Exact() {
		return false
	}
	e.Err = evm.ErrRestart
	return true
}

// isCheat reports whether a message is a call of a cheatcode or of console.log.
func isCheat(m *evm.Message) bool { return !m.Creates() && (m.To == Address || m.To == Console) }
