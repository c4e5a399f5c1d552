package session

import (
	"context"
	"maps"
	"slices"
	"time"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/lsp/settings"
	"leveret/solc"
)

// checkTime is how long the check of one finding may take.
const checkTime = 10 * time.Second

// A check is what is known of a finding of a fast build on the project's own
// build.
type check struct {
	done    bool     // also if the result is not known
	calls   []string // that were executed
	missing string   // settings of the own build, if these calls do not show the finding there
}

// checks executes findings of fast builds on the project's own build.
type checks struct {
	builder   *builder
	campaigns *campaigns
}

// next checks the findings of one analysis. It reports whether there was one to
// check.
func (k *checks) next(ctx context.Context) bool {
	snapshot := k.builder.store.snapshot()
	a := snapshot.nextCheck()
	if a == nil || k.campaigns.Replay == nil {
		return false
	}
	k.builder.store.setActivity(Activity{Kind: OwnBuild, Path: a.Path})
	own, err := k.builder.guarded(ctx, SourceFile{
		Root: snapshot.root(a.Path), File: a.Path, Overlay: newSources(a.Build).texts, Settings: snapshot.SettingsFor(a.Path), Own: true,
	})
	if ctx.Err() != nil {
		return true
	}
	if err != nil {
		k.builder.log.Sugar().Infof("findings in %s are not checked on the project's own build: %v", a.Path, err)
		own = nil
	}
	for _, c := range a.Contracts {
		for _, f := range c.known {
			if !f.needsCheck(c) {
				continue
			}
			result := k.check(ctx, c, f.Finding, own, snapshot.SettingsFor(a.Path))
			if ctx.Err() != nil {
				return true
			}
			k.record(a.Path, c, f, result)
		}
	}
	return true
}

// nextCheck returns an analysis with findings to check; nil if there is none.
func (s *Snapshot) nextCheck() *Analysis {
	for _, path := range slices.Sorted(maps.Keys(s.Analyses)) {
		a := s.Analyses[path]
		if a.Build == nil || !a.Build.Fast || a.Failure != nil {
			continue
		}
		for _, c := range a.Contracts {
			if slices.ContainsFunc(c.known, func(k knownFinding) bool { return k.needsCheck(c) }) {
				return a
			}
		}
	}
	return nil
}

// needsCheck reports whether a finding on the current code was not executed on
// the own build, or only by other calls that do not show it.
func (k *knownFinding) needsCheck(c *Contract) bool {
	if k.due || k.code != c.code {
		return false
	}
	return !k.check.done || k.check.missing != "" && !slices.Equal(k.check.calls, k.Witness.Describe(nil))
}

// check executes the witness of a finding on the own build of its contract. The
// result says nothing if the build or the execution failed.
func (k *checks) check(ctx context.Context, c *Contract, f *finding.Finding, own *solc.Build, set settings.Settings) check {
	checked := check{done: true, calls: f.Witness.Describe(nil)}
	if own == nil {
		return checked
	}
	contract := own.Contract(c.File + ":" + c.Name)
	if contract == nil {
		return checked
	}
	out, closed, err := k.campaigns.hosts.open(ctx, contract, set, f.Witness.Deployment, true)
	defer closed()
	if err != nil {
		return checked
	}
	replay := func(ctx context.Context, contract *solc.Contract, project []*solc.Contract, _ engine.Options) (*finding.Result, error) {
		return k.campaigns.Replay(ctx, f.Witness, contract, project, out)
	}
	result, err := k.campaigns.guarded(ctx, replay, contract, own.Contracts, engine.Options{Time: checkTime})
	switch {
	case err != nil:
		k.builder.log.Sugar().Infof("finding %s is not checked on the project's own build: %v", f.ID, err)
	case result.Note == "" && !slices.ContainsFunc(result.Findings, func(seen finding.Finding) bool { return sameWeakness(f, &seen) }):
		checked.missing = own.Settings.String()
	}
	return checked
}

// sameWeakness reports whether two findings in equal sources are the same: other
// settings may move a place from a statement to an expression in it, and with it
// change the id.
func sameWeakness(a, b *finding.Finding) bool {
	if a.ID == b.ID {
		return true
	}
	x, y := a.Place, b.Place
	return a.Oracle == b.Oracle && x.Path == y.Path && x.Span.Start < y.Span.End() && y.Span.Start < x.Span.End()
}

// record stores the check of a finding unless the finding changed meanwhile.
func (k *checks) record(path string, c *Contract, f knownFinding, result check) {
	k.builder.store.updateContract(path, c, func(c *Contract, _ *Snapshot) {
		c.known = slices.Clone(c.known)
		for i := range c.known {
			if c.known[i].same(f) && c.known[i].Finding == f.Finding {
				c.known[i].check = result
			}
		}
	})
}

func engineReplay(ctx context.Context, witness input.Sequence, contract *solc.Contract, project []*solc.Contract, out engine.Outside) (*finding.Result, error) {
	return engine.Replay(ctx, contract, project, witness, out, false)
}
