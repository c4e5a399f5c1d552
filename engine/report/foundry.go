package report

import (
	"fmt"
	"io"
	"strings"

	"leveret/engine/finding"
	"leveret/engine/report/foundry"
	"leveret/engine/report/printable"
)

// Foundry writes a test for each group, in a test contract for each contract, one
// file after the other. A comment stands for a group that cannot become a test, or
// should not: a note is no reason to fail.
func Foundry(w io.Writer, r *Report, _ Options) error {
	groups := fresh(r.Groups())
	for i := range r.Contracts {
		c := &r.Contracts[i]
		var file []byte
		var left []string
		for k := range groups {
			f := groups[k].Shown()
			if f.Of != c {
				continue
			}
			if f.Severity < finding.Warning {
				left = append(left, fmt.Sprintf("// No test for %s: it is a note; leveret replay --test foundry --id %[1]s writes one.\n", f.ID))
				continue
			}
			longer, err := foundry.Test(file, foundry.Contract{Name: c.Name, Solc: c.Compiler.Version}, *f.Finding, r.Block)
			if err != nil {
				left = append(left, fmt.Sprintf("// No test for %s: %s.\n", f.ID, printable.String(err.Error())))
				continue
			}
			file = longer
		}
		if len(file) == 0 && len(left) == 0 {
			continue
		}
		if _, err := fmt.Fprintf(w, "// %s\n%s%s", foundry.File(c.Name), strings.Join(left, ""), file); err != nil {
			return err
		}
	}
	return nil
}
