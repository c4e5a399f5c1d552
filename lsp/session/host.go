package session

import (
	"context"

	"go.uber.org/zap"

	"leveret/engine/cheat"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
	"leveret/solc/host"
)

// hosts give tests what they may reach of the machine.
type hosts struct {
	cache string // of the user, for the state of forks; empty: none
	log   *zap.Logger
}

// open returns what the tests of a contract may reach until closed is called: chains
// by forks, in a trusted workspace files and variables, and programs if the user
// agreed. It is nil for a contract without tests. Tests that start from a fork start
// after the block of at, if there is one.
func (h *hosts) open(ctx context.Context, c *solc.Contract, set settings.Settings, at *input.Deployment) (opened cheat.Host, closed func()) {
	if !c.RunsTests() {
		return nil, func() {}
	}
	forks := host.NewForks(ctx, h.cache)
	reach := &host.Host{
		Folder: c.Build.Root, Forks: forks, Builds: solc.Builds{c.Build}, Contract: c,
		Trusted: set.Trusted && c.Build.Root != "", Programs: set.Programs,
	}
	if c.Build.Tests != nil {
		reach.Config, reach.Chains = c.Build.Tests.Cheats, c.Build.Tests.Fork
	}
	if at != nil && at.Fork != nil {
		reach.Chains.Block = &at.Fork.Block
	}
	return reach, func() {
		if err := forks.Close(); err != nil {
			h.log.Sugar().Warnf("the state of forks cannot be kept: %v", err)
		}
	}
}
