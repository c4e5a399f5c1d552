package engine

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"reflect"
	"slices"

	"leveret/engine/cheat"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/suite"
	"leveret/solc"
)

// TestOracle is the name of findings about tests that fail.
const TestOracle = "test"

// RunTests runs tests of a contract that is set up, in order of their kinds: unit
// and table tests once, then each fuzz test and all invariants together by
// a campaign. These campaigns share Options.Time equally and go on in turns. It calls
// each with every result, once that is known. Options are those of each campaign, less
// what limits of its own replace. A *Panic ended one campaign, not the others.
func RunTests(ctx context.Context, s *suite.Suite, tests []solc.Test, options Options, limits TestLimits, each func(*TestResult)) error {
	if err := options.complete(); err != nil {
		return err
	}
	byKind := map[solc.TestKind][]solc.Test{}
	for _, t := range tests {
		if t.Removed {
			each(&TestResult{Test: t, Verdict: s.Run(ctx, t)})
			continue
		}
		byKind[t.Kind] = append(byKind[t.Kind], t)
	}
	for _, t := range append(byKind[solc.UnitTest], byKind[solc.TableTest]...) {
		if ctx.Err() != nil {
			return nil
		}
		each(runOnce(ctx, s, t, options.Tests.Prints))
	}
	var groups []*testGroup
	for _, t := range byKind[solc.FuzzTest] {
		groups = append(groups, group(s, []solc.Test{t}, options, &limits))
	}
	for _, tests := range alike(s, byKind[solc.InvariantTest]) {
		groups = append(groups, group(s, tests, options, &limits))
	}
	return runGroups(ctx, groups, options, each)
}

// runHarness is SearchHarness in turns, with results as soon as they are known if limits
// has them watched.
func runHarness(ctx context.Context, h *suite.Harness, options Options, limits TestLimits, each func(*TestResult)) error {
	if err := options.complete(); err != nil {
		return err
	}
	return runGroups(ctx, []*testGroup{groupOf(newTrialOf(h.Suite, h.Tests.Tests, h), options, &limits)}, options, each)
}

func runGroups(ctx context.Context, groups []*testGroup, options Options, each func(*TestResult)) error {
	t := turns{now: options.Now, each: each}
	return t.run(ctx, groups, options.Time)
}

// Campaigns counts the campaigns over tests: one for each fuzz test, and one for all
// invariants.
func Campaigns(tests []solc.Test) (n int) {
	invariants := 0
	for _, t := range tests {
		switch t.Kind {
		case solc.FuzzTest:
			n++
		case solc.InvariantTest:
			invariants = 1
		}
	}
	return n + invariants
}

// alike groups tests of the same configuration.
func alike(s *suite.Suite, tests []solc.Test) (groups [][]solc.Test) {
	for _, t := range tests {
		at := slices.IndexFunc(groups, func(g []solc.Test) bool { return reflect.DeepEqual(s.ConfigOf(g[0]), s.ConfigOf(t)) })
		if at < 0 {
			groups = append(groups, []solc.Test{t})
			continue
		}
		groups[at] = append(groups[at], t)
	}
	return groups
}

// runOnce runs a test that needs no search. A unit test is executed once more if it failed
// or, with prints, if it printed.
func runOnce(ctx context.Context, s *suite.Suite, t solc.Test, prints bool) *TestResult {
	r := &TestResult{Test: t}
	if t.Kind == solc.TableTest {
		r.Verdict = s.Table(ctx, t)
	} else {
		r.Verdict = s.Run(ctx, t)
	}
	r.Stats.Inputs, r.Stats.Transactions = 1, 1
	if t.Kind == solc.UnitTest && (r.Verdict.Status == suite.Failed || prints && len(r.Verdict.Lines) > 0) {
		trace := s.Trace(ctx, t)
		r.Trail, r.Prints = trace.Trail(), trace.Prints()
		s.Because(&r.Verdict, trace)
	}
	return r
}

// Where returns the place that stands for the failure of a test, and the others on the way
// there; see suite.Where.
func (r *TestResult) Where() (place *suite.Step, others []*suite.Step) { return suite.Where(r.Trail) }

// testsOf chooses the tests that a sequence is about: that which it calls, or the
// invariants. In a harness, each function that transactions call is a test, too.
func testsOf(contract *solc.Contract, s input.Sequence) func(signature string) bool {
	called, kinds := signatureOf(s), map[string]solc.TestKind{}
	for _, t := range solc.Tests(contract) {
		kinds[t.Signature] = t.Kind
	}
	_, test := kinds[called]
	return func(signature string) bool {
		return signature == called || !test && kinds[signature] == solc.InvariantTest
	}
}

// signatureOf returns the function of the last transaction of a sequence.
func signatureOf(s input.Sequence) string {
	if tx := s.Last(); tx != nil && tx.Function != nil {
		return tx.Function.Signature
	}
	return ""
}

// openSuite sets up a contract that runs tests. The second result is that as a harness;
// nil: its tests are Foundry's.
func openSuite(ctx context.Context, contract *solc.Contract, project []*solc.Contract, o *Options) (*suite.Suite, *suite.Harness, error) {
	config := contract.Harness()
	if config == nil {
		s, err := suite.New(ctx, contract, project, suiteOptions(contract, o))
		return s, nil, err
	}
	h, err := suite.NewHarness(ctx, contract, project, *config, suite.Options{Host: o.Tests.Host, Fork: SuiteFork(o.Fork), Seed: o.Seed, Now: o.Now})
	if err != nil {
		return nil, nil, err
	}
	return h.Suite, h, nil
}

// suiteOptions are the options of a contract's suite.
func suiteOptions(contract *solc.Contract, o *Options) suite.Options {
	config := contract.TestConfig()
	own, _ := config.Inline(contract) // the command says what is wrong
	return suite.Options{Config: own.TestConfig, Own: own, Host: o.Tests.Host, Fork: SuiteFork(o.Fork), Seed: o.Seed, Now: o.Now,
		Record: o.Tests.Executed != nil}
}

// SuiteFork returns a fork as suites take it; nil stays nil.
func SuiteFork(f *Fork) *cheat.Fork {
	if f == nil {
		return nil
	}
	s := &cheat.Fork{Source: f.Source, Block: f.Block, Mined: f.Mined}
	if f.At != nil {
		s.At = func(block uint64) (*cheat.Fork, error) {
			moved, err := f.At(block)
			return SuiteFork(moved), err
		}
	}
	return s
}

// testFinding writes a failed test up as a finding; nil if it has no place in the
// project.
func testFinding(s *suite.Suite, r *TestResult) *finding.Finding {
	contract := s.Program.UnderTest
	f := &finding.Finding{
		ID: testID(contract, r.Test.Signature), Oracle: TestOracle, Cause: TestOracle + " " + r.Test.Signature, Severity: finding.Error, Contract: contract.Name, Function: r.Test.Signature,
		Message: r.Test.Name + " fails",
	}
	if r.Verdict.Reason != "" {
		f.Message += ": " + r.Verdict.Reason
	}
	if r.ofHandler() { // which may fail in several ways
		f.ID = testID(contract, r.Test.Signature+" "+r.Finding.ID)
	}
	place, others := r.Where()
	switch {
	case place != nil:
		f.Place = place.Place
	default:
		at, ok := s.Definition(r.Test)
		if !ok {
			return nil
		}
		f.Place = at
	}
	for _, l := range others {
		message := "called here: " + l.Text
		if len(r.Trail) > 0 && l.Place == r.Trail[0].Place {
			message = "fails here: " + l.Text
		}
		f.Related = append(f.Related, finding.Related{Place: l.Place, Message: message})
	}
	f.Witness = witnessOf(s, r)
	return f
}

// witnessOf returns the input with which a test ended: its counterexample, an example
// of a search, or its only call.
func witnessOf(s *suite.Suite, r *TestResult) input.Sequence {
	switch {
	case r.Finding != nil:
		return r.Finding.Witness
	case len(r.Sample.Txs) > 0:
		return r.Sample
	}
	contract := s.Program.UnderTest
	w := input.Sequence{
		Deployment: &input.Deployment{Fork: forkOf(s), Creations: []input.Creation{{Name: contract.Name, File: contract.File, Address: s.Address}}},
	}
	if function := s.Function(r.Test); function != nil && !function.Constructor {
		w.Txs = []input.Tx{{From: input.Actor(s.Sender()), To: s.Address, Function: function, Args: r.Verdict.Args}}
	}
	return w
}

// endedWith is witnessOf, without transactions for a test that ended with no input: a
// search in which none succeeded, a constructor, a test of a removed kind.
func endedWith(s *suite.Suite, r *TestResult) input.Sequence {
	searched := r.Test.Kind == solc.FuzzTest || r.Test.Kind == solc.InvariantTest
	if r.Test.Removed || searched && r.Finding == nil && len(r.Sample.Txs) == 0 {
		return input.Sequence{}
	}
	return witnessOf(s, r)
}

// testID identifies a test across runs and edits.
func testID(c *solc.Contract, signature string) string {
	hash := sha256.Sum256([]byte(c.File + "\x00" + c.Name + "\x00" + signature))
	return "test:" + c.Name + ":" + hex.EncodeToString(hash[:4])
}
