package cheat

import (
	"bytes"
	"errors"
	"fmt"
	"maps"

	"github.com/ethereum/go-ethereum/common"
)

var accountRows = []row{
	{"deal(address,uint256)", "", (*call).deal, "sets an account's balance"},
	{"etch(address,bytes)", "", (*call).etch, "sets the code at an address"},
	{"load(address,bytes32)", "(bytes32)", (*call).load, "reads a storage slot"},
	{"store(address,bytes32,bytes32)", "", (*call).store, "writes a storage slot"},
	{"getNonce(address)", "(uint64)", func(c *call) error { return c.give(numberValue(c.state.Nonce(c.loaded(0)))) }, "returns an account's nonce"},
	{"setNonce(address,uint64)", "", (*call).setNonce, "raises an account's nonce"},
	{"setNonceUnsafe(address,uint64)", "", func(c *call) error { c.state.SetNonce(c.loaded(0), c.number(1)); return nil }, "sets an account's nonce"},
	{"resetNonce(address)", "", (*call).resetNonce, "sets an account's nonce to 0, or to 1 for a contract"},
	{"cool(address)", "", func(c *call) error { c.state.Warm(c.address(0), nil, false); return nil }, "makes an account cold"},
	{"warmSlot(address,bytes32)", "", (*call).warmSlot, "makes a storage slot warm"},
	{"coolSlot(address,bytes32)", "", (*call).coolSlot, "makes a storage slot cold"},
	{"cloneAccount(address,address)", "", (*call).cloneAccount, "copies balance, nonce, code and storage of one account to another"},
	{"label(address,string)", "", (*call).label, "names an address in traces"},
	{"getLabel(address)", "(string)", (*call).getLabel, "returns the name of an address"},
}

// loaded returns an argument, an address. Its account is in the access list then, as
// after forge loaded it: tests measure gas.
func (c *call) loaded(i int) common.Address {
	a := c.address(i)
	c.state.Touch(a, nil)
	return a
}

func (c *call) deal() error {
	c.state.Deal(c.loaded(0), &c.args[1].Word)
	return nil
}

// noPrecompile returns the first argument, the address of an account that is no precompile.
func (c *call) noPrecompile() (common.Address, error) {
	a := c.address(0)
	if c.state.Rules().HasPrecompile(a) {
		return a, errors.New("cannot use precompile " + a.Hex() + " as an argument")
	}
	return a, nil
}

func (c *call) etch() error {
	a, err := c.noPrecompile()
	if err != nil {
		return err
	}
	c.state.Touch(a, nil)
	c.state.SetCode(a, bytes.Clone(c.data(1)))
	return nil
}

func (c *call) load() error {
	a, err := c.noPrecompile()
	if err != nil {
		return err
	}
	key := c.word(1)
	c.loadArbitrary(a, key)
	c.state.Touch(a, &key)
	return c.give(hashValue(c.state.Load(a, key)))
}

func (c *call) store() error {
	a, err := c.noPrecompile()
	if err != nil {
		return err
	}
	key := c.word(1)
	c.state.Touch(a, &key)
	c.state.Store(a, key, c.word(2))
	if c.memory.arbitrary.wrote(a, key) {
		c.rememberArgs()
	}
	return nil
}

func (c *call) setNonce() error {
	a, next := c.loaded(0), c.number(1)
	if now := c.state.Nonce(a); next < now {
		return fmt.Errorf("new nonce (%d) must be strictly equal to or higher than the account's current nonce (%d)", next, now)
	}
	c.state.SetNonce(a, next)
	return nil
}

func (c *call) resetNonce() error {
	a, nonce := c.loaded(0), uint64(0)
	if len(c.state.Code(a)) > 0 {
		nonce = 1
	}
	c.state.SetNonce(a, nonce)
	return nil
}

func (c *call) cloneAccount() error {
	from, to := c.loaded(0), c.loaded(1)
	wei := c.state.Balance(from)
	c.state.SetBalance(to, &wei)
	c.state.SetNonce(to, c.state.Nonce(from))
	c.state.SetCode(to, c.state.Code(from))
	c.replaceStorage(from, to)
	return nil
}

func (c *call) warmSlot() error {
	key := c.word(1)
	c.state.Warm(c.address(0), &key, true)
	return nil
}

func (c *call) coolSlot() error {
	key := c.word(1)
	c.state.Warm(c.address(0), &key, false)
	return nil
}

// labels are the names of addresses.
type labels map[common.Address]string

func (l labels) clone() labels { return maps.Clone(l) }

func (c *call) label() error {
	c.setLabel(c.address(0), c.text(1))
	return nil
}

func (c *Cheats) setLabel(a common.Address, name string) {
	if c.memory.labels == nil {
		c.memory.labels = labels{}
	}
	c.memory.labels[a] = name
	c.remember(entrySize + len(name))
	c.Report.Labels = c.memory.labels
}

func (c *call) getLabel() error {
	a := c.address(0)
	if name, ok := c.memory.labels[a]; ok {
		return c.give(textValue(name))
	}
	return c.give(textValue("unlabeled:" + a.Hex()))
}
