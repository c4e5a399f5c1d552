package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"time"

	"go.uber.org/zap"

	"leveret/engine/finding"
	"leveret/solc"
)

// A builder brings analyses up to date and plans their campaigns.
type builder struct {
	Compiler
	store *store
	queue *queue
	log   *zap.Logger
}

// A plan is the work that a request needs after compilation.
type plan struct {
	request
	build     *solc.Build
	contracts []string // to fuzz, by name
	rechecks  []string // contracts whose known findings must be executed again, by name

	verdicts map[string]*finding.Result // of the unit tests of contracts that have other tests, too
}

func (p *plan) done() bool { return len(p.contracts)+len(p.rechecks) == 0 }

// update compiles the file of a request unless nothing changed, and plans the
// campaigns. It returns nil if there is nothing to run.
func (b *builder) update(ctx context.Context, r request) *plan {
	snapshot := b.store.snapshot()
	d, a := snapshot.Documents[r.path], snapshot.Analyses[r.path]
	if a == nil || !a.Dependent && (d == nil || !d.Open) {
		return nil // closed meanwhile
	}
	if snapshot.edited(r) {
		b.queue.suspend(r)
		return nil
	}
	if r.force || a.Failure != nil || a.Build == nil || !snapshot.unchanged(a) {
		if !b.compile(ctx, snapshot, r) {
			return nil
		}
		if text, known := a.texts[r.path]; known && r.before == nil {
			r.before = map[string][]byte{r.path: text}
		}
		r.force, r.addDependents = false, r.addDependents || r.saved && !r.dependent
	}
	return b.plan(r)
}

// compile compiles a file with the texts of a Snapshot and reports whether the
// result can be fuzzed.
func (b *builder) compile(ctx context.Context, snapshot *Snapshot, r request) bool {
	overlay, folder := snapshot.overlay(), snapshot.root(r.path)
	b.queue.uses(r.path)
	b.queue.uses(slices.Collect(maps.Keys(snapshot.Analyses[r.path].texts))...)
	b.store.setActivity(Activity{Kind: Compilation, Path: r.path})
	b.store.updateAnalysis(r.path, func(a *Analysis, _ *Snapshot) { a.Phase = Compiling })
	start := time.Now()
	build, err := b.guarded(ctx, SourceFile{
		Root: folder, File: r.path, Overlay: overlay, Settings: snapshot.SettingsFor(r.path), Aside: r.dependent,
	})
	if ctx.Err() != nil {
		return false
	}
	b.log.Sugar().Debugf("compiled %s in %v", r.path, time.Since(start))
	if err == nil {
		b.setBuild(r.path, build)
	} else {
		b.setFailure(r.path, err, build, overlay)
	}
	if b.store.snapshot().edited(r) { // a new import is being edited
		b.queue.suspend(r)
	}
	return err == nil && !(r.dependent && b.dropUnused(r.path))
}

// guarded compiles and turns a panic into an error.
func (b *builder) guarded(ctx context.Context, source SourceFile) (build *solc.Build, err error) {
	defer func() {
		if p := recover(); p != nil {
			b.log.Error("compiling panicked", zap.String("file", source.File), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
			build, err = nil, fmt.Errorf("compiling it failed inside Leveret (%v); see the server's log", p)
		}
	}()
	return b.Compile(ctx, source)
}

// overlay returns the texts of the open documents.
func (s *Snapshot) overlay() map[string][]byte {
	overlay := map[string][]byte{}
	for path, d := range s.Documents {
		if d.Open {
			overlay[path] = d.Text
		}
	}
	return overlay
}

// unchanged reports whether all texts that an analysis compiled are current.
func (s *Snapshot) unchanged(a *Analysis) bool {
	for path, text := range a.texts {
		if now, err := s.read(path); err != nil || !bytes.Equal(now, text) {
			return false
		}
	}
	return true
}

// setFailure records why a file does not compile and keeps the last build.
func (b *builder) setFailure(path string, err error, build *solc.Build, overlay map[string][]byte) {
	failure := &Failure{Kind: "internal error", Text: err.Error()}
	var missing []string
	var known *solc.Failure
	if errors.As(err, &known) {
		missing = known.Tried
		failure.Kind, failure.Path, failure.Line, failure.Install = known.Kind, known.File, known.Line, known.Install
	}
	if b.dropUnused(path) {
		return
	}
	b.store.updateAnalysis(path, func(a *Analysis, _ *Snapshot) {
		a.Failure, a.Messages = failure, nil
		a.texts = maps.Clone(a.texts)
		if a.texts == nil {
			a.texts = map[string][]byte{}
		}
		if build != nil {
			a.Messages = build.Messages
			maps.Copy(a.texts, newSources(build).texts)
			if source := build.PathSource(path); source != nil {
				a.SourceName = source.Name
			}
		}
		for _, path := range append([]string{path, failure.Path}, missing...) { // the missing ones may appear
			if path != "" {
				a.texts[path] = overlay[path]
			}
		}
	})
}

// setBuild makes a build the current one of a file's analysis.
func (b *builder) setBuild(path string, build *solc.Build) {
	compiled := newSources(build)
	own := ""
	if source := build.PathSource(path); source != nil {
		own = source.Name
	}
	b.queue.uses(slices.Collect(maps.Keys(compiled.texts))...)
	links := compiled.links()
	b.store.updateAnalysis(path, func(a *Analysis, next *Snapshot) {
		compiled.reuse(a.texts)
		a.Build, a.Failure, a.Messages, a.texts, a.links, a.SourceName = build, nil, build.Messages, compiled.texts, links, own
		a.setContracts(compiled, oraclesOff(next.SettingsFor(path)))
		for path, text := range compiled.texts {
			if d := next.Documents[path]; d != nil && !d.Open && (d.Gone || !bytes.Equal(d.Text, text)) {
				next.Documents[path] = newDocument("", path, 0, false, text)
			}
		}
	})
}

// plan lists the contracts of a compiled file that need a campaign, and those
// whose known findings must be executed again.
func (b *builder) plan(r request) *plan {
	a := b.store.snapshot().Analyses[r.path]
	if a == nil || a.Build == nil {
		return nil
	}
	p := &plan{request: r, build: a.Build}
	for _, contract := range a.Contracts {
		wanted := r.fuzz && (r.contract == "" || r.contract == contract.Name)
		switch {
		case contract.skipped:
		case wanted || !r.fuzz && !contract.complete:
			p.contracts = append(p.contracts, contract.Name)
		case !r.fuzz && contract.needsRecheck():
			p.rechecks = append(p.rechecks, contract.Name)
		}
	}
	b.queue.uses(slices.Collect(maps.Keys(a.texts))...)
	return p
}
