package solc

import (
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// helperName matches the names of contracts and files that only help to test others:
// those with a word "Mock" or "Mockup", and those whose first or last word is "Test",
// each also in the plural. A capital letter or an underscore begins a word.
var helperName = regexp.MustCompile(`(?:Mock|(?:^|[_-])mock)(?:up)?s?(?:[^a-z]|$)|^[Tt]ests?(?:[^a-z]|$)|(?:Test|[_-]test)s?$`)

// HelpsTests reports whether c only helps to test others, by its name or its file's.
// Contracts with tests or properties are tests by themselves.
func (c *Contract) HelpsTests() bool {
	return NamedLikeHelper(c.Name, c.File) && !c.RunsTests() && !c.hasProperties()
}

// NamedLikeHelper reports whether the name of a contract or of its file says that it only
// helps to test others.
func NamedLikeHelper(contract, file string) bool {
	stem := strings.TrimSuffix(path.Base(filepath.ToSlash(file)), ".sol")
	return helperName.MatchString(contract) || helperName.MatchString(stem)
}

// hasProperties reports whether a contract has functions that are named like
// properties.
func (c *Contract) hasProperties() bool {
	for signature := range maps.Keys(c.Methods) {
		for _, prefix := range []string{"invariant", "echidna", "property"} {
			if strings.HasPrefix(signature, prefix) && strings.HasSuffix(signature, "()") {
				return true
			}
		}
	}
	return false
}
