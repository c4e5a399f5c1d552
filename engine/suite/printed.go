package suite

import (
	"slices"
	"strings"
)

// printedFailure says what the first assertion that failed without a revert printed: of
// ds-test the lines "Error: " with the text of the test and with its own, then one line for
// each value, which begins with spaces; of cheatcodes one line.
func printedFailure(lines []string) string {
	isError := func(line string) bool { return strings.HasPrefix(line, dsError) }
	first := slices.IndexFunc(lines, isError)
	if first < 0 {
		if i := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, assertionFailed) }); i >= 0 {
			return lines[i]
		}
		return assertionFailed
	}
	parts := []string{assertionFailed}
	for lines = lines[first:]; len(lines) > 0 && isError(lines[0]); lines = lines[1:] {
		text := strings.TrimPrefix(lines[0], dsError)
		if text != dsPlain {
			parts = append(parts, text)
		}
		if text == dsPlain || strings.Contains(text, dsRelation) {
			lines = lines[1:]
			break
		}
	}
	var values []string
	for _, line := range lines {
		if !strings.HasPrefix(line, " ") || !strings.Contains(line, ": ") {
			break
		}
		values = append(values, strings.TrimSpace(line))
	}
	reason := strings.Join(parts, ": ")
	if len(values) > 0 {
		reason += " (" + strings.Join(values, ", ") + ")"
	}
	return reason
}

// What ds-test prints about a failed assertion, after the text of the test if there is one.
const (
	dsError    = "Error: "
	dsPlain    = "Assertion Failed" // of assertTrue
	dsRelation = " not satisfied ["
)
