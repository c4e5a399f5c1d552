package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// The parts of the server's messages that the demo shows.
type (
	position   struct{ Line, Character int }
	textRange  struct{ Start, End position }
	diagnostic struct {
		Range              textRange
		Severity           int
		Code, Message      string
		RelatedInformation []struct {
			Location struct {
				URI   string
				Range textRange
			}
			Message string
		}
	}
	diagnostics struct {
		URI         string
		Version     int
		Diagnostics []diagnostic
	}
	lens struct {
		Range   textRange
		Command struct{ Title string }
	}
	coverage struct {
		URI      string
		Version  int
		Lines    []struct{ Line, Hits int }
		Branches []struct{}
	}
)

var severities = []string{"", "error", "warning", "information", "hint"}

// squiggles prints the lines with diagnostics: the line, the underline, the
// message and the related information.
func squiggles(w io.Writer, text string, shown []diagnostic) {
	lines := strings.Split(text, "\n")
	if len(shown) == 0 {
		fmt.Fprintln(w, "    (no squiggles)")
	}
	for _, d := range shown {
		line := lines[d.Range.Start.Line]
		end := d.Range.End.Character
		if d.Range.End.Line != d.Range.Start.Line || end > len(line) {
			end = len(line)
		}
		fmt.Fprintf(w, "  %4d │ %s\n", d.Range.Start.Line+1, line)
		fmt.Fprintf(w, "       │ %s%s\n", strings.Repeat(" ", d.Range.Start.Character), strings.Repeat("~", max(1, end-d.Range.Start.Character)))
		for i, m := range strings.Split(d.Message, "\n") {
			if i == 0 {
				m = severities[d.Severity] + " [" + d.Code + "]: " + m
			}
			fmt.Fprintf(w, "       │   %s\n", m)
		}
		for _, r := range d.RelatedInformation {
			fmt.Fprintf(w, "       │     ↳ line %d: %s\n", r.Location.Range.Start.Line+1, r.Message)
		}
	}
}

// lenses prints the lines above contracts and functions.
func lenses(w io.Writer, text string, list []lens) {
	lines := strings.Split(text, "\n")
	slices.SortStableFunc(list, func(a, b lens) int { return a.Range.Start.Line - b.Range.Start.Line })
	for _, l := range list {
		line := lines[l.Range.Start.Line]
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		fmt.Fprintf(w, "       │ %s« %s »\n  %4d │ %s\n", indent, l.Command.Title, l.Range.Start.Line+1, line)
	}
}

// quote prints the first lines of a text.
func quote(w io.Writer, text string, most int) {
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range lines {
		if i == most {
			fmt.Fprintf(w, "       │ … and %d more lines\n", len(lines)-most)
			return
		}
		fmt.Fprintf(w, "       │ %s\n", line)
	}
}
