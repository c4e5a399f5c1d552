package engine

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"leveret/engine/finding"
	"leveret/solc"
	"leveret/solc/solctest"
)

// suiteInputs is the budget for each suite: twice the inputs of the slowest
// failure. suiteInputsLong gives false failures more time to appear.
const (
	suiteInputs     = 5000
	suiteInputsLong = 20_000
)

// Property suites written for other tools run unchanged, and exactly the labelled
// properties and assertions fail.
func TestSuites(t *testing.T) { checkSuites(t, suiteInputs) }

func TestSuitesLong(t *testing.T) {
	solctest.Long(t)
	checkSuites(t, suiteInputsLong)
}

func checkSuites(t *testing.T, inputs int) {
	for _, tool := range []string{"Echidna", "Medusa", "Foundry"} {
		file := "testdata/suites/" + tool + ".sol"
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		b := compile(t, file)
		for _, c := range b.Contracts {
			want := failingLines(string(text), c)
			if want == nil {
				continue
			}
			t.Run(c.Name, func(t *testing.T) {
				t.Parallel()
				result := run(t, b, c.Name, Options{MaxInputs: inputs, Seed: 1})
				var have []string
				for _, f := range result.Findings {
					if f.Severity < finding.Warning {
						continue
					}
					have = append(have, fmt.Sprintf("%s %d", f.Oracle, f.Place.Start.Line))
					replayed(t, b, c.Name, f.Witness)
				}
				slices.Sort(have)
				if result.Note != "" || !slices.Equal(lines(have), want) {
					t.Errorf("%s: have %v, want lines %v", result.Note, have, want)
				}
			})
		}
	}
}

// lines returns the line numbers of "oracle line".
func lines(list []string) []string {
	var numbers []string
	for _, s := range list {
		_, number, _ := strings.Cut(s, " ")
		numbers = append(numbers, number)
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// failingLines lists the lines of a suite that are labelled as failing; nil for a
// contract that is not a suite.
func failingLines(text string, c *solc.Contract) []string {
	own := text[c.Node.Span.Start:c.Node.Span.End()]
	suite := strings.Contains(own, "// fails")
	if !suite {
		return nil
	}
	first := strings.Count(text[:c.Node.Span.Start], "\n") + 1
	list := []string{}
	for i, line := range strings.Split(own, "\n") {
		if strings.HasSuffix(line, "// fails") {
			list = append(list, fmt.Sprint(first+i))
		}
	}
	slices.Sort(list)
	return list
}

// A suite's setUp is part of the deployment; a note reports its failure.
func TestSetUp(t *testing.T) {
	b := compile(t, "testdata/suites/Foundry.sol")
	_, words := deployOne(t, b, "HandlerInvariants")
	want := []string{
		"HandlerInvariants creates Switch", "HandlerInvariants creates Handler",
		"deployer creates HandlerInvariants()", "deployer calls HandlerInvariants.setUp()",
	}
	if !slices.Equal(words, want) {
		t.Errorf("%q", words)
	}
	b = compile(t, "testdata/suites/Broken.sol")
	r := run(t, b, "Broken", Options{MaxInputs: 10, Seed: 1})
	if want := `setUp of Broken reverts at testdata/suites/Broken.sol:8: require(block.number == 0, "too late")`; r.Note != want {
		t.Errorf("%q", r.Note)
	}
}
