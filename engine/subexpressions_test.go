package engine

import (
	"os"
	"slices"
	"strings"
	"testing"

	"leveret/engine/oracle"
	"leveret/engine/search/searchtest"
	"leveret/solc/solctest"
)

// A finding of a failed check names the smallest expression that can fail like that, of
// both code generators.
func TestChecksNameWhatFails(t *testing.T) {
	source, err := os.ReadFile("testdata/Subexpressions.sol")
	if err != nil {
		t.Fatal(err)
	}
	for _, settings := range []string{"optimizer = false", "optimizer = true", "optimizer = true\nvia_ir = true"} {
		dir := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = 'src'\n"+settings, "src/Subexpressions.sol", string(source))
		b := searchtest.Compile(t, dir+"/src/Subexpressions.sol")
		named := map[int][]string{}
		for _, c := range b.Contracts {
			for _, f := range run(t, b, c.Name, Options{MaxInputs: 3000, Seed: 1}).Findings {
				if f.Oracle == oracle.Panic.Name {
					text, _, _ := strings.Cut(f.Message, "`:")
					named[f.Place.Start.Line] = append(named[f.Place.Start.Line], text[1:])
				}
			}
		}
		for i, line := range strings.Split(string(source), "\n") {
			_, label, _ := strings.Cut(line, " // ")
			if direct, viaIR, differ := strings.Cut(label, " | "); differ {
				label = direct
				if strings.Contains(settings, "via_ir") {
					label = viaIR
				}
			}
			slices.Sort(named[i+1])
			if got := strings.Join(named[i+1], ", "); got != label {
				t.Errorf("%s: line %d names %q, want %q", settings, i+1, got, label)
			}
		}
	}
}
