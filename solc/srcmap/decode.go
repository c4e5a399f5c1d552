package srcmap

import (
	"errors"
	"fmt"
)

// maxEntries bounds the entries of one map: no EVM code has more instructions.
// Otherwise repeated ";" would allocate 48 times their length.
const maxEntries = 1 << 24

// Decode expands a compressed source map, "s:l:f:j:m;…", into one Entry per
// instruction. An empty or missing field repeats that of the previous entry. The
// empty map has no entries. The modifier depth is zero before 0.6.0.
func Decode(compressed string) ([]Entry, error) {
	if compressed == "" {
		return nil, nil
	}
	count := 1
	for i := 0; i < len(compressed); i++ {
		if compressed[i] == ';' {
			count++
		}
	}
	if count > maxEntries {
		return nil, fmt.Errorf("source map has %d entries, more than any bytecode", count)
	}
	entries := make([]Entry, 0, count)
	current := Entry{Span: Span{Source: -1}, Jump: JumpRegular}
	for rest, more := compressed, true; more; {
		var err error
		if rest, more, err = decodeEntry(rest, &current); err != nil {
			return nil, fmt.Errorf("source map entry %d: %w", len(entries), err)
		}
		entries = append(entries, current)
	}
	return entries, nil
}

// decodeEntry updates e with the fields before the first ';' of s and returns
// the rest; more is false if there is no ';'.
func decodeEntry(s string, e *Entry) (rest string, more bool, err error) {
	for field := 0; ; field++ {
		end := 0
		for end < len(s) && s[end] != ':' && s[end] != ';' {
			end++
		}
		if end > 0 {
			if err := setField(e, field, s[:end]); err != nil {
				return "", false, err
			}
		}
		if end == len(s) {
			return "", false, nil
		}
		if s[end] == ';' {
			return s[end+1:], true, nil
		}
		s = s[end+1:]
	}
}

// setField sets the field of e at the given position. It ignores unknown
// positions, which later versions of the format may add.
func setField(e *Entry, field int, text string) (err error) {
	switch field {
	case 0:
		e.Start, err = integer(text)
	case 1:
		e.Length, err = integer(text)
	case 2:
		e.Source, err = integer(text)
	case 3:
		e.Jump = Jump(text[0])
		if len(text) != 1 || e.Jump != JumpRegular && e.Jump != JumpInto && e.Jump != JumpOut {
			err = fmt.Errorf("jump kind %q", text)
		}
	case 4:
		e.ModifierDepth, err = integer(text)
	}
	return err
}

var errNumber = errors.New("not a number")

// integer parses a decimal number. All negative numbers become -1, which means
// "unknown" in the format.
func integer(text string) (int, error) {
	digits := text
	if text[0] == '-' {
		digits = text[1:]
	}
	if digits == "" || len(digits) > 9 {
		return 0, fmt.Errorf("%q: %w", text, errNumber)
	}
	n := 0
	for i := 0; i < len(digits); i++ {
		d := digits[i] - '0'
		if d > 9 {
			return 0, fmt.Errorf("%q: %w", text, errNumber)
		}
		n = n*10 + int(d)
	}
	if len(digits) < len(text) {
		return -1, nil
	}
	return n, nil
}

// ParseSpan parses a source location "start:length:source", the form in syntax
// trees.
func ParseSpan(src string) (Span, error) {
	var e Entry
	e.Source = -1
	rest, more, err := decodeEntry(src, &e)
	if err != nil {
		return Span{}, fmt.Errorf("source location: %w", err)
	}
	if more || rest != "" {
		return Span{}, fmt.Errorf("source location %q is more than one", src)
	}
	return e.Span, nil
}
