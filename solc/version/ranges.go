package version

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// A Range is the set of versions that a pragma allows. It has the compiler's
// subset of npm's ranges: ^ ~ < <= > >= = x * || and hyphens. A pre-release
// counts as its release.
type Range struct {
	alternatives []interval
}

// An interval is low <= v < high; open has no upper end.
type interval struct {
	low, high Version
	open      bool
}

// Any is the range of a source without a pragma.
func Any() Range { return Range{alternatives: []interval{{open: true}}} }

// Contains reports whether v is in r.
func (r Range) Contains(v Version) bool {
	for _, i := range r.alternatives {
		if v.CompareRelease(i.low) >= 0 && (i.open || v.CompareRelease(i.high) < 0) {
			return true
		}
	}
	return false
}

// Empty reports whether no version is in r.
func (r Range) Empty() bool { return len(r.alternatives) == 0 }

// Intersect returns the versions that are in both.
func (r Range) Intersect(s Range) Range {
	var both Range
	for _, a := range r.alternatives {
		for _, b := range s.alternatives {
			both.add(a.intersect(b))
		}
	}
	return both
}

func (r *Range) add(i interval) {
	if i.open || i.low.CompareRelease(i.high) < 0 {
		r.alternatives = append(r.alternatives, i)
	}
}

func (a interval) intersect(b interval) interval {
	out := a
	if b.low.CompareRelease(a.low) > 0 {
		out.low = b.low
	}
	if !b.open && (a.open || b.high.CompareRelease(a.high) < 0) {
		out.high, out.open = b.high, false
	}
	return out
}

// Example returns a released version in r: the last release of the newest line
// that has one in r. It returns false if none is known.
func (r Range) Example() (Version, bool) {
	for i := len(lastReleases) - 1; i >= 0; i-- {
		if r.Contains(lastReleases[i]) {
			return lastReleases[i], true
		}
	}
	for i := len(r.alternatives) - 1; i >= 0; i-- {
		if low := r.alternatives[i].low; low.AtLeast(0, 4, 11) {
			return low, true
		}
	}
	return Version{}, false
}

// lastReleases has the last release of each closed line, and a release of the
// open line, 0.8.
var lastReleases = []Version{
	{Minor: 4, Patch: 26}, {Minor: 5, Patch: 17}, {Minor: 6, Patch: 12}, {Minor: 7, Patch: 6}, {Minor: 8, Patch: 30},
}

// spacedDot is a dot with white space beside it, which the compiler skips.
var spacedDot = regexp.MustCompile(`\s*\.\s*`)

// ParseRange reads the version part of a pragma.
func ParseRange(s string) (Range, error) {
	var r Range
	for _, part := range strings.Split(spacedDot.ReplaceAllString(s, "."), "||") {
		i, err := parseComparators(part)
		if err != nil {
			return Range{}, fmt.Errorf("%q is not a version range: %w", strings.TrimSpace(s), err)
		}
		r.add(i)
	}
	return r, nil
}

// parseComparators reads comparators that must all hold.
func parseComparators(s string) (interval, error) {
	tokens, err := rangeTokens(s)
	if err != nil {
		return interval{}, err
	}
	all := interval{open: true}
	for i := 0; i < len(tokens); i++ {
		t := tokens[i]
		next, err := t.interval()
		if err != nil {
			return interval{}, err
		}
		if i+2 < len(tokens) && tokens[i+1].op == "-" {
			t.op, tokens[i+2].op = ">=", "<="
			if next, err = t.interval(); err != nil {
				return interval{}, err
			}
			upper, err := tokens[i+2].interval()
			if err != nil {
				return interval{}, err
			}
			next = next.intersect(upper)
			i += 2
		}
		all = all.intersect(next)
	}
	return all, nil
}

// A rangeToken is an operator with its version, or a hyphen.
type rangeToken struct {
	op      string
	numbers []int // up to three; fewer where the rest is a wildcard
}

// rangeTokens splits s. White space may follow an operator, as in the compiler.
func rangeTokens(s string) ([]rangeToken, error) {
	var tokens []rangeToken
	for s = strings.TrimSpace(s); s != ""; s = strings.TrimSpace(s) {
		op := s[:len(s)-len(strings.TrimLeft(s, "<>=^~-"))]
		s = strings.TrimLeft(s[len(op):], " \t\r\n")
		switch op {
		case "-":
			tokens = append(tokens, rangeToken{op: op})
			continue
		case "", "=", "<", "<=", ">", ">=", "^", "~":
		default:
			return nil, fmt.Errorf("unknown operator %s", op)
		}
		end := strings.IndexFunc(s, func(c rune) bool { return !strings.ContainsRune("0123456789.xX*v", c) })
		if end < 0 {
			end = len(s)
		}
		numbers, err := versionNumbers(s[:end])
		if err != nil {
			return nil, err
		}
		tokens = append(tokens, rangeToken{op, numbers})
		s = s[end:]
	}
	if len(tokens) == 0 {
		return nil, errors.New("it is empty")
	}
	return tokens, nil
}

func versionNumbers(s string) ([]int, error) {
	var numbers []int
	parts := strings.Split(strings.TrimPrefix(s, "v"), ".")
	if len(parts) > 3 {
		return nil, fmt.Errorf("%q has more than three numbers", s)
	}
	for _, part := range parts {
		if part == "x" || part == "X" || part == "*" {
			break
		}
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return nil, fmt.Errorf("%q is not a version", s)
		}
		numbers = append(numbers, int(n))
	}
	return numbers, nil
}

// interval returns the versions that one comparator allows.
func (t rangeToken) interval() (interval, error) {
	if t.op == "-" {
		return interval{}, errors.New("a hyphen needs a version on both sides")
	}
	low := versionOf(t.numbers)
	after, bounded := successor(t.numbers, len(t.numbers))
	switch t.op {
	case "<":
		return interval{high: low}, nil
	case "<=":
		return interval{high: after, open: !bounded}, nil
	case ">":
		if !bounded {
			return interval{}, nil
		}
		return interval{low: after, open: true}, nil
	case ">=":
		return interval{low: low, open: true}, nil
	case "^":
		after, bounded = successor(t.numbers, caretDigits(t.numbers))
	case "~":
		after, bounded = successor(t.numbers, min(2, len(t.numbers)))
	}
	return interval{low: low, high: after, open: !bounded}, nil
}

// caretDigits returns how many leading numbers ^ keeps fixed: up to the first
// that is not zero.
func caretDigits(numbers []int) int {
	for i, n := range numbers {
		if n != 0 {
			return i + 1
		}
	}
	return len(numbers)
}

// successor returns the first version after all that start with the first n
// numbers. It returns false if n is 0.
func successor(numbers []int, n int) (Version, bool) {
	if n == 0 {
		return Version{}, false
	}
	next := append([]int(nil), numbers[:n]...)
	next[n-1]++
	return versionOf(next), true
}

func versionOf(numbers []int) Version {
	var v Version
	for i, field := range []*int{&v.Major, &v.Minor, &v.Patch} {
		if i < len(numbers) {
			*field = numbers[i]
		}
	}
	return v
}
