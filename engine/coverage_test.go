package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"leveret/engine/finding"
)

var conditionCount = regexp.MustCompile(`// (\d)$`)

// Branches are the conditions of the source, with and without the optimiser: none of
// the checks that the compiler adds, and the copies of a modifier once.
func TestBranchesAreOfTheSource(t *testing.T) {
	text, err := os.ReadFile("testdata/Conditions.sol")
	if err != nil {
		t.Fatal(err)
	}
	for name, config := range map[string]string{"plain": "[profile.default]\noptimizer = false\n", "optimised": "[profile.default]\noptimizer = true\n"} {
		dir := t.TempDir()
		file := filepath.Join(dir, "Conditions.sol")
		if err := os.WriteFile(file, text, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "foundry.toml"), []byte(config+"src = \".\"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		result := run(t, compile(t, file), "Conditions", Options{MaxInputs: 200, Seed: 1})
		var all finding.Coverage
		got := map[int]int{} // by line
		for _, f := range result.Coverage.Files {
			for _, b := range f.Branches {
				got[b.Line]++
				all.Covered += b.Taken()
				all.Total += len(b.Outcomes)
			}
		}
		if all != result.Stats.Branches || all.Covered == 0 || all.Covered >= all.Total {
			t.Errorf("%s: the lines have %v branches, the statistics %v", name, all, result.Stats.Branches)
		}
		for i, line := range strings.Split(string(text), "\n") {
			want := 0
			if m := conditionCount.FindStringSubmatch(line); m != nil {
				want, _ = strconv.Atoi(m[1])
			}
			if got[i+1] != want {
				t.Errorf("%s: %d conditions in line %d, want %d: %s", name, got[i+1], i+1, want, line)
			}
		}
	}
}
