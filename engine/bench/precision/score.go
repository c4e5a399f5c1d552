package main

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A Score counts one oracle's findings.
type Score struct {
	True, False, Missed int
}

// Precision is the share of reported findings that are true; 1 if there are
// none.
func (s Score) Precision() float64 { return share(s.True, s.False) }

// Recall is the share of true findings that were reported; 1 if there are none.
func (s Score) Recall() float64 { return share(s.True, s.Missed) }

func share(good, bad int) float64 {
	if good+bad == 0 {
		return 1
	}
	return float64(good) / float64(good+bad)
}

// A Judgement compares reported with expected findings.
type Judgement struct {
	Scores        map[string]Score
	False, Missed []Label
}

// Judge compares reported findings with labels and ignores allowed ones.
func Judge(l Labels, reported map[Label]bool) Judgement {
	j := Judgement{Scores: map[string]Score{}}
	for label := range reported {
		s := j.Scores[label.Oracle]
		switch {
		case l.Expected[label]:
			s.True++
		case l.Allowed[label]:
		default:
			s.False++
			j.False = append(j.False, label)
		}
		j.Scores[label.Oracle] = s
	}
	for label := range l.Expected {
		if !reported[label] {
			s := j.Scores[label.Oracle]
			s.Missed++
			j.Scores[label.Oracle] = s
			j.Missed = append(j.Missed, label)
		}
	}
	slices.SortFunc(j.False, compare)
	slices.SortFunc(j.Missed, compare)
	return j
}

func compare(a, b Label) int {
	return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Oracle, b.Oracle))
}

// Write prints a table, then the false and the missed findings.
func (j Judgement) Write(w io.Writer) {
	fmt.Fprintf(w, "%-20s %5s %5s %6s %9s %6s\n", "oracle", "true", "false", "missed", "precision", "recall")
	var all Score
	for _, name := range slices.Sorted(maps.Keys(j.Scores)) {
		s := j.Scores[name]
		all = Score{all.True + s.True, all.False + s.False, all.Missed + s.Missed}
		row(w, name, s)
	}
	row(w, "all", all)
	for _, l := range j.False {
		fmt.Fprintf(w, "false:  %s:%d %s\n", l.File, l.Line, l.Oracle)
	}
	for _, l := range j.Missed {
		fmt.Fprintf(w, "missed: %s:%d %s\n", l.File, l.Line, l.Oracle)
	}
}

func row(w io.Writer, name string, s Score) {
	fmt.Fprintf(w, "%-20s %5d %5d %6d %8.1f%% %5.1f%%\n", name, s.True, s.False, s.Missed, 100*s.Precision(), 100*s.Recall())
}
