package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/pflag"

	"leveret/engine"
	"leveret/engine/fork"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/host"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// forkFlags choose the state that campaigns start from.
type forkFlags struct {
	forkURL   string
	forkBlock uint64
	pinned    bool // there is a block
}

func (f *forkFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.forkURL, "fork-url", "", "start from the state of a chain, which the JSON-RPC endpoint at `URL` has")
	flags.Uint64Var(&f.forkBlock, "fork-block", 0, "with --fork-url, start after block `N` (default the latest); a second run reads its state from the cache")
}

// check validates the flags.
func (f *forkFlags) check(changed func(string) bool) error {
	f.pinned = changed("fork-block")
	if f.pinned && f.forkURL == "" {
		return errors.New("--fork-block needs --fork-url, the endpoint of the chain")
	}
	return nil
}

// A forkOpener opens forks: at the endpoint that the user named, and for tests,
// which reach what else of the machine it allows.
type forkOpener struct {
	console
	url      string
	option   string // that names it, for messages
	tests    *host.Forks
	trusted  bool // the project is
	programs bool // the user agreed that tests run programs
}

// newForkOpener returns an opener that keeps answers in the user's cache.
func newForkOpener(ctx context.Context, c console, env compiler.Env, url string) *forkOpener {
	return &forkOpener{console: c, url: url, option: "--fork-url", tests: host.NewForks(ctx, env.CacheDir), trusted: !env.Untrusted}
}

// open returns the state after a block; nil is the latest one.
func (o *forkOpener) open(number *uint64) (*engine.Fork, error) {
	f, err := o.tests.Open(o.url, number)
	if err != nil {
		return nil, err
	}
	return &engine.Fork{Source: f.Source, Block: f.Block, Mined: f.Mined, At: func(block uint64) (*engine.Fork, error) { return o.open(&block) }}, nil
}

// start opens the fork that the flags choose and says so; nil if they choose none.
func (o *forkOpener) start(f *forkFlags) (*engine.Fork, error) {
	if o.url == "" {
		return nil, nil
	}
	var number *uint64
	if f.pinned {
		number = &f.forkBlock
	}
	opened, err := o.open(number)
	if err == nil {
		fmt.Fprintf(o.err, "Starting from chain %d after block %d of %s.\n", opened.Block.ChainID, opened.Block.Number, fork.Host(o.url))
	}
	return opened, err
}

// host returns what the tests of a contract may reach of the machine.
func (o *forkOpener) host(p *project.Project, c *solc.Contract, config *solc.TestConfig, builds solc.Builds) *host.Host {
	return &host.Host{
		Folder: p.Root, Config: config.Cheats, Chains: config.Fork, Forks: o.tests, Builds: builds, Contract: c,
		Trusted: o.trusted, Programs: o.programs,
	}
}

// reach returns what a finding on a contract is executed with: the fork that it
// names, and what its tests may reach.
func (o *forkOpener) reach(id string, f *input.Fork, u selection.Unit, c *solc.Contract) (out engine.Outside, err error) {
	config := c.TestConfig()
	if c.RunsTests() {
		if f != nil && o.url == "" && config.Fork.URL != "" {
			config.Fork.Block, f = &f.Block, nil // the host opens it
		}
		out.Host = o.host(u.Project, c, &config, solc.Builds{u.Build})
	}
	out.Fork, err = o.named(id, f)
	return out, err
}

// named returns the fork that a finding names; nil if it names none.
func (o *forkOpener) named(id string, f *input.Fork) (*engine.Fork, error) {
	if f == nil {
		return nil, nil
	}
	if o.url == "" {
		return nil, fmt.Errorf("%s was found on a fork of chain %d at block %d; name an endpoint of that chain with %s", id, f.Chain, f.Block, o.option)
	}
	opened, err := o.open(&f.Block)
	if err == nil && opened.Block.ChainID != f.Chain {
		err = fmt.Errorf("%s: %s has chain %d, and %s was found on chain %d", o.option, fork.Host(o.url), opened.Block.ChainID, id, f.Chain)
	}
	return opened, err
}

// close saves what was read.
func (o *forkOpener) close() {
	if err := o.tests.Close(); err != nil {
		fmt.Fprintln(o.err, "leveret: the state of the fork cannot be kept:", oneLine(err.Error()))
	}
}

// openFork opens the fork that the flags choose, if any, until the returned
// function is called.
func (r *fuzzRun) openFork(ctx context.Context) (closed func(), err error) {
	r.forks = newForkOpener(ctx, r.console, r.env, r.forkURL)
	if r.options.Fork, err = r.forks.start(&r.forkFlags); err != nil {
		r.forks.close()
		return nil, err
	}
	return r.forks.close, nil
}

// noteForkError notes the error of a fork, with which no other contract can be
// fuzzed; false if err is another error.
func (r *fuzzRun) noteForkError(err error) bool { return errors.As(err, &r.forkError) }
