package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/dustin/go-humanize/english"
	"github.com/spf13/pflag"

	"leveret/engine/report"
	"leveret/engine/report/baseline"
	"leveret/engine/report/printable"
)

// baselineFlags name a list of accepted findings.
type baselineFlags struct {
	file   string
	update bool

	accepted *baseline.File // nil without a baseline
}

func (f *baselineFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.file, "baseline", "", "accept the findings that `FILE` lists: they are not shown and do not fail the run")
	flags.BoolVar(&f.update, "update-baseline", false, "write the findings to the file of --baseline, and exit with 0")
}

// read reads the baseline. A missing one is empty if it is to be written.
func (f *baselineFlags) read() (err error) {
	if f.file == "" {
		if f.update {
			return errors.New("--update-baseline needs --baseline FILE, the file to write")
		}
		return nil
	}
	switch f.accepted, err = baseline.Read(f.file); {
	case err == nil:
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("--baseline %s: %w", f.file, cause(err))
	case !f.update:
		return fmt.Errorf("--baseline %s: no such file; --update-baseline writes it", f.file)
	default:
		f.accepted = &baseline.File{}
	}
	return nil
}

// needs reports whether a baseline names a source file, whose text compare needs.
func (f *baselineFlags) needs(file string) bool {
	if f.accepted == nil {
		return false
	}
	for i := range f.accepted.Findings {
		if f.accepted.Findings[i].File == file {
			return true
		}
	}
	return false
}

// compare prints what a run says about the entries that it did not find, and with
// --update-baseline writes those that stay and the findings of the run.
func (f *baselineFlags) compare(c console, out *report.Report, oracles []string) error {
	if f.accepted == nil {
		return nil
	}
	groups := out.Groups()
	next := baseline.File{}
	unchecked, removed := 0, 0
	for i := range f.accepted.Findings {
		e := &f.accepted.Findings[i]
		state := e.State(out, groups, oracles)
		if state == baseline.Found {
			continue
		}
		if state == baseline.Unchecked {
			unchecked++
		} else {
			f.tell(c, e, state)
		}
		if state.Stale() && f.update {
			removed++
			continue
		}
		next.Findings = append(next.Findings, *e)
	}
	if unchecked > 0 {
		fmt.Fprintf(c.err, "%s: %s not checked by this run.\n", printable.String(f.file), english.Plural(unchecked, "entry was", "entries were"))
	}
	if !f.update {
		return nil
	}
	added := 0
	for i := range groups {
		if !groups[i].Accepted {
			added++
		}
		next.Findings = append(next.Findings, baseline.EntryOf(&groups[i]))
	}
	if err := next.Write(f.file); err != nil {
		return fmt.Errorf("--baseline %s: %w; choose a file that can be written", f.file, cause(err))
	}
	fmt.Fprintf(c.err, "Wrote %s: %s, %d new, %d removed.\n", printable.String(f.file), english.Plural(len(next.Findings), "finding", ""), added, removed)
	return nil
}

// tell prints what a run says about an entry that it did not find.
func (f *baselineFlags) tell(c console, e *baseline.Entry, state baseline.State) {
	why := map[baseline.State]string{
		baseline.Missed:     "not found, and its code did not run",
		baseline.NotShown:   "not found, although its code ran",
		baseline.CodeIsGone: "its code is gone",
	}[state]
	switch {
	case state.Stale() && f.update:
		why += "; removed"
	case state.Stale():
		why += "; --update-baseline removes it"
	}
	fmt.Fprintf(c.err, "%s: %s (%s: %s): %s\n", printable.String(f.file), printable.String(e.ID), printable.String(e.File), printable.String(e.Text), why)
}
