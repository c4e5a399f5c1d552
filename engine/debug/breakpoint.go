package debug

import (
	"cmp"
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
}

// Line returns the positions at which a line begins.
func (r *Recording) Line(path string, line int) (hits []Position) {
	wanted := make([]bool, len(r.statements))
	for i := range r.statements {
		p := &r.statements[i].Place
		wanted[i] = p.Start.Line == line && samePath(p.Path, path)
	}
	for i := range r.entries {
		if e := &r.entries[i]; wanted[e.statement] && e.stops(ByLine) {
			hits = append(hits, e.at)
		}
	}
	return hits
}

// samePath reports whether two absolute paths name the same file.
func samePath(a, b string) bool { return a != "" && filepath.Clean(a) == filepath.Clean(b) }

// Lines returns the lines of a file at which steps begin, in order: statements, state
// variables with an initial value, and modifiers with arguments. It returns none if the
// project has no such file.
func (r *Recording) Lines(path string) []int {
	for _, c := range r.Program.Project {
		for _, s := range c.Build.Sources {
			if s == nil || s.Unit == nil || !samePath(s.Path, path) {
				continue
			}
			var list []int
			lines := r.Program.LinesOf(s)
			for _, n := range s.Unit.Root.Statements() {
				list = append(list, lines.Line(n.Span.Start))
			}
			for _, n := range s.Unit.Root.Find(ast.VariableDeclaration, modifierInvocation) {
				initial := n.Type == ast.VariableDeclaration && n.IsStateVariable() && !n.IsConstant() && n.Child("value") != nil
				if initial || n.Type == modifierInvocation && len(n.Children) > 1 {
					list = append(list, lines.Line(n.Span.Start))
				}
			}
			slices.Sort(list)
			return slices.Compact(list)
		}
	}
	return nil
}

// AtOrAfter returns the first of some lines, which are in order, that is not before a
// line; 0 if there is none.
func AtOrAfter(lines []int, line int) int {
	if i, _ := slices.BinarySearch(lines, line); i < len(lines) {
		return lines[i]
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

// Changes returns the positions of the instructions that change a word of storage. With
// an expression of a variable in it, those that change the variable: several can share a
// word.
func (s *Session) Changes(slot Slot, expression string) (hits []Position, err error) {
	n, known := s.Recording.slots[slot]
	for i := range s.writes {
		if known && s.writes[i].slot == n {
			hits = append(hits, s.writes[i].at)
		}
	}
	if expression == "" || len(hits) > maxCompared {
		return hits, nil
	}
	probe := s.NewSession(s.ctx)
	s.Close() // they share the Machine
	defer probe.Close()
	hits = slices.DeleteFunc(hits, func(at Position) bool { return probe.keeps(slot, expression, at) })
	return hits, s.ctx.Err()
}

// keeps reports whether an instruction does not change an expression of a word. It
// reports false if the expression has no value there, or is of another word.
func (s *Session) keeps(slot Slot, expression string, at Position) bool {
	var values [2]string
	for i, to := range []Position{at, min(at+1, s.end-1)} {
		if s.Goto(to) != nil {
			return false
		}
		v, err := s.Evaluate(expression, 0)
		if err != nil || v.Slot == nil || *v.Slot != slot {
			return false
		}
		values[i] = v.Value
	}
	return values[0] == values[1]
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

// Limits of breakpoints.
const (
	maxConditions = 200_000 // hits at which a condition is evaluated
	maxCompared   = 2000    // writes before and after which a variable is evaluated
	maxLog        = 1000    // bytes of a message before its expressions are evaluated
	maxMessage    = 4000    // bytes of one after that
	maxMessages   = 10_000  // that one move passes
)

// Resolve applies the condition and the hit count of a Breakpoint to its hits, which it
// executes for a condition. The error says what is wrong with them.
func (s *Session) Resolve(b *Breakpoint) error {
	count, err := parseHitCount(b.HitCount)
	if err != nil {
		return err
	}
	if len(b.Log) > maxLog {
		return fmt.Errorf("the message is longer than %d characters", maxLog)
	}
	hits := b.Hits
	if b.Condition != "" {
		if err := CheckExpression(b.Condition); err != nil {
			return err
		}
		if hits, err = s.holding(b.Condition, hits); err != nil {
			return err
		}
	}
	b.Hits = count(hits)
	return nil
}

// holding returns the positions at which a condition is true.
func (s *Session) holding(condition string, all []Position) (hits []Position, err error) {
	if len(all) > maxConditions {
		return nil, fmt.Errorf("the breakpoint is passed %d times, more than the %d for which conditions are evaluated", len(all), maxConditions)
	}
	probe := s.NewSession(s.ctx)
	s.Close() // they share the Machine
	defer probe.Close()
	for _, at := range all {
		if err := probe.Goto(at); err != nil {
			return nil, err
		}
		// What cannot be evaluated at a hit is not true there.
		if v, err := probe.Evaluate(condition, 0); err == nil && v.Value == "true" {
			hits = append(hits, at)
		}
	}
	return hits, s.ctx.Err()
}

// messages moves along the log points after a position and up to another one, and
// returns what they print.
func (s *Session) messages(all []*Breakpoint, from, to Position) (passed []string, err error) {
	type pass struct {
		at  Position
		log string
	}
	var passes []pass
	for _, b := range all {
		i := sort.Search(len(b.Hits), func(i int) bool { return b.Hits[i] > from })
		for ; b.Log != "" && i < len(b.Hits) && b.Hits[i] <= to; i++ {
			passes = append(passes, pass{b.Hits[i], b.Log})
		}
	}
	slices.SortStableFunc(passes, func(a, b pass) int { return cmp.Compare(a.at, b.at) })
	for i, p := range passes {
		if i == maxMessages {
			return append(passed, fmt.Sprintf("… %d more messages are left out", len(passes)-maxMessages)), nil
		}
		if err := s.Goto(p.at); err != nil {
			return nil, err
		}
		passed = append(passed, s.interpolate(p.log))
	}
	return passed, nil
}

// interpolate evaluates the {expressions} of a message. Those without a value remain.
func (s *Session) interpolate(text string) string {
	var out strings.Builder
	for out.Len() < maxMessage {
		before, rest, found := strings.Cut(text, "{")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		expression, after, closed := strings.Cut(rest, "}")
		if !closed {
			return out.String() + "{" + rest
		}
		if v, err := s.Evaluate(expression, 0); err == nil {
			out.WriteString(v.Value)
		} else {
			out.WriteString("{" + expression + "}")
		}
		text = after
	}
	return out.String()[:maxMessage] + "…"
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
	from := s.at
	to, found := firstHit(all, from, s.end)
	if !found {
		to = s.end - 1
	}
	if passed, err = s.messages(all, from, to); err != nil {
		return nil, nil, err
	}
	if !found {
		return nil, passed, s.Goto(to)
	}
	return HitsAt(all, to), passed, s.Goto(to)
}

// ReverseContinue moves to the last hit before. If there is none, it moves to the
// beginning.
func (s *Session) ReverseContinue(all []*Breakpoint) ([]Hit, error) {
	to, found := lastHit(all, 0, s.at)
	if !found {
		return nil, s.Goto(min(s.first(), s.at))
	}
	return HitsAt(all, to), s.Goto(to)
}

// Interrupt ends a step that began at a position at the first hit of breakpoints on its
// way, in either direction, and returns all of them there. If there is none, the Session
// remains where it is. passed returns the messages on the way forwards.
func (s *Session) Interrupt(all []*Breakpoint, from Position) (stopped []Hit, passed []string, err error) {
	to := s.at
	hit, found := Position(0), false
	if to < from {
		hit, found = lastHit(all, to+1, from)
	} else {
		hit, found = firstHit(all, from, to)
	}
	if found {
		to, stopped = hit, HitsAt(all, hit)
	}
	if to > from {
		if passed, err = s.messages(all, from, to); err != nil {
			return nil, nil, err
		}
	}
	return stopped, passed, s.Goto(to)
}

// firstHit returns the first position after one and before another at which breakpoints
// stop.
func firstHit(all []*Breakpoint, after, before Position) (first Position, found bool) {
	for _, b := range all {
		i := sort.Search(len(b.Hits), func(i int) bool { return b.Hits[i] > after })
		if b.Log == "" && i < len(b.Hits) && b.Hits[i] < before {
			first, found, before = b.Hits[i], true, b.Hits[i]
		}
	}
	return first, found
}

// lastHit returns the last position from one on and before another at which breakpoints
// stop.
func lastHit(all []*Breakpoint, from, before Position) (last Position, found bool) {
	for _, b := range all {
		i := sort.Search(len(b.Hits), func(i int) bool { return b.Hits[i] >= before })
		if b.Log == "" && i > 0 && b.Hits[i-1] >= from {
			last, found, from = b.Hits[i-1], true, b.Hits[i-1]
		}
	}
	return last, found
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
