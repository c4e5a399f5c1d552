package solc

import (
	"slices"
	"strings"

	"leveret/solc/srcmap"
)

// Source returns the source with a unit name, or nil.
func (b *Build) Source(name string) *Source {
	for _, s := range b.Sources {
		if s != nil && s.Name == name {
			return s
		}
	}
	return nil
}

// PathSource returns the source at an absolute path, or nil.
func (b *Build) PathSource(path string) *Source {
	for _, s := range b.Sources {
		if s != nil && s.Path == path {
			return s
		}
	}
	return nil
}

// SpanSource returns the source that a span lies in, or nil for the
// compiler's generated code.
func (b *Build) SpanSource(s srcmap.Span) *Source {
	if s.Source < 0 || s.Source >= len(b.Sources) {
		return nil
	}
	return b.Sources[s.Source]
}

// Contract returns the contract with a name, "Token" or "src/Token.sol:Token",
// or nil. If several files have one, the first by file name is taken.
func (b *Build) Contract(name string) *Contract {
	file, short := "", name
	if i := strings.LastIndexByte(name, ':'); i >= 0 {
		file, short = name[:i], name[i+1:]
	}
	for _, c := range b.Contracts {
		if c.Name == short && (file == "" || c.File == file) {
			return c
		}
	}
	return nil
}

// Errors returns the messages because of which there is no code.
func (b *Build) Errors() []Message {
	var errors []Message
	for _, m := range b.Messages {
		if m.Severity == "error" {
			errors = append(errors, m)
		}
	}
	return errors
}

// frontEnd lists the types of errors that the compiler reports before it
// generates code (Solidity documentation, "Error Types"). They do not depend on
// the settings of the code generator.
var frontEnd = []string{"JSONError", "IOError", "ParserError", "DocstringParsingError", "SyntaxError", "DeclarationError", "TypeError"}

// OfGenerator reports whether m is an error of the code generator, which may
// succeed with other settings. Unknown types of errors count as such.
func (m Message) OfGenerator() bool {
	return m.Severity == "error" && !slices.Contains(frontEnd, m.Type)
}

// Deployable reports whether c has code of its own: no interface, no abstract
// contract.
func (c *Contract) Deployable() bool { return len(c.Creation.Object) > 0 }

// Instructions decodes the map between program counters and spans of the code,
// at each call anew.
func (c Code) Instructions() *srcmap.Instructions { return srcmap.NewInstructions(c.Object, c.Map) }
