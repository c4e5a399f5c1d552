package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"time"

	"go.uber.org/zap"

	"leveret/solc"
)

// compile brings the analysis of a file up to date and plans what to fuzz. It
// returns nil if there is nothing to do, or nothing that can be done.
func (s *Session) compile(ctx context.Context, r request) *plan {
	snapshot := s.Snapshot()
	d, a := snapshot.Documents[r.path], snapshot.Analyses[r.path]
	if a == nil || !a.Guest && (d == nil || !d.Open) {
		return nil // closed meanwhile
	}
	if snapshot.edited(r) {
		s.queue.rest(r)
		return nil
	}
	if !r.force && a.Failure == nil && a.Build != nil && snapshot.unchanged(a) {
		return s.plan(r)
	}
	overlay := snapshot.overlay()
	s.queue.about(r.path)
	s.queue.about(keys(a.texts)...)
	s.setActivity(Activity{Kind: Compilation, Path: r.path})
	s.change(r.path, func(a *Analysis, _ *Snapshot) { a.Phase = Compiling })

	folder, _ := snapshot.Folder(r.path)
	start := time.Now()
	build, err := s.guardedCompile(ctx, Source{
		Root:     folder.Path,
		File:     r.path,
		Overlay:  overlay,
		Settings: snapshot.SettingsFor(r.path),
	})
	if ctx.Err() != nil {
		return nil
	}
	s.config.Log.Sugar().Debugf("compiled %s in %v", r.path, time.Since(start))
	if err == nil {
		s.adopt(r.path, build)
	} else {
		s.fail(r.path, err, build, overlay)
	}
	if s.edited(r) { // it turned out to import a file that is being edited
		s.queue.rest(r)
	}
	if err != nil || r.guest && s.unwelcome(r.path) {
		return nil
	}
	if r.before == nil {
		if text, known := a.texts[r.path]; known {
			r.before = map[string][]byte{r.path: text}
		}
	}
	r.force, r.invites = false, r.invites || r.saved && !r.guest
	return s.plan(r)
}

// guardedCompile survives a panic over what the compiler said.
func (s *Session) guardedCompile(ctx context.Context, source Source) (b *solc.Build, err error) {
	defer func() {
		if p := recover(); p != nil {
			s.config.Log.Error("compiling panicked", zap.String("file", source.File), zap.Any("panic", p), zap.ByteString("stack", debug.Stack()))
			b, err = nil, fmt.Errorf("compiling it failed inside Leveret (%v); see the server's log", p)
		}
	}()
	return s.config.Compile(ctx, source)
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

// unchanged reports whether every text that an analysis was made of is what it
// was.
func (s *Snapshot) unchanged(a *Analysis) bool {
	for path, text := range a.texts {
		if now, err := s.read(path); err != nil || !bytes.Equal(now, text) {
			return false
		}
	}
	return true
}

// fail keeps what is known, and says why there is nothing new.
func (s *Session) fail(path string, err error, build *solc.Build, overlay map[string][]byte) {
	failure := &Failure{Text: err.Error()}
	var told *solc.Failure
	if errors.As(err, &told) {
		failure.Path, failure.Line, failure.Install = told.File, told.Line, told.Install
	}
	if s.unwelcome(path) {
		return
	}
	s.change(path, func(a *Analysis, _ *Snapshot) {
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
		for _, path := range []string{path, failure.Path} {
			if path != "" {
				a.texts[path] = overlay[path]
			}
		}
	})
}

// adopt makes a build the present one of a file's analysis.
func (s *Session) adopt(path string, build *solc.Build) {
	compiled := newSources(build)
	own := ""
	if source := build.PathSource(path); source != nil {
		own = source.Name
	}
	s.queue.about(keys(compiled.texts)...)
	s.change(path, func(a *Analysis, next *Snapshot) {
		compiled.reuse(a.texts)
		a.Build, a.Failure, a.Messages, a.texts, a.SourceName = build, nil, build.Messages, compiled.texts, own
		a.adopt(compiled, oraclesOff(next.SettingsFor(path)))
		for path, text := range compiled.texts {
			if d := next.Documents[path]; d != nil && !d.Open && !bytes.Equal(d.Text, text) {
				next.Documents[path] = newDocument("", path, 0, false, text)
			}
		}
	})
}

// plan lists the contracts of a compiled file that a campaign is due for, and
// those whose known findings are.
func (s *Session) plan(r request) *plan {
	a := s.Snapshot().Analyses[r.path]
	if a == nil || a.Build == nil {
		return nil
	}
	p := &plan{request: r, build: a.Build}
	for _, c := range a.Contracts {
		wanted := r.fuzz && (r.contract == "" || r.contract == c.Name)
		switch {
		case c.skipped:
		case wanted || !r.fuzz && !c.complete:
			p.contracts = append(p.contracts, c.Name)
		case !r.fuzz && c.isDue():
			p.checks = append(p.checks, c.Name)
		}
	}
	s.queue.about(keys(a.texts)...)
	return p
}

func keys(m map[string][]byte) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	return names
}
