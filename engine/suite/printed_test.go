package suite

import (
	"strings"
	"testing"
)

func TestPrintedFailure(t *testing.T) {
	for lines, want := range map[string]string{
		"":                          "assertion failed",
		"hello":                     "assertion failed",
		"x|Error: Assertion Failed": "assertion failed",
		"Error: too poor|Error: Assertion Failed|Error: a == b not satisfied [uint]":                             "assertion failed: too poor",
		"Error: a == b not satisfied [uint]|      Left: 1|     Right: 2|next: 3|  a: 4":                          "assertion failed: a == b not satisfied [uint] (Left: 1, Right: 2)",
		"Error: sums|Error: a ~= b not satisfied [uint]|      Left: 1|     Right: 5| Max Delta: 2|     Delta: 4": "assertion failed: sums: a ~= b not satisfied [uint] (Left: 1, Right: 5, Max Delta: 2, Delta: 4)",
		"Error: a > b not satisfied [uint]|  Value a: 1|  Value b: 2|Error: Assertion Failed":                    "assertion failed: a > b not satisfied [uint] (Value a: 1, Value b: 2)",
		"log|assertion failed: 1 != 2": "assertion failed: 1 != 2",
	} {
		if got := printedFailure(strings.Split(lines, "|")); got != want {
			t.Errorf("%q: %q, want %q", lines, got, want)
		}
	}
}
