package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/spf13/pflag"

	"leveret/cmd/leveret/live"
	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/replay"
	"leveret/engine/report"
	"leveret/solc/selection"
)

// uiFlag asks for a page that shows the run while it goes on.
type uiFlag struct{ ui string }

func (f *uiFlag) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.ui, "ui", "", "serve a page that shows the run while it goes on, and /metrics for Prometheus; at `ADDRESS`, on loopback alone")
	flags.Lookup("ui").NoOptDefVal = "127.0.0.1:0"
}

// check validates the address.
func (f *uiFlag) check() error {
	if f.ui == "" {
		return nil
	}
	if err := live.CheckAddress(f.ui); err != nil {
		return fmt.Errorf("--ui: %w", err)
	}
	return nil
}

// A liveRun is what a page shows of a run: the contracts that are done, the one that is
// being fuzzed, and those that wait. The zero value, nil, belongs to a run without a page.
type liveRun struct {
	server *live.Server
	run    *fuzzRun
	facts  func() report.Run

	mu        sync.Mutex
	report    report.Report // without contracts
	contracts []liveContract
	now       int // the contract that is being fuzzed

	traces map[traceKey][]replay.Node // of snapshot
}

// A traceKey is a finding of a contract with a number of transactions: shrinking
// changes it.
type traceKey struct {
	contract int
	id       string
	txs      int
}

// A liveContract is a contract of a run.
type liveContract struct {
	candidate selection.Candidate
	contract  report.Contract
}

// serve starts the page if the user asked for it, and says where it is.
func (r *fuzzRun) serve(flags *pflag.FlagSet, started time.Time) error {
	if r.ui == "" {
		return nil
	}
	l := &liveRun{run: r, traces: map[traceKey][]replay.Node{}, facts: func() report.Run { return r.runFacts(flags, started) }}
	server, err := live.Listen(r.ui, l.snapshot)
	if err != nil {
		return fmt.Errorf("--ui: %w", err)
	}
	l.server, r.page = server, l
	fmt.Fprintf(r.console.err, "The page of this run: %s\n", server.URL())
	return nil
}

// begin says which contracts there are, and what a report has beside them.
func (l *liveRun) begin(out *report.Report, list []selection.Candidate) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.report = *out
	for _, c := range list {
		result := finding.Result{Name: c.Contract.Name, File: c.Contract.File, Note: c.Note}
		l.contracts = append(l.contracts, liveContract{candidate: c, contract: reported(c, &result, l.run.needs)})
	}
	if len(l.contracts) > 0 {
		l.report.Root = l.contracts[0].contract.Root
	}
}

// start says that a contract is being fuzzed from now on.
func (l *liveRun) start(index int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now = index
}

// observe takes over what an event of the campaign says.
func (l *liveRun) observe(e engine.Event) {
	if l == nil {
		return
	}
	l.mu.Lock()
	c := &l.contracts[l.now].contract
	c.Stats = e.Stats
	if e.Explored != nil {
		c.Coverage = e.Explored
	}
	switch e.Kind {
	case engine.EventFound:
		c.Findings = append(slices.Clone(c.Findings), *e.Finding)
	case engine.EventShrunk:
		c.Findings = slices.Clone(c.Findings)
		for i := range c.Findings {
			if c.Findings[i].ID == e.Finding.ID {
				c.Findings[i] = *e.Finding
			}
		}
	}
	c.Curve.Add(report.NewSample(&e.Stats, len(c.Findings)))
	l.mu.Unlock()
	l.server.News()
}

// done takes over the result of a contract.
func (l *liveRun) done(index int, result *finding.Result) {
	if l == nil {
		return
	}
	l.mu.Lock()
	l.contracts[index].contract.Result = *result
	l.mu.Unlock()
	l.server.News()
}

// end lets the pages fetch the end of the run, and stops serving.
func (l *liveRun) end() {
	if l == nil {
		return
	}
	if err := l.server.End(); err != nil {
		fmt.Fprintf(l.run.console.err, "leveret: --ui: %s\n", oneLine(err.Error()))
	}
}

// snapshot returns the report so far, with traces and sources. What it returns does
// not change any more.
func (l *liveRun) snapshot() *report.Report {
	l.mu.Lock()
	out, contracts := l.report, slices.Clone(l.contracts)
	for i := range contracts {
		contracts[i].contract.Curve.Samples = slices.Clone(contracts[i].contract.Curve.Samples)
	}
	l.mu.Unlock()
	out.Run = l.facts()
	for i := range contracts {
		out.Contracts = append(out.Contracts, contracts[i].contract)
	}
	for _, g := range out.Groups() {
		if shown := g.Shown(); !g.Accepted {
			l.trace(&out, contracts, shown)
		}
	}
	for i := range out.Contracts {
		c := &out.Contracts[i]
		c.Texts = maps.Clone(c.Texts)
		addTexts(c, contracts[i].candidate)
	}
	return &out
}

// trace adds the trace of a finding, which is executed again only if its witness has
// changed.
func (l *liveRun) trace(out *report.Report, contracts []liveContract, f report.Member) {
	for i := range out.Contracts {
		c := &out.Contracts[i]
		if c != f.Of {
			continue
		}
		key := traceKey{i, f.ID, len(f.Witness.Txs)}
		if nodes, known := l.traces[key]; known {
			if c.Traces == nil {
				c.Traces = map[string][]replay.Node{}
			}
			c.Traces[f.ID] = nodes
			continue
		}
		l.run.trace(context.Background(), c, contracts[i].candidate, f.Finding)
		l.traces[key] = c.Traces[f.ID]
	}
}
