package mock

import (
	"embed"
	"fmt"
	"regexp"
	"strings"
)

//go:embed contracts/*.sol
var sources embed.FS

// Compiler is the oldest solc version that compiles the sources.
var Compiler = [3]int{0, 8, 1}

var (
	definition = regexp.MustCompile(`(?m)^(?:contract|interface) (\w+)`)
	preamble   = regexp.MustCompile(`(?s)^.*?pragma [^;]*;\s*`)
	quoted     = regexp.MustCompile(`"[^"]*"`)
)

// Solidity returns the source without its pragma, with prefix before all names
// it defines, so that one file can have several mocks. Revert messages are
// unchanged.
func (c *Contract) Solidity(prefix string) string {
	text, err := sources.ReadFile("contracts/" + c.Name + ".sol")
	if err != nil {
		panic(fmt.Sprintf("mock: %v", err))
	}
	source := preamble.ReplaceAllString(string(text), "")
	for _, d := range definition.FindAllStringSubmatch(source, -1) {
		name := prefix + d[1]
		if d[1] != c.Name {
			name = prefix + c.Name + d[1]
		}
		source = renameOutside(source, d[1], name)
	}
	return source
}

// renameOutside replaces a word outside string literals.
func renameOutside(source, word, by string) string {
	whole := regexp.MustCompile(`\b` + word + `\b`)
	var out strings.Builder
	from := 0
	for _, literal := range quoted.FindAllStringIndex(source, -1) {
		out.WriteString(whole.ReplaceAllString(source[from:literal[0]], by))
		out.WriteString(source[literal[0]:literal[1]])
		from = literal[1]
	}
	out.WriteString(whole.ReplaceAllString(source[from:], by))
	return out.String()
}

// Find returns the mock of a Creation by its name there; nil if there is none.
func Find(name string) *Contract {
	base, _, _ := strings.Cut(name, "_")
	for _, c := range All() {
		if c.Name == base {
			return c
		}
	}
	return nil
}
