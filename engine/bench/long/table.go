package main

import (
	"fmt"
	"io"
)

// rows are the minutes of the run that the table shows.
var rows = []float64{1, 2, 5, 10, 15, 20, 25, 30, 60, 120, 240, 480, 1440}

// write prints a run.
func (r *result) write(w io.Writer) {
	fmt.Fprintf(w, "### %s with --memory %s\n\n%s, revision %s\n\n", r.Contract, r.Memory, r.Date, r.Revision)
	fmt.Fprintln(w, "| minute | CPU s | MB resident | inputs | paths | instructions | branches |")
	fmt.Fprintln(w, "|-------:|------:|------------:|-------:|------:|-------------:|---------:|")
	for _, minute := range rows {
		for i := range r.Samples {
			if s := &r.Samples[i]; s.Seconds >= 60*minute || i == len(r.Samples)-1 && s.Seconds > 60*minute-30 {
				s.row(w)
				break
			}
		}
	}
	last := &r.Samples[len(r.Samples)-1]
	fmt.Fprintf(w, "\nThe most after 10 minutes: %.0f MB. Killed after %.0f s with a corpus of %.1f MB.", r.most()/1e6, last.Seconds, float64(r.Corpus)/1e6)
	if n := len(r.Resumed); n > 0 {
		s := &r.Resumed[n-1]
		fmt.Fprintf(w, " Resumed: %.0f instructions and %.0f branches after %.1f s (%.1f CPU s, compiling included).", s.Instructions, s.Branches, s.Seconds, s.CPU)
	}
	fmt.Fprintln(w)
}

func (s *sample) row(w io.Writer) {
	fmt.Fprintf(w, "| %.0f | %.0f | %.0f | %.0f | %.0f | %.0f | %.0f |\n", s.Seconds/60, s.CPU, s.Resident/1e6, s.Inputs, s.Paths, s.Instructions, s.Branches)
}

// most returns the most memory after 10 minutes, in bytes.
func (r *result) most() (most float64) {
	for _, s := range r.Samples {
		if s.Seconds >= 600 {
			most = max(most, s.Resident)
		}
	}
	return most
}
