package debug

import (
	"fmt"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"leveret/solc/ast"
)

// A Breakpoint stops at positions of a Recording. It is resolved once: Hits are all
// of them, in order.
type Breakpoint struct {
	ID        int
	Kind      string // why it stops, as in the protocol of debug adapters: "breakpoint", "function breakpoint", "data breakpoint", "exception"
	Text      string // describes the stop; may be empty
	Condition string // expression that must be true; empty: none
	HitCount  string // "3" or ">= 3": which of the hits stop; empty: all
	Log       string // prints it and does not stop; {expressions} are evaluated
	Hits      []Position
	Messages  []string // of Log, by hit
}

// Line returns the positions at which a line begins: the first one at or after line
// that has a statement. It returns that line; 0 if the file has no such.
func (r *Recording) Line(path string, line int) (hits []Position, at int) {
	if at = r.breakable(path, line); at == 0 {
		return nil, 0
	}
	wanted := make([]bool, len(r.statements))
	for i := range r.statements {
		p := &r.statements[i].Place
		wanted[i] = p.Start.Line == at && samePath(p.Path, path)
	}
	for i := range r.entries {
		if e := &r.entries[i]; wanted[e.statement] && e.stops(ByLine) {
			hits = append(hits, e.at)
		}
	}
	return hits, at
}

// samePath reports whether two absolute paths name the same file.
func samePath(a, b string) bool { return a != "" && filepath.Clean(a) == filepath.Clean(b) }

// breakable returns the first line at or after one at which a statement begins; 0 if
// the project has no such file or line.
func (r *Recording) breakable(path string, line int) (at int) {
	for _, c := range r.Program.Project {
		for _, s := range c.Build.Sources {
			if s == nil || s.Unit == nil || !samePath(s.Path, path) {
				continue
			}
			lines := r.Program.LinesOf(s)
			for _, n := range s.Unit.Root.Statements() {
				if l := lines.Line(n.Span.Start); l >= line && (at == 0 || l < at) {
					at = l
				}
			}
			return at
		}
	}
	return 0
}

// Function returns the positions at which a function begins: "withdraw", or
// "Vault.withdraw" for that of one contract. It reports whether the project has it.
func (r *Recording) Function(name string) (hits []Position, known bool) {
	matches := func(full string) bool {
		return full != "" && (full == name || strings.HasSuffix(full, "."+name))
	}
	for i := range r.calls {
		if matches(r.calls[i].function) {
			hits = append(hits, r.calls[i].at)
		}
	}
	if len(hits) > 0 {
		return hits, true
	}
	for _, c := range r.Program.Project {
		if c.Node == nil {
			continue
		}
		for _, f := range c.Node.Find(ast.FunctionDefinition) {
			if matches(functionName(f)) {
				return nil, true
			}
		}
	}
	return nil, false
}

// Changes returns the positions of the instructions that change a word of storage.
func (r *Recording) Changes(slot Slot) (hits []Position) {
	n, known := r.slots[slot]
	for i := range r.writes {
		if known && r.writes[i].slot == n {
			hits = append(hits, r.writes[i].at)
		}
	}
	return hits
}

// Failing returns the positions of the instructions by which frames fail in some ways.
func (r *Recording) Failing(kinds ...FailureKind) (hits []Position) {
	for i := range r.failures {
		if slices.Contains(kinds, r.failures[i].Kind) {
			hits = append(hits, r.failures[i].At)
		}
	}
	return hits
}

// maxConditions bounds the hits at which a condition or a message is evaluated.
const maxConditions = 200_000

// Resolve applies the condition, the hit count and the message of a Breakpoint to its
// hits, which it executes for that. The error says what is wrong with them.
func (s *Session) Resolve(b *Breakpoint) error {
	count, err := parseHitCount(b.HitCount)
	if err != nil {
		return err
	}
	if b.Condition != "" {
		if err := CheckExpression(b.Condition); err != nil {
			return err
		}
	}
	if b.Condition == "" && b.Log == "" {
		b.Hits = count(b.Hits)
		return nil
	}
	if len(b.Hits) > maxConditions {
		return fmt.Errorf("the breakpoint is passed %d times, more than the %d for which conditions are evaluated", len(b.Hits), maxConditions)
	}
	probe := s.Recording.NewSession(s.ctx)
	s.Close() // they share the Machine
	defer probe.Close()
	var hits []Position
	for _, at := range b.Hits {
		if err := probe.Goto(at); err != nil {
			return err
		}
		if b.Condition != "" {
			v, err := probe.Evaluate(b.Condition, 0)
			if err != nil || v.Value != "true" {
				continue // what cannot be evaluated at a hit is not true there
			}
		}
		hits = append(hits, at)
	}
	b.Hits = count(hits)
	b.Messages = nil
	for _, at := range b.Hits {
		if b.Log == "" {
			break
		}
		if err := probe.Goto(at); err != nil {
			return err
		}
		b.Messages = append(b.Messages, probe.interpolate(b.Log))
	}
	return nil
}

// interpolate evaluates the {expressions} of a message.
func (s *Session) interpolate(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		expression, after, closed := strings.Cut(rest, "}")
		if !found || !closed {
			if found {
				out.WriteString("{" + rest)
			}
			return out.String()
		}
		if v, err := s.Evaluate(expression, 0); err == nil {
			out.WriteString(v.Value)
		} else {
			out.WriteString("{" + expression + "}")
		}
		text = after
	}
}

// parseHitCount returns what selects hits: "3" the third one, ">= 3" it and those
// after it, "% 3" every third one.
func parseHitCount(text string) (func([]Position) []Position, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return func(all []Position) []Position { return all }, nil
	}
	digits := strings.TrimLeft(text, "<>=% ")
	operator := strings.TrimSpace(strings.TrimSuffix(text, digits))
	n, err := strconv.Atoi(digits)
	tests := map[string]func(i int) bool{
		"": func(i int) bool { return i == n }, "=": func(i int) bool { return i == n }, "==": func(i int) bool { return i == n },
		">=": func(i int) bool { return i >= n }, ">": func(i int) bool { return i > n },
		"<=": func(i int) bool { return i <= n }, "<": func(i int) bool { return i < n }, "%": func(i int) bool { return i%n == 0 },
	}
	test := tests[operator]
	if err != nil || n < 1 || test == nil {
		return nil, fmt.Errorf("hit count %q is not a number from 1, such as 3, >= 3 or %% 3", text)
	}
	return func(all []Position) (some []Position) {
		for i, p := range all {
			if test(i + 1) {
				some = append(some, p)
			}
		}
		return some
	}, nil
}

// A Hit is a Breakpoint at which a Session stops.
type Hit struct {
	*Breakpoint
	At Position
}

// Continue moves to the next hit of breakpoints that stop. It returns all of them
// there; none if there is none: then it moves to the end. passed returns the messages
// on the way.
func (s *Session) Continue(all []*Breakpoint) (stopped []Hit, passed []string, err error) {
	to, from := s.end, s.at
	for _, b := range all {
		if i := sort.Search(len(b.Hits), func(i int) bool { return b.Hits[i] > from }); b.Log == "" && i < len(b.Hits) {
			to = min(to, b.Hits[i])
		}
	}
	type message struct {
		at   Position
		text string
	}
	var messages []message
	for _, b := range all {
		for i, at := range b.Hits {
			if b.Log != "" && at > from && at <= to {
				messages = append(messages, message{at, b.Messages[i]})
			}
		}
	}
	slices.SortStableFunc(messages, func(a, b message) int { return int(int64(a.at) - int64(b.at)) })
	for _, m := range messages {
		passed = append(passed, m.text)
	}
	if to == s.end {
		return nil, passed, s.Goto(s.end - 1)
	}
	return HitsAt(all, to), passed, s.Goto(to)
}

// ReverseContinue moves to the last hit before. If there is none, it moves to the
// beginning.
func (s *Session) ReverseContinue(all []*Breakpoint) ([]Hit, error) {
	to, found := Position(0), false
	for _, b := range all {
		if i := sort.Search(len(b.Hits), func(i int) bool { return b.Hits[i] >= s.at }); b.Log == "" && i > 0 {
			to, found = max(to, b.Hits[i-1]), true
		}
	}
	if !found {
		return nil, s.Goto(min(s.first(), s.at))
	}
	return HitsAt(all, to), s.Goto(to)
}

// HitsAt returns the breakpoints that stop at a position.
func HitsAt(all []*Breakpoint, at Position) (hits []Hit) {
	for _, b := range all {
		if _, ok := slices.BinarySearch(b.Hits, at); ok && b.Log == "" {
			hits = append(hits, Hit{b, at})
		}
	}
	return hits
}
