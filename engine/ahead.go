package engine

import (
	"encoding/binary"
	"time"

	"leveret/engine/bytecode"
	"leveret/engine/corpus"
	"leveret/engine/cover"
	"leveret/engine/evm"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/lookahead"
)

// ahead is the lookahead analysis of a campaign: which prefixes of paths can
// no longer lead to a target [lookahead paper IV].
type ahead struct {
	analyzer lookahead.Analyzer
	schedule lookahead.Schedule
	mode     lookahead.Mode
	tracer   tracer
	purse    exec.Budget
	known    map[*evm.Code]bool
	targets  map[lookahead.Target]bool
	asked    bool                  // somebody named the targets
	arrived  bool                  // one of them ran
	seen     map[lookahead.ID]bool // of the prefixes that were found
	calls    int
	spent    time.Duration
}

var lookaheadModes = map[LookaheadMode]lookahead.Mode{
	LookaheadOn: lookahead.On, LookaheadBlind: lookahead.Blind, LookaheadPlain: lookahead.Plain,
}

// newAhead sets the analysis up; nil in configuration A.
func (c *campaign) newAhead() *ahead {
	mode, ok := lookaheadModes[c.options.Lookahead]
	if !ok {
		return nil
	}
	began := c.options.Now()
	a := &ahead{mode: mode, purse: newLookaheads(), known: map[*evm.Code]bool{}, seen: map[lookahead.ID]bool{}}
	a.analyzer.Blind = mode.Blind
	a.targets, a.asked = c.initialTargets()
	a.analyzer.Focus = a.asked
	for _, d := range c.base.Contracts {
		a.add(c, c.base.World.Code(d.Address))
	}
	a.aim()
	a.spent = c.options.Now().Sub(began)
	return a
}

// add makes a code of the project known to the analysis.
func (a *ahead) add(c *campaign, code *evm.Code) {
	if code == nil || a.known[code] || code.ID == evm.Overflow || code.Init {
		return
	}
	a.known[code] = true
	a.analyzer.AddCode(code.ID, c.cover.Bytecode(code))
}

// aim hands the targets to the analysis.
func (a *ahead) aim() {
	list := make([]lookahead.Target, 0, len(a.targets))
	for t := range a.targets {
		list = append(list, t)
	}
	a.analyzer.SetTargets(list)
}

// analyze finds the no-target-ahead prefix of a new Entry [Algorithm 1, line
// 11]. It reports whether mutating what comes behind the prefix is in vain:
// nothing there leads to a target, and another Entry has the same prefix. Of
// slow inputs it is not looked for.
func (c *campaign) analyze(e *corpus.Entry, slow bool) (vain bool) {
	a := c.ahead
	if a == nil {
		return false
	}
	var result lookahead.Result
	if slow || !a.purse.Allows(c.work) {
		binary.LittleEndian.PutUint64(result.ID[:], uint64(e.Path)) // the whole path is a prefix too [Definition 2]
		attached(e).ahead = a.schedule.Add(&result)
		return false
	}
	began := c.options.Now()
	last := len(e.Sequence.Txs) - 1
	a.tracer.reset(c.watched)
	_, outcome := c.judge.executor.Transact(c.statesOf(e)[last], &e.Sequence.Txs[last], nil, a.tracer.hooks())
	for _, code := range a.tracer.codes {
		a.add(c, code)
	}
	steps := a.analyzer.Stats.Steps
	if a.tracer.root != nil {
		result = a.analyzer.Analyze(a.tracer.root)
	}
	a.purse.Spent += 2*exec.Cost(&outcome) + exec.StepCost*uint64(a.analyzer.Stats.Steps-steps)
	attached(e).ahead = a.schedule.Add(&result)
	a.calls++
	a.spent += c.options.Now().Sub(began)
	vain = result.Proper && a.seen[result.ID]
	a.seen[result.ID] = true
	return vain
}

// stats are what a report says of the analysis.
func (a *ahead) stats() finding.Lookahead {
	return finding.Lookahead{Calls: a.calls, Proper: a.analyzer.Stats.Proper, IDs: len(a.seen), Seconds: a.spent.Seconds()}
}

// exercised counts an input that took the path of e [Definitions 5 and 6].
func (c *campaign) exercised(e *corpus.Entry) {
	if c.ahead != nil && e != nil {
		c.ahead.schedule.Fuzzed(&attached(e).ahead)
	}
}

// reached takes targets out that were covered, unless somebody asked for them:
// the user's lines stay interesting, and an experiment ends with its last one.
func (a *ahead) reached(site cover.BlockSite) {
	t := lookahead.Target{Code: site.Code.ID, PC: uint32(site.PC)}
	if a == nil || !a.targets[t] {
		return
	}
	a.arrived = true
	if !a.asked {
		delete(a.targets, t)
		a.analyzer.RemoveTarget(t)
	}
}

// lookaheadSchedule is the paper's power schedule over what analyze found.
func (c *campaign) lookaheadSchedule() corpus.Schedule {
	return corpus.Schedule{Name: "lookahead " + c.ahead.mode.Name, Energy: func(_ *corpus.Corpus, e *corpus.Entry) int {
		return corpus.Slowed(e, c.ahead.schedule.Energy(c.ahead.mode, &attached(e).ahead, e.Usage.Selected))
	}}
}

// A tracer records where the jumps of a transaction went.
type tracer struct {
	root  *lookahead.FrameTrace
	codes []*evm.Code // met, in order
	open  []openTrace
	watch func(*evm.Code) bool
	steps int
	own   evm.Hooks
}

// openTrace is a frame that runs.
type openTrace struct {
	trace *lookahead.FrameTrace // nil: not watched
}

// maxTraced bounds the jumps that are recorded: the analysis looks no further
// than lookahead.MaxPrefix instructions anyway.
const maxTraced = lookahead.MaxPrefix

func (t *tracer) reset(watch func(*evm.Code) bool) {
	t.root, t.codes, t.open, t.watch, t.steps = nil, nil, t.open[:0], watch, 0
}

func (t *tracer) hooks() *evm.Hooks {
	t.own = evm.Hooks{
		Ops:  []byte{bytecode.JUMP, bytecode.JUMPI},
		Step: t.step, Enter: t.enter, Exit: t.exit,
	}
	return &t.own
}

func (t *tracer) enter(f *evm.Frame) {
	o := openTrace{}
	if f.Code != nil && t.watch(f.Code) && !f.Code.Init {
		o.trace = &lookahead.FrameTrace{Code: f.Code.ID}
		t.codes = append(t.codes, f.Code)
	}
	if len(t.open) == 0 {
		t.root = o.trace
	} else if parent := t.open[len(t.open)-1].trace; parent != nil {
		parent.Calls = append(parent.Calls, lookahead.Call{PC: uint32(f.PC), After: len(parent.Dests), Trace: o.trace})
	}
	t.open = append(t.open, o)
}

func (t *tracer) exit(*evm.Frame, evm.Status, []byte, uint64, error) { t.open = t.open[:len(t.open)-1] }

func (t *tracer) step(s *evm.Step) {
	trace := t.open[len(t.open)-1].trace
	if trace == nil {
		return
	}
	dest := uint32(s.PC) + 1
	if s.Op == bytecode.JUMP || !s.Top(1).IsZero() {
		dest = uint32(s.Top(0).Uint64())
	}
	if t.steps++; t.steps > maxTraced {
		trace.Rest = trace.Rest*0x9e3779b97f4a7c15 + uint64(dest) + 1
		return
	}
	trace.Dests = append(trace.Dests, dest)
}
