package report

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"leveret/engine/finding"
)

// maxNotes bounds how many notes are told: in a big project most are about
// interfaces.
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
		t.paint(bold, c.Name), found(c.Findings), plural(uint64(s.Inputs), "input"), plural(uint64(s.Transactions), "transaction"),
		seconds(s.Seconds), thousands(perSecond(s)), plural(uint64(s.Paths), "path"),
		percent(s.Instructions.Covered, s.Instructions.Total), s.Branches.Covered, plural(uint64(s.Branches.Seen), "branch"))
	if s.Unconfirmed > 0 {
		t.printf("Not shown, because repeating it from the start did not show it again: %s.\n", plural(uint64(s.Unconfirmed), "suspicion"))
	}
}

func (t *text) table(contracts []Contract) {
	tab := tabwriter.NewWriter(t, 0, 0, 2, ' ', 0)
	fuzzed := 0
	for _, c := range contracts {
		s := c.Stats
		if s.Inputs == 0 {
			continue
		}
		if fuzzed++; fuzzed == 1 {
			fmt.Fprintln(tab, "contract\tfile\tfindings\tinputs\tper second\tpaths\tinstructions\tbranches")
		}
		fmt.Fprintf(tab, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%d/%d\n", c.Name, c.File, found(c.Findings), thousands(s.Inputs), thousands(perSecond(s)),
			thousands(s.Paths), percent(s.Instructions.Covered, s.Instructions.Total), s.Branches.Covered, s.Branches.Seen)
	}
	tab.Flush()
	notes := 0
	for _, c := range contracts {
		if c.Note == "" {
			continue
		}
		if notes++; notes <= maxNotes {
			t.note(&c)
		}
	}
	if notes > maxNotes {
		t.printf("%s more; the other formats have them all.\n", plural(uint64(notes-maxNotes), "note"))
	}
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
			parts = append(parts, thousands(n)+" for information")
		case n > 0:
			parts = append(parts, plural(n, noun))
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
