package report

import (
	"fmt"
	"io"
	"leveret/engine/report/foundry"
	"leveret/engine/report/printable"
	"strings"
)

// Foundry writes the findings of each contract as a test contract, one file
// after the other. A comment stands for a finding that cannot become a test.
func Foundry(w io.Writer, r *Report, _ Options) error {
	for i := range r.Contracts {
		c := &r.Contracts[i]
		var file []byte
		var left []string
		for _, f := range bySeverity(c.Findings) {
			longer, err := foundry.Test(file, foundry.Contract{Name: c.Name, Solc: c.Compiler.Version}, f, r.Block)
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
