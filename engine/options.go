package engine

import (
	"time"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/solc"
	"leveret/solc/srcmap"
)

// Options say what to fuzz for and for how long. The zero value fuzzes one
// second with one worker, all oracles and every technique on.
type Options struct {
	Time      time.Duration // budget; 0 with MaxInputs 0 means one second, 0 with MaxInputs set means unlimited
	MaxInputs int           // budget; 0 means unlimited
	Seed      uint64        // same seed, one worker, MaxInputs: same findings
	Workers   int           // executing goroutines; 0 means 1

	Lines []Lines          // code to aim at; none: assertion sites and branches not yet covered
	Known []input.Sequence // witnesses of earlier findings, re-executed before anything else

	Corpus      string                      // directory to load from and save to; empty: none
	Oracles     []string                    // names of the oracles to watch; empty: all
	Severities  map[string]finding.Severity // overrides by oracle name; Off switches one off
	Suppress    bool                        // leave out what comments in the source silence
	StopOnFirst bool                        // end with the first finding of warning strength

	NoPrediction bool // HARVEY's configuration A
	NoIteration  bool // HARVEY's configuration C
	NoDemand     bool // with NoPrediction HARVEY's configuration D
	NoAdaptive   bool // without sFuzz's best seed per just-missed branch
	Lookahead    LookaheadMode
	Targets      []uint64 // pcs in the deployed code to aim at; once all have run, the campaign is over
	Firsts       bool     // tell when each basic block ran first

	Now     func() time.Time // clock; nil means time.Now
	Observe func(Event)      // called from the campaign loop, never concurrently; must be quick

	Executed func(input.Sequence) // called with each executed input, in order, from the campaign loop; nil: nobody asks
}

// Lines are places in one source to aim at, as byte spans.
type Lines struct {
	File  string // source unit name
	Spans []srcmap.Span
}

// LookaheadMode is a configuration of the lookahead paper's evaluation.
type LookaheadMode string

// The modes: B, A, C and D of the paper. The zero value means on.
const (
	LookaheadOn    LookaheadMode = "on"
	LookaheadOff   LookaheadMode = "off"
	LookaheadBlind LookaheadMode = "blind"
	LookaheadPlain LookaheadMode = "plain"
)

// EventKind tells Events apart.
type EventKind uint8

// The kinds of events.
const (
	EventProgress EventKind = iota // a few times a second
	EventFound                     // Finding was confirmed and shrunk
	EventGone                      // Known[Index] no longer fails
	EventDone                      // last event of a campaign
)

// An Event tells an observer how a campaign goes.
type Event struct {
	Kind     EventKind
	Contract *solc.Contract
	Stats    finding.Stats
	Left     time.Duration    // of the time budget; 0 if there is none
	Finding  *finding.Finding // EventFound
	Index    int              // EventGone

	// Explored is where the campaign went so far: about once a second, and with
	// EventDone. It is nil otherwise.
	Explored *finding.CoverageReport
}
