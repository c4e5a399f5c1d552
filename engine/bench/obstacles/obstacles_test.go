package obstacles

import (
	"strings"
	"testing"
)

// One seed gives one contract, with one assertion on its line; another seed or
// size another.
func TestDeterminism(t *testing.T) {
	for _, c := range Classes {
		seen := map[string]bool{}
		for size := range Sizes {
			for seed := range uint64(10) {
				o := New(c, size, seed, "")
				if again := New(c, size, seed, ""); again != o {
					t.Errorf("%s %s %d: two contracts of one seed", c.Name, Sizes[size], seed)
				}
				line := strings.Split(o.Source, "\n")[o.Line-1]
				if strings.Count(o.Source, assertion) != 1 || !strings.Contains(line, assertion) || o.Least < 1 {
					t.Errorf("%s %s %d: line %d is %q, %d transactions", c.Name, Sizes[size], seed, o.Line, line, o.Least)
				}
				if marked := New(c, size, seed, "reached = true;"); strings.ReplaceAll(marked.Source, "reached = true;", assertion) != o.Source {
					t.Errorf("%s %s %d: another statement changes the contract", c.Name, Sizes[size], seed)
				}
				seen[o.Source] = true
			}
		}
		if len(seen) < 20 {
			t.Errorf("%s: %d different contracts", c.Name, len(seen))
		}
	}
}
