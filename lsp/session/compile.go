package session

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"runtime/debug"
	"time"

	"go.uber.org/zap"

	"leveret/solc"
)

// compile brings the analysis of a file up to date and plans what to fuzz. It
// returns nil if there is nothing to do.
func (s *Session) compile(ctx context.Context, r request) (*plan, error) {
	snapshot := s.Snapshot()
	d, a := snapshot.Documents[r.path], snapshot.Analyses[r.path]
	if a == nil || !a.Guest && (d == nil || !d.Open) {
		return nil, nil // closed meanwhile
	}
	if !r.force && a.Failure == nil && a.Build != nil && snapshot.unchanged(a) {
		return s.plan(r), nil
	}
	s.queue.about(r.path)
	s.queue.about(keys(a.texts)...)
	s.setActivity(Activity{Kind: Compilation, Path: r.path})
	s.change(r.path, func(a *Analysis, _ *Snapshot) { a.Phase = Compiling })

	folder, _ := snapshot.Folder(r.path)
	start := time.Now()
	build, err := s.guardedCompile(ctx, Source{
		Root:     folder.Path,
		File:     r.path,
		Overlay:  snapshot.overlay(),
		Settings: snapshot.SettingsFor(r.path),
	})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	s.config.Log.Sugar().Debugf("compiled %s in %v", r.path, time.Since(start))
	if err != nil {
		s.messages(r.path, build)
		return nil, err
	}
	s.adopt(r.path, build)
	if r.guest && s.unwelcome(r.path) {
		return nil, nil
	}
	if r.before == nil {
		if text, known := a.texts[r.path]; known {
			r.before = map[string][]byte{r.path: text}
		}
	}
	p := s.plan(r)
	if p != nil {
		p.fresh = true
	}
	return p, nil
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

// messages keeps what the compiler said about a build that failed.
func (s *Session) messages(path string, build *solc.Build) {
	s.change(path, func(a *Analysis, _ *Snapshot) {
		a.Messages = nil
		if build == nil {
			return
		}
		a.Messages = build.Messages
		if source := build.PathSource(path); source != nil {
			a.SourceName = source.Name
		}
	})
}

// withText adds what is known of some files to the texts of an analysis.
func withText(texts map[string][]byte, documents map[string]*Document, paths ...string) map[string][]byte {
	texts = maps.Clone(texts)
	if texts == nil {
		texts = map[string][]byte{}
	}
	for _, path := range paths {
		if path == "" {
			continue
		}
		texts[path] = nil
		if d := documents[path]; d != nil {
			texts[path] = d.Text
		}
	}
	return texts
}

// adopt makes a build the present one of a file's analysis. Contracts whose
// code did not change keep everything; the others keep what was found, as
// stale, until it was looked at again.
func (s *Session) adopt(path string, build *solc.Build) {
	texts := textsOf(build)
	own := ""
	if source := build.PathSource(path); source != nil {
		own = source.Name
	}
	s.queue.about(keys(texts)...)
	s.change(path, func(a *Analysis, next *Snapshot) {
		before := a.Contracts
		a.Build, a.Failure, a.Messages, a.texts, a.SourceName = build, nil, build.Messages, texts, own
		a.Contracts = nil
		for _, c := range build.Contracts {
			if c.File == own {
				a.Contracts = append(a.Contracts, inherit(c, before))
			}
		}
		for path, text := range texts {
			if d := next.Documents[path]; d != nil && !d.Open {
				// Marks of other analyses may be in it; they move along.
				next.setText(newDocument("", path, 0, false, text), nil)
			}
		}
	})
}

// inherit makes the state of a contract from that of the one of the same name
// before.
func inherit(compiled *solc.Contract, before []*Contract) *Contract {
	c := &Contract{Contract: compiled, State: StateQueued, code: hashCode(compiled)}
	if note := unfit(compiled); note != "" {
		c.State, c.Note = StateSkipped, note
		return c
	}
	for _, old := range before {
		if old.Name != compiled.Name {
			continue
		}
		if old.code == c.code && old.State != StateSkipped {
			same := *old
			same.Contract = compiled
			same.Explored = rebase(old.Explored, old.Build, compiled.Build)
			same.Marks = nil
			for _, m := range old.Marks {
				m.Stale = false // the code that fails is still the same
				same.Marks = append(same.Marks, m)
			}
			return &same
		}
		c.Marks, c.base = old.Marks, old.base
		c.stale()
	}
	return c
}

// unfit says why a contract cannot be fuzzed on its own; empty if it can.
func unfit(c *solc.Contract) string {
	switch {
	case c.Kind == solc.KindInterface:
		return "not fuzzed: an interface has no code"
	case c.Kind == solc.KindLibrary:
		return "not fuzzed: a library is fuzzed through the contracts that use it"
	case c.Abstract:
		return "not fuzzed: abstract; contracts that inherit from it are"
	case c.Inherited():
		return "not fuzzed: its constructor is internal; contracts that inherit from it are"
	case len(c.Creation.Object) == 0:
		return "not fuzzed: the compiler made no code for it"
	}
	if harness := c.Harness(); harness != "" {
		return "not fuzzed: " + harness
	}
	return ""
}

// plan lists the contracts of a compiled file that a campaign is due for.
func (s *Session) plan(r request) *plan {
	a := s.Snapshot().Analyses[r.path]
	if a == nil || a.Build == nil {
		return nil
	}
	p := &plan{request: r, build: a.Build}
	for _, c := range a.Contracts {
		wanted := r.fuzz && (r.contract == "" || r.contract == c.Name)
		if c.State != StateSkipped && (wanted || !r.fuzz && !c.complete) {
			p.contracts = append(p.contracts, c.Name)
		}
	}
	p.done = len(p.contracts) == 0
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
