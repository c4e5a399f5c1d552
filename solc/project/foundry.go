package project

import (
	"cmp"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/version"
)

// foundryConfig has the keys of a profile of foundry.toml that are read.
type foundryConfig struct {
	Src, Test, Script string
	Libs              []string
	Include           []string // further folders to look for imports in
	Allow             []string // further folders that may be read
	Remappings        []string
	Solc              string
	Optimizer         *bool
	OptimizerRuns     *int
	ViaIR             *bool
	EVMVersion        string
	BytecodeHash      string
	Metadata          *bool // part of the code
	RevertStrings     string
	Details           solc.Optimizer
	Profiles          []compilerProfile // further settings for some files, by name
	Restrictions      []restriction     // which files need which settings

	unread        []string // keys whose value has the wrong type
	optimizerOpen bool     // see configuration
}

// A compilerProfile has the keys of an entry of additional_compiler_profiles.
type compilerProfile struct {
	name string
	foundryConfig
}

// foundryEVM is Foundry's default EVM version. An older compiler gets the latest
// one that it supports.
const foundryEVM = "osaka"

func foundryDefaults() foundryConfig {
	return foundryConfig{Src: "src", Test: "test", Script: "script", Libs: []string{"lib"}, EVMVersion: foundryEVM, BytecodeHash: "ipfs"}
}

// read sets the fields of known keys and ignores other keys.
func (c *foundryConfig) read(keys map[string]any) {
	for key, value := range keys {
		if value != nil && !c.set(foundryKey(key), value) {
			c.unread = append(c.unread, key)
		}
	}
	slices.Sort(c.unread)
}

// set sets the field of a key and reports whether the value has the right type.
func (c *foundryConfig) set(key string, value any) (ok bool) {
	switch key {
	case "src":
		return set(&c.Src, value)
	case "test":
		return set(&c.Test, value)
	case "script":
		return set(&c.Script, value)
	case "libs":
		return setList(&c.Libs, value)
	case "include_paths":
		return setList(&c.Include, value)
	case "allow_paths":
		return setList(&c.Allow, value)
	case "remappings":
		return setList(&c.Remappings, value)
	case "solc":
		return set(&c.Solc, value)
	case "optimizer":
		c.Optimizer = new(bool)
		return set(c.Optimizer, value)
	case "optimizer_runs":
		runs := 0
		if !setNumber(&runs, value) {
			return false
		}
		c.OptimizerRuns = &runs
	case "via_ir":
		c.ViaIR = new(bool)
		return set(c.ViaIR, value)
	case "evm_version":
		ok := set(&c.EVMVersion, value)
		c.EVMVersion = evmName(c.EVMVersion)
		return ok
	case "additional_compiler_profiles":
		return c.readProfiles(value)
	case "compilation_restrictions":
		return c.readRestrictions(value)
	default:
		return c.setCode(key, value)
	}
	return true
}

// setCode sets the fields of keys about what the compiler adds to the code, and how
// it optimises.
func (c *foundryConfig) setCode(key string, value any) (ok bool) {
	switch key {
	case "bytecode_hash":
		return setOneOf(&c.BytecodeHash, value, "ipfs", "bzzr1", "none")
	case "cbor_metadata":
		c.Metadata = new(bool)
		return set(c.Metadata, value)
	case "revert_strings":
		return setOneOf(&c.RevertStrings, value, "default", "strip", "debug", "verboseDebug")
	case "optimizer_details":
		table, _ := value.(map[string]any)
		details, ok := optimizerDetails(table, detailKinds)
		if ok && table != nil {
			c.Details = details
		}
		return ok && table != nil
	}
	return true
}

// evmName returns the EVM version of a name in any case, or the name if there is none.
func evmName(text string) string {
	i := slices.IndexFunc(version.EVMNames(), func(name string) bool { return strings.EqualFold(name, text) })
	if i < 0 {
		return text
	}
	return version.EVMNames()[i]
}

// readProfiles reads additional compiler profiles. forge tries them in the order
// of their names.
func (c *foundryConfig) readProfiles(value any) bool {
	list, ok := value.([]any)
	for _, item := range list {
		keys, isTable := item.(map[string]any)
		var p compilerProfile
		ok = isTable && set(&p.name, keys["name"]) && ok
		p.read(keys)
		ok = ok && p.unread == nil
		c.Profiles = append(c.Profiles, p)
	}
	slices.SortStableFunc(c.Profiles, func(a, b compilerProfile) int { return strings.Compare(a.name, b.name) })
	return ok
}

func set[T any](to *T, value any) bool {
	v, ok := value.(T)
	if ok {
		*to = v
	}
	return ok
}

// setOneOf accepts only some values.
func setOneOf(to *string, value any, values ...string) bool {
	text, _ := value.(string)
	ok := slices.Contains(values, text)
	if ok {
		*to = text
	}
	return ok
}

// setNumber accepts the numbers of TOML and of JSON.
func setNumber(to *int, value any) bool {
	switch n := value.(type) {
	case int64:
		*to = int(n)
	case float64:
		*to = int(n)
	default:
		return false
	}
	return *to >= 0
}

func setList(to *[]string, value any) bool {
	list, ok := stringList(value)
	*to = list
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

// settings returns the compiler settings with Foundry's defaults: a number of
// runs enables the optimiser.
func (c foundryConfig) settings() solc.Settings {
	s := solc.Settings{
		OptimizerRuns: 200, ViaIR: c.ViaIR != nil && *c.ViaIR, EVMVersion: c.EVMVersion, Details: c.Details,
		BytecodeHash: c.BytecodeHash, NoMetadata: c.Metadata != nil && !*c.Metadata, RevertStrings: c.RevertStrings,
	}
	if c.OptimizerRuns != nil {
		s.OptimizerRuns = *c.OptimizerRuns
		s.Optimizer = *c.OptimizerRuns > 0
	}
	if c.Optimizer != nil {
		s.Optimizer = *c.Optimizer
	}
	return s
}

// over returns the keys of base with those that an additional profile overrides.
// A number of runs enables the optimiser unless the profile says otherwise.
func (c compilerProfile) over(base foundryConfig) foundryConfig {
	merged := base
	if c.OptimizerRuns != nil {
		merged.OptimizerRuns = c.OptimizerRuns
		if *c.OptimizerRuns > 0 {
			merged.Optimizer = nil
		}
	}
	if c.Optimizer != nil {
		merged.Optimizer = c.Optimizer
	}
	if c.ViaIR != nil {
		merged.ViaIR = c.ViaIR
	}
	merged.EVMVersion, merged.BytecodeHash = cmp.Or(c.EVMVersion, base.EVMVersion), cmp.Or(c.BytecodeHash, base.BytecodeHash)
	return merged
}

func (p *configParser) configureFoundry(env compiler.Env) error {
	config, keys, err := p.foundryConfig(env)
	if err != nil {
		return err
	}
	for _, key := range config.unread {
		p.notef("%s: the value of %s has the wrong type, so its default is used; correct or remove it", filepath.Base(p.Config), key)
	}
	for _, s := range config.Remappings {
		if r, ok := parseRemapping(s); ok {
			p.remappings = append(p.remappings, r)
		} else {
			p.notef("%s: %q is not a remapping", filepath.Base(p.Config), s)
		}
	}
	p.libs, p.include, p.allow = config.Libs, config.Include, config.Allow
	p.sourceDirs, p.testDirs, p.scriptDirs = []string{config.Src}, []string{config.Test}, []string{config.Script}
	for _, dir := range append([]string{config.Test, config.Script}, config.Libs...) {
		p.skipDirs = append(p.skipDirs, filepath.ToSlash(filepath.Clean(dir)))
	}
	p.addCompiler(config.Solc, config.settings())
	p.optimizerOpen = config.optimizerOpen
	for _, further := range config.Profiles {
		s := further.over(config).settings()
		if v := p.compilers[0].version; v != nil {
			s.EVMVersion = version.EVM(*v, s.EVMVersion)
		}
		p.profiles = append(p.profiles, s)
	}
	p.restrictions = config.Restrictions
	for _, r := range p.restrictions {
		if _, ok := p.allowed(p.usual(), r); !ok {
			p.notef("%s: no compiler profile satisfies the compilation_restrictions: %s", filepath.Base(p.Config), r)
		}
	}
	p.configureTests(env.Profile, keys)
	return nil
}

// foundryConfig returns the configuration and all its keys as forge prints
// them, or reads the files that forge reads if there is no forge that may be run.
func (p *configParser) foundryConfig(env compiler.Env) (foundryConfig, map[string]any, error) {
	config := foundryDefaults()
	keys, err := p.readFoundry(env)
	if err != nil {
		return config, nil, p.named(err)
	}
	config.optimizerOpen = !slices.ContainsFunc(slices.Collect(maps.Keys(keys)), func(key string) bool {
		return slices.Contains([]string{"optimizer", "optimizer_runs", "optimizer_details"}, foundryKey(key))
	})
	forged, err := p.askForge()
	if err != nil {
		p.notef("forge failed; %s was read without it: %v", filepath.Base(p.Config), err)
	} else if forged != nil {
		config.read(forged.keys)
		if forged.remappings != nil {
			config.Remappings, p.remappings = forged.remappings, nil // those of remappings.txt are among them
		}
		return config, forged.keys, nil
	}
	config.read(keys)
	return config, keys, nil
}

// addCompiler adds settings for a version, for the compiler at a path, or for any
// version if text is neither.
func (p *configParser) addCompiler(text string, s solc.Settings) {
	p.compilers = append(p.compilers, p.compilerOf(text, s))
}

func (p *configParser) compilerOf(text string, s solc.Settings) compilerSettings {
	c := compilerSettings{Settings: s}
	if text != "" {
		if v, ok := version.Parse(strings.TrimLeft(text, "=^~v ")); ok && !strings.ContainsAny(text, `/\`) {
			c.version = &v
			c.EVMVersion = version.EVM(v, s.EVMVersion)
		} else {
			c.path = p.compilerPath(text)
		}
	}
	return c
}

// compilerPath returns the compiler that the configuration names by its path: a binary,
// an npm package or a soljson.js. It is empty if text is no path, or if the project may
// choose no program.
func (p *configParser) compilerPath(text string) string {
	why := "it is neither a version nor a path"
	switch {
	case !strings.ContainsAny(text, `/\`):
	case p.tools.Env().Untrusted:
		why = "only a trusted project chooses a program"
	case filepath.IsAbs(text):
		return text
	default:
		return filepath.Join(p.Root, filepath.FromSlash(text))
	}
	p.notef("%s: solc %q is not used: %s; using the best one for the pragmas", filepath.Base(p.Config), text, why)
	return ""
}

func tomlLine(err error) int {
	if d, ok := err.(*toml.DecodeError); ok {
		line, _ := d.Position()
		return line
	}
	return 0
}

// foundryVariables are the keys that FOUNDRY_… and DAPP_… variables override.
var foundryVariables = []string{"src", "test", "script", "libs", "remappings", "solc", "solc_version", "optimizer", "optimizer_runs", "via_ir", "evm_version"}

// foundryOverrides reads those variables as Foundry does: JSON, or plain text.
func foundryOverrides(getenv func(string) string) map[string]any {
	keys := map[string]any{}
	if getenv == nil {
		return keys
	}
	for _, key := range foundryVariables {
		for _, prefix := range []string{"DAPP_", "FOUNDRY_"} {
			text := getenv(prefix + strings.ToUpper(key))
			if text == "" {
				continue
			}
			var value any = text
			switch key {
			case "libs":
				value = splitList(text, ",")
			case "remappings":
				value = splitList(text, "\n")
			case "optimizer", "optimizer_runs", "via_ir":
				if json.Unmarshal([]byte(text), &value) != nil {
					value = text // the wrong type, which is reported
				}
			}
			keys[foundryKey(key)] = value
		}
	}
	return mergeKeys(keys, testOverrides(getenv))
}

func splitList(text, by string) []any {
	var list []any
	for s := range strings.SplitSeq(strings.Trim(text, "[]"), by) {
		list = append(list, strings.Trim(strings.TrimSpace(s), `"'`))
	}
	return list
}

func badTOML(path string, err error) error {
	return &solc.Failure{Kind: solc.BadConfig, File: path, Line: tomlLine(err), Sentence: "invalid TOML: " + strings.TrimPrefix(err.Error(), "toml: "), Remedy: "correct it"}
}
