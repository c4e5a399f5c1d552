package engine

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/program"
	"leveret/solc"
	"leveret/solc/ast"
	"leveret/solc/srcmap"
)

// The words that a comment begins with which silences findings, of the oracles
// that are named behind it or of all (ORACLES.md, suppression). A reason may
// follow "--".
const (
	disableNextLine = "leveret-disable-next-line"
	disableLine     = "leveret-disable-line"
	disableFrom     = "leveret-disable"
	enableFrom      = "leveret-enable"
)

// A suppression is one such comment.
type suppression struct {
	finding.Suppression
	first, last int // lines it holds for, both included
}

// forever is the last line of a range that is never closed.
const forever = int(^uint(0) >> 1)

// suppressions are the comments of one source, at first sight.
func (c *campaign) suppressions(s *solc.Source) []*suppression {
	list, known := c.silencers[s]
	if !known {
		for _, comment := range comments(s.Text) {
			list = silencer(c.program, list, s, comment)
		}
		c.silencers[s] = list
	}
	return list
}

// silencer adds what a comment says to the list, or closes what it ends.
func silencer(p *program.Program, list []*suppression, s *solc.Source, span srcmap.Span) []*suppression {
	text := strings.Trim(string(s.Text[span.Start:span.End()]), "/* \t\r\n")
	text, _, _ = strings.Cut(text, "--")
	words := strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' || r == '\n' || r == '\r' })
	if len(words) == 0 {
		return list
	}
	span.Source = s.ID
	n := &suppression{Suppression: finding.Suppression{Place: p.PlaceOf(s, span), Oracles: words[1:]}}
	n.first, n.last = n.Place.Start.Line, n.Place.End.Line
	switch words[0] {
	case disableNextLine:
		n.first, n.last = n.last+1, n.last+1
	case disableLine:
	case disableFrom:
		n.last = forever
	case enableFrom:
		for _, open := range list {
			if open.last == forever && (len(n.Oracles) == 0 || slices.Equal(n.Oracles, open.Oracles)) {
				open.last = n.first
			}
		}
		return list
	default:
		return list
	}
	return append(list, n)
}

// comments returns where the comments of a Solidity source stand. What looks
// like one inside of a string is none.
func comments(text []byte) (spans []srcmap.Span) {
	for i := 0; i < len(text); {
		rest := string(text[i:min(i+2, len(text))])
		switch {
		case rest == "//" || rest == "/*":
			end := commentEnd(text, i)
			spans = append(spans, srcmap.Span{Start: i, Length: end - i})
			i = end
		case text[i] == '"' || text[i] == '\'':
			i = stringEnd(text, i)
		default:
			i++
		}
	}
	return spans
}

func commentEnd(text []byte, at int) int {
	stop, keep := "\n", 0
	if text[at+1] == '*' {
		stop, keep = "*/", 2
	}
	if n := strings.Index(string(text[at+2:]), stop); n >= 0 {
		return at + 2 + n + keep
	}
	return len(text)
}

// stringEnd returns where a string literal ends; at the latest with its line.
func stringEnd(text []byte, at int) int {
	for i := at + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[at]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}

// silenced reports whether a comment silences f, and counts it.
func (c *campaign) silenced(f *finding.Finding) bool {
	source := c.program.Under.Build.Source(f.Place.File)
	if source == nil {
		return false
	}
	hit := false
	for _, s := range c.suppressions(source) {
		if s.first <= f.Place.Start.Line && f.Place.Start.Line <= s.last && (len(s.Oracles) == 0 || slices.Contains(s.Oracles, f.Oracle)) {
			s.Silenced++
			hit = true
		}
	}
	return hit
}

// listSuppressions lists the comments in the contract under test and in those
// it inherits from.
func (c *campaign) listSuppressions() (list []finding.Suppression) {
	if c.program == nil || c.program.Under.Node == nil {
		return nil
	}
	bases := c.program.Under.Node.Bases()
	for _, source := range c.program.Under.Build.Sources {
		if source == nil || source.Unit == nil {
			continue
		}
		for _, s := range c.suppressions(source) {
			in := slices.ContainsFunc(source.Unit.Root.Find(ast.ContractDefinition), func(n *ast.Node) bool {
				return slices.Contains(bases, n.ID) && n.Span.Contains(s.Place.Span)
			})
			if in {
				list = append(list, s.Suppression)
			}
		}
	}
	return list
}

// String tells the lines and the oracles, for tests and logs.
func (s *suppression) String() string {
	last := strconv.Itoa(s.last)
	if s.last == forever {
		last = "∞"
	}
	return fmt.Sprintf("%d-%s %s", s.first, last, strings.Join(s.Oracles, " "))
}
