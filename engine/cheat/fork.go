package cheat

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// An openFork is a fork of a chain and what the test did there.
type openFork struct {
	fork  *Fork
	begun *evm.World       // as the test finds it, before a transaction; nil: that of fork
	world *evm.World       // as the test left it; nil: it was not there yet
	block evm.BlockContext // in which the test continues there

	created []common.Address // contracts that the test created before it left
}

// forks are the forks that a test opened, by id.
type forks struct {
	list       []openFork
	active     int                     // id+1 of the selected one; 0: none
	persistent map[common.Address]bool // what makePersistent and revokePersistent said of accounts
	moves      int                     // how often the Call went on in another World

	// Contracts that the Call which selected the first fork had created are on all
	// forks, as they were then.
	first   *evm.World
	created []common.Address
}

func (f *forks) clone() forks {
	n := *f
	n.list, n.persistent = slices.Clone(f.list), maps.Clone(f.persistent)
	return n
}

// begin lets a test start on a fork.
func (f *forks) begin(on *Fork) {
	f.list, f.active = []openFork{{fork: on, block: on.Block}}, 1
}

// forgeSender is the account from which forge sends transactions of tests.
var forgeSender = common.HexToAddress("0x1804c8AB1F12E6bbf3894d4083f33e07309d1f38")

var (
	errMoved     = errors.New("a snapshot cannot be restored after selectFork, createSelectFork, rollFork or transact")
	errNotForked = errors.New("no active fork")
	errBroadcast = errors.New("cannot select forks during a broadcast")
)

var forkRows = []row{
	{"createFork(string)", "(uint256)", (*call).createFork, "opens a fork of a chain and returns its id: the latest block of an endpoint of foundry.toml or of a URL"},
	{"createFork(string,uint256)", "(uint256)", (*call).createFork, "opens a fork of a chain after a block and returns its id"},
	{"createSelectFork(string)", "(uint256)", (*call).createSelectFork, "opens a fork of a chain as createFork does and selects it"},
	{"createSelectFork(string,uint256)", "(uint256)", (*call).createSelectFork, "opens a fork of a chain after a block and selects it"},
	{"createFork(string,bytes32)", "(uint256)", (*call).createFork, "opens a fork of a chain before a transaction and returns its id; it executes those before it in its block"},
	{"createSelectFork(string,bytes32)", "(uint256)", (*call).createSelectFork, "opens a fork of a chain before a transaction and selects it"},
	{"selectFork(uint256)", "", (*call).selectFork, "continues the test on a fork; only persistent accounts come along"},
	{"activeFork()", "(uint256)", (*call).activeFork, "returns the id of the selected fork"},
	{"rollFork(uint256)", "", (*call).rollActive, "moves the selected fork to a block"},
	{"rollFork(uint256,uint256)", "", (*call).rollFork, "moves a fork to a block"},
	{"rollFork(bytes32)", "", (*call).rollActive, "moves the selected fork to the state before a transaction"},
	{"rollFork(uint256,bytes32)", "", (*call).rollFork, "moves a fork to the state before a transaction"},
	{"transact(bytes32)", "", (*call).transactActive, "executes a transaction of the chain on the selected fork, in the block that has it"},
	{"transact(uint256,bytes32)", "", (*call).transact, "executes a transaction of the chain on a fork, in the block that has it"},
	{"makePersistent(address)", "", func(c *call) error { return c.persist(true) }, "keeps accounts when the test selects another fork"},
	{"makePersistent(address,address)", "", func(c *call) error { return c.persist(true) }, "keeps accounts when the test selects another fork"},
	{"makePersistent(address,address,address)", "", func(c *call) error { return c.persist(true) }, "keeps accounts when the test selects another fork"},
	{"makePersistent(address[])", "", func(c *call) error { return c.persist(true) }, "keeps accounts when the test selects another fork"},
	{"revokePersistent(address)", "", func(c *call) error { return c.persist(false) }, "undoes makePersistent"},
	{"revokePersistent(address[])", "", func(c *call) error { return c.persist(false) }, "undoes makePersistent"},
	{"isPersistent(address)", "(bool)", func(c *call) error { return c.give(boolValue(c.isPersistent(c.address(0)))) }, "reports whether an account is kept when the test selects another fork"},
	{"rpcUrl(string)", "(string)", (*call).rpcURL, "returns the URL of an endpoint of foundry.toml"},
	{"rpcUrls()", "(string[2][])", (*call).rpcURLs, "returns names and URLs of the endpoints of foundry.toml"},
	{"rpcUrlStructs()", "((string,string)[])", (*call).rpcURLs, "returns names and URLs of the endpoints of foundry.toml"},
}

// open opens the fork that the arguments name and returns its id.
func (c *call) open() (id int, err error) {
	h, err := c.host()
	if err != nil {
		return 0, err
	}
	open := func(block *uint64) (*Fork, error) { return h.Fork(c.text(0), block) }
	c.persistCaller()
	var opened openFork
	switch {
	case len(c.args) == 1:
		opened, err = opening(open(nil))
	case c.isHash(1):
		var mined *evm.Mined
		if mined, err = h.Mined(c.text(0), c.word(1)); err == nil {
			opened, err = c.before(mined, open)
		}
	default:
		var block uint64
		if block, err = c.small(1); err == nil {
			opened, err = opening(open(&block))
		}
	}
	if err != nil {
		return 0, err
	}
	k := &c.memory.forks
	k.list = append(k.list, opened)
	c.rememberArgs()
	return len(k.list) - 1, nil
}

func (c *call) createFork() error {
	id, err := c.open()
	return c.giveOne(numberValue(uint64(id)), err)
}

func (c *call) createSelectFork() error {
	if c.memory.broadcasts.active != nil {
		return errBroadcast
	}
	id, err := c.open()
	if err != nil {
		return err
	}
	c.enter(id)
	return c.give(numberValue(uint64(id)))
}

func (c *call) selectFork() error {
	c.persistCaller()
	if c.memory.broadcasts.active != nil {
		return errBroadcast
	}
	id, ok := c.fork(0)
	if !ok {
		return fmt.Errorf("there is no fork %s", c.args[0].Word.Dec())
	}
	c.enter(id)
	return nil
}

func (c *call) activeFork() error {
	active := c.memory.forks.active
	if active == 0 {
		return errNotForked
	}
	return c.give(numberValue(uint64(active - 1)))
}

// fork returns the id that an argument has; false if there is no such fork.
func (c *call) fork(argument int) (id int, ok bool) {
	w := &c.args[argument].Word
	if !w.IsUint64() || w.Uint64() >= uint64(len(c.memory.forks.list)) {
		return 0, false
	}
	return int(w.Uint64()), true
}

// enter continues the test on a fork.
func (c *call) enter(id int) {
	k := &c.memory.forks
	if k.active == id+1 {
		return
	}
	keep, created := c.kept(), c.made()
	if k.active == 0 {
		k.created = created
		keep = append(keep, created...)
	}
	to := k.list[id].world
	if to == nil {
		to = c.untouched(&k.list[id])
	}
	left := c.state.Switch(to, keep)
	if k.active == 0 {
		k.first = left
	} else {
		old, now := &k.list[k.active-1], c.state.Block()
		old.world, old.block.Number, old.block.Timestamp, old.block.Beyond = left, now.Number, now.Timestamp, now.Beyond
		old.created = created
	}
	k.active = id + 1
	k.moves++
	c.enterBlock(k.list[id].block)
}

// made lists the contracts that the test created on the selected fork: in this Call,
// or before it left the fork.
func (c *call) made() []common.Address {
	k := &c.memory.forks
	list := c.state.Created()
	if k.active > 0 {
		list = append(list, k.list[k.active-1].created...)
	}
	slices.SortFunc(list, common.Address.Cmp)
	return slices.Compact(list)
}

// untouched returns the state in which a test finds a fork.
func (c *call) untouched(f *openFork) *evm.World {
	w := c.backing(f.fork).World()
	if f.begun != nil {
		w = f.begun.Fork()
	}
	if k := &c.memory.forks; k.first != nil {
		for _, a := range k.created {
			w.Adopt(k.first, a)
		}
	}
	return w
}

// backing returns the Backing of a fork.
func (c *call) backing(f *Fork) *evm.Backing {
	b := c.backings[f]
	if b == nil {
		if c.backings == nil {
			c.Cheats.backings = map[*Fork]*evm.Backing{}
		}
		b = c.state.Backing(f.Source)
		c.backings[f] = b
	}
	return b
}

// enterBlock continues the test in a block of a fork.
func (c *call) enterBlock(b evm.BlockContext) {
	if c.Config.ChainID != 0 {
		b.ChainID = c.Config.ChainID
	}
	k := &c.memory.block
	k.fixed, k.set = b, blockFields{true, true, true, true, true}
	*c.state.Block() = b
}

func (c *call) rollActive() error {
	active := c.memory.forks.active
	if active == 0 {
		return errNotForked
	}
	return c.moveFork(active-1, 0)
}

func (c *call) rollFork() error {
	id, ok := c.fork(0)
	if !ok {
		return fmt.Errorf("there is no fork %s", c.args[0].Word.Dec())
	}
	return c.moveFork(id, 1)
}

// moveFork moves a fork to the block, or to the state before the transaction, that an
// argument has. Of what the test did there, it keeps persistent accounts, and contracts
// that the Call has created.
func (c *call) moveFork(id, argument int) error {
	c.persistCaller()
	k := &c.memory.forks
	moved, err := c.moved(k.list[id].fork, argument)
	if err != nil {
		return err
	}
	made := c.made()
	k.list[id] = moved
	if k.active == id+1 {
		k.list[id].created = made
		c.state.Switch(c.untouched(&moved), append(c.kept(), made...))
		k.moves++
		c.enterBlock(moved.block)
	}
	return nil
}

// moved opens a fork at the place that an argument has.
func (c *call) moved(f *Fork, argument int) (openFork, error) {
	if f.At == nil {
		return openFork{}, errors.New("the fork cannot be moved to another block")
	}
	if c.isHash(argument) {
		mined, err := f.mined(c.word(argument))
		if err != nil {
			return openFork{}, err
		}
		return c.before(mined, func(block *uint64) (*Fork, error) { return f.At(*block) })
	}
	number, err := c.small(argument)
	if err != nil {
		return openFork{}, err
	}
	return opening(f.At(number))
}

// opening returns a fork as a test finds it.
func opening(f *Fork, err error) (openFork, error) {
	if err != nil {
		return openFork{}, err
	}
	return openFork{fork: f, block: f.Block}, nil
}

// kept lists the accounts that come along to another fork.
func (c *call) kept() []common.Address {
	all := slices.Concat([]common.Address{Address, create2Factory, forgeSender, c.Config.Tester, *c.state.Origin()}, c.Config.Shared)
	for a, kept := range c.memory.forks.persistent {
		if kept {
			all = append(all, a)
		}
	}
	return slices.DeleteFunc(all, func(a common.Address) bool {
		kept, said := c.memory.forks.persistent[a]
		return said && !kept || a == (common.Address{})
	})
}

// isPersistent reports whether an account is the same on all forks.
func (c *call) isPersistent(a common.Address) bool {
	if kept, said := c.memory.forks.persistent[a]; said {
		return kept
	}
	return a == Address || a == create2Factory || a == forgeSender || a == c.Config.Tester || slices.Contains(c.Config.Shared, a)
}

// persist marks the accounts of the arguments.
func (c *call) persist(kept bool) error {
	k := &c.memory.forks
	for i := range c.args {
		accounts := c.args[i : i+1]
		if c.args[i].Type.Kind == input.KindSlice {
			accounts = c.args[i].Elems
		}
		for n := range accounts {
			k.mark(accounts[n].Address(), kept)
		}
	}
	return nil
}

func (f *forks) mark(a common.Address, kept bool) {
	if f.persistent == nil {
		f.persistent = map[common.Address]bool{}
	}
	f.persistent[a] = kept
}

// persistCaller makes the contract that calls the cheatcode persistent, as in forge.
func (c *call) persistCaller() { c.memory.forks.mark(c.frame.Self, true) }

func (c *call) rpcURL() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	name := c.text(0)
	url, known, err := h.Endpoint(name)
	if !known && err == nil {
		return unknownEndpoint(name)
	}
	return c.giveOne(textValue(url), err)
}

// unknownEndpoint is the revert of forge's rpcUrl for a name that it does not know:
// forge-std compares the words to fall back to endpoints of its own.
func unknownEndpoint(name string) error { return revert(cheatcodeError("invalid rpc url: " + name)) }

// rpcURLs gives a list of pairs, as arrays or structs.
func (c *call) rpcURLs() error {
	h, err := c.host()
	if err != nil {
		return err
	}
	all, err := h.Endpoints()
	if err != nil {
		return err
	}
	list := input.Value{Type: c.code.outputs[0].Type}
	for _, e := range all {
		list.Elems = append(list.Elems, tupleValue(list.Type.Elem, textValue(e.Name), textValue(e.URL)))
	}
	return c.give(list)
}
