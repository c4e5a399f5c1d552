package cheat

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Transactions of forked chains, executed again.

// maxReplayed bounds the states that are remembered of those before transactions.
const maxReplayed = 32

// isHash reports whether an argument is the hash of a transaction, not a number.
func (c *call) isHash(argument int) bool { return c.args[argument].Type.Kind == input.KindFixedBytes }

// mined returns a transaction of a fork's chain.
func (f *Fork) mined(hash common.Hash) (*evm.Mined, error) {
	if f.Mined == nil {
		return nil, errors.New("the transactions of the fork cannot be read")
	}
	return f.Mined(hash)
}

// before opens a fork before a transaction: the state after the block before its own,
// changed by the transactions that its block has before it.
func (c *call) before(m *evm.Mined, open func(block *uint64) (*Fork, error)) (openFork, error) {
	if m.Block.Number == 0 {
		return openFork{}, errors.New("there is no state before the first block")
	}
	parent := m.Block.Number - 1
	f, err := open(&parent)
	if err != nil {
		return openFork{}, err
	}
	begun := c.replayed[m]
	if begun == nil {
		begun = c.backing(f).World()
		for i := range m.Before {
			if _, err := c.apply(begun, m.Block, &m.Before[i]); err != nil {
				return openFork{}, fmt.Errorf("transaction %d of block %d cannot be executed: %w", i, m.Block.Number, err)
			}
		}
		if c.replayed == nil || len(c.replayed) == maxReplayed {
			c.Cheats.replayed = map[*evm.Mined]*evm.World{}
		}
		c.replayed[m] = begun
	}
	return openFork{fork: f, begun: begun, block: m.Block}, nil
}

// apply executes a transaction of a chain on a World, with the rules of the test and
// without its cheatcodes.
func (c *call) apply(w *evm.World, b evm.BlockContext, t *evm.MinedTransaction) (evm.Outcome, error) {
	m := evm.NewMachine()
	m.Chain, m.Steps = evm.Chain{Fork: c.state.Rules(), Limits: true, Delegates: true}, maxTransactionSteps
	return m.Apply(w, b, t)
}

// maxTransactionSteps is more instructions than the gas of a block pays for.
const maxTransactionSteps = 1 << 30

func (c *call) transactActive() error {
	active := c.memory.forks.active
	if active == 0 {
		return errNotForked
	}
	return c.transactOn(active-1, 0)
}

func (c *call) transact() error {
	id, ok := c.fork(0)
	if !ok {
		return fmt.Errorf("there is no fork %s", c.args[0].Word.Dec())
	}
	return c.transactOn(id, 1)
}

// transactOn executes the transaction that an argument has on a fork. It changes no
// persistent account [forge]. Recorded and expected events are also its own.
func (c *call) transactOn(id, argument int) error {
	k := &c.memory.forks
	m, err := k.list[id].fork.mined(c.word(argument))
	if err != nil {
		return err
	}
	selected := k.active == id+1
	w := k.list[id].world
	switch {
	case selected:
		w = c.state.World()
	case w == nil:
		w = c.untouched(&k.list[id])
	default:
		w = w.Fork()
	}
	out, err := c.apply(w, m.Block, &m.MinedTransaction)
	if err != nil {
		return fmt.Errorf("the transaction cannot be executed: %w", err)
	}
	if selected {
		k.list[id].created = c.made()
		c.state.Switch(w, c.kept())
		k.moves++
	} else {
		k.list[id].world = w
	}
	for i := range out.Logs {
		if text := c.memory.emits.log(&out.Logs[i]); text != "" {
			return errors.New(text)
		}
		c.memory.recorded.log(&out.Logs[i])
	}
	return nil
}
