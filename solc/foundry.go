package solc

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// foundryConfig is what is read of a profile of foundry.toml.
type foundryConfig struct {
	Src, Test, Script string
	Libs              []string
	Remappings        []string
	Solc              string
	Optimizer         *bool
	OptimizerRuns     *int
	ViaIR             bool
	EVMVersion        string

	unread []string // keys whose value has the wrong type
}

// parseFoundry reads one profile of foundry.toml: what [profile.default] says,
// overridden by the named profile. Unknown keys are Foundry's business.
func parseFoundry(text []byte, profile string) (foundryConfig, error) {
	config := foundryConfig{Src: "src", Test: "test", Script: "script", Libs: []string{"lib"}}
	var file map[string]any
	if err := toml.Unmarshal(text, &file); err != nil {
		return config, err
	}
	profiles, _ := file["profile"].(map[string]any)
	merged := map[string]any{}
	for _, section := range []any{file["default"], profiles["default"], profiles[profile]} {
		if keys, ok := section.(map[string]any); ok {
			maps.Copy(merged, keys)
		}
	}
	if profile != "" && profile != "default" && profiles[profile] == nil {
		config.unread = append(config.unread, "profile."+profile)
	}
	config.read(merged)
	return config, nil
}

// read takes the keys that matter; Foundry accepts both spellings of words.
func (c *foundryConfig) read(keys map[string]any) {
	for key, value := range keys {
		ok := true
		switch strings.ReplaceAll(key, "-", "_") {
		case "src":
			ok = set(&c.Src, value)
		case "test":
			ok = set(&c.Test, value)
		case "script":
			ok = set(&c.Script, value)
		case "libs":
			c.Libs, ok = stringList(value)
		case "remappings":
			c.Remappings, ok = stringList(value)
		case "solc", "solc_version":
			ok = set(&c.Solc, value)
		case "optimizer":
			var on bool
			ok = set(&on, value)
			c.Optimizer = &on
		case "optimizer_runs":
			var runs int64
			ok = set(&runs, value)
			n := int(runs)
			c.OptimizerRuns = &n
		case "via_ir":
			ok = set(&c.ViaIR, value)
		case "evm_version":
			ok = set(&c.EVMVersion, value)
		}
		if !ok {
			c.unread = append(c.unread, key)
		}
	}
	slices.Sort(c.unread)
}

func set[T any](to *T, value any) bool {
	v, ok := value.(T)
	if ok {
		*to = v
	}
	return ok
}

func stringList(value any) ([]string, bool) {
	if one, ok := value.(string); ok {
		return []string{one}, true
	}
	items, ok := value.([]any)
	var list []string
	for _, item := range items {
		s, isString := item.(string)
		ok = ok && isString
		list = append(list, s)
	}
	return list, ok
}

// settings returns the compiler settings with Foundry's defaults: naming the
// optimiser's runs switches it on.
func (c foundryConfig) settings() Settings {
	s := Settings{OptimizerRuns: 200, ViaIR: c.ViaIR, EVMVersion: c.EVMVersion}
	if c.OptimizerRuns != nil {
		s.OptimizerRuns = *c.OptimizerRuns
		s.Optimizer = *c.OptimizerRuns > 0
	}
	if c.Optimizer != nil {
		s.Optimizer = *c.Optimizer
	}
	return s
}

func (p *Project) configureFoundry(env Env) error {
	text, err := os.ReadFile(p.Config)
	if err != nil {
		return unreadable(p.Config, err)
	}
	config, err := parseFoundry(text, env.Profile)
	if err != nil {
		return p.named(&Failure{Kind: BadConfig, File: p.Config, Line: tomlLine(err), Sentence: fmt.Sprintf("this is no valid TOML: %v", err),
			Remedy: "correct it"})
	}
	for _, key := range config.unread {
		p.notef("%s: the value of %s is not understood", filepath.Base(p.Config), key)
	}
	for _, s := range config.Remappings {
		if r, ok := parseRemapping(s); ok {
			p.remappings = append(p.remappings, r)
		} else {
			p.notef("%s: %q is no remapping", filepath.Base(p.Config), s)
		}
	}
	p.libs = config.Libs
	p.sourceDirs = []string{config.Src}
	for _, dir := range append([]string{config.Test, config.Script}, config.Libs...) {
		p.skipDirs = append(p.skipDirs, filepath.ToSlash(filepath.Clean(dir)))
	}
	p.addCompiler(config.Solc, config.settings())
	return nil
}

// addCompiler adds settings for a version; a version that is none, such as the
// path of a binary, leaves the choice open.
func (p *Project) addCompiler(version string, s Settings) {
	c := compilerSettings{Settings: s}
	if version != "" {
		if v, ok := ParseVersion(strings.TrimLeft(version, "=^~v ")); ok && !strings.ContainsAny(version, `/\`) {
			c.version = &v
		} else {
			p.notef("%s: solc %q is not a version; the best one for the pragmas is taken", filepath.Base(p.Config), version)
		}
	}
	p.compilers = append(p.compilers, c)
}

func tomlLine(err error) int {
	if d, ok := err.(*toml.DecodeError); ok {
		line, _ := d.Position()
		return line
	}
	return 0
}
