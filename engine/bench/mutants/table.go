package main

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
)

// An outcome is what became of a mutant in a budget.
type outcome uint8

const (
	notRun outcome = iota
	missed
	found
)

// leveret returns what leveret's runs of a mutant say: what is found in 10
// seconds counts as found in 60.
func (r *results) leveret(id string, budgets ...float64) (o outcome) {
	for k, run := range r.runs {
		if k.mutant == id && k.tool == leveretTool && slices.Contains(budgets, k.budget) {
			o = max(o, missed)
			if run.Found {
				return found
			}
		}
	}
	return o
}

// forge returns what the first seeds of forge say; notRun unless all of them ran or
// one found it.
func (r *results) forge(id string, seeds uint64) outcome {
	for seed := uint64(1); seed <= seeds; seed++ {
		switch run, ok := r.of(id, forgeTool, forgeBudget, seed); {
		case !ok:
			return notRun
		case run.Found:
			return found
		}
	}
	return missed
}

// A row counts mutants that both tools ran on.
type row struct {
	planted, survived, both  int
	forge, leveret           int // found
	onlyForge, onlyLeveret   int
	longBoth, longF, longL   int
	onlyForgeL, onlyLeveretL int
}

func (r *results) count(row *row, id string) {
	row.planted++
	if r.mutants[id].Fate != survives {
		return
	}
	row.survived++
	f, l := r.forge(id, 1), r.leveret(id, 10)
	if f != notRun && l != notRun {
		row.both++
		add(&row.forge, f == found)
		add(&row.leveret, l == found)
		add(&row.onlyForge, f == found && l == missed)
		add(&row.onlyLeveret, f == missed && l == found)
	}
	f, l = r.forge(id, longSeeds), r.leveret(id, 10, 60)
	if r.leveret(id, 60) == notRun && l == missed {
		l = notRun
	}
	if f != notRun && l != notRun {
		row.longBoth++
		add(&row.longF, f == found)
		add(&row.longL, l == found)
		add(&row.onlyForgeL, f == found && l == missed)
		add(&row.onlyLeveretL, f == missed && l == found)
	}
}

// longSeeds is how many runs of forge make 60 CPU seconds.
const longSeeds = 6

func add(n *int, yes bool) {
	if yes {
		*n++
	}
}

// write writes the tables by target and by operator, and lists the mutants that one
// tool alone finds, or none.
func (r *results) write(w io.Writer) {
	for _, by := range []struct {
		name string
		of   func(*mutant) string
	}{
		{"target", func(m *mutant) string { return m.Target }},
		{"operator", func(m *mutant) string { return m.Operator }},
	} {
		rows, sum := map[string]*row{}, &row{}
		var names []string
		for _, id := range r.order {
			name := by.of(r.mutants[id])
			if rows[name] == nil {
				rows[name] = &row{}
				names = append(names, name)
			}
			r.count(rows[name], id)
			r.count(sum, id)
		}
		slices.Sort(names)
		fmt.Fprintf(w, "| %s | planted | no unit test kills | 10 s: run | forge | leveret | only forge | only leveret | 60 s: run | forge | leveret | only forge | only leveret |\n", by.name)
		fmt.Fprintln(w, "|:--|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
		for _, name := range names {
			rows[name].write(w, name)
		}
		sum.write(w, "all")
		fmt.Fprintln(w)
	}
	r.list(w, "Found by forge and not by leveret", func(f, l outcome) bool { return f == found && l == missed })
	r.list(w, "Found by leveret and not by forge", func(f, l outcome) bool { return f == missed && l == found })
	r.list(w, "Found by neither", func(f, l outcome) bool { return f == missed && l == missed })
}

func (x *row) write(w io.Writer, name string) {
	fmt.Fprintf(w, "| %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", name, x.planted, x.survived,
		x.both, x.forge, x.leveret, x.onlyForge, x.onlyLeveret, x.longBoth, x.longF, x.longL, x.onlyForgeL, x.onlyLeveretL)
}

// list lists mutants by what both tools found in 10 seconds.
func (r *results) list(w io.Writer, title string, chosen func(forge, leveret outcome) bool) {
	fmt.Fprintf(w, "%s in 10 s:\n\n", title)
	for _, id := range r.order {
		m := r.mutants[id]
		if m.Fate != survives || !chosen(r.forge(id, 1), r.leveret(id, 10)) {
			continue
		}
		by, _ := r.of(id, forgeTool, forgeBudget, 1)
		if !by.Found {
			by, _ = r.of(id, leveretTool, 10, 1)
		}
		fmt.Fprintf(w, "- %s %s:%d %s `%s` → `%s`%s\n", m.ID, m.File, m.Line, m.Operator, oneLine(m.Before), oneLine(m.After), cmp.Or(" "+by.Test, ""))
	}
	fmt.Fprintln(w)
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }
