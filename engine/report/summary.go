package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"leveret/engine/finding"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
)

// maxNotes is the largest number of notes about interfaces, libraries and the like, and
// about little coverage, that are printed one by one: large projects have hundreds.
const maxNotes = 10

// summary prints a sentence about one contract, or a table of several, with the
// groups that are shown.
func (t *text) summary(r *Report, shown []Group) {
	switch len(r.Contracts) {
	case 0:
	case 1:
		t.sentence(&r.Contracts[0], shown)
	default:
		t.table(r.Contracts, shown)
	}
}

func (t *text) sentence(c *Contract, shown []Group) {
	t.note(c)
	s := c.Stats
	if s.Inputs == 0 {
		return
	}
	covered := "" // not measured for tests
	if s.Instructions.Total > 0 {
		covered = fmt.Sprintf("; %s of instructions, %d of %s", percent(s.Instructions.Covered, s.Instructions.Total), s.Branches.Covered, english.Plural(s.Branches.Total, "branch", "branches"))
	}
	t.printf("%s: %s. %s, %s in %s (%s a second); %s%s.\n",
		t.paint(bold, c.Name), found(shown), english.Plural(s.Inputs, "input", ""), english.Plural(s.Transactions, "transaction", ""),
		seconds(s.Seconds), thousands(perSecond(s)), english.Plural(s.Paths, "path", ""), covered)
	t.blocker(c)
	if s.Unconfirmed > 0 {
		t.printf("Not reported, because it did not happen again from the start: %s.\n", english.Plural(s.Unconfirmed, "suspicion", ""))
	}
}

// table prints a row for each contract that can be fuzzed, the notes of the
// others, and the total.
func (t *text) table(contracts []Contract, shown []Group) {
	tab := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	var notes, kinds []Contract
	rows := 0
	for i := range contracts {
		c := contracts[i]
		if c.Note != "" && c.Kind == "" {
			notes = append(notes, c)
		}
		if c.Kind != "" {
			kinds = append(kinds, c)
			continue
		}
		if rows++; rows == 1 {
			fmt.Fprintln(tab, "contract\tfile\tfindings\tinputs\tper second\tpaths\tinstructions\tbranches")
		}
		t.row(tab, c, t.file(c, contracts), found(contracts[i].of(shown)))
	}
	tab.Flush()
	for _, c := range notes {
		t.note(&c)
	}
	said := 0
	for i := range contracts {
		if contracts[i].Blocker != nil && said < maxNotes {
			t.blocker(&contracts[i])
			said++
		}
	}
	if len(kinds) <= maxNotes {
		for _, c := range kinds {
			t.note(&c)
		}
	} else {
		t.printf("Not fuzzed on their own: %s.\n", countKinds(kinds))
	}
	if rows > 1 {
		t.sum(contracts, rows, found(shown))
	}
}

func (t *text) row(tab *tabwriter.Writer, c Contract, file, found string) {
	s := c.Stats
	if s.Inputs == 0 {
		printfTo(tab, "%s\t%s\tnot fuzzed\t-\t-\t-\t-\t-\n", c.Name, file)
		return
	}
	printfTo(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d/%d\n", c.Name, file, found, thousands(s.Inputs), thousands(perSecond(s)),
		thousands(s.Paths), percent(s.Instructions.Covered, s.Instructions.Total), s.Branches.Covered, s.Branches.Total)
}

// file is the shown name of a contract's source: relative to its project or, if
// there are several projects, as in findings.
func (t *text) file(c Contract, all []Contract) string {
	for _, other := range all {
		if other.Root != c.Root {
			return t.options.File(finding.Place{File: c.File, Path: filepath.Join(c.Root, filepath.FromSlash(c.File))})
		}
	}
	return c.File
}

// countKinds counts contracts by kind, "34 interfaces, 2 libraries".
func countKinds(contracts []Contract) string {
	var parts []string
	for _, kind := range []string{"interface", "library", "abstract contract", "test"} {
		n := 0
		for _, c := range contracts {
			if c.Kind == kind {
				n++
			}
		}
		switch {
		case n == 0:
		default:
			parts = append(parts, english.Plural(n, kind, ""))
		}
	}
	return strings.Join(parts, ", ")
}

// sum prints the totals of all contracts.
func (t *text) sum(contracts []Contract, rows int, found string) {
	fuzzed, covered, total, inputs := 0, 0, 0, 0
	for _, c := range contracts {
		if c.Stats.Inputs > 0 {
			fuzzed++
		}
		covered, total = covered+c.Stats.Instructions.Covered, total+c.Stats.Instructions.Total
		inputs += c.Stats.Inputs
	}
	t.printf("%s %d of %s: %s. %s; %s of instructions.\n", t.paint(bold, "Fuzzed"), fuzzed, english.Plural(rows, "contract", ""),
		found, english.Plural(inputs, "input", ""), percent(covered, total))
}

// note prints why a contract was not fuzzed, or not as usual.
func (t *text) note(c *Contract) {
	if c.Note != "" {
		t.printf("%s: %s.\n", c.File, strings.TrimSuffix(c.Note, "."))
	}
}

// found counts groups by severity, "2 errors, 1 warning".
func found(groups []Group) string {
	var parts []string
	for severity := finding.Error; severity > finding.Off; severity-- {
		n := 0
		for i := range groups {
			if groups[i].Shown().Severity == severity {
				n++
			}
		}
		switch noun := severity.String(); {
		case n > 0 && severity == finding.Information:
			parts = append(parts, english.Plural(n, "note", ""))
		case n > 0:
			parts = append(parts, english.Plural(n, noun, ""))
		}
	}
	if parts == nil {
		return "no findings"
	}
	return strings.Join(parts, ", ")
}

// thousands formats n with separators, "12,345".
func thousands(n int) string { return humanize.Comma(int64(n)) }

func percent(part, whole int) string {
	if whole == 0 {
		return "0 %"
	}
	return fmt.Sprintf("%d %%", 100*part/whole)
}

func seconds(s float64) string {
	if s < 10 {
		return fmt.Sprintf("%.2f s", s)
	}
	return fmt.Sprintf("%.0f s", s)
}

func perSecond(s finding.Stats) int {
	if s.Seconds <= 0 {
		return 0
	}
	return int(float64(s.Inputs) / s.Seconds)
}
