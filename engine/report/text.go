package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report/printable"
	"leveret/engine/report/words"

	"github.com/dustin/go-humanize/english"
)

// Text writes the report for a terminal: each finding with its source excerpt and
// its witness step by step, then a summary of the contracts.
func Text(w io.Writer, r *Report, o Options) error {
	t := &text{Writer: bufio.NewWriter(w), options: o}
	groups := r.Groups()
	shown := fresh(groups)
	for i := range shown {
		t.group(&shown[i])
	}
	t.summary(r, shown)
	if n := len(groups) - len(shown); n > 0 {
		t.printf("In the baseline: %s.\n", english.Plural(n, "finding", ""))
	}
	return t.Flush()
}

type text struct {
	*bufio.Writer // keeps the first error for Flush
	options       Options
}

// Colours, as ANSI attributes.
const (
	bold   = "1"
	faint  = "2"
	red    = "31;1"
	yellow = "33;1"
	blue   = "34;1"
	green  = "32"
)

var severityColours = map[finding.Severity]string{finding.Error: red, finding.Warning: yellow}

// painted is text that is escaped already.
type painted string

func (t *text) paint(colour, s string) painted {
	s = printable.String(s)
	if !t.options.Colour || s == "" {
		return painted(s)
	}
	return painted("\x1b[" + colour + "m" + s + "\x1b[0m")
}

func (t *text) printf(format string, args ...any) { printfTo(t, format, args...) }

// printfTo escapes all string arguments but painted ones.
func printfTo(w io.Writer, format string, args ...any) {
	for i, a := range args {
		if s, ok := a.(string); ok {
			args[i] = printable.String(s)
		}
	}
	fmt.Fprintf(w, format, args...)
}

func (t *text) group(g *Group) {
	f := g.Shown()
	colour := cmp.Or(severityColours[f.Severity], blue)
	name := f.Oracle
	if f.SWC != "" {
		name += ", " + f.SWC
	}
	t.printf("%s: %s %s %s\n\n", t.paint(bold, t.place(f.Place)), t.paint(colour, f.Severity.String()+":"),
		t.paint(bold, f.Message), t.paint(faint, "["+name+"]"))
	t.excerpt(f.Of, f.Place, colour)
	t.printf("  What happens:\n")
	for _, s := range words.Creations(f.Witness) {
		t.printf("     - %s\n", s)
	}
	for i, s := range words.Steps(f.Witness) {
		t.printf("    %2d. %s\n", i+1, s.Sentence())
	}
	if len(f.Evidence) > 0 {
		var parts []string
		for _, e := range f.Evidence {
			parts = append(parts, e.Name+" = "+e.Value)
		}
		t.printf("  Values: %s\n", strings.Join(parts, ", "))
	}
	for _, rel := range f.Related {
		t.printf("  See %s: %s\n", t.place(rel.Place), rel.Message)
	}
	if others := g.others(); others != "" {
		t.printf("  Same cause: %s\n", others)
	}
	if contracts := g.contracts(); contracts != "" {
		t.printf("  In %s\n", contracts)
	}
	if f.Inputs > 0 || f.Seconds > 0 { // else it is not known
		t.printf("  %s\n", t.paint(faint, "Found after "+english.Plural(f.Inputs, "input", "")+", "+seconds(f.Seconds)+"."))
	}
	if t.options.Replay != "" && len(f.Witness.Txs) > 0 { // a constructor that fails is not replayed
		t.printf("  Replay: %s\n", t.paint(green, t.options.Replay+f.ID))
	}
	t.printf("\n")
}

// place formats a place so that terminals and editors link it.
func (t *text) place(p finding.Place) string {
	return fmt.Sprintf("%s:%d:%d", t.options.File(p), p.Start.Line, p.Start.Column)
}

// File is the shown name of a place's file.
func (o Options) File(p finding.Place) string {
	if o.Dir == "" || p.Path == "" {
		return p.File
	}
	if rel, err := filepath.Rel(o.Dir, p.Path); err == nil && len(rel) < len(p.Path) {
		return rel
	}
	return p.Path
}

func (t *text) excerpt(c *Contract, p finding.Place, colour string) {
	lines, more := excerpt(c.Texts[p.File], p)
	for _, l := range lines {
		t.printf("  %s %s\n", t.paint(faint, fmt.Sprintf("%4d |", l.Number)), strings.TrimRight(l.Text, " "))
		if l.To > l.From {
			t.printf("  %s %s%s\n", t.paint(faint, "     |"), strings.Repeat(" ", l.From), t.paint(colour, strings.Repeat("^", l.To-l.From)))
		}
	}
	if more {
		t.printf("  %s\n", t.paint(faint, "   … |"))
	}
	if len(lines) > 0 {
		t.printf("\n")
	}
}
