package ast

import (
	"encoding/json"
	"errors"
	"fmt"
)

// A scanner reads JSON front to back. For speed it does not validate the values
// that it skips; it never reads outside the data.
type scanner struct {
	data  []byte
	pos   int
	depth int
}

// maxDepth is the maximal nesting, as in encoding/json.
const maxDepth = 10_000

var (
	errEnd   = errors.New("unexpected end of JSON")
	errDepth = errors.New("JSON is nested too deeply")
)

func (s *scanner) syntax(want string) error {
	if s.pos >= len(s.data) {
		return errEnd
	}
	return fmt.Errorf("offset %d: %q where %s should be", s.pos, s.data[s.pos], want)
}

// next skips white space and returns the following byte, or 0 at the end.
func (s *scanner) next() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// object calls member for each member of the object at the current position.
// member must consume the value; the key is valid until then.
func (s *scanner) object(member func(key []byte) error) error {
	return s.list('{', '}', "an object", func() error {
		key, err := s.text()
		if err != nil {
			return err
		}
		if s.next() != ':' {
			return s.syntax("':'")
		}
		s.pos++
		return member(key)
	})
}

// array calls element for each element of the array at the current position.
// element must consume it.
func (s *scanner) array(element func() error) error {
	return s.list('[', ']', "an array", element)
}

func (s *scanner) list(opening, closing byte, what string, element func() error) error {
	if s.next() != opening {
		return s.syntax(what)
	}
	if s.depth++; s.depth > maxDepth {
		return errDepth
	}
	s.pos++
	for first := true; ; first = false {
		switch c := s.next(); {
		case first && c == closing:
		case !first && c == closing:
		case first:
			if err := element(); err != nil {
				return err
			}
			continue
		case c == ',':
			s.pos++
			if err := element(); err != nil {
				return err
			}
			continue
		default:
			return s.syntax("','")
		}
		s.pos++
		s.depth--
		return nil
	}
}

// text reads the string at the current position. The result may alias the data.
func (s *scanner) text() ([]byte, error) {
	if s.next() != '"' {
		return nil, s.syntax("a string")
	}
	start, escaped := s.pos, false
	for i := start + 1; i < len(s.data); i++ {
		switch s.data[i] {
		case '\\':
			escaped = true
			i++
		case '"':
			s.pos = i + 1
			if !escaped {
				return s.data[start+1 : i], nil
			}
			var text string
			if err := json.Unmarshal(s.data[start:s.pos], &text); err != nil {
				return nil, fmt.Errorf("offset %d: %w", start, err)
			}
			return []byte(text), nil
		}
	}
	s.pos = len(s.data)
	return nil, errEnd
}

// word reads the number, true, false or null at the current position.
func (s *scanner) word() ([]byte, error) {
	s.next()
	start := s.pos
	for s.pos < len(s.data) {
		c := s.data[s.pos]
		if (c < '0' || c > '9') && (c < 'a' || c > 'z') && c != '-' && c != '+' && c != '.' && c != 'E' {
			break
		}
		s.pos++
	}
	if s.pos == start {
		return nil, s.syntax("a value")
	}
	return s.data[start:s.pos], nil
}

// skip skips the value at the current position.
func (s *scanner) skip() (err error) {
	switch s.next() {
	case '"':
		_, err = s.text()
	case '{', '[':
		err = s.skipNested()
	default:
		_, err = s.word()
	}
	return err
}

// skipNested skips an object or array by counting brackets.
func (s *scanner) skipNested() error {
	for open := 0; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '{', '[':
			open++
		case '}', ']':
			if open--; open == 0 {
				s.pos++
				return nil
			}
		case '"':
			if err := s.skipText(); err != nil {
				return err
			}
			s.pos--
		}
	}
	return errEnd
}

// skipText skips the string at the current position.
func (s *scanner) skipText() error {
	for s.pos++; s.pos < len(s.data); s.pos++ {
		switch s.data[s.pos] {
		case '\\':
			s.pos++
		case '"':
			s.pos++
			return nil
		}
	}
	s.pos = len(s.data)
	return errEnd
}
