package suite

import (
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/cheat"
	"leveret/engine/evm"
)

// chains are the forks that the tests of a Suite read. They remember the first
// error: a test whose state cannot be read has no verdict.
type chains struct {
	mu      sync.Mutex
	watched map[*cheat.Fork]*cheat.Fork
	err     error
	failed  chan struct{} // closed with the first error
}

// watchForks makes a Suite remember errors of forks.
func (s *Suite) watchForks() {
	s.chains = &chains{watched: map[*cheat.Fork]*cheat.Fork{}, failed: make(chan struct{})}
	if s.options.Host != nil {
		s.options.Host = watchedHost{s.options.Host, s.chains}
	}
}

// watch returns a fork whose errors are remembered, always the same for one fork.
func (c *chains) watch(f *cheat.Fork) *cheat.Fork {
	if f == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if w := c.watched[f]; w != nil {
		return w
	}
	w := &cheat.Fork{Source: watchedSource{f.Source, c}, Block: f.Block, Mined: f.Mined}
	if f.At != nil {
		var known sync.Map // by block
		w.At = func(block uint64) (*cheat.Fork, error) {
			if moved, ok := known.Load(block); ok {
				return moved.(*cheat.Fork), nil
			}
			moved, err := f.At(block)
			if err != nil {
				return nil, err
			}
			first, _ := known.LoadOrStore(block, c.watch(moved))
			return first.(*cheat.Fork), nil
		}
	}
	c.watched[f] = w
	return w
}

func (c *chains) checked(err error) error {
	if err == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err == nil {
		c.err = err
		close(c.failed)
	}
	return err
}

// A watchedSource remembers its first error in chains.
type watchedSource struct {
	evm.Source
	chains *chains
}

func (s watchedSource) Account(addr common.Address) (evm.SourceAccount, error) {
	a, err := s.Source.Account(addr)
	return a, s.chains.checked(err)
}

func (s watchedSource) Storage(addr common.Address, key common.Hash) (common.Hash, error) {
	value, err := s.Source.Storage(addr, key)
	return value, s.chains.checked(err)
}

func (s watchedSource) BlockHash(number uint64) (common.Hash, error) {
	hash, err := s.Source.BlockHash(number)
	return hash, s.chains.checked(err)
}

// A watchedHost remembers errors of the forks that tests open.
type watchedHost struct {
	cheat.Host
	chains *chains
}

func (h watchedHost) Fork(endpoint string, block *uint64) (*cheat.Fork, error) {
	f, err := h.Host.Fork(endpoint, block)
	return h.chains.watch(f), err
}

// WatchForks forgets errors of forks. The channel is closed when the state of a fork
// cannot be read, and ForkError is the reason.
func (s *Suite) WatchForks() (failed <-chan struct{}) {
	s.chains.mu.Lock()
	defer s.chains.mu.Unlock()
	s.chains.err, s.chains.failed = nil, make(chan struct{})
	return s.chains.failed
}

// ForkError returns why the state of a fork could not be read since WatchForks; nil
// if it could.
func (s *Suite) ForkError() error {
	s.chains.mu.Lock()
	defer s.chains.mu.Unlock()
	return s.chains.err
}

// Origin returns the fork that the tests start from; nil if there is none.
func (s *Suite) Origin() *cheat.Fork { return s.options.Fork }

// openFork chooses the fork that the tests start from: that of the Options, or else
// that of the Host.
func (s *Suite) openFork() (err error) {
	o := &s.options
	if o.Fork == nil && o.Host != nil {
		if o.Fork, err = o.Host.Start(); err != nil {
			return err
		}
	}
	if o.Fork = s.chains.watch(o.Fork); o.Fork != nil {
		s.genesis = o.Fork.Block
		if id := o.Config.Chain.ChainID; id != 0 {
			s.genesis.ChainID = id
		}
	}
	return nil
}

// under returns a World with the accounts of w on the fork, if there is one.
func (s *Suite) under(w *evm.World) *evm.World {
	if s.options.Fork == nil {
		return w
	}
	forked := evm.NewBacking(s.Program.Codes, s.options.Fork.Source).World()
	forked.AdoptAll(w)
	return forked
}
