// Package oracle defines the weaknesses. An oracle is a row of All and a file:
// it watches executions and reports weaknesses with the responsible
// instructions. See docs/engine.md, "Oracles".
//
// It executes nothing, searches nothing and knows no files or lines: the caller
// maps instructions to places.
package oracle

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"

	"leveret/docs/oracles"
	"leveret/engine/evm"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/shadow"
	"leveret/solc/ast"
)

// An Oracle detects one kind of weakness.
type Oracle struct {
	Name     string           // "assertion": in settings, reports and suppressions
	SWC      string           // "SWC-110"; empty if none fits
	Severity finding.Severity // unless a Report or the settings say otherwise
	Title    string
	Cause    *Oracle // tells more about the same cause: reports of both at one place are one finding; nil: none does

	Hint         func(*Observation) bool // whether a transaction may show the weakness; if not, the oracle does not watch it
	Unexportable string                  // why a finding without an Effect cannot become a test
	FailedCheck  bool                    // the weakness is a check that fails: the end of the transaction shows it
	ByStatement  bool                    // reports in one statement are one finding
	ByPath       bool                    // the paths of transactions decide whether there is a report, and its severity
	AnyEffect    bool                    // for a Report without an Effect, any change or return value of the transaction serves

	Watch func(*Env) Watcher
}

// CauseName returns the name of the oracle that tells most about the cause.
func (o *Oracle) CauseName() string {
	if o.Cause != nil {
		return o.Cause.Name
	}
	return o.Name
}

// noEffect is Oracle.Unexportable of oracles whose Reports have an Effect.
const noEffect = "the finding records no effect that a test could check"

// Doc returns the page that explains the oracle, in Markdown.
func (o *Oracle) Doc() string { return oracles.Page(o.Name) }

// All lists the oracles.
var All = []*Oracle{
	&Assertion,
	&Panic,
	&Overflow,
	&UncheckedCall,
	&ExceptionDisorder,
	&ArbitraryWrite,
	&DelegateCall,
	&SelfDestruct,
	&Reentrancy,
	&GaslessSend,
	&DosFailedCall,
	&EtherLeak,
	&TokenLeak,
	&FreezingEther,
	&Timestamp,
	&BlockNumber,
	&ArbitraryJump,
	&Requirement,
	&TxOrigin,
	&OpenOwner,
	&UnboundedLoop,
}

// Select returns the oracles with the given names, all for none.
func Select(names []string) ([]*Oracle, error) {
	if len(names) == 0 {
		return All, nil
	}
	var chosen []*Oracle
	for _, o := range All {
		if slices.Contains(names, o.Name) {
			chosen = append(chosen, o)
		}
	}
	for _, name := range names {
		if Named(name) == nil {
			return nil, fmt.Errorf("there is no oracle %q; the oracles are %s", name, strings.Join(Names(), ", "))
		}
	}
	return chosen, nil
}

// Named returns the oracle with a name; nil if there is none.
func Named(name string) *Oracle {
	for _, o := range All {
		if o.Name == name {
			return o
		}
	}
	return nil
}

// Names returns the names of all oracles.
func Names() []string {
	names := make([]string, len(All))
	for i, o := range All {
		names[i] = o.Name
	}
	return names
}

// An Env answers what oracles ask about the campaign.
type Env struct {
	Project func(*evm.Code) bool        // whether code is the project's; only that is reported
	Topics  map[common.Hash]string      // events of failed assertions: first topic -> name
	Blame   func(trail []Site) Blame    // the source of the newest site in user code
	Name    func(common.Address) string // display name of an account
	Sources *Sources                    // the source of exactly one instruction
	Own     func(Site) bool             // whether one instruction has a source that is no library's
	Watched func(Site) bool             // whether one instruction may do arithmetic that wraps
	Text    func(*ast.Node) string      // source of a node, on one line, shortened
	Probes  [2]common.Hash              // slots that no program writes unless an actor chooses the slot

	WhatIf

	trails   *trails
	steps    *uint64          // of the Monitor
	observer *shadow.Observer // for oracles with Flows
	entered  []bool           // by finished transaction: whether Reentrancy reported it
}

// A Blame is the source of an instruction; zero if unknown.
type Blame struct {
	Node  *ast.Node
	Text  string // of the expression or statement, on one line, shortened
	Whole bool   // Text is all of Node
	Wraps bool   // arithmetic is unchecked by default: solc before 0.8
}

// name quotes the source for a message.
func (b Blame) name() string {
	if b.Text == "" {
		return "code that the compiler does not map to the source"
	}
	return "`" + b.Text + "`"
}

// source returns the source of exactly one instruction; false for the compiler's
// code.
func (e *Env) source(site Site) (Blame, bool) {
	at := e.Sources.At(site)
	return at.Blame, at.Mapped
}

// trail returns the last instructions of the running frame, newest first.
func (e *Env) trail() []Site { return slices.Clone(e.trails.brief()) }

// trailIn is trail for an open frame.
func (e *Env) trailIn(f *evm.Frame) []Site { return slices.Clone(e.trails.briefIn(f.Depth)) }

// own returns a trail from its newest instruction on that is no library's; all of it if
// there is none.
func (e *Env) own(trail []Site) []Site {
	if i := slices.IndexFunc(trail, e.Own); i >= 0 {
		return trail[i:]
	}
	return trail
}

// mapped returns the last instruction of the running frame that has a source, as the
// compiler's routines have none, such as those that clear and copy arrays; the zero Site if
// none has.
func (e *Env) mapped() Site {
	for site := range e.trails.backward {
		if e.Sources.At(site).Mapped {
			return site
		}
	}
	return Site{}
}

// A Site is one instruction.
type Site struct {
	Code *evm.Code
	PC   uint64
}

// A Report is a weakness seen in one transaction.
type Report struct {
	Oracle   *Oracle
	Severity finding.Severity // overrides the Oracle's unless zero
	Trail    []Site           // instructions up to the responsible one, newest first; the place is the first in user code
	Node     *ast.Node        // responsible node instead of the Trail's, in the same source; may be nil
	Contract common.Address   // account whose storage was used
	Message  string
	Related  []Related
	Evidence []finding.Evidence

	Provisional  bool                                // a longer search may find a more severe report at the same place
	Unprivileged bool                                // valid only if no privileged actor sends a transaction
	ByAnyone     bool                                // an unprivileged account causes it; privileged ones may send other transactions
	Instead      []input.Tx                          // if any, the Report is valid only if it shows with these transactions
	OneCallOf    int                                 // number of a transaction, from 1; valid only if one of its re-entrant calls alone leads to the same; 0: none
	Variants     []Variant                           // if any, the Report is valid only
	Confirm      func(before, after *TxSummary) bool // if Confirm accepts at least one of them

	Effect         finding.Effect                      // how a test can observe it; nil: see finding.Observable
	Discriminators []Variant                           // if any, it is observable only
	Discriminates  func(before, after *TxSummary) bool // with one of them that Discriminates accepts
}

// Related is a second instruction that helps to understand a Report.
type Related struct {
	Trail   []Site
	Node    *ast.Node // responsible node instead of the Trail's, in the same source; may be nil
	Message string
	Asserts bool // as in finding.Related
}

// A Watcher watches the transactions of one Sequence, in order. Functions
// that are nil are not called.
type Watcher struct {
	Begin func(tx *input.Tx, w *evm.World) // before each transaction
	Enter func(*evm.Frame)
	Step  func(*evm.Step)
	Ops   []byte // opcodes Step wants; nil means all
	Fault func(s *evm.Step, err error)
	Exit  func(f *evm.Frame, status evm.Status, ret []byte, halt error)
	Log   func(f *evm.Frame, l *evm.Log)
	Flows *shadow.Events                                          // taint events; if set, the transaction runs with taint tracking
	End   func(o *evm.Outcome, w *evm.World, report func(Report)) // after each transaction
}
