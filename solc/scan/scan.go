// Package scan reads pragmas, imports and tokens of Solidity sources without
// parsing them. It accepts sources that do not compile.
package scan

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"leveret/solc/srcmap"
)

// A Pragma is one `pragma solidity` line.
type Pragma struct {
	Range string // as written, comments removed
	Line  int    // 1-based
}

// An Import is one import directive.
type Import struct {
	Path string // unescaped
	Line int    // 1-based, of the path
}

// Directives returns the version pragmas and the imports of a source. It skips
// comments and strings by the compiler's rules.
func Directives(text []byte) (pragmas []Pragma, imports []Import) {
	s := scanner{text: text, line: 1}
	start := true // of a statement
	for {
		tok := s.next()
		switch {
		case tok.kind == tokenEnd:
			return pragmas, imports
		case start && tok.text == "pragma":
			line := tok.line
			words := s.statement()
			if len(words) > 1 && words[0].text == "solidity" {
				pragmas = append(pragmas, Pragma{Range: joinTokens(words[1:]), Line: line})
			}
		case start && tok.text == "import":
			for _, word := range s.statement() {
				if word.kind == tokenString {
					imports = append(imports, Import{Path: unescape(word.text), Line: word.line})
					break
				}
			}
		default:
			start = tok.text == ";" || tok.text == "}"
			continue
		}
		start = true
	}
}

// Tokens returns the spans of the tokens of a source, in bytes. Between them are
// only white space and comments.
func Tokens(text []byte) []srcmap.Span {
	s := scanner{text: text, line: 1}
	var spans []srcmap.Span
	for {
		s.skipBlank()
		start := s.at
		if s.next().kind == tokenEnd {
			return spans
		}
		spans = append(spans, srcmap.Span{Start: start, Length: s.at - start})
	}
}

// Contracts returns the names of the contracts that a source defines, without
// interfaces, libraries and abstract contracts.
func Contracts(text []byte) (names []string) {
	for _, d := range Definitions(text) {
		if d.Kind == "contract" && !d.Abstract {
			names = append(names, d.Name)
		}
	}
	return names
}

// A Definition is the head of a contract, an interface or a library.
type Definition struct {
	Kind     string // "contract", "interface" or "library"
	Name     string
	Abstract bool
	Bases    []string // that it inherits from directly, without the names of their modules
}

// Definitions returns the contracts, interfaces and libraries that a source defines.
func Definitions(text []byte) (list []Definition) {
	s := scanner{text: text, line: 1}
	for before := (token{}); ; {
		tok := s.next()
		switch {
		case tok.kind == tokenEnd:
			return list
		case tok.kind == tokenWord && (tok.text == "contract" || tok.text == "interface" || tok.text == "library"):
			d := Definition{Kind: tok.text, Abstract: before.text == "abstract"}
			if tok = s.next(); tok.kind == tokenWord {
				d.Name = tok.text
				tok, d.Bases = s.bases()
				list = append(list, d)
			}
		}
		before = tok
	}
}

// bases reads what follows the name in a definition, up to its body, and returns the
// last token of it.
func (s *scanner) bases() (last token, names []string) {
	name, before, depth := "", token{text: ","}, 0
	for last = s.next(); ; last = s.next() {
		switch {
		case last.kind == tokenEnd || last.text == ";" || last.text == "}" && depth == 0:
			return last, nil
		case depth == 0 && (last.text == "," || last.text == "{"):
			if name != "" {
				names = append(names, name)
			}
			if name = ""; last.text == "{" {
				return last, names
			}
		case last.text == "(":
			depth++
		case last.text == ")":
			depth--
		case depth == 0 && last.kind == tokenWord && strings.Contains(",.is", before.text) && last.text != "is":
			name = last.text
		}
		before = last
	}
}

// Created returns the names of the contracts whose code a source asks for, after `new` and
// in `type(…)`, without the names of their modules. Names of other types may be among them.
func Created(text []byte) (names []string) {
	s := scanner{text: text, line: 1}
	name, asks := "", false
	for {
		switch tok := s.next(); {
		case tok.text == "new" && tok.kind == tokenWord:
			name, asks = "", true
		case tok.text == "type" && tok.kind == tokenWord:
			name, asks = "", s.next().text == "(" // else it defines one
		case asks && tok.kind == tokenWord:
			name = tok.text
		case !asks || tok.text != ".":
			if asks && name != "" {
				names = append(names, name)
			}
			if asks = false; tok.kind == tokenEnd {
				return names
			}
		}
	}
}

// Blank reports whether a source has only white space and comments.
func Blank(text []byte) bool {
	s := scanner{text: text, line: 1}
	return s.next().kind == tokenEnd
}

type tokenKind uint8

const (
	tokenEnd tokenKind = iota
	tokenWord
	tokenString // text without the quotes
	tokenOther  // one character
)

type token struct {
	kind   tokenKind
	text   string
	line   int
	spaced bool // white space or comments before it
}

// A scanner yields the tokens of a source. It accepts every sequence of bytes.
type scanner struct {
	text []byte
	at   int
	line int
}

// statement returns the tokens up to the next semicolon, which it consumes.
func (s *scanner) statement() []token {
	var words []token
	for {
		tok := s.next()
		if tok.kind == tokenEnd || tok.kind == tokenOther && tok.text == ";" {
			return words
		}
		words = append(words, tok)
	}
}

func (s *scanner) next() token {
	before := s.at
	s.skipBlank()
	tok := token{line: s.line, spaced: s.at > before}
	if s.at >= len(s.text) {
		return tok
	}
	switch c := s.text[s.at]; {
	case c == '"' || c == '\'':
		tok.kind, tok.text = tokenString, s.quoted(c)
	case isWord(c):
		start := s.at
		for s.at < len(s.text) && isWord(s.text[s.at]) {
			s.at++
		}
		tok.kind, tok.text = tokenWord, string(s.text[start:s.at])
	default:
		tok.kind, tok.text = tokenOther, string(s.text[s.at:s.at+1])
		s.at++
	}
	return tok
}

func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

// skipBlank skips white space and comments; an unclosed comment reaches to the
// end.
func (s *scanner) skipBlank() {
	for s.at < len(s.text) {
		switch {
		case s.text[s.at] == '\n':
			s.line++
			s.at++
		case s.text[s.at] <= ' ':
			s.at++
		case s.has("//"):
			for s.at < len(s.text) && s.text[s.at] != '\n' {
				s.at++
			}
		case s.has("/*"):
			s.skipTo("*/")
		default:
			return
		}
	}
}

func (s *scanner) has(prefix string) bool {
	return strings.HasPrefix(string(s.text[s.at:min(len(s.text), s.at+len(prefix))]), prefix)
}

// skipTo skips a two-byte opening and the text up to and including end.
func (s *scanner) skipTo(end string) {
	for s.at += 2; s.at < len(s.text); s.at++ {
		if s.has(end) {
			s.at += len(end)
			return
		}
		if s.text[s.at] == '\n' {
			s.line++
		}
	}
}

// quoted returns the contents of a string literal with its escapes. An unclosed
// literal ends with its line.
func (s *scanner) quoted(quote byte) string {
	s.at++
	start := s.at
	for s.at < len(s.text) && s.text[s.at] != '\n' {
		switch s.text[s.at] {
		case quote:
			s.at++
			return string(s.text[start : s.at-1])
		case '\\':
			if s.at+1 < len(s.text) && s.text[s.at+1] != '\n' {
				s.at++
			}
		}
		s.at++
	}
	return string(s.text[start:s.at])
}

// joinTokens returns the text of a version range without comments.
func joinTokens(tokens []token) string {
	var b strings.Builder
	for i, tok := range tokens {
		if i > 0 && tok.spaced {
			b.WriteByte(' ')
		}
		b.WriteString(tok.text)
	}
	return b.String()
}

// unescape resolves the escapes of a Solidity string literal.
func unescape(s string) string {
	if !strings.Contains(s, `\`) {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b.WriteByte(s[i])
			continue
		}
		i++
		digits := map[byte]int{'x': 2, 'u': 4}[s[i]]
		if digits > 0 && i+digits < len(s) {
			if n, err := strconv.ParseUint(s[i+1:i+1+digits], 16, 32); err == nil {
				if digits == 2 {
					b.WriteByte(byte(n))
				} else {
					b.Write(utf8.AppendRune(nil, rune(n)))
				}
				i += digits
				continue
			}
		}
		if plain, ok := map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}[s[i]]; ok {
			b.WriteByte(plain)
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
