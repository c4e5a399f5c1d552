package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"leveret/engine/attack"
	"leveret/engine/coverage"
	"leveret/engine/deploy"
	"leveret/engine/direct"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/engine/solve"
	"leveret/engine/triage"
	"leveret/solc"
)

// newCampaign deploys contract and sets a campaign up. A contract that cannot be
// fuzzed gives a campaign that has only a result, with a Note.
func newCampaign(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*campaign, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	c := &campaign{
		options: options,
		clock:   clock{options.Now, options.Now(), options.Time},
		result:  newResult(contract),
	}
	c.notifier = notifier{observe: options.Observe, clock: &c.clock}
	random := rand.New(rand.NewPCG(options.Seed, nameHash(contract.Name)))
	d, err := newDeployed(ctx, contract, project, options.Workers, options.Now, func(p *program.Program, x *exec.Executor) (*deploy.Deployment, error) {
		return deploy.New(ctx, p, x.Machine, random)
	})
	if note := (noteError{}); errors.As(err, &note) {
		c.result.Note = note.Error()
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.deployed = d
	c.shutdown.deployed = d
	if len(d.subject.Callees) == 0 {
		c.result.Note = noCallees(d.subject)
		return c, nil
	}
	checker, err := triage.NewChecker(d.subject, c.deployed.replayer, options.Oracles, options.Severities)
	if err != nil {
		return nil, err
	}
	c.newSearch(d.subject, random)
	c.newSources(checker)
	return c, nil
}

// newSearch sets up what the sources share.
func (c *campaign) newSearch(s *search.Subject, random *rand.Rand) {
	all := search.NewCorpus(s, c.deployed.replayer, c.deployed.executors[0])
	c.search = &search.Search{
		Subject: s, Corpus: all, Branches: search.NewBranches(s), Progress: &search.Progress{}, Queue: &search.Queue{},
		Over: c.shutdown.isOver,
	}
	c.recorder = recorder{
		Recorder: search.Recorder{Search: c.search}, clock: &c.clock, coverage: coverage.New(s.Program, s.Cover, all.Corpus), allFirsts: c.options.Firsts,
		instructions: finding.Coverage{Total: s.Cover.Bytecode(s.Code).Count}, // numbers its branches before those of other code
	}
	c.search.Generator = search.NewGenerator(s, all, random)
	c.recorder.Covered = c.recorder.firstRun
	c.recorder.setGoals(c.options.Targets)
	if mode, ok := lookaheadModes[c.options.Lookahead]; ok {
		request := direct.Request{Lines: c.options.Lines, PCs: c.options.Targets}
		c.recorder.lookahead = direct.NewLookahead(mode, request, s, all, c.search.Progress, c.deployed.replayer, c.options.Now)
	}
}

// newSources sets up the input sources and the triage.
func (c *campaign) newSources(checker *triage.Checker) {
	o, s := &c.options, c.search
	guide := direct.NewGuide(c.recorder.lookahead, s.Generator.Random)
	if guide.Guides() {
		s.Branches.Leads = guide.Leads
		s.Generator.Callee = guide.Callee
	}
	solving := solve.New(s, guide, c.deployed.replayer, o.Now, solve.Options{NoPrediction: o.NoPrediction, NoIteration: o.NoIteration, NoDemand: o.NoDemand})
	var answers attack.ReturnValues
	if !o.NoPrediction {
		answers = solving.Solver
	}
	scripts, deposits := attack.New(s, guide, answers, search.Privileged(s.Subject.Deployment.Record), o.NoDemand)
	c.sources = &sources{
		options: o, guide: guide, generator: s.Generator, solving: solving, scripts: scripts, deposits: deposits,
		seeds:     &seeds{search: s, guide: guide, origin: named("seed"), replayed: named("recalled")},
		scheduled: newScheduled(s, guide, c.recorder.lookahead),
		targeted:  direct.NewTargeted(guide, s.Generator, scripts),
		best:      &bestPerBranch{search: s, guide: guide, off: o.NoAdaptive},
		demand:    &demanded{search: s, guide: guide, origin: named("demand"), off: o.NoDemand, noAdaptive: o.NoAdaptive},
		eager:     &eager{s},
	}
	replayed := c.sources.seeds.replayed
	c.strategy = strategy{
		rows: table(c.sources), random: s.Generator.Random,
		prepare: func(next *search.Candidate) { scripts.Strip(next, replayed) },
	}
	c.triage = triage.New(checker, solving.Wraps, s.Progress, triage.Options{
		Suppress: o.Suppress, Now: o.Now, Over: c.shutdown.isOver, Shrinks: c.shutdown.allowsTriage,
		Found: c.found, Shrunk: c.shrunk, Escalate: scripts.Escalate, Replayed: replayed,
	})
}

// noCallees says why there is no function to call.
func noCallees(s *search.Subject) string {
	name := s.Program.UnderTest.Name
	for _, skipped := range s.Program.ABI(s.Program.UnderTest).Skipped {
		if skipped.Function {
			return fmt.Sprintf("%s has no function that Leveret can call, as it leaves out %s: %v", name, skipped.Name, skipped.Err)
		}
	}
	return name + " has no function that can be called from outside"
}

// deployed is a contract ready for execution.
type deployed struct {
	subject   *search.Subject
	executors []*exec.Executor
	replayer  *exec.Executor
}

// A noteError says why a contract cannot be fuzzed. It is for the user.
type noteError struct{ error }

// newDeployed deploys a contract with a function that gets the first executor.
func newDeployed(ctx context.Context, contract *solc.Contract, project []*solc.Contract, workers int, now func() time.Time, with func(*program.Program, *exec.Executor) (*deploy.Deployment, error)) (*deployed, error) {
	if note := contract.Unfuzzable(); note != "" {
		return nil, noteError{errors.New(note)}
	}
	p, err := program.New(contract, project)
	if err != nil {
		return nil, err
	}
	d := &deployed{subject: search.NewSubject(p)}
	for range workers {
		d.executors = append(d.executors, d.subject.NewExecutor(now))
	}
	d.replayer = d.subject.NewExecutor(now)
	stop := context.AfterFunc(ctx, d.executors[0].Machine.Cancel)
	base, err := with(p, d.executors[0])
	stop()
	if ctx.Err() != nil {
		return nil, noteError{errors.New(cutShort(ctx, contract.Name, "it was deployed"))}
	}
	if err == nil {
		err = d.subject.Settle(base)
	}
	if err != nil {
		return nil, noteError{err}
	}
	return d, nil
}

func newResult(contract *solc.Contract) *finding.Result {
	return &finding.Result{Name: contract.Name, File: contract.File}
}

func nameHash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// Start returns the block of deployments. Reports count the blocks of
// transactions from it.
func Start() input.BlockTime {
	return input.BlockTime{Number: deploy.Genesis.Number, Timestamp: deploy.Genesis.Timestamp}
}
