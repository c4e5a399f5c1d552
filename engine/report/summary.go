package report

import (
	"fmt"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"leveret/engine/finding"
	"leveret/engine/report/words"
)

// maxNotes bounds how many notes about interfaces and their like are told one by
// one: in a big project there are hundreds.
const maxNotes = 10

// summary tells what was done: a sentence for one contract, a table for more.
func (t *text) summary(r *Report) {
	switch len(r.Contracts) {
	case 0:
	case 1:
		t.sentence(&r.Contracts[0])
	default:
		t.table(r.Contracts)
	}
}

func (t *text) sentence(c *Contract) {
	t.note(c)
	s := c.Stats
	if s.Inputs == 0 {
		return
	}
	t.printf("%s: %s. %s, %s in %s (%s a second); %s; %s of instructions, %d of %s.\n",
		t.paint(bold, c.Name), found(c.Findings), words.Plural(uint64(s.Inputs), "input"), words.Plural(uint64(s.Transactions), "transaction"),
		seconds(s.Seconds), words.Thousands(perSecond(s)), words.Plural(uint64(s.Paths), "path"),
		percent(s.Instructions.Covered, s.Instructions.Total), s.Branches.Covered, words.Plural(uint64(s.Branches.Seen), "branch"))
	if s.Unconfirmed > 0 {
		t.printf("Not shown, because repeating it from the start did not show it again: %s.\n", words.Plural(uint64(s.Unconfirmed), "suspicion"))
	}
}

// table has a row for each contract that was to be fuzzed, why some were not,
// and the sum.
func (t *text) table(contracts []Contract) {
	tab := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	var notes, kinds []Contract
	rows := 0
	for _, c := range contracts {
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
		t.row(tab, c, t.file(c, contracts))
	}
	tab.Flush()
	for _, c := range notes {
		t.note(&c)
	}
	if len(kinds) <= maxNotes {
		for _, c := range kinds {
			t.note(&c)
		}
	} else {
		t.printf("Not fuzzed by themselves: %s.\n", countKinds(kinds))
	}
	if rows > 1 {
		t.sum(contracts, rows)
	}
}

func (t *text) row(tab *tabwriter.Writer, c Contract, file string) {
	s := c.Stats
	if s.Inputs == 0 {
		printfTo(tab, "%s\t%s\tnot fuzzed\t-\t-\t-\t-\t-\n", c.Name, file)
		return
	}
	printfTo(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d/%d\n", c.Name, file, found(c.Findings), words.Thousands(s.Inputs), words.Thousands(perSecond(s)),
		words.Thousands(s.Paths), percent(s.Instructions.Covered, s.Instructions.Total), s.Branches.Covered, s.Branches.Seen)
}

// file is how a contract's source is shown: relative to its project or, where
// there are several, as findings are.
func (t *text) file(c Contract, all []Contract) string {
	for _, other := range all {
		if other.Root != c.Root {
			return t.options.File(finding.Place{File: c.File, Path: filepath.Join(c.Root, filepath.FromSlash(c.File))})
		}
	}
	return c.File
}

// countKinds counts, "34 interfaces, 2 libraries".
func countKinds(contracts []Contract) string {
	var parts []string
	for _, kind := range []string{"interface", "library", "abstract contract", "test"} {
		n := uint64(0)
		for _, c := range contracts {
			if c.Kind == kind {
				n++
			}
		}
		switch {
		case n == 0:
		case n > 1 && kind == "library":
			parts = append(parts, words.Thousands(n)+" libraries")
		default:
			parts = append(parts, words.Plural(n, kind))
		}
	}
	return strings.Join(parts, ", ")
}

// sum tells about all contracts together.
func (t *text) sum(contracts []Contract, rows int) {
	fuzzed, covered, total, inputs := 0, 0, 0, uint64(0)
	var findings []finding.Finding
	for _, c := range contracts {
		if c.Stats.Inputs > 0 {
			fuzzed++
		}
		covered, total = covered+c.Stats.Instructions.Covered, total+c.Stats.Instructions.Total
		inputs += uint64(c.Stats.Inputs)
		findings = append(findings, c.Findings...)
	}
	t.printf("%s %d of %s: %s. %s; %s of instructions.\n", t.paint(bold, "Fuzzed"), fuzzed, words.Plural(uint64(rows), "contract"),
		found(findings), words.Plural(inputs, "input"), percent(covered, total))
}

// note tells why a contract was not fuzzed, or less than usual.
func (t *text) note(c *Contract) {
	if c.Note != "" {
		t.printf("%s: %s.\n", c.File, strings.TrimSuffix(c.Note, "."))
	}
}

// found counts findings by severity, "2 errors, 1 warning".
func found(findings []finding.Finding) string {
	var parts []string
	for severity := finding.Error; severity > finding.Off; severity-- {
		n := uint64(0)
		for _, f := range findings {
			if f.Severity == severity {
				n++
			}
		}
		switch noun := severity.String(); {
		case n > 0 && severity == finding.Information:
			parts = append(parts, words.Thousands(n)+" for information")
		case n > 0:
			parts = append(parts, words.Plural(n, noun))
		}
	}
	if parts == nil {
		return "nothing found"
	}
	return strings.Join(parts, ", ")
}

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
