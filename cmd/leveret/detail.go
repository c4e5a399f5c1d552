package main

import (
	"context"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/replay"
	"leveret/engine/report"
	"leveret/solc/selection"
)

// detail adds what some formats show: the traces of the findings that
// are shown, and the texts of all files with coverage. list has the candidates of
// the report's contracts. A stopped run is traced too: that takes little time.
func (r *fuzzRun) detail(ctx context.Context, out *report.Report, list []selection.Candidate) {
	if !r.shows(func(f *report.Format) bool { return f.Traces }) {
		return
	}
	ctx = context.WithoutCancel(ctx)
	for _, g := range out.Groups() {
		f := g.Shown()
		for i := range out.Contracts {
			if c := &out.Contracts[i]; c == f.Of && !g.Accepted {
				r.trace(ctx, c, list[i], f.Finding)
			}
		}
	}
	if !r.shows(func(f *report.Format) bool { return f.Sources }) {
		return
	}
	for i := range out.Contracts {
		addTexts(&out.Contracts[i], list[i])
	}
}

// trace adds the call trace of a finding. A finding that cannot be executed any more,
// as its fork cannot be reached, has none.
func (r *fuzzRun) trace(ctx context.Context, to *report.Contract, c selection.Candidate, f *finding.Finding) {
	var fork *input.Fork
	if d := f.Witness.Deployment; d != nil {
		fork = d.Fork
	}
	outside, err := r.forks.reach(f.ID, fork, c.Unit, c.Contract)
	if err != nil {
		return
	}
	t, err := engine.Trace(ctx, c.Contract, c.Unit.Build.Contracts, f.Witness, outside, *f)
	if err != nil {
		return
	}
	if to.Traces == nil {
		to.Traces = map[string][]replay.Node{}
	}
	to.Traces[f.ID] = t.Tree(replay.Full(nil))
}

// addTexts adds the texts of the files that source views show.
func addTexts(to *report.Contract, c selection.Candidate) {
	for _, name := range to.Files() {
		if s := c.Unit.Build.Source(name); s != nil {
			to.Texts[name] = s.Text
		}
	}
}

// runFacts says how a run went that started at a time.
func (r *fuzzRun) runFacts(flags *pflag.FlagSet, started time.Time) report.Run {
	run := report.Run{Revision: strings.TrimSuffix(revision(), ", "), Started: started.UTC(), Seconds: time.Since(started).Seconds(), Workers: r.workers}
	flags.Visit(func(f *pflag.Flag) {
		if f.Name != "fork-url" { // it may contain a key
			run.Settings = append(run.Settings, report.Setting{Name: f.Name, Value: f.Value.String()})
		}
	})
	return run
}
