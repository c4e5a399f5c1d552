package project

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/srcmap"
)

// A Fast makes projects compile with the settings that take the compiler the
// least time: no optimiser, and not via IR. The code has no hash of the sources, so
// that it stays when only comments change. All others, such as the EVM version,
// stay as configured. Sources that cannot be compiled so, or whose behaviour
// depends on the size of code, are compiled with the project's own settings. A
// Fast remembers the former, so that the next compilation skips the failing attempt.
//
// The zero value is ready. It is safe for concurrent use.
type Fast struct {
	mu      sync.Mutex
	refused []refusal // most recently used last
}

// maxRefused bounds the refusals that are remembered.
const maxRefused = 64

// A refusal is code that a compiler cannot compile with fast settings.
type refusal struct {
	compiler string // path
	source   string // path
	lines    string // of the source; empty: the compiler named none
}

// faster returns the fast settings of a choice; false if they are the
// configured ones.
func (with choice) faster() (choice, bool) {
	viaIR := with.settings.ViaIR && compiler.HasViaIR(with.Version)
	if with.fast || !with.settings.Optimizer && !viaIR {
		return with, false
	}
	with.own, with.fast = with.settings, true
	with.settings.Optimizer, with.settings.ViaIR, with.settings.Details = false, false, nil
	return with, true
}

// slower returns a choice with the settings that the project configures.
func (with choice) slower(note string) choice {
	with.settings, with.fast, with.note = with.own, false, note
	return with
}

// choose returns fast settings for a closure unless a refusal is known, or the
// closure depends on the size of code.
func (f *Fast) choose(c *closure, with choice) choice {
	next, ok := with.faster()
	if !ok || f.refuses(c, with) {
		return with
	}
	if slices.ContainsFunc(c.order, func(s *solc.Source) bool { return readsSize(s.Text) }) {
		return with
	}
	return next
}

// refuses reports whether a closure still has code that was refused.
func (f *Fast) refuses(c *closure, with choice) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.refused, func(r refusal) bool {
		return r.compiler == with.Path && slices.ContainsFunc(c.order, func(s *solc.Source) bool {
			return s.Path == r.source && bytes.Contains(s.Text, []byte(r.lines))
		})
	})
	if i < 0 {
		return false
	}
	r := f.refused[i]
	f.refused = append(slices.Delete(f.refused, i, i+1), r)
	return true
}

// fallBack returns the project's own settings if a compilation with fast ones
// failed, unless it would fail with any settings. It remembers what was refused.
// b is nil if the compiler itself failed.
func (f *Fast) fallBack(c *closure, with choice, b *solc.Build, err error) (choice, bool) {
	var failure *solc.Failure
	if !with.fast || !errors.As(err, &failure) {
		return with, false
	}
	note := "the compiler failed with fast settings; compiled with the project's own"
	switch {
	case failure.Kind == solc.CompilerFailed:
		f.remember(refusal{compiler: with.Path, source: c.order[0].Path})
	case failure.Kind != solc.CompileError || b == nil || !slices.ContainsFunc(b.Errors(), solc.Message.OfGenerator):
		return with, false
	default:
		if tooDeep(b) {
			note = "stack too deep with fast settings; compiled with the project's own"
		}
		for _, m := range b.Errors() {
			f.remember(refusalOf(c, with, m))
		}
	}
	return with.slower(note), true
}

// refusalOf returns the refusal in a message. Its code is the whole lines that
// the message is about.
func refusalOf(c *closure, with choice, m solc.Message) refusal {
	s := c.sources[m.File]
	if s == nil {
		return refusal{compiler: with.Path, source: c.order[0].Path}
	}
	r := refusal{compiler: with.Path, source: s.Path}
	if m.Span.Start >= 0 && m.Span.End() <= len(s.Text) {
		lines := srcmap.NewLines(s.Text)
		first, last := lines.OffsetPosition(m.Span.Start).Line, lines.OffsetPosition(m.Span.End()).Line
		start, _ := lines.LineSpan(first)
		_, end := lines.LineSpan(last)
		r.lines = strings.TrimSpace(string(s.Text[start:end]))
	}
	return r
}

// remember adds a refusal, in place of the oldest if there are too many.
func (f *Fast) remember(r refusal) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused = append(slices.DeleteFunc(f.refused, func(old refusal) bool { return old == r }), r)
	f.refused = slices.Delete(f.refused, 0, max(0, len(f.refused)-maxRefused))
}

// Forget forgets what was refused, for example after other compilers were
// installed.
func (f *Fast) Forget() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refused = nil
}
