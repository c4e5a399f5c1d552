package cheat

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// maxSelected bounds the values that a path selects.
const maxSelected = 1 << 16

// selectJSON returns the values at a JSONPath, as https://goessner.net/articles/JsonPath
// has it, without filters and scripts: "$.a.b[0]", ".a['b c'][*]", "..id", ".a[0:2]".
func selectJSON(root any, path string) ([]any, error) {
	rest := strings.TrimPrefix(path, "$")
	if rest == "." {
		rest = ""
	}
	found := []any{root}
	for rest != "" {
		step, after, err := parseStep(rest)
		if err != nil {
			return nil, fmt.Errorf("failed selecting from JSON: %q: %w", clip(path), err)
		}
		if found, err = step.apply(found); err != nil {
			return nil, err
		}
		rest = after
	}
	return found, nil
}

// A step selects values within others.
type step struct {
	deep bool // also within all values below
	all  bool
	keys []string
	// Positions in arrays, negative ones from the end.
	indices []int
	slice   *slice
}

// A slice is [from:to:by].
type slice struct {
	from, to *int
	by       int
}

var errStep = errors.New("expected .key or [index]")

// parseStep reads the first step of a path.
func parseStep(path string) (s step, rest string, err error) {
	if rest, s.deep = strings.CutPrefix(path, ".."); !s.deep {
		rest = strings.TrimPrefix(path, ".")
	}
	if strings.HasPrefix(rest, "[") {
		rest, err = s.parseBrackets(rest[1:])
		return s, rest, err
	}
	if rest == path { // no dot
		return s, "", errStep
	}
	end := strings.IndexAny(rest, ".[")
	if end < 0 {
		end = len(rest)
	}
	switch key := rest[:end]; key {
	case "":
		return s, "", errStep
	case "*":
		s.all = true
	default:
		s.keys = []string{key}
	}
	return s, rest[end:], nil
}

// parseBrackets reads what follows "[".
func (s *step) parseBrackets(path string) (rest string, err error) {
	for rest = path; ; {
		rest = strings.TrimLeft(rest, " ")
		if rest == "" {
			return "", errStep
		}
		switch c := rest[0]; {
		case c == '\'' || c == '"':
			key, after, ok := strings.Cut(rest[1:], rest[:1])
			if !ok {
				return "", errors.New("unterminated string")
			}
			s.keys, rest = append(s.keys, key), after
		case c == '*':
			s.all, rest = true, rest[1:]
		case c == '?' || c == '(':
			return "", errors.New("filters and scripts are not supported")
		default:
			end := strings.IndexAny(rest, ",]")
			if end < 0 {
				return "", errStep
			}
			if err := s.parseIndex(strings.TrimSpace(rest[:end])); err != nil {
				return "", err
			}
			rest = rest[end:]
		}
		rest = strings.TrimLeft(rest, " ")
		if after, ok := strings.CutPrefix(rest, "]"); ok {
			return after, nil
		}
		after, ok := strings.CutPrefix(rest, ",")
		if !ok {
			return "", errStep
		}
		rest = after
	}
}

// parseIndex reads "3" or "1:2".
func (s *step) parseIndex(text string) error {
	parts := strings.Split(text, ":")
	if len(parts) == 1 {
		n, err := strconv.Atoi(text)
		if err != nil {
			return errStep
		}
		s.indices = append(s.indices, n)
		return nil
	}
	numbers := [3]*int{}
	for i, part := range parts {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil || i > 2 {
			return errStep
		}
		numbers[i] = &n
	}
	s.slice = &slice{from: numbers[0], to: numbers[1], by: 1}
	if by := numbers[2]; by != nil {
		if *by < 1 {
			return errors.New("the step of a slice must be greater than 0")
		}
		s.slice.by = min(*by, math.MaxInt32)
	}
	return nil
}

// apply returns what a step selects within values.
func (s *step) apply(values []any) (found []any, err error) {
	for _, v := range values {
		if s.deep {
			found = s.descend(v, found)
		} else {
			found = s.within(v, found)
		}
		if len(found) > maxSelected {
			return nil, fmt.Errorf("the path selects more than %d values", maxSelected)
		}
	}
	return found, nil
}

// descend adds what a step selects within a value and all below it.
func (s *step) descend(v any, found []any) []any {
	if found = s.within(v, found); len(found) > maxSelected {
		return found
	}
	every := step{all: true}
	for _, below := range every.within(v, nil) {
		found = s.descend(below, found)
	}
	return found
}

// within adds what a step selects within one value.
func (s *step) within(v any, found []any) []any {
	switch v := v.(type) {
	case *object:
		keys := s.keys
		if s.all {
			keys = v.keys
		}
		for _, key := range keys {
			if value, ok := v.values[key]; ok {
				found = append(found, value)
			}
		}
	case []any:
		if s.all {
			return append(found, v...)
		}
		for _, i := range s.positions(len(v)) {
			found = append(found, v[i])
		}
	}
	return found
}

// positions returns those of an array's elements that a step selects.
func (s *step) positions(n int) (list []int) {
	for _, i := range s.indices {
		if i < 0 {
			i += n
		}
		if i >= 0 && i < n {
			list = append(list, i)
		}
	}
	if s.slice != nil {
		for i := bound(s.slice.from, 0, n); i < bound(s.slice.to, n, n); i += s.slice.by {
			list = append(list, i)
		}
	}
	return list
}

// bound returns an end of a slice within an array.
func bound(at *int, missing, n int) int {
	if at == nil {
		return missing
	}
	i := *at
	if i < 0 {
		i += n
	}
	return min(max(i, 0), n)
}
