package project

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A jsReader finds literal values in JavaScript or TypeScript source without
// running it. Other values are skipped and unknown. Names that the same text
// declares as literals are resolved.
type jsReader struct {
	tokens []jsToken
	at     int
	depth  int
	names  int // resolved so far
}

// A jsToken is a word, a number, a string or one character.
type jsToken struct {
	text   string
	quoted bool
	open   bool // a template with substitutions
	fresh  bool // the first on its line
}

// is reports whether a token is a word or a character.
func (t jsToken) is(text string) bool { return t.text == text && !t.quoted }

// maxDepth bounds nesting; deeper values are unknown.
const maxDepth = 64

// maxNames bounds how many names are resolved: they may refer to each other
// exponentially often.
const maxNames = 1000

// jsTokens returns the tokens of a source without comments. It does not recognise
// regular expressions, behind which a value may be lost.
func jsTokens(text string) []jsToken {
	var tokens []jsToken
	fresh := true
	for i := 0; i < len(text); {
		c, before := text[i], len(tokens)
		switch {
		case c <= ' ':
			fresh = fresh || c == '\n'
			i++
		case strings.HasPrefix(text[i:], "//"):
			i += lengthTo(text[i:], "\n")
			fresh = true
		case strings.HasPrefix(text[i:], "/*"):
			i += lengthTo(text[i:], "*/")
		case c == '"' || c == '\'' || c == '`':
			s, n := jsString(text[i:])
			tokens = append(tokens, jsToken{text: s, quoted: true, open: c == '`' && strings.Contains(s, "${")})
			i += n
		case isNameByte(c):
			start := i
			for i < len(text) && (isNameByte(text[i]) || text[i] == '.' && start < i && text[start] <= '9') {
				i++
			}
			tokens = append(tokens, jsToken{text: text[start:i]})
		default:
			tokens = append(tokens, jsToken{text: text[i : i+1]})
			i++
		}
		if len(tokens) > before {
			tokens[before].fresh, fresh = fresh, false
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

// config returns a property of the exported object, or if that is unknown the
// first property of that name.
func (r *jsReader) config(name string) any {
	for i := range r.tokens {
		if !r.exports(i) {
			continue
		}
		if exported, ok := r.value().(map[string]any); ok {
			if v, ok := exported[name]; ok {
				return v
			}
		}
	}
	return r.property(name)
}

// exports reports whether an exported value starts here, and goes to it.
func (r *jsReader) exports(i int) bool {
	for _, words := range [][]string{{"module", ".", "exports", "="}, {"export", "default"}} {
		n := 0
		for n < len(words) && i+n < len(r.tokens) && r.tokens[i+n].is(words[n]) {
			n++
		}
		if n == len(words) {
			r.at = i + n
			return true
		}
	}
	return false
}

// property returns the value of the first property with a name.
func (r *jsReader) property(name string) any {
	for i := 0; i+1 < len(r.tokens); i++ {
		if r.tokens[i].text == name && r.tokens[i+1].is(":") {
			r.at = i + 2
			if v := r.value(); v != (unknown{}) {
				return v
			}
		}
	}
	return unknown{}
}

func (r *jsReader) peek() jsToken {
	if r.at < len(r.tokens) {
		return r.tokens[r.at]
	}
	return jsToken{}
}

func (r *jsReader) is(text string) bool { return r.peek().is(text) }

// value reads a value: string, float64, bool, []any, map[string]any, or unknown
// if it is not literal. It stops at the comma or bracket after the value. Of
// `a || b` and `a ?? b` it returns the first known operand.
func (r *jsReader) value() any {
	if r.depth > maxDepth {
		r.skip()
		return unknown{}
	}
	r.depth++
	defer func() { r.depth-- }()
	v := r.operand()
	for r.either() {
		r.at += 2
		if next := r.operand(); v == (unknown{}) {
			v = next
		}
	}
	if !r.ends() {
		if t := r.peek(); t.text != "as" && t.text != "satisfies" {
			v = unknown{} // an operand of something larger
		}
		r.skip()
	}
	return v
}

// unknown is a value that only running the script would yield.
type unknown struct{}

// either reports whether `||` or `??` comes next.
func (r *jsReader) either() bool {
	if r.at+1 >= len(r.tokens) {
		return false
	}
	t := r.tokens[r.at]
	return (t.is("|") || t.is("?")) && r.tokens[r.at+1].is(t.text)
}

// operand reads a literal, the value of a name, or a value in parentheses.
func (r *jsReader) operand() any {
	t := r.peek()
	switch {
	case t.quoted:
		r.at++
		if t.open {
			return unknown{}
		}
		return t.text
	case t.text == "{":
		return r.object()
	case t.text == "[":
		return r.array()
	case t.text == "(":
		return r.argument()
	case t.text == "true" || t.text == "false":
		r.at++
		return t.text == "true"
	}
	if n, err := strconv.ParseFloat(strings.ReplaceAll(t.text, "_", ""), 64); err == nil {
		r.at++
		return n
	}
	if !isName(t.text) {
		return unknown{}
	}
	r.at++
	return r.named(t.text)
}

// transparent lists functions that return their first argument.
var transparent = []string{"defineConfig", "Number", "parseInt", "String"}

// named reads a call of a function, or a constant with its members.
func (r *jsReader) named(name string) any {
	if r.is("(") {
		v := r.argument()
		if !slices.Contains(transparent, name) {
			return unknown{}
		}
		if text, ok := v.(string); ok && name != "String" {
			if n, err := strconv.ParseFloat(text, 64); err == nil {
				return n
			}
		}
		return v
	}
	v := r.constant(name)
	for r.is(".") && r.at+1 < len(r.tokens) {
		member := r.tokens[r.at+1].text
		r.at += 2
		object, _ := v.(map[string]any)
		if v = object[member]; v == nil {
			v = unknown{}
		}
	}
	return v
}

// argument reads the first value in parentheses and skips the rest.
func (r *jsReader) argument() any {
	r.at++
	v := r.value()
	for open := 0; r.at < len(r.tokens); r.at++ {
		if r.is("(") {
			open++
		}
		if r.is(")") {
			if open == 0 {
				r.at++
				return v
			}
			open--
		}
	}
	return v
}

// isNameByte reports whether c can be part of a name or a number.
func isNameByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$'
}

func isName(s string) bool { return s != "" && isNameByte(s[0]) && (s[0] < '0' || s[0] > '9') }

// ends reports whether a value ends here. If no semicolon ends a statement, a
// word on the next line does.
func (r *jsReader) ends() bool {
	t := r.peek()
	return r.at >= len(r.tokens) || !t.quoted && strings.Contains(",;}])", t.text) ||
		t.fresh && isName(t.text) && !slices.Contains([]string{"as", "satisfies", "in", "instanceof"}, t.text)
}

// skip skips a value that is not literal.
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

func (r *jsReader) object() any {
	object := map[string]any{}
	for r.at++; r.at < len(r.tokens) && !r.is("}"); {
		key := r.peek()
		if r.spread() {
			r.at += 3
			if all, ok := r.value().(map[string]any); ok {
				maps.Copy(object, all)
			} else {
				object[hidden] = unknown{}
			}
		} else {
			r.at++
			r.member(object, key)
		}
		if r.is(",") || r.is(";") || r.is(")") || r.is("]") {
			r.at++
		}
	}
	r.at++
	return object
}

// hidden is the key of spread members that could not be read.
const hidden = "..."

// member reads the value of one member of an object.
func (r *jsReader) member(object map[string]any, key jsToken) {
	switch {
	case r.is(":"):
		r.at++
		object[key.text] = r.value()
	case r.ends() && isName(key.text):
		object[key.text] = r.constant(key.text)
	default:
		r.skip()
	}
}

// spread reports whether three dots come next.
func (r *jsReader) spread() bool {
	for i := range 3 {
		if r.at+i >= len(r.tokens) || !r.tokens[r.at+i].is(".") {
			return false
		}
	}
	return true
}

func (r *jsReader) array() any {
	array := []any{}
	for r.at++; r.at < len(r.tokens) && !r.is("]"); {
		before := r.at
		if r.spread() {
			r.at += 3
			if all, ok := r.value().([]any); ok {
				array = append(array, all...)
			} else {
				array = append(array, unknown{})
			}
		} else {
			array = append(array, r.value())
		}
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
		return unknown{}
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
	return unknown{}
}

func declares(word string) bool { return word == "const" || word == "let" || word == "var" }

// literal reports whether a value has no unknown part.
func literal(v any) bool {
	switch v := v.(type) {
	case unknown:
		return false
	case []any:
		return !slices.ContainsFunc(v, func(item any) bool { return !literal(item) })
	case map[string]any:
		for _, item := range v {
			if !literal(item) {
				return false
			}
		}
	}
	return true
}
