package engine

import (
	"context"
	"math/rand/v2"

	"leveret/engine/deploy"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/oracle"
	"leveret/engine/program"
	"leveret/engine/search"
)

// How many inputs show which contracts are missing at addresses that the code computes: on
// Revert Lend's V3Oracle, 90 of 2,000 call one of three such pools. A probe ends early if the
// first ones compute none.
const (
	probeInputs = 2000
	probeFirst  = 400
)

// probe has mocks stand where inputs call contracts at computed addresses. A campaign that
// reports nothing finds the addresses. The real one draws the same random numbers, so its first
// inputs call the mocks.
func (c *campaign) probe(ctx context.Context, random rand.PCG) error {
	s := c.deployed.subject
	if c.options.Fork != nil || !program.ComputesAddresses(s.Program.UnderTest) {
		return nil
	}
	computed := deploy.NewComputed(s.Program, s.Deployment)
	executor := s.NewExecutor(c.options.Now)
	p := &campaign{options: c.options, clock: c.clock, budget: budget{limit: probeInputs}, result: newResult(s.Program.UnderTest), deployed: c.deployed}
	p.clock.budget /= wiringPart
	o := &p.options
	o.Workers, o.MaxInputs, o.Known, o.Corpus, o.Peers, o.Joint, o.StopOnFirst = 1, probeInputs, nil, "", nil, nil, false
	o.Observe = func(Event) {}
	none := oracle.Assertion.Name
	o.Oracles, o.Severities = []string{none}, map[string]finding.Severity{none: finding.Off}
	o.Executed = func(q input.Sequence) {
		computed.Execute(executor, s.Start, q)
		if p.budget.executed() == probeFirst && !computed.Any() {
			p.budget.end()
		}
	}
	p.first = newFirstRuns(s, &p.clock, &p.budget, false)
	p.newNotifier()
	if err := p.newWorkers(rand.New(&random)); err != nil {
		return err
	}
	p.loop(ctx)
	made, err := computed.Place(executor.Machine)
	if err != nil || made == nil { // the campaign does without
		made = s.Deployment
	}
	fresh := search.NewSubject(s.Program)
	c.deployed = &deployed{subject: fresh, executor: fresh.NewExecutor(c.options.Now), replayer: fresh.NewExecutor(c.options.Now)}
	return fresh.Settle(made)
}
