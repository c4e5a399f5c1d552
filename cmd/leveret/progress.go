package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/report"
	"leveret/engine/report/printable"
	"leveret/solc/selection"
)

// plainInterval is the time between lines of progress without a terminal.
const plainInterval = 5 * time.Second

// A progress prints how campaigns proceed: on a terminal in a status area that it
// redraws, elsewhere in a line every plainInterval. Libraries for progress bars
// own the writer and redraw by a clock; here findings scroll above two lines that
// change with events, through an escaping writer whose closed pipe stops the run.
type progress struct {
	w      io.Writer
	width  func() int                 // columns of the terminal; nil without one
	file   func(finding.Place) string // name of a file, as in the report
	now    func() time.Time
	budget time.Duration // of the running campaign; 0 without a time limit
	total  int           // campaigns

	nth   int                   // running campaign, from 1
	found map[finding.Spot]bool // in that campaign
	curve report.Curve          // of that campaign
	long  []*finding.Finding    // those whose witnesses are not shrunk yet: they wait
	last  time.Time

	shows   func(*finding.Finding) bool // whether the report shows a finding; nil: it shows all
	printed map[finding.Spot]bool       // of findings: a place is printed once for a cause

	onBrokenPipe func() // called when the reader has gone; may be nil
	drawn        int    // lines of the status area on the screen
}

// newProgress writes to w. It draws a status area if w is a capable terminal.
func newProgress(w io.Writer, total int) *progress {
	return &progress{w: w, file: textOptions(w, false).File, now: time.Now, total: total, width: terminalWidth(w)}
}

// terminalWidth returns a function that returns the columns of the terminal that
// w writes to; nil if it is not a capable terminal.
func terminalWidth(w io.Writer) func() int {
	f, ok := raw(w).(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func() int {
		if width, _, err := term.GetSize(int(f.Fd())); err == nil && width > 0 {
			return width
		}
		return 80
	}
}

// start announces a campaign.
func (p *progress) start(c selection.Candidate, limit string, budget time.Duration) {
	p.budget = budget
	p.nth++
	p.found, p.long = map[finding.Spot]bool{}, nil
	p.last = p.now()
	if p.width == nil {
		p.printf("Fuzzing %s (%s)%s %s\n", c.Contract.Name, printable.String(c.Contract.File), p.position(), limit)
	}
}

// position is ", 2 of 5," if there are several campaigns.
func (p *progress) position() string {
	if p.total < 2 {
		return ""
	}
	return fmt.Sprintf(", %d of %d,", p.nth, p.total)
}

// observe handles an event of the campaign.
func (p *progress) observe(e engine.Event) {
	defer func() { p.curve.Add(report.NewSample(&e.Stats, len(p.found))) }()
	switch e.Kind {
	case engine.EventFound:
		if p.shows == nil || p.shows(e.Finding) {
			p.found[e.Finding.Spot()] = true
		}
		p.long = append(p.long, e.Finding)
	case engine.EventShrunk:
		p.long = slices.DeleteFunc(p.long, func(f *finding.Finding) bool { return f.ID == e.Finding.ID })
		p.print(e.Finding)
	case engine.EventProgress:
		p.report(e)
	case engine.EventDone:
		p.clear()
		for _, f := range p.long {
			p.print(f)
		}
		p.long = nil
	}
}

// takeCurve returns how the last campaign went, once.
func (p *progress) takeCurve() report.Curve {
	curve := p.curve
	p.curve = report.Curve{}
	return curve
}

// print prints a finding, unless one of its group was printed.
func (p *progress) print(f *finding.Finding) {
	if p.printed[f.Spot()] || p.shows != nil && !p.shows(f) {
		return
	}
	if p.printed == nil {
		p.printed = map[finding.Spot]bool{}
	}
	p.printed[f.Spot()] = true
	p.clear()
	p.printf("%s at %s:%d:%d: %s\n", f.Severity, printable.String(p.file(f.Place)), f.Place.Start.Line, f.Place.Start.Column, printable.String(f.Message))
}

// report prints the figures of a campaign.
func (p *progress) report(e engine.Event) {
	if p.width != nil {
		p.draw(e)
		return
	}
	if now := p.now(); now.Sub(p.last) >= plainInterval {
		p.last = now
		p.printf("%s: %s%s\n", e.Contract.Name, p.figures(e), remaining(e))
	}
}

// draw replaces the status area.
func (p *progress) draw(e engine.Event) {
	width := p.width()
	lines := []string{
		fmt.Sprintf("%s%s %s%s", e.Contract.Name, strings.TrimSuffix(p.position(), ","), bar(e.Left, p.budget, 24), remaining(e)),
		"  " + p.figures(e),
	}
	p.clear()
	for _, l := range lines {
		p.printf("%s\n", fit(l, width))
	}
	p.drawn = len(lines)
}

// fit cuts a line to the width of a terminal.
func fit(line string, width int) string {
	if r := []rune(line); len(r) >= width {
		return string(r[:max(0, width-2)]) + "…"
	}
	return line
}

// clear erases the status area.
func (p *progress) clear() {
	erase(p.w, p.drawn)
	p.drawn = 0
}

// erase erases the last lines of a terminal.
func erase(w io.Writer, lines int) {
	if lines > 0 {
		fmt.Fprintf(raw(w), "\x1b[%dA\x1b[J", lines)
	}
}

// printf prints progress and ignores errors but for a closed pipe.
func (p *progress) printf(format string, args ...any) {
	if _, err := fmt.Fprintf(p.w, format, args...); errors.Is(err, syscall.EPIPE) && p.onBrokenPipe != nil {
		p.onBrokenPipe()
	}
}

func (p *progress) figures(e engine.Event) string {
	s := e.Stats
	rate, covered := 0.0, ""
	if s.Seconds > 0 {
		rate = float64(s.Inputs) / s.Seconds
	}
	if s.Instructions.Total > 0 { // not measured for tests
		covered = fmt.Sprintf(", %d %% of instructions, %d of %d branches", 100*s.Instructions.Covered/s.Instructions.Total, s.Branches.Covered, s.Branches.Total)
	}
	return fmt.Sprintf("%d inputs, %.0f a second, %d paths%s, %d found", s.Inputs, rate, s.Paths, covered, len(p.found))
}

func remaining(e engine.Event) string {
	if e.Left <= 0 {
		return ""
	}
	return fmt.Sprintf(", %s left", e.Left.Round(100*time.Millisecond))
}

// bar draws the used part of the budget.
func bar(left, budget time.Duration, width int) string {
	if budget <= 0 {
		return ""
	}
	full := min(width, max(0, int(float64(width)*(1-float64(left)/float64(budget)))))
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}
