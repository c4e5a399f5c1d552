package evm

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/bytecode"
)

// A State is the state of the running Call, for its Inspector. Changes to
// accounts are undone with the frame in which they are made, where a method says
// nothing else; all of them with the Call. Changes to the block and the transaction
// are not undone, and end with the Call.
type State struct{ machine *Machine }

// changes are what an Inspector changed that ends with the Call.
type changes struct {
	steps bool // Inspector.Step is called, before the instructions in ops
	ops   [256]bool
	free  bool // nothing is charged for

	failed  bool   // the frame that the Inspector was told of is to revert
	failure []byte // with this output
}

// Block returns the block of the Call, which may be changed.
func (s *State) Block() *BlockContext { return &s.machine.context.block }

// Rules returns the hard fork whose rules the Machine follows.
func (s *State) Rules() Fork { return s.machine.Chain.Fork }

// Tx returns the values of the transaction, which may be changed.
func (s *State) Tx() *TxContext { return s.machine.context.changedTx() }

// Origin returns tx.origin, which may be changed.
func (s *State) Origin() *common.Address { return &s.machine.context.origin }

// SetBlockHash sets the result of BLOCKHASH for a block.
func (s *State) SetBlockHash(number uint64, hash common.Hash) {
	s.machine.context.setHash(number, hash)
}

// BlockHashes returns what SetBlockHash set in this and earlier Calls. It is not
// to be changed.
func (s *State) BlockHashes() map[uint64]common.Hash { return s.machine.context.hashes }

// Exists reports whether there is an account.
func (s *State) Exists(a common.Address) bool {
	return s.machine.overlay.account(&a).exists && !s.machine.overlay.account(&a).empty()
}

// Balance returns an account's wei.
func (s *State) Balance(a common.Address) uint256.Int {
	return s.machine.overlay.account(&a).balance
}

// SetBalance sets an account's wei.
func (s *State) SetBalance(a common.Address, wei *uint256.Int) {
	s.machine.overlay.setBalance(s.machine.overlay.make(&a), wei)
}

// Deal sets an account's wei. If the frame fails, what it adds or takes stays.
func (s *State) Deal(a common.Address, wei *uint256.Int) {
	s.SetBalance(a, wei)
	s.stay()
}

// stay makes the last change of an account one that stays if the frame fails.
func (s *State) stay() {
	journal := s.machine.overlay.journal
	journal[len(journal)-1].stays = true
}

// Nonce returns an account's nonce.
func (s *State) Nonce(a common.Address) uint64 { return s.machine.overlay.account(&a).nonce }

// SetNonce sets an account's nonce. If the frame fails, what it adds or takes stays.
func (s *State) SetNonce(a common.Address, nonce uint64) {
	s.machine.overlay.setNonce(&a, nonce)
	s.stay()
}

// Code returns the code at an address, which must not be changed; nil if there is
// none.
func (s *State) Code(a common.Address) []byte { return s.machine.overlay.account(&a).bytes() }

// SetCode sets the code at an address. It keeps the bytes. If the frame fails, the
// account has no code, whatever it had before [revm].
func (s *State) SetCode(a common.Address, code []byte) {
	s.machine.overlay.setCode(&a, code)
	s.stay()
}

// Load returns a word of storage.
func (s *State) Load(a common.Address, key common.Hash) common.Hash {
	o := &s.machine.overlay
	return *hashOf(&o.loadedWord(o.account(&a), wordOf(&key)).current)
}

// Store writes a word of storage, of any account.
func (s *State) Store(a common.Address, key, value common.Hash) {
	o := &s.machine.overlay
	account := o.make(&a)
	o.setWord(account, o.loadedWord(account, wordOf(&key)), wordOf(&value))
}

// Transfer moves wei. It fails if the sender has less.
func (s *State) Transfer(from, to common.Address, wei *uint256.Int) error {
	o := &s.machine.overlay
	if o.account(&from).balance.Lt(wei) {
		return ErrBalance
	}
	o.transfer(&from, &to, wei)
	return nil
}

// Snapshot returns a number to which Revert can undo.
func (s *State) Snapshot() int { return s.machine.overlay.snapshot() }

// Revert undoes the changes to accounts after a snapshot. It does nothing if they
// were undone already.
func (s *State) Revert(snapshot int) { s.machine.overlay.revert(snapshot) }

// Warm adds or removes an account or a word from the access list [EIP-2929].
func (s *State) Warm(a common.Address, key *common.Hash, warm bool) {
	o := &s.machine.overlay
	account := o.account(&a)
	if key == nil {
		account.warm = warm
		return
	}
	o.loadedWord(account, wordOf(key)).warm = warm
}

// Touch adds an account, and a word of its storage if there is a key, to the access
// list as an instruction would: it is undone with the frame.
func (s *State) Touch(a common.Address, key *common.Hash) {
	o := &s.machine.overlay
	account := o.account(&a)
	o.warmed(account)
	if key != nil {
		o.warmWord(o.loadedWord(account, wordOf(key)))
	}
}

// Logs returns copies of the events so far that were not reverted.
func (s *State) Logs() []Log { return s.machine.overlay.logs.copied() }

// Send executes a message or a creation from a running frame, without asking the
// Inspector about it. The output is valid until the next one.
func (s *State) Send(from *Frame, msg *Message) Ending {
	m := s.machine
	var parent *frame
	if from != nil {
		parent = m.frameAt(from.Depth - 1)
	}
	if msg.Creates() {
		return m.create(parent, msg)
	}
	var end Ending
	end.Output, end.Left, end.Err = m.send(parent, msg.Kind, &msg.From, &msg.Self, &msg.To, msg.Input, msg.Gas, &msg.Value)
	return end
}

// Memory returns the memory of a running frame.
func (s *State) Memory(f *Frame) []byte { return s.machine.frameAt(f.Depth - 1).memory }

// Gas returns the gas that a running frame has left.
func (s *State) Gas(f *Frame) uint64 { return s.machine.frameAt(f.Depth - 1).gas }

// PC returns the pc of the instruction that a running frame executes.
func (s *State) PC(f *Frame) uint64 { return s.machine.frameAt(f.Depth - 1).pc }

// Exact reports whether the Call runs in the exact mode, as Watch and Free need.
// If it does not, the Inspector ends the message that it answers with ErrRestart.
func (s *State) Exact() bool { return !s.machine.quick }

// Watch calls Inspector.Step before instructions with these opcodes, instead of
// those of the last Watch. The Call must be exact.
func (s *State) Watch(ops ...byte) {
	m := s.machine
	m.changes.steps, m.changes.ops = len(ops) > 0, [256]bool{}
	for _, op := range ops {
		m.changes.ops[op] = true
	}
}

// Free stops or resumes charging for gas. The Call must be exact.
func (s *State) Free(free bool) { s.machine.changes.free = free }

// Fail makes a frame revert with an output: the one whose event or instruction
// Inspector.Log or Inspector.Step is called with. The output must not change then.
func (s *State) Fail(output []byte) {
	c := &s.machine.changes
	c.failed, c.failure = true, output
}

// inspected ends a frame that the Inspector makes fail.
func (f *frame) inspected() error {
	c := &f.machine.changes
	if !c.failed {
		return nil
	}
	c.failed, f.output = false, c.failure
	return errRevert
}

// enter sets what the instructions of a Call ask of the block and the transaction.
func (m *Machine) enter(env *Env, b *BlockContext, c *Call) {
	m.context.begin(&m.Chain, env, b, c)
	m.changes.steps, m.changes.free, m.changes.failed = false, false, false
	if m.Inspector != nil {
		m.Inspector.Begin(&State{m}, env)
	}
}

// inspectStep tells the Inspector of an instruction that it watches.
func (f *frame) inspectStep(op byte, gas uint64) error {
	m := f.machine
	if !m.changes.ops[op] || f.height < int(bytecode.Ops[op].Pops) {
		return nil
	}
	f.step(op, gas, f.height)
	m.Inspector.Step(&m.step)
	return f.inspected()
}
