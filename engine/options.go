package engine

import (
	"fmt"
	"time"

	"leveret/engine/cheat"
	"leveret/engine/direct"
	"leveret/engine/exec"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/joint"
	"leveret/engine/lookahead"
	"leveret/solc"
)

// Options say what to fuzz for and for how long. The zero value fuzzes one
// second with one worker, all oracles and every technique on.
type Options struct {
	Time      time.Duration // budget; 0 with MaxInputs 0 means one second, 0 with MaxInputs set means unlimited
	MaxInputs int           // budget; 0 means unlimited
	Seed      uint64        // same seed, one worker, MaxInputs: same findings
	Workers   int           // goroutines that search, each by itself; 0 means 1

	Lines []Lines          // code to aim at; none: assertion sites and branches not yet covered
	Known []input.Sequence // witnesses of earlier findings, re-executed before anything else

	Peers Peers // searches of the same contract elsewhere; nil: there are none. Campaigns over tests have none

	Fork *Fork // state to start from; nil: a chain without contracts

	Corpus      string                      // directory to load from and save to; empty: none
	Oracles     []string                    // names of the oracles to watch; empty: all
	Severities  map[string]finding.Severity // overrides by oracle name; Off switches one off
	Suppress    bool                        // drop findings that comments in the source suppress
	StopOnFirst bool                        // end with the first finding of warning strength

	Memory int64 // bytes that the corpora and remembered states of all workers may take with all else, about; 0 means DefaultMemory

	Without   // techniques that are off
	Lookahead LookaheadMode
	Targets   []uint64 // pcs in the deployed code to aim at; the campaign ends once all were executed
	Firsts    bool     // record when each basic block was executed first

	Tests TestOptions // of test contracts

	Now     func() time.Time // clock, called by all workers; nil means time.Now
	Observe func(Event)      // called by workers, never concurrently; must be quick

	trial *trial // searches tests, for which attacks mean nothing; nil: weaknesses

	Executed func(input.Sequence)             // called with each executed input, in order if there is one worker, never concurrently; may be nil
	Joint    func(p *joint.Problem, most int) // called by workers before a problem is solved with at most so many instructions; may be nil
}

// Without switches techniques off, to measure them.
type Without struct {
	NoPrediction bool // HARVEY's configuration A
	NoIteration  bool // HARVEY's configuration C
	NoDemand     bool // with NoPrediction HARVEY's configuration D
	NoAdaptive   bool // without sFuzz's best seed per just-missed branch
}

// Memory of a campaign, in bytes. fixedMemory is what a large contract takes without
// corpora and states: the program, its builds, translated code, digests of inputs.
const (
	DefaultMemory = 2 << 30
	LeastMemory   = fixedMemory + 32<<20
	fixedMemory   = 320 << 20
)

// corpora returns the bytes that the corpora of a campaign may take. Beside them and the
// states, there is garbage.
func (o *Options) corpora() int { return int(o.Memory-fixedMemory) / 3 }

// states returns the bytes that remembered states may take.
func (o *Options) states() int { return int(min((o.Memory-fixedMemory)/6, exec.MaxPrefixBytes)) }

// TestOptions say how a test contract runs.
type TestOptions struct {
	Host  cheat.Host      // what cheatcodes may reach outside the chain; nil: nothing
	Kinds []solc.TestKind // run only tests of these kinds; none: all
	Names []string        // run only tests with these signatures; none: all
	// Executed are the functions that tests ran the last time, by signature, as
	// finding.Test has them. Tests that ran code of Options.Lines, and those not in the
	// map, come before the others of their kind. Nil: functions are not recorded.
	Executed map[string][]string
	Prints   bool // note where unit tests print, at the cost of executing those once more
}

// Lines are places in one source to aim at, as byte spans.
type Lines = direct.Lines

// LookaheadMode is a configuration of the lookahead paper's evaluation.
type LookaheadMode string

// The modes: B, A, C and D of the paper. The zero value means on.
const (
	LookaheadOn    LookaheadMode = "on"
	LookaheadOff   LookaheadMode = "off"
	LookaheadBlind LookaheadMode = "blind"
	LookaheadPlain LookaheadMode = "plain"
)

// EventKind is the kind of an Event.
type EventKind uint8

// The kinds of events.
const (
	EventProgress EventKind = iota // a few times a second
	EventFound                     // Finding was confirmed
	EventGone                      // Known[Index] no longer fails
	EventDone                      // last event of a campaign
	EventShrunk                    // Finding, found before, has its shortest witness
)

// An Event tells an observer how a campaign goes.
type Event struct {
	Kind     EventKind
	Contract *solc.Contract
	Stats    finding.Stats
	Left     time.Duration    // of the time budget; 0 if there is none
	Finding  *finding.Finding // EventFound, EventShrunk
	Index    int              // EventGone
	Test     *finding.Test    // EventProgress: this test ended; may be nil

	// Explored is the coverage so far: about once a second, and with EventDone.
	// It is nil otherwise.
	Explored *finding.CoverageReport
}

// defaultTime is the budget of a campaign without one.
const defaultTime = time.Second

// complete fills in defaults and checks the values.
func (o *Options) complete() error {
	if o.Time == 0 && o.MaxInputs == 0 && !o.countsRuns() {
		o.Time = defaultTime
	}
	if o.Workers == 0 {
		o.Workers = 1
	}
	if o.Memory == 0 {
		o.Memory = DefaultMemory
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
	_, known := lookaheadModes[o.Lookahead]
	switch {
	case o.Memory < LeastMemory:
		return fmt.Errorf("a campaign needs %d MB of memory", LeastMemory>>20)
	case o.Time < 0 || o.MaxInputs < 0 || o.Workers < 0:
		return fmt.Errorf("time, inputs and workers cannot be negative")
	case !known && o.Lookahead != LookaheadOff:
		return fmt.Errorf("lookahead %q is none of on, off, blind, plain", o.Lookahead)
	}
	return nil
}

// countsRuns reports whether the budget is one of runs of tests.
func (o *Options) countsRuns() bool { return o.trial != nil && o.trial.runs > 0 }

// peers returns the peers of a campaign; nil if it has none.
func (o *Options) peers() Peers {
	if o.trial != nil {
		return nil
	}
	return o.Peers
}

var lookaheadModes = map[LookaheadMode]lookahead.Mode{
	LookaheadOn: lookahead.On, LookaheadBlind: lookahead.Blind, LookaheadPlain: lookahead.Plain,
}
