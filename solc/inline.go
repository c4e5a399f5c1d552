package solc

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"leveret/solc/ast"
	"leveret/solc/scan"
	"leveret/solc/srcmap"
)

// A ContractConfig is the configuration of one test contract: a TestConfig with
// what the contract's forge-config comments change.
type ContractConfig struct {
	TestConfig // of setUp, and of tests without comments of their own
	functions  map[string]TestConfig
}

// Test returns the configuration of a test function by name. Functions of one
// name share it.
func (c *ContractConfig) Test(name string) TestConfig {
	if own, ok := c.functions[name]; ok {
		return own
	}
	return c.TestConfig
}

// Inline returns the configuration of a test contract. Comments such as
//
//	/// forge-config: default.fuzz.runs = 500
//
// before the contract hold for all its tests, before a function for this one.
// They begin with a profile: those of default hold, then those of the one in
// effect. As in forge, they count in the contract itself, not in its bases, and
// set neither values of the chain nor ffi. A comment with an error is left out;
// the errors are *Failure with its line.
func (c TestConfig) Inline(contract *Contract) (*ContractConfig, []error) {
	own := &ContractConfig{TestConfig: c, functions: map[string]TestConfig{}}
	if contract.Node == nil || contract.Build == nil {
		return own, nil
	}
	source := contract.Build.SpanSource(contract.Node.Span)
	if source == nil || !bytes.Contains(source.Text, []byte(inlineMark)) {
		return own, nil
	}
	r := &inlineReader{base: c, source: source}
	tokens := scan.Tokens(source.Text)
	before := func(n *ast.Node) (from int) {
		i, _ := slices.BinarySearchFunc(tokens, n.Span.Start, func(t srcmap.Span, at int) int { return t.Start - at })
		if i > 0 {
			from = tokens[i-1].End()
		}
		return from
	}
	all := r.read(before(contract.Node), contract.Node)
	own.TestConfig = c.apply(all)
	functions := map[string][]inlineValue{}
	for _, f := range contract.Node.List("nodes") {
		if f.Type == ast.FunctionDefinition {
			functions[f.Name()] = append(functions[f.Name()], r.read(before(f), f)...)
		}
	}
	for name, values := range functions {
		if len(values) > 0 {
			own.functions[name] = c.apply(slices.Concat(all, values))
		}
	}
	return own, r.failures
}

const inlineMark = "forge-config:"

// An inlineReader reads the forge-config comments of one source.
type inlineReader struct {
	base     TestConfig
	source   *Source
	failures []error
}

// An inlineValue is one line of the comments, which is right.
type inlineValue struct {
	profile string
	keys    map[string]any // below the profile
}

// read returns the values in the documentation comments between an offset and
// a definition.
func (r *inlineReader) read(from int, definition *ast.Node) []inlineValue {
	var values []inlineValue
	if from < 0 || from > definition.Span.Start || definition.Span.Start > len(r.source.Text) {
		return nil
	}
	documented := false // in a /** comment
	at := from
	for line := range bytes.Lines(r.source.Text[from:definition.Span.Start]) {
		text := strings.TrimSpace(string(line))
		if i := strings.Index(text, "/**"); i >= 0 && !strings.HasPrefix(text, "//") {
			documented = true
		}
		_, value, found := strings.Cut(text, inlineMark)
		if found && (documented || strings.HasPrefix(text, "///")) {
			value, _, _ = strings.Cut(value, "*/")
			if v, ok := r.value(r.source.Lines.Line(at), strings.TrimSpace(value)); ok {
				values = append(values, v)
			}
		}
		if documented && strings.Contains(text, "*/") {
			documented = false
		}
		at += len(line)
	}
	return values
}

// value parses "default.fuzz.runs = 500".
func (r *inlineReader) value(line int, text string) (inlineValue, bool) {
	key, right, _ := strings.Cut(text, "=")
	key = strings.ReplaceAll(strings.TrimSpace(key), "-", "_")
	var table map[string]any
	if err := toml.Unmarshal([]byte(key+" = "+strings.TrimSpace(right)), &table); err != nil || len(table) != 1 {
		r.fail(line, fmt.Sprintf("%s %s cannot be read", inlineMark, text), "write it like default.fuzz.runs = 500, one value in a line")
		return inlineValue{}, false
	}
	var v inlineValue
	for profile, keys := range table {
		v.profile = profile
		v.keys, _ = keys.(map[string]any)
	}
	known := slices.ContainsFunc(r.base.Profiles, func(p string) bool { return sameProfile(p, v.profile) })
	if !known || v.keys == nil {
		r.fail(line, fmt.Sprintf("%s %s begins with no profile", inlineMark, key), "begin with one of "+strings.Join(r.base.Profiles, ", ")+", as in default.fuzz.runs = 500")
		return inlineValue{}, false
	}
	if _, bad := r.base.set(v.keys, true); len(bad) > 0 {
		bad[0].Key = v.profile + "." + bad[0].Key
		r.fail(line, inlineMark+" "+bad[0].Error(), "correct the value; the test runs without it")
		return inlineValue{}, false
	}
	return v, true
}

// sameProfile compares profiles as keys of comments have them, with underscores.
func sameProfile(a, b string) bool {
	return strings.ReplaceAll(a, "-", "_") == strings.ReplaceAll(b, "-", "_")
}

// apply sets the values of default, then those of the profile in effect.
func (c TestConfig) apply(values []inlineValue) TestConfig {
	for _, profile := range slices.Compact([]string{"default", c.Profile}) {
		for _, v := range values {
			if sameProfile(v.profile, profile) {
				c, _ = c.set(v.keys, true)
			}
		}
	}
	return c
}

func (r *inlineReader) fail(line int, sentence, remedy string) {
	r.failures = append(r.failures, &Failure{Kind: BadConfig, File: r.source.Path, Name: r.source.Name, Line: line, Sentence: sentence, Remedy: remedy})
}
