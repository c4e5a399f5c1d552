package solc

import (
	"strconv"
	"strings"
)

// A jsReader finds literal values in JavaScript or TypeScript source without
// running it. What is not a literal is skipped and becomes nil; names that the
// same text declares as literals are followed.
type jsReader struct {
	tokens []jsToken
	at     int
	depth  int
	names  int // followed so far
}

// A jsToken is a word, a number, a string or one character. Values in the
// source stay what they are; template strings with substitutions are nil.
type jsToken struct {
	text   string
	quoted bool
}

// maxDepth bounds nesting; deeper values are nil.
const maxDepth = 64

// maxNames bounds how many names are followed: they can stand for each other
// many times over.
const maxNames = 1000

// jsTokens splits a source, comments left out. Regular expressions are not
// recognised: configurations that have some lose at most a value behind them.
func jsTokens(text string) []jsToken {
	var tokens []jsToken
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c <= ' ':
			i++
		case strings.HasPrefix(text[i:], "//"):
			i += lengthTo(text[i:], "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i += lengthTo(text[i:], "*/")
		case c == '"' || c == '\'' || c == '`':
			s, n := jsString(text[i:])
			tokens = append(tokens, jsToken{s, true})
			i += n
		case isWord(c):
			start := i
			for i < len(text) && (isWord(text[i]) || text[i] == '.' && start < i && text[start] <= '9') {
				i++
			}
			tokens = append(tokens, jsToken{text: text[start:i]})
		default:
			tokens = append(tokens, jsToken{text: text[i : i+1]})
			i++
		}
	}
	return tokens
}

func lengthTo(s, end string) int {
	if i := strings.Index(s, end); i >= 0 {
		return i + len(end)
	}
	return len(s)
}

// jsString reads a string literal and returns its length in the source.
func jsString(s string) (string, int) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == s[0]:
			return b.String(), i + 1
		case s[i] == '\\' && i+1 < len(s):
			i++
			b.WriteByte(s[i])
		case s[i] == '\n' && s[0] != '`':
			return b.String(), i
		default:
			b.WriteByte(s[i])
		}
	}
	return b.String(), len(s)
}

// property returns the value of the first property with a name.
func (r *jsReader) property(name string) any {
	for i := 0; i+1 < len(r.tokens); i++ {
		if r.tokens[i].text == name && r.tokens[i+1] == (jsToken{text: ":"}) {
			r.at = i + 2
			if v := r.value(); v != nil {
				return v
			}
		}
	}
	return nil
}

func (r *jsReader) peek() jsToken {
	if r.at < len(r.tokens) {
		return r.tokens[r.at]
	}
	return jsToken{}
}

func (r *jsReader) is(text string) bool { return r.peek() == jsToken{text: text} }

// value reads a value: string, float64, bool, []any, map[string]any or nil.
// It stops at the comma or bracket behind it.
func (r *jsReader) value() any {
	if r.depth > maxDepth {
		r.skip()
		return nil
	}
	r.depth++
	defer func() { r.depth-- }()
	var v any
	switch t := r.peek(); {
	case t.quoted:
		v = t.text
		r.at++
	case t.text == "{":
		v = r.object()
	case t.text == "[":
		v = r.array()
	case t.text == "true" || t.text == "false":
		v = t.text == "true"
		r.at++
	default:
		if n, err := strconv.ParseFloat(strings.ReplaceAll(t.text, "_", ""), 64); err == nil {
			v = n
			r.at++
		} else if isName(t.text) {
			r.at++
			if r.ends() {
				return r.constant(t.text)
			}
		}
	}
	if !r.ends() {
		if t := r.peek(); t.text != "as" && t.text != "satisfies" {
			v = nil // an operand of something larger
		}
		r.skip()
	}
	return v
}

func isName(s string) bool { return s != "" && isWord(s[0]) && (s[0] < '0' || s[0] > '9') }

// ends reports whether a value is over here.
func (r *jsReader) ends() bool {
	t := r.peek()
	return r.at >= len(r.tokens) || !t.quoted && strings.Contains(",;}])", t.text)
}

// skip goes to the end of a value that is no literal.
func (r *jsReader) skip() {
	for open := 0; r.at < len(r.tokens); r.at++ {
		t := r.peek()
		if t.quoted {
			continue
		}
		if open == 0 && r.ends() {
			return
		}
		switch t.text {
		case "{", "[", "(":
			open++
		case "}", "]", ")":
			open--
		}
	}
}

func (r *jsReader) object() map[string]any {
	object := map[string]any{}
	for r.at++; r.at < len(r.tokens) && !r.is("}"); {
		key := r.peek()
		r.at++
		switch {
		case r.is(":"):
			r.at++
			object[key.text] = r.value()
		case r.ends() && isName(key.text):
			object[key.text] = r.constant(key.text)
		default:
			r.skip()
		}
		if r.is(",") || r.is(";") || r.is(")") || r.is("]") {
			r.at++
		}
	}
	r.at++
	return object
}

func (r *jsReader) array() []any {
	array := []any{}
	for r.at++; r.at < len(r.tokens) && !r.is("]"); {
		before := r.at
		array = append(array, r.value())
		if r.is(",") || r.at == before {
			r.at++
		}
	}
	r.at++
	return array
}

// constant returns the literal that a name is declared as: `const NAME = …`,
// with or without a type.
func (r *jsReader) constant(name string) any {
	if r.names++; r.names > maxNames {
		return nil
	}
	here := r.at
	defer func() { r.at = here }()
	for i := 1; i < len(r.tokens); i++ {
		if r.tokens[i].text != name || r.tokens[i].quoted || !declares(r.tokens[i-1].text) {
			continue
		}
		for r.at = i + 1; r.at < len(r.tokens) && !r.is("=") && !r.is(";"); r.at++ {
		}
		if r.is("=") {
			r.at++
			return r.value()
		}
	}
	return nil
}

func declares(word string) bool { return word == "const" || word == "let" || word == "var" }
