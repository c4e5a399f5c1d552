package session

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"leveret/engine"
	"leveret/engine/cheat"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/host"
)

// hosts give campaigns and tests what they may reach of the machine.
type hosts struct {
	cache string // of the user, for the state of forks; empty: none
	log   *zap.Logger

	mu     sync.Mutex
	latest map[string]uint64 // block of a chain that campaigns start after, by URL
}

// open returns what a campaign or a replay on a contract may reach until closed is
// called. For a contract with tests that is chains by forks, in a trusted workspace files and
// variables, and programs if the user agreed; its tests start after the block of at
// if they start from a fork. Others start from the fork that the user's settings
// choose; replays only if at names it. The error is a sentence for the user.
func (h *hosts) open(ctx context.Context, c *solc.Contract, set settings.Settings, at *input.Deployment, replays bool) (out engine.Outside, closed func(), err error) {
	tests := c.RunsTests()
	if !tests && (set.ForkURL == "" || replays && (at == nil || at.Fork == nil)) {
		return out, func() {}, nil
	}
	forks := host.NewForks(ctx, h.cache)
	closed = func() {
		if err := forks.Close(); err != nil {
			h.log.Sugar().Warnf("the state of forks cannot be kept: %v", err)
		}
	}
	if tests {
		out.Host = testHost(c, set, at, forks)
		return out, closed, nil
	}
	block := &set.ForkBlock
	if at != nil && at.Fork != nil {
		block = &at.Fork.Block
	}
	out.Fork, err = h.fork(forks, set.ForkURL, block)
	return out, closed, err
}

// testHost returns what the tests of a contract may reach.
func testHost(c *solc.Contract, set settings.Settings, at *input.Deployment, forks *host.Forks) cheat.Host {
	config := c.TestConfig()
	reach := &host.Host{
		Folder: c.Build.Root, Forks: forks, Builds: solc.Builds{c.Build}, Contract: c,
		Config: config.Cheats, Chains: config.Fork, Trusted: set.Trusted && c.Build.Root != "", Programs: set.Programs,
	}
	if at != nil && at.Fork != nil {
		reach.Chains.Block = &at.Fork.Block
	}
	return reach
}

// fork opens the chain at a URL after a block. For block 0 that is always the
// latest one of the first time, so that findings of one session have one chain.
func (h *hosts) fork(forks *host.Forks, url string, block *uint64) (*engine.Fork, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if *block == 0 {
		block = nil
		if known, ok := h.latest[url]; ok {
			block = &known
		}
	}
	f, err := forks.Open(url, block)
	if err != nil {
		return nil, err
	}
	if block == nil {
		if h.latest == nil {
			h.latest = map[string]uint64{}
		}
		h.latest[url] = f.Block.Number
	}
	return &engine.Fork{Source: f.Source, Block: f.Block}, nil
}
