package main

import (
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"
)

// A table is printed as Markdown with aligned columns.
type table struct {
	title  string
	notes  []string // below the title: what ran, where and when
	header []string
	rows   [][]string
}

func (t table) write(w io.Writer) {
	fmt.Fprintf(w, "### %s\n\n", t.title)
	for _, n := range t.notes {
		fmt.Fprintln(w, n)
	}
	if len(t.notes) > 0 {
		fmt.Fprintln(w)
	}
	widths := make([]int, len(t.header))
	for _, row := range append([][]string{t.header}, t.rows...) {
		for i, cell := range row {
			widths[i] = max(widths[i], utf8.RuneCountInString(cell), 3)
		}
	}
	line := func(cells []string) {
		for i, cell := range cells {
			pad := strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell))
			if i == 0 {
				fmt.Fprintf(w, "| %s%s ", cell, pad)
			} else {
				fmt.Fprintf(w, "| %s%s ", pad, cell)
			}
		}
		fmt.Fprintln(w, "|")
	}
	line(t.header)
	for i, width := range widths {
		if i == 0 {
			fmt.Fprintf(w, "|:%s-", strings.Repeat("-", width))
		} else {
			fmt.Fprintf(w, "|%s-:", strings.Repeat("-", width))
		}
	}
	fmt.Fprintln(w, "|")
	for _, row := range t.rows {
		line(row)
	}
	fmt.Fprintln(w)
}

// notes describes the sessions of the records.
func (all *records) notes(o *options, says ...string) []string {
	used := map[int]int{}
	for _, r := range all.list {
		used[r.Session]++
	}
	list := says
	for _, s := range all.sessions {
		if used[s.Session] > 0 {
			list = append(list, fmt.Sprintf("%s, revision %s, %s: `%s` (%d runs)", s.Date, s.Revision, s.Machine, s.Command, used[s.Session]))
		}
	}
	return list
}

// number formats a figure with the relevant digits.
func number(x float64) string {
	switch {
	case math.IsNaN(x):
		return "-"
	case math.IsInf(x, 0):
		return "∞"
	case x == math.Trunc(x) && math.Abs(x) < 1e15, math.Abs(x) >= 1000:
		return fmt.Sprintf("%.0f", x)
	case math.Abs(x) >= 10:
		return fmt.Sprintf("%.1f", x)
	case math.Abs(x) >= 0.01:
		return fmt.Sprintf("%.2f", x)
	}
	return fmt.Sprintf("%.4f", x)
}

// probability formats a p-value as the papers do.
func probability(p float64) string {
	if p < 0.001 {
		return "<0.001"
	}
	return fmt.Sprintf("%.3f", p)
}

func percent(part, whole int) string {
	if whole == 0 {
		return "-"
	}
	return fmt.Sprintf("%.0f %%", 100*float64(part)/float64(whole))
}
