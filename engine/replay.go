package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"leveret/engine/cheat"
	"leveret/engine/debug"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/replay"
	"leveret/engine/search"
	"leveret/engine/solve"
	"leveret/engine/triage"
	"leveret/solc"
)

// replayBudget bounds the executions for the witness of a finding that was
// shrunk before.
const replayBudget = 60

// replayKnown executes the witnesses of known findings, so that those that no
// longer fail vanish at once.
func (c *campaign) replayKnown() {
	w := c.workers[0]
	for i, known := range c.options.Known {
		if c.shutdown.isOver() {
			break
		}
		if !w.check(known) && !c.shutdown.isOver() {
			c.notifier.gone(i, w.tally(false))
		}
	}
}

// loadCorpus queues the saved corpus, a part of it for each worker, and the
// seeds. Inputs that no longer fit the contract are dropped.
func (c *campaign) loadCorpus() {
	n := 0
	for _, s := range c.saver.load(c.options.Corpus, cmp.Or(c.corpusName, c.deployed.subject.Program.UnderTest.Name)) {
		if s, ok := c.deployed.subject.Bind(s); ok {
			c.workers[n%len(c.workers)].sources.seeds.replay(s)
			n++
		}
	}
	for _, w := range c.workers {
		w.sources.seeds.addNew()
	}
}

// An Outside is what the execution of a sequence reaches besides its own chain.
type Outside struct {
	Fork *Fork      // that the sequence starts from; nil: none
	Host cheat.Host // of the cheatcodes of tests; nil: nothing
}

// Replay executes a sequence on contract as it is compiled now and returns what
// fails, written up as Run does, and shrunk if asked. The Result has a Note if
// the contract cannot be deployed. The error says why the sequence does not fit
// the contract, or is a *ForkError. A sequence on a fork needs that.
func Replay(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, shrink bool) (result *finding.Result, err error) {
	if contract.RunsTests() {
		if err := out.suits(s); err != nil {
			return nil, err
		}
		return runSuite(ctx, contract, project, Options{Known: []input.Sequence{s}, MaxInputs: 1, Fork: out.Fork, Tests: TestOptions{Host: out.Host}}, testsOf(contract, s))
	}
	result = newResult(contract)
	err = guard(contract, func() error {
		return replaying(ctx, contract, project, s, out.Fork, func(r *replayedContract, s input.Sequence) error {
			budget := 0
			if shrink {
				budget = triage.ShrinkBudget
			}
			return r.report(s, budget, result)
		})
	})
	if note := (noteError{}); errors.As(err, &note) {
		result.Note = note.Error()
		return result, nil
	}
	if err != nil {
		return nil, err
	}
	return result, nil
}

// Trace executes a sequence on contract as it is compiled now and records the
// tree of calls and the statements. The step at the place of blamed, which may
// be empty, is marked; if blamed is a property, its check follows the last
// transaction. The error says why the sequence does not fit the contract.
func Trace(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, blamed finding.Finding) (trace *replay.Trace, err error) {
	err = guard(contract, func() (err error) {
		if contract.RunsTests() {
			trace, err = traceSuite(ctx, contract, project, s, out, blamed)
			return err
		}
		return replaying(ctx, contract, project, s, out.Fork, func(r *replayedContract, s input.Sequence) error {
			trace = r.tracer().Trace(s, blamed)
			return nil
		})
	})
	if err != nil {
		return nil, err
	}
	return trace, nil
}

// Debug executes a sequence as Trace does and indexes it for a debugger, which use
// gets. The Recording is valid until use returns. The error is that of use, or one of
// Trace.
func Debug(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, out Outside, blamed finding.Finding, use func(*debug.Recording) error) error {
	return guard(contract, func() error {
		if contract.RunsTests() {
			return debugSuite(ctx, contract, project, s, out, blamed, use)
		}
		return replaying(ctx, contract, project, s, out.Fork, func(r *replayedContract, s input.Sequence) error {
			recording, err := r.tracer().Debug(ctx, s, blamed)
			if err != nil {
				return err
			}
			return use(recording)
		})
	})
}

// errGone says that a sequence does not fit a contract.
func errGone(c *solc.Contract) error {
	return fmt.Errorf("the sequence calls a function that %s no longer has; fuzz it again", c.Name)
}

// A replayedContract is deployed as a sequence was recorded on it.
type replayedContract struct {
	*deployed
	shutdown shutdown
	grace    grace
}

func (r *replayedContract) tracer() *triage.Tracer { return triage.NewTracer(r.subject, r.replayer) }

// replaying deploys contract as s wants it and calls f with the sequence bound
// to it.
func replaying(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, fork *Fork, f func(*replayedContract, input.Sequence) error) (err error) {
	if err := (Outside{Fork: fork}).suits(s); err != nil {
		return err
	}
	ctx, fork, done := watchFork(ctx, fork)
	defer done()
	defer func() {
		if failed := forkError(ctx); failed != nil {
			err = failed
		}
	}()
	d, err := deployedFor(ctx, contract, project, s, fork)
	if err != nil {
		return err
	}
	r := &replayedContract{deployed: d}
	r.shutdown.searching, r.shutdown.triaging = []*evm.Machine{d.executor.Machine}, []*evm.Machine{d.replayer.Machine}
	r.grace = grace{shutdown: &r.shutdown, machine: d.replayer.Machine}
	defer r.shutdown.endWith(ctx)()
	bound, ok := d.subject.Bind(s)
	if !ok {
		return errGone(contract)
	}
	if err := f(r, bound); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return nil
}

// deployedFor deploys contract as s wants it.
func deployedFor(ctx context.Context, contract *solc.Contract, project []*solc.Contract, s input.Sequence, fork *Fork) (*deployed, error) {
	random := rand.New(rand.NewPCG(0, nameHash(contract.Name)))
	return newDeployed(ctx, contract, project, time.Now, func(p *program.Program, x *exec.Executor) (*deploy.Deployment, error) {
		if test, ok := deploy.BuiltBy(s.Deployment, project); ok {
			if built := builtBySetUp(ctx, p, x.Machine, []*solc.Contract{test}); built != nil {
				return built, nil
			}
			return nil, fmt.Errorf("setUp of %s no longer builds %s; fuzz it again", test.Name, contract.Name)
		}
		if s.Deployment == nil || len(s.Deployment.Creations) == 0 {
			return deploy.New(ctx, ctx, p, x.Machine, random, fork)
		}
		return deploy.Repeat(ctx, p, x.Machine, random, s.Deployment, fork)
	})
}

// report adds what s shows to a result.
func (r *replayedContract) report(s input.Sequence, budget int, to *finding.Result) error {
	checker, err := triage.NewChecker(r.subject, r.replayer, nil, nil)
	if err != nil {
		return err
	}
	origin := named("recalled")
	t := triage.New(checker, solve.NewWraps(), &search.Progress{}, triage.Options{
		Now: time.Now, Over: r.shutdown.isOver, Shrinks: r.grace.allows, Replayed: origin,
		Found:  func(f *finding.Finding, _ *search.Origin) { to.Findings = append(to.Findings, *f) },
		Shrunk: func(f *finding.Finding) { replaceFinding(to.Findings, f) },
	})
	t.Report(s, t.Check(s), budget, origin)
	t.Finish()
	return nil
}
