package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"path/filepath"

	"go.yaml.in/yaml/v3"

	"leveret/solc"
)

// harnessFiles lists the configurations of other fuzzers in a project's root.
var harnessFiles = []struct {
	name string
	tool solc.HarnessTool
}{
	{"echidna.yaml", solc.Echidna}, {"echidna.yml", solc.Echidna}, {"echidna.config.yaml", solc.Echidna}, {"echidna.config.yml", solc.Echidna},
	{"echidna-config.yaml", solc.Echidna}, {"echidna-config.yml", solc.Echidna}, {"echidna_config.yaml", solc.Echidna},
	{"medusa.json", solc.Medusa}, {"medusa-config.json", solc.Medusa},
}

// HarnessConfigs returns the configurations of Echidna and Medusa in the project's
// root. Each error is a *solc.Failure: a file that cannot be read is left out, and
// a wrong value keeps the tool's default.
func (p *Project) HarnessConfigs() (list []solc.HarnessConfig, failed []error) {
	p.readHarnesses.Do(func() {
		for _, file := range harnessFiles {
			path := filepath.Join(p.Root, file.name)
			if !exists(path, nil) {
				continue
			}
			config, wrong, err := p.ReadHarnessConfig(path, file.tool)
			if err != nil {
				p.badHarnesses = append(p.badHarnesses, err)
				continue
			}
			p.harnesses, p.badHarnesses = append(p.harnesses, config), append(p.badHarnesses, wrong...)
		}
	})
	return p.harnesses, p.badHarnesses
}

// configureTests tells a build how the project runs tests and harnesses.
func (p *Project) configureTests(b *solc.Build) {
	var failed []error
	b.Tests = &p.TestConfig
	b.Harnesses, failed = p.HarnessConfigs()
	for _, err := range failed {
		b.Unmet = append(b.Unmet, err.Error())
	}
}

// ReadHarnessConfig reads the configuration of a fuzzer. wrong has a failure for
// each wrong value. In an untrusted project, the file must lie in it.
func (p *Project) ReadHarnessConfig(path string, tool solc.HarnessTool) (config solc.HarnessConfig, wrong []error, err error) {
	text, err := p.readConfig(path)
	if errors.Is(err, fs.ErrNotExist) {
		return config, nil, p.named(&solc.Failure{Kind: solc.NotFound, File: path, Sentence: "this file does not exist", Remedy: "check the path"})
	}
	if err != nil {
		return config, nil, p.named(unreadable(path, err))
	}
	read, language := readYAML, "YAML"
	if tool == solc.Medusa {
		read, language = readJSON, "JSON"
	}
	keys, lines, err := read(text)
	if err != nil {
		return config, nil, p.named(&solc.Failure{Kind: solc.BadConfig, File: path, Sentence: fmt.Sprintf("invalid %s: %v", language, err), Remedy: "correct it"})
	}
	config, bad := solc.DefaultHarnessConfig(tool).With(keys)
	config.File = path
	for _, b := range bad {
		wrong = append(wrong, p.named(&solc.Failure{Kind: solc.BadConfig, File: path, Line: lines[b.Key], Sentence: b.Error(), Remedy: "correct the value; the default of " + string(tool) + " holds"}))
	}
	return config, wrong, nil
}

// readJSON reads an object. Its numbers become text.
func readJSON(text []byte) (map[string]any, map[string]int, error) {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	var keys map[string]any
	if err := decoder.Decode(&keys); err != nil {
		return nil, nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, nil, errors.New("there is text after the object")
	}
	plain, _ := textNumbers(keys).(map[string]any)
	return plain, nil, nil
}

// textNumbers replaces numbers of JSON by text.
func textNumbers(value any) any {
	switch v := value.(type) {
	case json.Number:
		return wholeText(v.String())
	case []any:
		for i := range v {
			v[i] = textNumbers(v[i])
		}
	case map[string]any:
		for key := range v {
			v[key] = textNumbers(v[key])
		}
	}
	return value
}

// readYAML reads a mapping and the lines of its keys. Numbers become text: those of
// configurations are larger than what YAML's library keeps exactly.
func readYAML(text []byte) (map[string]any, map[string]int, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, nil, err
	}
	if len(document.Content) == 0 {
		return nil, nil, nil // empty, or only comments
	}
	root := document.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, nil, errors.New("the file has no keys")
	}
	lines := map[string]int{}
	for i := 0; i+1 < len(root.Content); i += 2 {
		lines[root.Content[i].Value] = root.Content[i].Line
	}
	left := maxNodes
	value, err := plainYAML(root, &left)
	keys, _ := value.(map[string]any)
	return keys, lines, err
}

// maxNodes bounds the nodes of a configuration with its aliases written out:
// aliases of aliases multiply.
const maxNodes = 100_000

func plainYAML(n *yaml.Node, left *int) (any, error) {
	if *left--; *left < 0 {
		return nil, errors.New("it has too many nodes")
	}
	switch n.Kind {
	case yaml.AliasNode:
		return plainYAML(n.Alias, left)
	case yaml.SequenceNode:
		list := []any{}
		for _, c := range n.Content {
			value, err := plainYAML(c, left)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
		}
		return list, nil
	case yaml.MappingNode:
		keys := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			value, err := plainYAML(n.Content[i+1], left)
			if err != nil {
				return nil, err
			}
			keys[n.Content[i].Value] = value
		}
		return keys, nil
	}
	switch n.Tag {
	case "!!null":
		return nil, nil
	case "!!bool":
		var yes bool
		err := n.Decode(&yes)
		return yes, err
	case "!!float":
		return wholeText(n.Value), nil
	}
	return n.Value, nil
}

// wholeText writes a number with an exponent, such as 1e18, without one if it is
// whole.
func wholeText(number string) string {
	const most = 40 // digits of 2^128, and an exponent
	if exact, ok := new(big.Float).SetPrec(512).SetString(number); ok && len(number) < most && exact.IsInt() && exact.MantExp(nil) <= 256 {
		return exact.Text('f', 0)
	}
	return number
}
