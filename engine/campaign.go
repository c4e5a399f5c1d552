// Package engine is the fuzzer's only door: Run fuzzes one contract.
//
// The loop is HARVEY's Algorithm 1 (ESEC/FSE 2020) with the additions of its
// section 5 (demand-driven sequences), of the lookahead paper (ICSE 2020,
// Algorithm 1) and of sFuzz (ICSE 2020, section 3.2: best seed per just-missed
// branch). Each is a source of inputs; the strategy composes them.
//
// The package prints nothing, reads no environment and decides nothing by a
// clock or by randomness that it was not given.
package engine

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/mutate"
	"leveret/engine/oracle"
	"leveret/engine/predict"
	"leveret/engine/program"
	"leveret/engine/shadow"
	"leveret/solc"
)

// Run fuzzes contract until ctx is done or the budget is spent. Others of the
// project serve as dependencies. A contract that cannot be fuzzed gives a
// Result with a Note, not an error; an error means that the options are wrong,
// or, beside a Result, that the corpus could not be saved or, if it is a
// *Panic, that the campaign ended early.
func Run(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (result *finding.Result, err error) {
	var c *campaign
	err = guard(contract, func() (err error) {
		ctx, done := options.until(ctx)
		defer done()
		if c, err = newCampaign(ctx, contract, project, options); err != nil {
			return err
		}
		if c.result.Note == "" {
			c.loop(ctx)
			if c.result.Stats.Inputs == 0 && (ctx.Err() != nil || c.late()) {
				c.result.Note = cutShort(ctx, contract.Name, "its first input had run")
			}
			err = c.save()
		}
		result = c.finish()
		return err
	})
	if p, ok := err.(*Panic); ok {
		result = p.abandoned(c, contract)
	}
	return result, err
}

// A campaign is one run of the fuzzer on one contract. Its loop decides;
// executors only execute.
type campaign struct {
	options Options
	program *program.Program
	base    *deploy.Deployment
	start   exec.State // before the first Tx
	cover   *cover.Map
	corpus  *corpus.Corpus
	demand  *demand.Demand
	random  *rand.Rand
	callees []deploy.Callee

	executors []*exec.Executor
	judge     *judge
	observer  *shadow.Observer       // of inspections
	ahead     *ahead                 // nil in configuration A
	direction *direction             // nil if there is none
	goals     map[cover.BlockID]bool // of an experiment, not yet run

	strategy                                                      strategy
	seed, predicted, substituted, recalled, lengthened, attacking *source
	context                                                       mutate.Env
	schedule                                                      corpus.Schedule
	current                                                       *corpus.Entry // whose turn it is, with energy left
	energy                                                        int
	turn                                                          int
	branchTurn                                                    int

	probe      common.Hash
	topics     map[common.Hash]bool
	topicNames map[common.Hash]string

	predictor     *predict.Predictor
	predictions   []*candidate         // run before anything else
	iterations    []*candidate         // later inputs of long predictions
	substitutions []*candidate         // those that may wait
	attempts      map[cover.Metric]int // Sessions by goal
	pairs         map[cover.Metric]int // those in two Parameters
	obstacles     map[obstacle]int     // looked at
	led           map[cover.Metric]int // writes led to the probe slot
	work          uint64               // done for inputs, in units of a purse
	inspecting    exec.Budget          // for shadow runs
	postponed     []postponed          // Entries that wait for one
	proposed      map[uint64]bool      // sequences, by digest
	looks         map[cover.Metric]int // shadow runs by goal
	pen           *pen                 // what can write anywhere; nil: nothing

	queue       []*candidate // what runs next: seeds, substitutions
	later       []*candidate // seeds of functions that can reach no target
	byCallee    map[demand.Callee][]*corpus.Entry
	novices     map[demand.Callee]novice
	imagined    map[cover.PathID]bool // paths that only made-up storage led to
	tangles     []tangle
	inspections map[approachRoute]int // shadow runs made for an outcome, new paths apart

	coverage  *coverage.Counter
	saver     saver     // of the corpus
	covered   []bool    // by cover.Block
	news      int       // inputs until the last outcome or block that was new
	written   []worth   // by conditional jump
	underCode *evm.Code // deployed code of the contract under test

	uses    int           // of states, a clock for what is old
	holding []*attachment // those that hold states
	held    int           // bytes

	agents agents
	weak   []weakVerdict // that may yet get worse

	known     map[key]bool // findings, reported or dropped
	ids       map[string]bool
	judged    map[suspicion]int // how often each was looked into
	traits    oracle.Traits     // of the deployed contracts' sources
	silencers map[*solc.Source][]*suppression
	wrapped   map[cover.Metric]int // how often a wrap there was looked at
	dreamt    map[cover.Metric]int // how often one with made-up storage was

	shutdown   shutdown
	began      time.Time
	told       time.Time // when the observer last heard
	exploredAt time.Time // when it last got an Exploration
	result     *finding.Result
}

// loop tries inputs until the budget is spent.
func (c *campaign) loop(ctx context.Context) {
	defer c.endWith(ctx)()
	c.recall()
	for !c.spent(ctx) {
		batch := c.strategy.next(c.batchSize())
		for _, next := range batch {
			c.disarm(next)
		}
		for _, r := range c.execute(batch) {
			c.learn(r)
			c.catchUp()
		}
		c.release(weakPatience)
		c.progress()
	}
	c.release(0)
}

// learn draws the conclusions from one result: is it a new path, does it come
// nearer to a branch that was never taken, does it look like a weakness, what
// does it predict?
func (c *campaign) learn(r *result) {
	if r.Outcome.Halt == evm.ErrCancelled {
		return // the campaign is over
	}
	c.count(r)
	if r.PrefixFailed {
		c.unsolved(r)
		return
	}
	if r.Storage != nil {
		c.learnAggressive(r)
		return
	}
	c.coverage.Add(r.Sequence.Last().Function, r.Run.Blocks)
	var e *corpus.Entry
	known := c.corpus.Hit(r.Run.Path)
	c.exercised(known)
	promising := false
	if known == nil {
		e = c.add(r)
		promising = !c.analyze(e, r.Outcome.Slow) && !r.Outcome.Slow
	}
	if r.Outcome.Slow { // counted, and left alone
		return
	}
	if known != nil {
		c.poolAgain(r)
	}
	e = c.approach(r, e)
	if !c.options.NoPrediction && (promising || c.worth(r, e != nil)) {
		if e == nil {
			e = c.entry(r)
		}
		c.inspect(e)
	}
	c.calledOut(r)
	c.suspect(r)
	c.unwrapped(r)
	c.solve(r)
}
