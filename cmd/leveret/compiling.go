package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/dustin/go-humanize/english"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// A compileProgress says what is being compiled if that takes longer than a
// second: on a terminal in a line that it redraws every second and erases at the
// end, elsewhere in one line at the start and one at the end. What it gives up stays on
// the terminal. It says once how a long run via IR is avoided.
type compileProgress struct {
	w     io.Writer
	hint  bool       // recommend --fast after a long run via IR
	width func() int // columns of the terminal; nil without one
	now   func() time.Time
	tick  func() (seconds <-chan time.Time, stop func())
}

// slowCompilation is how long a run via IR takes before --fast is recommended.
const slowCompilation = 30 * time.Second

func newCompileProgress(w io.Writer, hint bool) *compileProgress {
	return &compileProgress{w: w, hint: hint, width: terminalWidth(w), now: time.Now, tick: func() (<-chan time.Time, func()) {
		t := time.NewTicker(time.Second)
		return t.C, t.Stop
	}}
}

// follow reports a run of a compiler until the returned function is called. Runs
// must not overlap.
func (p *compileProgress) follow(r compiler.Run) (ended func(error)) {
	over, done := make(chan error), make(chan struct{})
	go func() {
		defer close(done)
		p.report(r, over)
	}()
	return func(err error) {
		over <- err
		<-done
	}
}

// report prints until the run is over, with its error.
func (p *compileProgress) report(r compiler.Run, over <-chan error) {
	start := p.now()
	seconds, stop := p.tick()
	defer stop()
	said := false
	for {
		select {
		case <-seconds:
			p.running(r, p.now().Sub(start), said)
			said = true
		case err := <-over:
			if said {
				p.ended(r, p.now().Sub(start), err)
			}
			return
		}
	}
}

// running reports that r still runs. again is false the first time.
func (p *compileProgress) running(r compiler.Run, elapsed time.Duration, again bool) {
	switch {
	case p.width != nil:
		if again {
			erase(p.w, 1)
		}
		fmt.Fprintln(p.w, fit(fmt.Sprintf("Compiling %s, %.0f s", r, elapsed.Seconds()), p.width()))
	case !again:
		fmt.Fprintf(p.w, "Compiling %s\n", r)
	}
}

// ended reports that r is over; err says why it has no output.
func (p *compileProgress) ended(r compiler.Run, elapsed time.Duration, err error) {
	if p.width != nil {
		erase(p.w, 1)
	}
	switch {
	case err != nil:
		why := ""
		if f := (*solc.Failure)(nil); errors.As(err, &f) && f.Kind == solc.CompilerFailed { // others say so by their time
			why = ": " + f.Sentence
		}
		fmt.Fprintf(p.w, "Gave up compiling %s, after %.0f s%s\n", r, elapsed.Seconds(), why)
	case p.width == nil:
		fmt.Fprintf(p.w, "Compiled %s, in %.0f s\n", r, elapsed.Seconds())
	}
	if r.Settings.ViaIR && elapsed >= slowCompilation && p.hint {
		p.hint = false
		fmt.Fprintln(p.w, "note: with --fast, code that does not need IR compiles without it, which takes much less time")
	}
}

// compile compiles the files of projects. The failures are those of single files.
func (c console) compile(ctx context.Context, batches []selection.Batch, fast *project.Fast) (units []selection.Unit, failures []error) {
	for _, b := range batches {
		b.Project.Fast = fast
		compiled, failed := b.Compile(ctx)
		c.notes(b.Project, compiled)
		_, wrong := b.Project.HarnessConfigs()
		c.failed(wrong)
		units, failures = append(units, compiled...), append(failures, failed...)
	}
	return units, failures
}

// nothing prints all failures but one, which it returns: nothing was compiled.
func (c console) nothing(failures []error) error {
	if missing := missingCompilers(failures); missing != nil {
		failures = append([]error{missing}, failures...)
	}
	c.failed(failures[1:])
	return failures[0]
}

// missingCompilers returns one sentence with the command that installs all
// compilers that files lack, or nil if fewer than two files lack one.
func missingCompilers(failures []error) error {
	files, versions := 0, []string(nil)
	for _, err := range failures {
		var f *solc.Failure
		if errors.As(err, &f) && f.Install != "" {
			files++
			versions = append(versions, f.Install)
		}
	}
	if files < 2 {
		return nil
	}
	slices.Sort(versions)
	return fmt.Errorf("%d files need compilers that are not installed; run leveret solc install %s", files, strings.Join(slices.Compact(versions), " "))
}

// joined joins failures that the same command repairs, such as the installation of
// a package: the first is kept, followed by one line that names the other places.
func joined(failures []error) (list []error) {
	type group struct {
		first  error
		others []string
	}
	var groups []*group
	repairs := map[string]*group{}
	for _, err := range failures {
		var f *solc.Failure
		if errors.As(err, &f) && f.File != "" && strings.HasPrefix(f.Remedy, "run ") {
			if g := repairs[f.Remedy]; g != nil {
				g.others = append(g.others, f.Place())
				continue
			}
			repairs[f.Remedy] = &group{first: err}
			groups = append(groups, repairs[f.Remedy])
			continue
		}
		groups = append(groups, &group{first: err})
	}
	for _, g := range groups {
		list = append(list, g.first)
		if len(g.others) > 0 {
			list = append(list, fmt.Errorf("the same for %s", english.WordSeries(bounded(g.others), "and")))
		}
	}
	return list
}

// bounded replaces all but the first few names by their number.
func bounded(names []string) []string {
	const most = 3
	if len(names) <= most+1 {
		return names
	}
	return append(names[:most:most], fmt.Sprintf("%d other files", len(names)-most))
}
