package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"sync"
	"time"

	"leveret/engine/attack"
	"leveret/engine/bounded"
	"leveret/engine/coverage"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/direct"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/plan"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/engine/solve"
	"leveret/engine/triage"
	"leveret/solc"
)

// wiringPart is the part of a campaign's time after which the wiring of a deployment ends.
const wiringPart = 3

// newCampaign deploys contract and sets a campaign up. A contract that cannot be
// fuzzed gives a campaign that has only a result, with a Note.
func newCampaign(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*campaign, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	c := &campaign{
		options: options,
		clock:   clock{now: options.Now, began: options.Now(), budget: options.Time},
		budget:  budget{limit: int64(options.MaxInputs)},
		result:  newResult(contract),
	}
	source := sourceOf(options.Seed, contract.Name, 0)
	random := rand.New(source)
	d, err := newDeployed(ctx, contract, project, options.Now, func(p *program.Program, x *exec.Executor) (*deploy.Deployment, error) {
		wiring, stop := ctx, func() {}
		if _, limited := ctx.Deadline(); limited && options.Time > 0 {
			wiring, stop = context.WithTimeout(ctx, options.Time/wiringPart)
		}
		defer stop()
		made, err := deploy.New(ctx, wiring, p, x.Machine, random, options.Fork)
		if err != nil && options.Fork == nil {
			if built := builtBySetUp(ctx, p, x.Machine, setUpsFor(contract, project)); built != nil {
				return built, nil
			}
		}
		return made, err
	})
	if note := (noteError{}); errors.As(err, &note) {
		c.result.Note = note.Error()
		c.result.Undeployed = errors.As(note.error, new(deployError))
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	c.deployed = d
	if test, ok := deploy.BuiltBy(d.subject.Deployment.Record, project); ok {
		c.result.BuiltBy = test.File + ":" + test.Name
	}
	if len(d.subject.Callees) == 0 {
		c.result.Note = noCallees(d.subject)
		return c, nil
	}
	if err := c.probe(ctx, *source); err != nil {
		return nil, err
	}
	c.first = newFirstRuns(c.deployed.subject, &c.clock, &c.budget, options.Firsts)
	c.first.setGoals(options.Targets)
	c.newNotifier()
	return c, c.newWorkers(random)
}

// randomOf returns the random numbers of a worker.
func randomOf(seed uint64, contract string, worker int) *rand.Rand {
	return rand.New(sourceOf(seed, contract, worker))
}

func sourceOf(seed uint64, contract string, worker int) *rand.PCG {
	return rand.NewPCG(seed+uint64(worker)<<32, nameHash(contract))
}

// newNotifier sets up what collects the results of workers.
func (c *campaign) newNotifier() {
	s := c.deployed.subject
	c.notifier = notifier{
		observe: c.options.Observe, clock: &c.clock, budget: &c.budget, first: c.first, saver: &c.saver, subject: s, result: c.result,
		lines: coverage.NewLines(s.Program, s.Cover), tallies: make([]*tally, c.options.Workers), paths: bounded.NewMap(maxPaths),
		explores: c.options.trial == nil,
		stop:     func(f *finding.Finding) bool { return c.options.StopOnFirst && f.Severity >= finding.Warning },
	}
}

// newWorkers sets up the workers, at the same time. The first one has the
// executors and the random numbers of the deployment.
func (c *campaign) newWorkers(random *rand.Rand) error {
	n := c.options.Workers
	c.workers = make([]*worker, n)
	for i := range n {
		w := &worker{number: i, options: &c.options, clock: &c.clock, budget: &c.budget, notifier: &c.notifier, executor: c.deployed.executor, replayer: c.deployed.replayer}
		if i > 0 {
			w.executor, w.replayer = c.deployed.subject.NewExecutor(c.options.Now), c.deployed.subject.NewExecutor(c.options.Now)
		}
		w.executor.Prefixes = exec.NewPrefixes(c.options.states()/(n*c.options.trial.shares()), n)
		c.shutdown.searching = append(c.shutdown.searching, w.executor.Machine)
		c.shutdown.triaging = append(c.shutdown.triaging, w.replayer.Machine)
		c.workers[i] = w
	}
	var shared *hub
	if peers := c.options.peers(); n > 1 || peers != nil {
		shared = newHub(peers, n)
	}
	known := triage.NewKnown()
	errs, caught := make([]error, n), make([]workerPanic, n)
	var wait sync.WaitGroup
	for i, w := range c.workers {
		own := random
		if i > 0 {
			own = randomOf(c.options.Seed, c.result.Name, i)
		}
		wait.Go(func() {
			defer caught[i].catch()
			w.newSearch(c.deployed.subject, c.first, c.shutdown.isOver, own)
			errs[i] = w.newSources(shared, known, &grace{shutdown: &c.shutdown, machine: w.replayer.Machine})
		})
	}
	wait.Wait()
	rethrow(caught)
	return errors.Join(errs...)
}

// newSearch sets up what the sources share.
func (w *worker) newSearch(s *search.Subject, first *firstRuns, over func() bool, random *rand.Rand) {
	o := w.options
	all := search.NewCorpus(s, w.executor)
	all.MaxSize = o.corpora() / (o.Workers * o.trial.shares())
	w.search = &search.Search{
		Subject: s, Corpus: all, Branches: search.NewBranches(s), Progress: &search.Progress{}, Queue: &search.Queue{}, Over: over,
	}
	w.recorder = recorder{Recorder: search.Recorder{Search: w.search}, first: first, coverage: coverage.New(all.Corpus)}
	if s := w.search.Subject.Suite; s != nil && !s.Single {
		w.recorder.calls = callCounts{}
	}
	w.search.Generator = search.NewGenerator(s, all, random)
	w.recorder.Covered = w.recorder.firstRun
	if mode, ok := lookaheadModes[o.Lookahead]; ok {
		request := direct.Request{Lines: o.Lines, PCs: o.Targets}
		w.recorder.lookahead = direct.NewLookahead(mode, request, s, all, w.search.Progress, w.replayer, o.Now)
	}
}

// newSources sets up the input sources and the triage. The exchange is part of
// them if there is a hub.
func (w *worker) newSources(h *hub, known *triage.Known, end *grace) error {
	o, s := w.options, w.search
	checker, err := triage.NewChecker(s.Subject, w.replayer, o.Oracles, o.Severities)
	if err != nil {
		return err
	}
	guide := direct.NewGuide(w.recorder.lookahead, s.Generator.Random)
	if guide.Guides() {
		s.Branches.Leads = guide.Leads
		s.Generator.Callee = guide.Callee
	}
	if peers := o.peers(); peers != nil {
		s.Generator.Divide(peers.Part())
	}
	solved := solve.Options{NoPrediction: o.NoPrediction, NoIteration: o.NoIteration, NoDemand: o.NoDemand || s.Subject.Single(), Joint: o.Joint}
	if o.trial != nil {
		solved.Observed, solved.Brief = observedOfWalks, o.trial.fuzzes()
	}
	solving := solve.New(s, guide, w.replayer, o.Now, solved)
	var answers attack.ReturnValues
	if !o.NoPrediction {
		answers = solving.Solver
	}
	scripts, deposits := attack.New(s, guide, answers, s.Subject.Privileged(), o.NoDemand)
	w.sources = &sources{
		options: o, guide: guide, generator: s.Generator, solving: solving, scripts: scripts, deposits: deposits, forced: attack.NewForced(s, guide),
		seeds:      &seeds{search: s, guide: guide, origin: named("seed"), replayed: named("recalled")},
		scheduled:  newScheduled(s, guide, w.recorder.lookahead),
		targeted:   direct.NewTargeted(guide, s.Generator, scripts),
		best:       &bestPerBranch{search: s, guide: guide, off: o.NoAdaptive},
		demand:     &demanded{search: s, guide: guide, origin: named("demand"), off: o.NoDemand, noAdaptive: o.NoAdaptive},
		plans:      plan.New(s, guide, w.executor, solving.Solver),
		eager:      &eager{s},
		redirected: &redirected{search: s, origin: named("redirected"), learned: map[demand.Callee]int{}},
		walk:       newWalk(s, w.executor),
		uniform:    &uniform{s.Generator},
		ranges:     &ranges{random: s.Generator.Random, rejects: s.Subject.Rejects},
	}
	w.sources.maximize = newMaximize(s, w.replayer, w.sources.walk)
	if h != nil {
		w.sources.exchange = &exchange{hub: h, worker: w.number, search: s, origin: named("exchanged")}
	}
	w.newStrategy(scripts)
	w.triage = triage.New(checker, solving.Wraps, s.Progress, triage.Options{
		Suppress: o.Suppress, Now: o.Now, Over: s.Over, Shrinks: end.allows,
		Found: w.found, Shrunk: w.shrunk, Escalate: scripts.Escalate, Replayed: w.sources.seeds.replayed, Known: known,
	})
	return nil
}

// newStrategy composes the sources, and sets up what drops repeats.
func (w *worker) newStrategy(scripts *attack.Scripts) {
	s := w.search
	w.strategy = strategy{
		rows: table(w.sources), random: s.Generator.Random,
		prepare: func(next *search.Candidate) {
			scripts.Strip(next, w.sources.seeds.replayed)
			s.Subject.Shorten(next)
		},
	}
	trial := w.options.trial
	if trial == nil { // tests draw other values where theirs are used up: see uniform
		w.strategy.further = s.Generator.Further
	}
	w.repeats = repeats{
		executor: w.executor, paths: bounded.NewMap(tried(trial.shares())), dropped: w.repeat, further: w.strategy.change,
	}
	if trial != nil && trial.fuzzes() {
		w.repeats.exhausted = w.budget.end
	}
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
	subject  *search.Subject
	executor *exec.Executor
	replayer *exec.Executor
}

// A noteError says why a contract cannot be fuzzed. It is for the user.
type noteError struct{ error }

// A deployError says why a contract cannot be deployed.
type deployError struct{ error }

// newDeployed deploys a contract with a function that gets an executor.
func newDeployed(ctx context.Context, contract *solc.Contract, project []*solc.Contract, now func() time.Time, with func(*program.Program, *exec.Executor) (*deploy.Deployment, error)) (*deployed, error) {
	if note := contract.Unfuzzable(); note != "" {
		return nil, noteError{errors.New(note)}
	}
	p, err := program.New(contract, project)
	if err != nil {
		return nil, err
	}
	s := search.NewSubject(p)
	d := &deployed{subject: s, executor: s.NewExecutor(now), replayer: s.NewExecutor(now)}
	stop := context.AfterFunc(ctx, d.executor.Machine.Cancel)
	base, err := with(p, d.executor)
	stop()
	if ctx.Err() != nil {
		return nil, noteError{errors.New(cutShort(ctx, contract.Name, "it was deployed"))}
	}
	if err == nil {
		err = s.Settle(base)
	}
	if err != nil {
		return nil, noteError{deployError{err}}
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

// Start returns the block of deployments on a fork, which may be nil. Reports
// count the blocks of transactions from it.
func Start(fork *Fork) input.BlockTime {
	b := deploy.Genesis
	if fork != nil {
		b = fork.Block
	}
	return input.BlockTime{Number: b.Number, Timestamp: b.Timestamp}
}
