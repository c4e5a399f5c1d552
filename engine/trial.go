package engine

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/cheat"
	"leveret/engine/conditions"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/program"
	"leveret/engine/search"
	"leveret/engine/suite"
	"leveret/solc"
)

// A TestResult is what a campaign found about one test.
type TestResult struct {
	Test    solc.Test
	Verdict suite.Verdict    // of the counterexample, or of the campaign; Took is not set
	Finding *finding.Finding // its counterexample; nil: none was found
	Sample  input.Sequence   // an input of a search that found none, that of Best if there is one; empty: none succeeded
	Prints  []finding.Print  // of its last execution
	Calls   []string         // of its counterexample in words, with their gas
	Actors  search.Actors    // that Calls name
	Trail   []suite.Step     // on the way to its failure, the innermost place first; see suite.Tracer
	Stats   finding.Stats    // of the campaign, so far
	Best    *Best            // of a function that is maximized; nil for others

	trial *trial // whose campaign it is, which may have several results; nil: the test was not searched
}

// Search searches the arguments of a fuzz test, or the calls that break invariants
// of a test contract. All tests must be invariants, or there is one fuzz test. It
// returns a result for each of them. Options.Known are sequences that failed
// before, which run first. The error is that of Run.
func Search(ctx context.Context, s *suite.Suite, tests []solc.Test, options Options) ([]TestResult, error) {
	return newTrialOf(s, tests, nil).search(ctx, options)
}

// SearchHarness searches the calls that break a harness of Echidna or Medusa. It
// returns a result for each property, for each line at which an assertion fails, and for
// each function of the harness in which none does, if assertions count. Getters have none.
func SearchHarness(ctx context.Context, h *suite.Harness, options Options) ([]TestResult, error) {
	t := newTrialOf(h.Suite, h.Tests.Tests, h)
	results, err := t.search(ctx, options)
	if checks := &h.Configuration.Checks; err != nil || !checks.Assertions && !checks.Overflows {
		return results, err
	}
	for _, target := range h.Targets() {
		for _, f := range target.Functions {
			test := t.handlerTest(f)
			if target.Address != h.Address || test.File == "" || slices.ContainsFunc(results, func(r TestResult) bool { return r.Test.Signature == f.Signature }) {
				continue
			}
			results = append(results, TestResult{Test: test, Verdict: suite.Verdict{Test: test, Status: suite.Passed}, Stats: t.stats, trial: t})
		}
	}
	return results, nil
}

// search runs the campaign, in turns if there is a pause between them.
func (t *trial) search(ctx context.Context, options Options) (results []TestResult, err error) {
	s := t.suite
	options.trial = t
	var c *campaign
	err = guard(s.Program.UnderTest, func() (err error) {
		ctx, done := options.until(ctx)
		defer done()
		ctx, stop := context.WithCancel(ctx)
		defer stop()
		watched := t.watchForks(stop)
		defer func() { watched() }()
		if pause := t.pause; pause != nil {
			t.pause = func(news bool) (more bool) {
				watched()
				more = pause(news)
				watched = t.watchForks(stop)
				return more
			}
		}
		if c, err = newTrial(ctx, t, options); err != nil || c.result.Note != "" {
			return err
		}
		c.loop(ctx)
		c.tally()
		err = c.saver.save(func() [][]byte { return append(t.counterexamples(c), c.notifier.inputs()...) })
		c.finish()
		return err
	})
	if c == nil {
		return nil, err
	}
	results, t.stats = t.results(ctx, c), c.result.Stats
	if c.result.Note != "" && len(t.tests) == 0 {
		err = errors.New(c.result.Note)
	}
	if errors.As(err, new(*Panic)) { // what holds so far may be wrong
		results = slices.DeleteFunc(results, func(r TestResult) bool { return r.Finding == nil })
	}
	return results, err
}

// watchForks has a fork that cannot be read end the campaign, until the returned function
// is called: the suite has one error for all campaigns that take turns.
func (t *trial) watchForks(end func()) (done func()) {
	failed, over := t.suite.WatchForks(), make(chan struct{})
	go func() {
		select {
		case <-failed:
			end()
		case <-over:
		}
	}()
	return func() { close(over) }
}

// counterexamples returns the findings as they are saved: they run first next time.
func (t *trial) counterexamples(c *campaign) (list [][]byte) {
	for i := range c.result.Findings {
		list = append(list, input.AppendText(nil, c.result.Findings[i].Witness))
	}
	return list
}

// A trial is what a campaign over tests searches.
type trial struct {
	suite   *suite.Suite
	tests   []solc.Test
	harness *suite.Harness // of tests that are its properties; nil: Foundry's tests
	config  *solc.TestConfig
	runs    int  // budget, in inputs that are not rejected; 0: that of the Options holds
	traced  bool // for people, not for the search: cheatcodes run as they are called

	failFast bool // the campaign ends with its first finding
	early    bool // see TestLimits.watch

	turn  turn                 // the campaign's, when it begins and when pause returns
	pause func(news bool) bool // called after each turn; false: the campaign ends; nil: there is one turn
	open  int                  // campaigns in memory at the same time; 0: one

	stats     finding.Stats // of the campaign, once it is over
	reverting []Reverting   // functions that the campaign called and that never succeeded, once it is over

	failed   []TestResult    // of the latest pause, not reported: see failures
	reported map[string]bool // results that were reported before the end, by their ids
}

// newTrialOf returns a trial. Tests that share one have the same configuration.
func newTrialOf(s *suite.Suite, tests []solc.Test, h *suite.Harness) *trial {
	t := &trial{suite: s, tests: tests, harness: h, config: s.Config(), reported: map[string]bool{}}
	if h == nil && len(tests) > 0 {
		t.config = s.ConfigOf(tests[0])
	}
	return t
}

// fuzzes reports whether inputs are calls of the test itself, not sequences of
// calls that an invariant survives.
func (t *trial) fuzzes() bool { return t.harness == nil && t.tests[0].Kind != solc.InvariantTest }

// shares returns how many campaigns share the memory. t may be nil.
func (t *trial) shares() int {
	if t == nil {
		return 1
	}
	return max(t.open, 1)
}

// name names the tests, for random numbers and files.
func (t *trial) name() string {
	under := t.suite.Program.UnderTest.Name
	if !t.fuzzes() {
		return under
	}
	hash := crypto.Keccak256([]byte(t.tests[0].Signature))
	return fmt.Sprintf("%s.%s.%x", under, t.tests[0].Name, hash[:4])
}

// newTrial sets up a campaign over tests. Tests that cannot run give one that has
// only a result, with a Note.
func newTrial(ctx context.Context, t *trial, options Options) (*campaign, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	under := t.suite.Program.UnderTest
	c := &campaign{
		options: options, clock: clock{now: options.Now, began: options.Now(), budget: options.Time},
		budget: budget{limit: int64(options.MaxInputs), runs: int64(t.runs)}, result: newResult(under),
	}
	if t.fuzzes() {
		c.budget.rejects = int64(t.config.Fuzz.MaxTestRejects)
	}
	subject, err := t.subject()
	if err != nil {
		c.result.Note = err.Error()
		return c, nil
	}
	if len(subject.Callees) == 0 {
		c.result.Note = noCallees(subject)
		return c, nil
	}
	c.deployed = &deployed{subject: subject, executor: subject.NewExecutor(options.Now), replayer: subject.NewExecutor(options.Now)}
	c.corpusName = t.name()
	c.first = newFirstRuns(subject, &c.clock, &c.budget, options.Firsts)
	c.newNotifier()
	c.notifier.stop = func(*finding.Finding) bool { return t.failFast || t.broken(c.result.Findings) }
	return c, c.newWorkers(randomOf(options.Seed, t.name(), 0))
}

// maxTestSteps caps the instructions of an input of a test.
const maxTestSteps = 1 << 24

// subject returns the subject of a campaign over the tests.
func (t *trial) subject() (*search.Subject, error) {
	start, err := t.suite.Prepared(slices.Concat(t.tests, []solc.Test{{}})[0])
	if err != nil {
		return nil, err
	}
	s := search.NewSubject(t.suite.Program)
	sites := conditions.NewSites()
	s.Suite = &search.Suite{
		Gas: t.suite.Config().Chain.Gas(), Sender: input.Actor(t.suite.Sender()), Single: t.fuzzes(),
		Breaks: t.breaks,
		Holds:  t.holds,
		Rejects: func(o *evm.Outcome) bool {
			return o.Status != evm.Success && cheat.Rejected(o.Return)
		},
		NewMachine: func() *evm.Machine {
			m, cheats := t.suite.NewMachine()
			if len(t.tests) > 0 { // else a harness, only for its assertions
				t.suite.Configure(cheats, t.tests[0])
			}
			if t.traced {
				return m
			}
			m.Inspector = &conditions.Inspector{Inspector: t.observed(cheats), Sites: sites, Cheats: cheat.Address}
			m.Steps = maxTestSteps
			return m
		},
		Labels: t.labels, Called: cheat.Called, Explained: cheat.Explained,
	}
	if !t.traced {
		conditions.Install(start.World, t.suite.Program.Codes)
	}
	s.Suite.Run = t.run()
	if t.harness != nil {
		s.Suite.FailedAt = t.failedAt
	}
	t.limitProperties(s.Suite)
	callees, err := t.callees(s.Suite)
	if err != nil {
		return nil, err
	}
	return s, s.SettleAt(t.deployment(start.World), start.Block, callees)
}

// run returns what makes a run of the tests.
func (t *trial) run() search.Run {
	switch {
	case t.harness != nil:
		return search.Run{Depth: int(t.harness.Configuration.Limits.SequenceLength), Interval: 1}
	case t.fuzzes():
		return search.Run{Interval: 1}
	}
	return search.Run{Depth: int(t.config.Invariant.Depth), Interval: int(t.config.Invariant.CheckInterval)}
}

// labels returns the names of addresses after the last Call of a Machine.
func (t *trial) labels(m *evm.Machine) map[common.Address]string {
	names := maps.Clone(cheat.Names)
	if t.harness == nil {
		names[t.suite.Sender()] = "DefaultSender"
	}
	if c, ok := m.Inspector.(*cheat.Cheats); ok {
		for a, label := range c.Report.Labels {
			if label = strings.Join(strings.FieldsFunc(label, unicode.IsControl), " "); len(label) <= maxLabel {
				names[a] = label
			}
		}
	}
	return names
}

// maxLabel bounds the bytes of a label that stands for an address.
const maxLabel = 64

// observed returns an Inspector with what a harness has to see.
func (t *trial) observed(i evm.Inspector) evm.Inspector {
	if t.harness != nil {
		return t.harness.Observed(i)
	}
	return i
}

// limitProperties sets what the configuration of a harness says of the gas of
// properties.
func (t *trial) limitProperties(s *search.Suite) {
	if t.harness == nil {
		return
	}
	if gas := t.harness.Configuration.Calls.PropertyGas; gas > 0 {
		s.PropertyGas = max(gas, intrinsicGas) - intrinsicGas
	}
}

// intrinsicGas is what a transaction that calls a property costs before it runs.
const intrinsicGas = 21_000 + 4*16

// forkOf names the fork that tests start from; nil if there is none.
func forkOf(s *suite.Suite) *input.Fork {
	f := s.Origin()
	if f == nil {
		return nil
	}
	return &input.Fork{Chain: f.Block.ChainID, Block: f.Block.Number}
}

// deployment describes the contracts after setUp.
func (t *trial) deployment(w *evm.World) *deploy.Deployment {
	d := &deploy.Deployment{Record: &input.Deployment{Fork: forkOf(t.suite)}, World: w}
	count, created := map[string]int{}, t.suite.Created()
	for _, c := range t.suite.Deployed() {
		name := c.Contract.Name
		if count[name]++; count[name] > 1 {
			name = fmt.Sprintf("%s%d", name, count[name])
		}
		made := input.Creation{Name: name, File: c.Contract.File, Address: c.Address}
		if name != c.Contract.Name {
			made.Contract = c.Contract.Name
		}
		if i := slices.IndexFunc(created, func(c suite.Created) bool { return c.Address == made.Address }); i >= 0 {
			made.Args = created[i].Args
		} else {
			made.By = t.suite.Program.UnderTest.Name
		}
		d.Record.Creations = append(d.Record.Creations, made)
		d.Contracts = append(d.Contracts, deploy.Deployed{Contract: c.Contract, Address: c.Address})
	}
	d.MarkTested(t.suite.Address)
	return d
}

// callees lists what transactions call: the fuzz test; or the targets, and the
// invariants, whose comparisons guide the search.
func (t *trial) callees(s *search.Suite) ([]deploy.Callee, error) {
	l := &calleeList{under: t.suite.Program.UnderTest, at: t.suite.Address, sender: s.Sender}
	if t.harness == nil {
		l.fixtures = t.suite.Fixtures()
	}
	if t.fuzzes() {
		f := t.suite.Function(t.tests[0])
		if f == nil {
			return nil, suite.ErrNoABI
		}
		l.add(l.under, demand.Callee{Address: l.at, Function: f}, func(f *input.Function) {
			f.Senders, f.MaxDelay, f.Mutability = []input.Actor{s.Sender}, &input.Delay{}, input.NonPayable
		})
		return l.list, nil
	}
	targets, restrict, err := t.targets()
	if err != nil {
		return nil, err
	}
	for _, target := range targets {
		for _, f := range target.Functions {
			l.add(target.Contract, demand.Callee{Address: target.Address, Function: f}, restrict)
		}
	}
	if called := t.createdTargets(); called != nil {
		s.Created = search.NewCreated(t.suite.Program, func(c *solc.Contract) (list []*input.Function) {
			for _, f := range called(c) {
				list = append(list, l.restricted(f, restrict))
			}
			return list
		})
	}
	t.addProperties(s, l)
	return l.list, nil
}

// addProperties lists the invariants, functions to maximize, and afterInvariant.
func (t *trial) addProperties(s *search.Suite, l *calleeList) {
	for _, test := range t.tests {
		switch f := t.suite.Function(test); {
		case f == nil:
		case suite.IsMaximized(f):
			s.Maximized = append(s.Maximized, l.property(f))
		default:
			s.Properties = append(s.Properties, l.property(f))
		}
	}
	if f := t.afterInvariant(); f != nil {
		f = l.property(f)
		s.Properties, s.Run.AtEnd = append(s.Properties, f), append(s.Run.AtEnd, f)
	}
}

// A calleeList collects what the transactions of a trial call.
type calleeList struct {
	list     []deploy.Callee
	fixtures suite.Fixtures
	under    *solc.Contract // the test contract
	at       common.Address // its address
	sender   input.Actor    // of calls of properties
}

// restricted returns a function with the values of fixtures, for one campaign.
func (l *calleeList) restricted(f *input.Function, change func(*input.Function)) *input.Function {
	return f.Restricted(func(f *input.Function) {
		f.Fixtures, f.Handler = l.fixtures.Of(f), true
		change(f)
	})
}

func (l *calleeList) add(c *solc.Contract, target demand.Callee, change func(*input.Function)) *input.Function {
	target.Function = l.restricted(target.Function, change)
	l.list = append(l.list, deploy.Callee{Callee: target, Contract: c})
	return target.Function
}

// property adds a function of the test contract that tells about the state.
func (l *calleeList) property(f *input.Function) *input.Function {
	return l.add(l.under, demand.Callee{Address: l.at, Function: f}, func(f *input.Function) {
		f.Senders, f.MaxDelay, f.Mutability, f.Property = []input.Actor{l.sender}, &input.Delay{}, input.View, true
	})
}

// createdTargets returns what chooses the functions that transactions call of
// contracts that others create; nil: none are called.
func (t *trial) createdTargets() func(*solc.Contract) []*input.Function {
	if t.harness != nil {
		return t.harness.CreatedTargets()
	}
	return t.suite.CreatedTargets()
}

// targets returns what transactions call, and how these functions are restricted.
func (t *trial) targets() ([]suite.Target, func(*input.Function), error) {
	if t.harness != nil {
		config := &t.harness.Configuration
		var senders []input.Actor
		for _, a := range config.Accounts.Senders {
			senders = append(senders, input.Actor(a))
		}
		return t.harness.Targets(), func(f *input.Function) {
			f.Senders = senders
			f.MaxDelay = &input.Delay{Blocks: min(config.Calls.MaxBlockDelay, input.MaxBlocks), Seconds: min(config.Calls.MaxTimeDelay, input.MaxSeconds)}
			if config.Calls.MaxValue.IsZero() && f.Mutability == input.Payable {
				f.Mutability = input.NonPayable
			}
			f.MaxWei = &config.Calls.MaxValue
		}, nil
	}
	config, senders := &t.config.Invariant, t.suite.Senders()
	targets, err := t.suite.Targets()
	return targets, func(f *input.Function) {
		f.Senders, f.Mutability = senders, input.NonPayable
		f.MaxDelay = &input.Delay{Blocks: uint64(config.MaxBlockDelay), Seconds: uint64(config.MaxTimeDelay)}
	}, err
}

// holds reports whether the call of a property, which led to w, shows that it
// holds.
func (t *trial) holds(f *input.Function, o *evm.Outcome, w *evm.World) bool {
	status := t.suite.Status(o, w)
	if t.harness == nil || status == suite.Rejected {
		return status != suite.Failed
	}
	if t.harness.MustRevert(f) {
		return o.Status != evm.Success
	}
	return suite.Holds(o)
}

// afterInvariant returns the function that is called after each run; nil if there
// is none.
func (t *trial) afterInvariant() *input.Function {
	if t.harness != nil || !t.suite.Tests.AfterInvariant {
		return nil
	}
	return t.suite.Program.ABI(t.suite.Program.UnderTest).Method("afterInvariant()")
}

// breaks returns the function that a transaction breaks by itself: a fuzz test that
// fails, or a call of an invariant test in which an assertion fails, or that
// reverts if the configuration says that it must not.
func (t *trial) breaks(tx *input.Tx, o *evm.Outcome, w *evm.World) *input.Function {
	if t.harness != nil {
		if t.harness.Fails(tx, o) {
			return tx.Function
		}
		return nil
	}
	if t.suite.Status(o, w) != suite.Failed {
		return nil
	}
	strict := t.config.Invariant.FailOnRevert
	if t.fuzzes() {
		strict = t.config.Fuzz.FailOnRevert
	}
	if o.Status == evm.Success || strict || suite.Asserts(o) {
		return tx.Function
	}
	return nil
}

// failedAt returns hooks for a transaction that fails by itself, and what tells then where.
func (t *trial) failedAt() (*evm.Hooks, func() *program.Location) {
	tracer := t.tracer()
	return tracer.Hooks(), func() *program.Location {
		if at, _ := suite.Where(tracer.Trail()); at != nil {
			return &at.Location
		}
		return nil
	}
}

// broken reports whether there is a finding about each test.
func (t *trial) broken(found []finding.Finding) bool {
	if t.harness != nil && t.harness.FailsCalls() {
		return false // any function may fail
	}
	return !slices.ContainsFunc(t.tests, func(test solc.Test) bool {
		return !slices.ContainsFunc(found, func(f finding.Finding) bool { return t.about(&f, test) })
	})
}

// about reports whether a finding is one of a test, and not of a function that
// transactions call.
func (t *trial) about(f *finding.Finding, test solc.Test) bool {
	function := t.suite.Function(test)
	return function != nil && t.names(f, function)
}

// names reports whether a finding is at the name of a function of the test
// contract.
func (t *trial) names(f *finding.Finding, function *input.Function) bool {
	place, ok := t.suite.Program.NamePlace(t.suite.Program.Definition(function))
	return ok && f.Place == place
}

// results returns what a campaign found, for each test, less what was reported before.
// A finding that is about none of them, such as a failed assertion of a handler, breaks
// all that hold otherwise; in a harness it is one about the handler.
func (t *trial) results(ctx context.Context, c *campaign) []TestResult {
	t.reverting = t.neverSucceeded(c)
	list := t.handlers(c, func(string) bool { return true })
	other := slices.IndexFunc(c.result.Findings, t.aboutNone)
	for _, test := range t.tests {
		if t.reported[test.Signature] {
			continue
		}
		r := TestResult{Test: test, Verdict: suite.Verdict{Test: test, Status: suite.Passed}, Stats: c.result.Stats, trial: t}
		at := slices.IndexFunc(c.result.Findings, func(f finding.Finding) bool { return t.about(&f, test) })
		if at < 0 && t.harness == nil {
			at = other
		}
		unread := t.suite.ForkError()
		switch {
		case at < 0 && unread != nil:
			r.Verdict.Status, r.Verdict.Reason = suite.Failed, unread.Error()
		case c.result.Note != "":
			r.Verdict.Status, r.Verdict.Reason = suite.Failed, c.result.Note
		case at >= 0:
			r.Finding = &c.result.Findings[at]
			t.explain(c, &r)
		case t.maximized(c, test) != nil:
			if r.Best = c.best(t.maximized(c, test)); r.Best != nil {
				r.Calls, r.Sample, r.Actors = r.Best.Sequence.Brief(), r.Best.Sequence, actorsIn(r.Best.Sequence.Txs, nil)
			}
		case t.fuzzes() && r.Stats.Rejected == r.Stats.Inputs && r.Stats.Inputs >= fewRejects:
			r.Verdict.Status, r.Verdict.Reason = suite.Failed, fmt.Sprintf("`vm.assume` rejected all %d inputs", r.Stats.Inputs)
		case t.tooManyRejects(&r.Stats):
			r.Verdict.Status, r.Verdict.Reason = suite.Failed, fmt.Sprintf("`vm.assume` rejected too many inputs (%d allowed)", t.config.Fuzz.MaxTestRejects)
		default:
			r.Sample = c.sample()
		}
		t.record(ctx, &r)
		list = append(list, r)
	}
	return list
}

// knownOf returns the positions of the sequences that may be about the tests.
func (t *trial) knownOf(list []input.Sequence) (known []int) {
	for i := range list {
		about := testsOf(t.suite.Program.UnderTest, list[i])
		if t.harness != nil || slices.ContainsFunc(t.tests, func(test solc.Test) bool { return about(test.Signature) }) {
			known = append(known, i)
		}
	}
	return known
}

// aboutNone reports whether a finding is about none of the tests.
func (t *trial) aboutNone(f finding.Finding) bool {
	return !slices.ContainsFunc(t.tests, func(test solc.Test) bool { return t.about(&f, test) })
}

// handlers returns the results of the functions of a harness that failed by themselves,
// of the findings with wanted ids, less those that were reported before.
func (t *trial) handlers(c *campaign, wanted func(id string) bool) (list []TestResult) {
	if t.harness == nil {
		return nil
	}
	for _, f := range c.result.Findings {
		if !t.aboutNone(f) || t.reported[f.ID] || !wanted(f.ID) {
			continue
		}
		test := t.handlerTest(f.Witness.Last().Function)
		if test.File == "" { // of another contract
			test.File, test.Line = f.Place.File, f.Place.Start.Line
		}
		r := TestResult{Test: test, Finding: &f, Stats: c.result.Stats, trial: t}
		t.explain(c, &r)
		list = append(list, r)
	}
	return list
}

// handlerTest returns a function of a harness as a test.
func (t *trial) handlerTest(f *input.Function) solc.Test {
	test := solc.Test{Name: f.Name, Signature: f.Signature}
	if place, ok := t.suite.Program.NamePlace(t.suite.Program.Definition(f)); ok {
		test.File, test.Line = place.File, place.Start.Line
	}
	return test
}

// ofHandler reports whether a result is one of a function that is no test, but failed
// in a harness.
func (r *TestResult) ofHandler() bool {
	return r.Test.Kind == solc.OrdinaryFunction && r.Finding != nil
}

// id tells the results of a campaign apart.
func (r *TestResult) id() string {
	if r.ofHandler() {
		return r.Finding.ID
	}
	return r.Test.Signature
}

// failures returns the results of the tests, of several, and handlers that failed so far,
// were not reported, and whose counterexamples will not become shorter.
func (t *trial) failures(c *campaign) (list []TestResult) {
	if !t.early || len(t.tests) < 2 && t.harness == nil {
		return nil
	}
	c.tally()
	list = t.handlers(c, func(id string) bool { return !c.shrinks(id) })
	for _, test := range t.tests {
		at := slices.IndexFunc(c.result.Findings, func(f finding.Finding) bool { return t.about(&f, test) })
		if at < 0 || t.reported[test.Signature] || c.shrinks(c.result.Findings[at].ID) {
			continue
		}
		found := c.result.Findings[at]
		r := TestResult{Test: test, Finding: &found, Stats: c.result.Stats, trial: t}
		t.explain(c, &r)
		list = append(list, r)
	}
	return list
}

// shrinks reports whether the counterexample of a finding may become shorter.
func (c *campaign) shrinks(id string) bool {
	return slices.ContainsFunc(c.workers, func(w *worker) bool { return w.triage.Shrinks(id) })
}

// maximized returns the function that a test maximizes; nil: it is a property.
func (t *trial) maximized(c *campaign, test solc.Test) *input.Function {
	suite := c.deployed.subject.Suite
	if i := slices.IndexFunc(suite.Maximized, func(f *input.Function) bool { return f.Signature == test.Signature }); i >= 0 {
		return suite.Maximized[i]
	}
	return nil
}

// tooManyRejects reports whether more inputs of a fuzz test were rejected than the
// configuration allows, before as many as forge would make were not.
func (t *trial) tooManyRejects(s *finding.Stats) bool {
	c := &t.config.Fuzz
	return t.fuzzes() && c.MaxTestRejects > 0 && s.Rejected > int(c.MaxTestRejects) && s.Inputs-s.Rejected < int(c.Runs)
}

// record notes which functions the last input of a fuzz test ran, if that is recorded.
func (t *trial) record(ctx context.Context, r *TestResult) {
	if !t.fuzzes() || !t.suite.Records() || r.Finding == nil && len(r.Sample.Txs) == 0 {
		return
	}
	w := witnessOf(t.suite, r)
	r.Verdict.Executed = t.suite.Run(ctx, r.Test, w.Last().Args...).Executed
}

// sample returns the newest input that covered something new and succeeded; empty if
// there is none.
func (c *campaign) sample() input.Sequence {
	if len(c.workers) > 0 {
		for _, e := range slices.Backward(c.workers[0].search.Corpus.Entries) {
			if e.Success {
				return e.Sequence
			}
		}
	}
	return input.Sequence{}
}

// fewRejects is after how many inputs a test that rejects all of them fails: it
// tests nothing. Forge gives up after fuzz.max_test_rejects.
const fewRejects = 256

// explain executes the counterexample of a test once more for its reason and its
// places.
func (t *trial) explain(c *campaign, r *TestResult) {
	again := t.execute(c, r.Test, r.Finding.Witness.Txs)
	subject := c.deployed.subject
	i := slices.IndexFunc(subject.Suite.Properties, func(f *input.Function) bool { return t.names(r.Finding, f) })
	if i >= 0 {
		property := input.Tx{From: subject.Suite.Sender, To: t.suite.Address, Function: subject.Suite.Properties[i]}
		_, again.outcome = again.executor.Transact(again.at, &property, nil, again.tracer.Hooks())
	}
	labels := t.labels(again.executor.Machine)
	r.Calls = callsOf(r.Finding.Witness.DescribeAs(labels, nil), again.gas)
	r.Actors = actorsIn(r.Finding.Witness.Txs, labels)
	r.Verdict = t.suite.Failure(r.Test, &again.outcome, &again.cheats.Report)
	t.suite.Because(&r.Verdict, again.tracer)
	r.Prints = again.tracer.Prints()
	r.Trail = again.tracer.Trail()
}

// An execution is what transactions did.
type execution struct {
	executor *exec.Executor
	cheats   *cheat.Cheats
	tracer   *suite.Tracer
	at       exec.State  // after them
	outcome  evm.Outcome // of the last one
	gas      []uint64    // of each
}

// execute executes transactions after setUp as a campaign for a test does.
func (t *trial) execute(c *campaign, test solc.Test, txs []input.Tx) *execution {
	subject := c.deployed.subject
	machine, cheats := t.suite.NewMachine()
	t.suite.Configure(cheats, test)
	e := &execution{
		executor: &exec.Executor{Machine: machine, Gas: subject.Suite.Gas, Failing: subject.Suite.Waits},
		cheats:   cheats, tracer: t.tracer(), at: subject.Start,
	}
	for i := range txs {
		next, o := e.executor.Transact(e.at, &txs[i], nil, e.tracer.Hooks())
		e.gas = append(e.gas, o.GasUsed)
		e.outcome, e.at = o, e.executor.Then(e.at, next, &txs[i], &o)
	}
	return e
}

// actorsIn lists the actors of every campaign that send transactions or are in their
// arguments, without those that have a label.
func actorsIn(txs []input.Tx, labels map[common.Address]string) (who search.Actors) {
	var all search.Actors
	for i := range txs {
		all.Add(txs[i].From)
		for j := range txs[i].Args {
			all.AddNamed(&txs[i].Args[j])
		}
	}
	for _, actor := range input.Actors {
		if all.Has(actor) && labels[actor.Address()] == "" {
			who.Add(actor)
		}
	}
	return who
}

// tracer returns a Tracer of transactions.
func (t *trial) tracer() *suite.Tracer {
	tracer := suite.NewTracer(t.suite.Program)
	if t.harness != nil {
		tracer.Asserts = t.harness.IsAssertion
	}
	return tracer
}

// callsOf adds the gas of calls to their descriptions, and puts equal ones that follow each
// other together.
func callsOf(calls []string, gas []uint64) (lines []string) {
	for call, n := range input.Repeated(calls) {
		text, total := "", uint64(0)
		for _, used := range gas[:n] {
			total += used
		}
		if gas = gas[n:]; n > 1 {
			text = fmt.Sprintf("%d times, ", n)
		}
		lines = append(lines, fmt.Sprintf("%s (%sgas: %d)", call, text, total))
	}
	return lines
}
