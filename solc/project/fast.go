package project

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"sync"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/scan"
	"leveret/solc/srcmap"
)

// A Fast makes projects compile with the settings that take the compiler the
// least time, see pace. The code has no hash of the sources, so
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

// A pace is how fast settings are. Those that compile a closure are used, the fastest first.
type pace uint8

const (
	configured pace = iota // the project's own settings
	plain                  // no optimiser, not via IR
	// light is for code that is too deep for the stack without the optimiser: a few of its
	// steps, via IR if the project is compiled so, and without contracts of other files that
	// are inherited. It takes the compiler a tenth to half of its time.
	light
)

// The optimiser's details of light settings. Via IR, they move variables to memory and make
// the code smaller at once, which leaves less work for the code generator: they eliminate
// unused code, common subexpressions and redundant assignments, inline functions that consist
// of one expression, and join expressions. Without IR, only what encodes and decodes calls is
// Yul, and the steps are most of the usual ones, in their order and without repetition.
// Instructions are not optimised, which takes most of the time.
var (
	lightViaIR  = lightDetails("dhfoDvulcerjuvu")
	lightLegacy = lightDetails("dhfoDgvulfnTUtnIfxarEscLMcCTUtTOntnfDIulLculVculjTpeulxarulxarcLgvifCTUcarLSsTFOtfDncarIulcjmuljulVcTOculjmul")
)

func lightDetails(steps string) solc.Optimizer {
	return solc.Optimizer{"yul": true, "yulDetails": solc.Optimizer{"stackAllocation": true, "optimizerSteps": steps}}
}

// A refusal is code that a compiler cannot compile with fast settings.
type refusal struct {
	pace     pace
	compiler string // path
	source   string // path
	lines    string // of the source; empty: the compiler named none
}

// faster returns the choices with faster settings than the configured ones, the
// fastest first.
func (with choice) faster() (list []choice) {
	viaIR := with.settings.ViaIR && compiler.HasViaIR(with.Version)
	with.own = with.settings
	optimizer := with.settings.Optimizer
	with.settings.Optimizer, with.settings.ViaIR, with.settings.Details = false, false, nil
	if with.pace = plain; optimizer || viaIR {
		list = append(list, with)
	}
	with.settings.ViaIR, with.settings.Details = viaIR, lightLegacy
	if viaIR {
		with.settings.Details = lightViaIR
	}
	if with.pace = light; optimizer && compiler.HasViaIR(with.Version) {
		list = append(list, with)
	}
	return list
}

// choose returns the fastest settings for a closure that are not known to be refused, or
// the configured ones if it depends on the size of code.
func (f *Fast) choose(c *closure, with choice) choice {
	list := with.faster()
	if len(list) == 0 || slices.ContainsFunc(c.order, func(s *solc.Source) bool { return readsSize(s.Text) }) {
		return with
	}
	for _, next := range list {
		if !f.refuses(c, next) {
			return next
		}
	}
	return with
}

// refuses reports whether a closure still has code that was refused at the pace of a choice.
func (f *Fast) refuses(c *closure, with choice) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	i := slices.IndexFunc(f.refused, func(r refusal) bool {
		return r.pace == with.pace && r.compiler == with.Path && slices.ContainsFunc(c.order, func(s *solc.Source) bool {
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

// fallBack returns slower settings, in the end the project's own, if a compilation with
// fast ones failed, unless it would fail with any settings. It remembers what was refused.
// b is nil if the compiler itself failed.
func (f *Fast) fallBack(c *closure, with choice, b *solc.Build, err error) (choice, bool) {
	var failure *solc.Failure
	if with.pace == configured || !errors.As(err, &failure) {
		return with, false
	}
	cause := "the compiler failed"
	switch {
	case failure.Kind == solc.CompilerFailed:
		f.remember(refusal{pace: with.pace, compiler: with.Path, source: c.order[0].Path})
	case failure.Kind != solc.CompileError || b == nil || !slices.ContainsFunc(b.Errors(), solc.Message.OfGenerator):
		return with, false
	default:
		if tooDeep(b) {
			cause = "stack too deep"
		}
		for _, m := range b.Errors() {
			f.remember(refusalOf(c, with, m))
		}
	}
	return f.slower(c, with, cause), true
}

// slower returns a choice with the next slower settings that are not known to be refused.
func (f *Fast) slower(c *closure, with choice, cause string) choice {
	refused := with.pace
	with.settings, with.pace = with.own, configured
	for _, next := range with.faster() {
		if next.pace > refused && !f.refuses(c, next) {
			next.note = cause + " without the optimiser; compiled with little of it"
			return next
		}
	}
	with.note = cause + " with fast settings; compiled with the project's own"
	return with
}

// refusalOf returns the refusal in a message. Its code is the whole lines that
// the message is about.
func refusalOf(c *closure, with choice, m solc.Message) refusal {
	s := c.sources[m.File]
	if s == nil {
		return refusal{pace: with.pace, compiler: with.Path, source: c.order[0].Path}
	}
	r := refusal{pace: with.pace, compiler: with.Path, source: s.Path}
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

// compiled returns which contracts are compiled if those are not that another one inherits
// from and none creates: campaigns do not deploy them. Contracts of the files that were asked
// for are, and all are if a test can ask for the code of any, as with vm.getCode.
func (c *closure) compiled() solc.Selection {
	if slices.ContainsFunc(c.order, func(s *solc.Source) bool { return solc.AsksForArtifact(s.Text) }) {
		return nil
	}
	bases, selection := map[string]bool{}, solc.Selection{}
	definitions := make([][]scan.Definition, len(c.order))
	for i, s := range c.order {
		definitions[i] = scan.Definitions(s.Text)
		for _, d := range definitions[i] {
			for _, base := range d.Bases {
				bases[base] = true
			}
		}
	}
	for _, s := range c.order {
		for _, name := range scan.Created(s.Text) {
			delete(bases, name)
		}
	}
	for i, s := range c.order[c.asked:] {
		names := []string{}
		for _, d := range definitions[c.asked+i] {
			if !bases[d.Name] {
				names = append(names, d.Name)
			}
		}
		selection[s.Name] = names
	}
	return selection
}
