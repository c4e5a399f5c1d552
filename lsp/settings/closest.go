package settings

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// didYouMean suggests the known word closest to name. It is empty if none is
// close.
func didYouMean(name string, known []string) string {
	best, distance := "", 0
	for _, word := range known {
		d := editDistance(strings.ToLower(name), strings.ToLower(word))
		if best == "" || d < distance {
			best, distance = word, d
		}
	}
	if best == "" || distance > max(2, utf8.RuneCountInString(name)/2) {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// maxWord bounds the words that editDistance compares. No key is as long.
const maxWord = 64

// editDistance returns the Levenshtein distance of a and b in bytes.
func editDistance(a, b string) int {
	if len(a) > maxWord {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
