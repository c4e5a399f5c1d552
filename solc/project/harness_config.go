package project

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"leveret/solc"
	"leveret/solc/trust"
)

// HarnessFiles lists the usual names of configurations of other fuzzers in a project's root.
var HarnessFiles = []string{
	"echidna.yaml", "echidna.yml", "echidna.config.yaml", "echidna.config.yml", "echidna-config.yaml", "echidna-config.yml", "echidna_config.yaml",
	"medusa.json", "medusa-config.json",
}

// HarnessTool returns the fuzzer that a file may configure, by its name and extension:
// echidna in the name of a YAML, medusa in that of a JSON, or, if named says so, any of them.
func HarnessTool(file string, named bool) (solc.HarnessTool, bool) {
	has := func(tool solc.HarnessTool) bool {
		return named || strings.Contains(strings.ToLower(filepath.Base(file)), string(tool))
	}
	switch ext := filepath.Ext(file); {
	case (ext == ".yaml" || ext == ".yml") && has(solc.Echidna):
		return solc.Echidna, true
	case ext == ".json" && has(solc.Medusa):
		return solc.Medusa, true
	}
	return "", false
}

// mayConfigureHarnesses reports whether a file may configure a fuzzer: it has a usual name,
// or a similar one and is not too large, as corpora and results may be.
func mayConfigureHarnesses(d fs.DirEntry) bool {
	if _, ok := HarnessTool(d.Name(), false); !ok || d.IsDir() {
		return false
	}
	info, err := d.Info()
	return slices.Contains(HarnessFiles, d.Name()) || err == nil && info.Size() <= trust.MaxConfig
}

// Bounds of the configurations of a project that are read.
const (
	maxHarnessFiles = 128
	maxHarnessBytes = trust.MaxConfig // of all of them; a parser needs a second for so many
)

// harnessPaths lists the files that may configure other fuzzers: those in the root, with
// the usual names first, then those in the folders of sources and tests.
func (p *Project) harnessPaths() (list []string) {
	for _, name := range HarnessFiles {
		if path := filepath.Join(p.Root, name); exists(path, nil) {
			list = append(list, path)
		}
	}
	var others []string
	entries, _ := os.ReadDir(p.Root) // what cannot be read has no others
	for _, e := range entries {
		if mayConfigureHarnesses(e) {
			others = append(others, filepath.Join(p.Root, e.Name()))
		}
	}
	walks, _ := p.walksFor(p.testFolders()) // TestFiles returns the error
	for _, w := range walks {
		others = append(others, w.harness...)
	}
	for _, path := range others {
		if !slices.Contains(list, path) {
			list = append(list, path)
		}
	}
	return list
}

// HarnessConfigs returns the configurations of Echidna and Medusa in the project's
// root and its folders of sources and tests. Each error is a *solc.Failure: a file that
// cannot be read is left out, as are those beyond the bounds, and a wrong value keeps the
// tool's default.
func (p *Project) HarnessConfigs() (list []solc.HarnessConfig, failed []error) {
	p.readHarnesses.Do(func() {
		left := int64(maxHarnessBytes)
		for i, path := range p.harnessPaths() {
			if info, err := os.Stat(path); err == nil && info.Size() <= trust.MaxConfig { // others are refused unread
				left -= info.Size()
			}
			if i == maxHarnessFiles || left < 0 {
				p.badHarnesses = append(p.badHarnesses, p.named(&solc.Failure{
					Kind: solc.BadConfig, File: path,
					Sentence: fmt.Sprintf("this and later configurations of harnesses are not read: there are more than %d, or more than %d MB of them", maxHarnessFiles, maxHarnessBytes>>20),
					Remedy:   "move files that are none, or name one by --harness-config",
				}))
				break
			}
			tool, _ := HarnessTool(path, false)
			config, wrong, err := p.ReadHarnessConfig(path, tool)
			switch {
			case err != nil:
				p.badHarnesses = append(p.badHarnesses, err)
			case config.Tool != "":
				if config.Folder = unitName(p.Root, filepath.Dir(path)); config.Folder == "." {
					config.Folder = ""
				}
				p.harnesses, p.badHarnesses = append(p.harnesses, config), append(p.badHarnesses, wrong...)
			}
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
// each wrong value. A file without a usual name may be none: then the result has no Tool. In
// an untrusted project, the file must lie in it.
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
	if !tool.IsConfig(keys) && !slices.Contains(HarnessFiles, filepath.Base(path)) {
		return config, nil, nil
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
