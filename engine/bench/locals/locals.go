// Package locals measures whether the debugger's values of parameters, return variables
// and locals are true. It rewrites contracts so that they tell these values themselves,
// by events before each statement, executes inputs of a campaign, and compares.
package locals

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"leveret/engine"
	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
)

// Options say how much is executed of a contract.
type Options struct {
	Inputs    int // of the campaign
	Sequences int // of them that are compared
	Seed      uint64
}

// Measure rewrites a contract, fuzzes it and compares.
func Measure(ctx context.Context, tools *compiler.Toolchain, contract *solc.Contract, o Options) (*Tally, error) {
	for thin := 1; ; thin *= 2 {
		tally, err := measure(ctx, tools, contract, o, thin)
		if !errors.Is(err, errIdle) || thin == maxThin {
			return tally, err
		}
	}
}

// maxThin bounds how few reports there are: one of so many. All of them may take more
// code than can be deployed.
const maxThin = 16

// errIdle says that a contract cannot be fuzzed.
var errIdle = errors.New("not fuzzed")

func measure(ctx context.Context, tools *compiler.Toolchain, contract *solc.Contract, o Options, thin int) (*Tally, error) {
	path := contract.Build.Source(contract.File).Path
	build, reports, err := instrument(ctx, tools, path, contract.Build, thin)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(build.Contracts, func(c *solc.Contract) bool { return c.Name == contract.Name && c.File == contract.File })
	if i < 0 {
		return nil, fmt.Errorf("%s is gone", contract.Name)
	}
	rewritten := build.Contracts[i]
	c, err := newComparison(build, reports)
	if err != nil {
		return nil, err
	}
	sequences, err := inputs(ctx, rewritten, o)
	if err != nil {
		return nil, err
	}
	for _, s := range sequences {
		err := engine.Debug(ctx, rewritten, build.Contracts, s, engine.Outside{}, finding.Finding{Witness: s}, func(r *debug.Recording) error {
			return c.compare(ctx, r)
		})
		if err != nil {
			return nil, err
		}
	}
	return c.tally, nil
}

// inputs returns inputs of a campaign: those that called a function first, and others
// spread over it.
func inputs(ctx context.Context, c *solc.Contract, o Options) (list []input.Sequence, err error) {
	var all []input.Sequence
	result, err := engine.Run(ctx, c, c.Build.Contracts, engine.Options{MaxInputs: o.Inputs, Seed: o.Seed, Executed: func(s input.Sequence) {
		all = append(all, s)
	}})
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%w: %s", errIdle, result.Note)
	}
	called := map[*input.Function]bool{}
	for _, s := range all { // each function that was called, whatever the campaign preferred
		news := slices.ContainsFunc(s.Txs, func(t input.Tx) bool { return !called[t.Function] })
		for _, t := range s.Txs {
			called[t.Function] = true
		}
		if news {
			list = append(list, s)
		}
	}
	n := min(o.Sequences, len(all))
	for i := range n {
		list = append(list, all[i*len(all)/n])
	}
	return list, nil
}

// maxTries bounds the compilations of a contract.
const maxTries = 60

// instrument compiles the sources of a build with reports. Functions that have no room on
// the stack for events, or whose events the compiler rejects, have none.
func instrument(ctx context.Context, tools *compiler.Toolchain, path string, b *solc.Build, thin int) (*solc.Build, []report, error) {
	p, err := project.Open(tools, path)
	if err != nil {
		return nil, nil, err
	}
	p.Config = path // without one, the optimiser would be tried where the stack is too deep
	without := map[int]bool{}
	for range maxTries {
		r := rewrite(b, without, thin)
		build, err := p.Compile(ctx, []string{path}, r.texts)
		if err == nil {
			return build, r.reports, nil
		}
		if !leaveOut(r, build, without) {
			return nil, nil, fmt.Errorf("rewritten: %w", err)
		}
	}
	return nil, nil, fmt.Errorf("%s does not compile with reports", path)
}

// leaveOut adds the functions in which a compiler found errors to those without reports.
// It returns false if there is none.
func leaveOut(r *rewriter, b *solc.Build, without map[int]bool) (added bool) {
	if b == nil {
		return false
	}
	for _, m := range b.Messages {
		if m.Severity != "error" {
			continue
		}
		i := slices.IndexFunc(r.build.Sources, func(s *solc.Source) bool { return s != nil && s.Name == m.File })
		if i < 0 {
			continue
		}
		s := r.build.Sources[i]
		f := s.Unit.At(r.original(s, m.Span.Start)).Function()
		if f != nil && !without[f.ID] {
			without[f.ID], added = true, true
		}
	}
	return added
}
