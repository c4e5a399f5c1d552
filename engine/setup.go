package engine

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/coverage"
	"leveret/engine/demand"
	"leveret/engine/deploy"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/predict"
	"leveret/engine/program"
	"leveret/engine/shadow"
	"leveret/solc"
)

func newCampaign(ctx context.Context, contract *solc.Contract, project []*solc.Contract, options Options) (*campaign, error) {
	if err := options.complete(); err != nil {
		return nil, err
	}
	c := &campaign{
		options:     options,
		cover:       cover.NewMap(),
		corpus:      corpus.New(),
		demand:      demand.New(),
		observer:    shadow.New(shadow.NewState()),
		random:      rand.New(rand.NewPCG(options.Seed, nameHash(contract.Name))),
		known:       map[key]bool{},
		ids:         map[string]bool{},
		judged:      map[suspicion]int{},
		byCallee:    map[demand.Callee][]*corpus.Entry{},
		novices:     map[demand.Callee]novice{},
		imagined:    map[cover.PathID]bool{},
		agents:      newAgents(),
		silencers:   map[*solc.Source][]*suppression{},
		wrapped:     map[cover.Metric]int{},
		dreamt:      map[cover.Metric]int{},
		attempts:    map[cover.Metric]int{},
		pairs:       map[cover.Metric]int{},
		obstacles:   map[obstacle]int{},
		led:         map[cover.Metric]int{},
		proposed:    map[uint64]bool{},
		inspecting:  newInspections(),
		looks:       map[cover.Metric]int{},
		inspections: map[approachRoute]int{},
		began:       options.Now(),
		result:      &finding.Result{Name: contract.Name, File: contract.File},
	}
	c.probe = crypto.Keccak256Hash([]byte("leveret probe")) // the same in every run: findings are replayed
	if c.result.Note = contract.Unfuzzable(); c.result.Note != "" {
		return c, nil
	}
	var err error
	if c.program, err = program.New(contract, project); err != nil {
		return nil, err
	}
	c.cover.Arithmetic = c.program.Arithmetic
	c.coverage = coverage.New(c.program, c.cover, c.corpus)
	c.topicNames, c.topics = c.program.AssertionTopics()
	for range options.Workers {
		c.executors = append(c.executors, c.newExecutor())
	}
	if err := c.deploy(ctx); err != nil {
		c.result.Note = err.Error()
		return c, nil
	}
	c.learnSources()
	c.result.Stats.Instructions.Total = c.cover.Bytecode(c.underCode).Count
	c.callees = c.base.Callees(c.program)
	if len(c.callees) == 0 {
		c.result.Note = c.callless()
		return c, nil
	}
	if c.judge, err = c.newJudge(); err != nil {
		return nil, err
	}
	for _, callee := range c.callees {
		c.novices[callee.Callee] = novice{}
	}
	c.fillContext()
	c.setGoals()
	c.schedule = corpus.CutOffExponential
	if c.ahead = c.newAhead(); c.ahead != nil {
		c.schedule = c.lookaheadSchedule()
		c.direction = c.newDirection()
	}
	c.predictor = predict.New(c.random)
	c.predictor.Admit = c.affordable
	c.predictor.NoIteration = options.NoIteration
	c.predictor.Seen = func(goal cover.Metric) bool {
		b, ok := goal.Branch()
		return ok && c.corpus.Covered(b) || c.wrapped[goal] > 1
	}
	c.plan()
	return c, nil
}

// callless says why there is no function to call.
func (c *campaign) callless() string {
	name := c.program.UnderTest.Name
	for _, s := range c.program.ABI(c.program.UnderTest).Skipped {
		if s.Function {
			return fmt.Sprintf("%s has no function that Leveret can call, as it leaves out %s: %v", name, s.Name, s.Err)
		}
	}
	return name + " has no function that can be called from outside"
}

// deploy deploys the contract under test. The error is for the user.
func (c *campaign) deploy(ctx context.Context) error {
	machine := c.executors[0].Machine
	stop := context.AfterFunc(ctx, machine.Cancel)
	base, err := deploy.New(ctx, c.program, machine, c.random)
	stop()
	if ctx.Err() != nil {
		return errors.New(cutShort(ctx, c.program.UnderTest.Name, "it was deployed"))
	}
	if err != nil {
		return err
	}
	return c.settleOn(base)
}

// settleOn makes a deployment the campaign's. It fails if the deployment leaves
// no code.
func (c *campaign) settleOn(d *deploy.Deployment) error {
	code := d.World.Code(d.UnderTest().Address)
	if code == nil || len(code.Bytes) == 0 {
		return fmt.Errorf("%s was not fuzzed: its deployment leaves no code, as its constructor destroys the contract or returns nothing", c.program.UnderTest.Name)
	}
	c.base, c.start, c.underCode = d, exec.State{World: d.World, Block: deploy.Genesis}, code
	return nil
}

// defaultTime is the budget of a campaign that is given none.
const defaultTime = time.Second

// complete fills in defaults and refuses what makes no sense.
func (o *Options) complete() error {
	if o.Time == 0 && o.MaxInputs == 0 {
		o.Time = defaultTime
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Observe == nil {
		o.Observe = func(Event) {}
	}
	if o.Lookahead == "" {
		o.Lookahead = LookaheadOn
	}
	switch {
	case o.Time < 0 || o.MaxInputs < 0 || o.Workers < 0:
		return fmt.Errorf("time, inputs and workers cannot be negative")
	case o.Lookahead != LookaheadOn && o.Lookahead != LookaheadOff && o.Lookahead != LookaheadBlind && o.Lookahead != LookaheadPlain:
		return fmt.Errorf("lookahead %q is none of on, off, blind, plain", o.Lookahead)
	}
	return nil
}

// bind finds the functions that a Sequence from elsewhere calls: in a file, or
// in a campaign before an edit. It reports false if something it calls is
// gone.
func (c *campaign) bind(s input.Sequence) (input.Sequence, bool) {
	if len(s.Txs) == 0 {
		return s, false
	}
	bound := input.Sequence{Deployment: c.base.Record}
	for _, tx := range s.Txs {
		if tx.Function == nil {
			return s, false
		}
		if was := s.Deployment.Find(tx.To); was != nil {
			now := c.base.Named(was.Name)
			if now == nil {
				return s, false
			}
			tx.To = now.Address
		}
		f := c.calleeOf(tx.To, tx.Function.Signature)
		if f == nil {
			return s, false
		}
		tx.Function = f
		bound.Txs = append(bound.Txs, tx)
	}
	return bound, true
}

func (c *campaign) calleeOf(address common.Address, signature string) *input.Function {
	for i := range c.callees {
		if c.callees[i].Address == address && c.callees[i].Function.Signature == signature {
			return c.callees[i].Function
		}
	}
	return nil
}

func nameHash(name string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(name))
	return h.Sum64()
}

// cancel stops what is running.
func (c *campaign) cancel() {
	for _, x := range c.executors {
		x.Machine.Cancel()
	}
	c.judge.executor.Machine.Cancel()
}

// watched tells which code the Recorders watch: all but the attacker's.
func (c *campaign) watched(code *evm.Code) bool {
	return code.ID != evm.Overflow && code != c.program.Attacker
}

// redeploy replaces the campaign's deployment by the one that a Sequence was
// found on. A Sequence without a deployment keeps the campaign's.
func (c *campaign) redeploy(ctx context.Context, wanted *input.Deployment) error {
	if wanted == nil || len(wanted.Creations) == 0 {
		return nil
	}
	base, err := deploy.Repeat(ctx, c.program, c.executors[0].Machine, c.random, wanted)
	if err != nil {
		return err
	}
	if err := c.settleOn(base); err != nil {
		return err
	}
	c.callees = c.base.Callees(c.program)
	c.judge, err = c.newJudge()
	return err
}
