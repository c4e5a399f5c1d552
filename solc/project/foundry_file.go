package project

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"leveret/solc"
	"leveret/solc/compiler"
)

// readFoundry returns the keys of the chosen profile. Later ones win: the user's
// own foundry.toml, the file that the project's extends, the project's default
// profile, its chosen profile, the environment.
func (p *configParser) readFoundry(env compiler.Env) (map[string]any, error) {
	path := p.Config
	keys := map[string]any{}
	if env.Home != "" {
		global := filepath.Join(env.Home, ".foundry", "foundry.toml")
		if text, err := os.ReadFile(global); err == nil && global != path {
			sections, err := foundrySections(text, env.Profile)
			if err != nil {
				return nil, badTOML(global, err)
			}
			keys = sections.keys
		}
	}
	text, err := p.readConfig(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	own, err := foundrySections(text, env.Profile)
	if err != nil {
		return nil, badTOML(path, err)
	}
	if own.missing {
		p.notef("%s: there is no profile %s", filepath.Base(path), env.Profile)
	}
	p.declared = own.profiles
	base, err := own.base(p, env.Profile)
	if err != nil {
		return nil, err
	}
	for _, layer := range []map[string]any{base, own.keys, foundryOverrides(env.Getenv)} {
		keys = mergeKeys(keys, layer)
	}
	return keys, nil
}

// A foundryFile has the keys of one profile of a foundry.toml.
type foundryFile struct {
	keys     map[string]any
	profiles []string // that the file declares
	missing  bool     // there is no such profile
}

// foundrySections reads one profile: what [profile.default] and the sections
// outside of profiles, such as [fuzz], say, overridden by the named profile.
// [fuzz] overrides the default profile's own section in all other profiles, as
// in forge.
func foundrySections(text []byte, profile string) (foundryFile, error) {
	var file map[string]any
	if err := toml.Unmarshal(text, &file); err != nil {
		return foundryFile{}, err
	}
	profiles, _ := file["profile"].(map[string]any)
	sections := []any{file["default"], profiles["default"], standalone(file), profiles[profile]}
	if profile == "" || profile == "default" {
		sections = []any{file["default"], standalone(file), profiles["default"]}
	}
	found := foundryFile{profiles: slices.Collect(maps.Keys(profiles))}
	for _, section := range sections {
		if keys, ok := section.(map[string]any); ok {
			found.keys = mergeKeys(found.keys, normalKeys(keys))
		}
	}
	found.missing = profile != "" && profile != "default" && profiles[profile] == nil
	return found, nil
}

// standaloneSections are those that may stand outside of profiles and that are
// read (Config::STANDALONE_SECTIONS of forge).
var standaloneSections = []string{"fuzz", "invariant", "rpc_endpoints", "labels"}

// standalone returns the sections outside of profiles. What [fuzz] says holds
// for [invariant] too.
func standalone(file map[string]any) map[string]any {
	keys := map[string]any{}
	for _, name := range standaloneSections {
		if section, ok := file[name].(map[string]any); ok {
			keys[name] = section
		}
	}
	if fuzz, ok := keys["fuzz"].(map[string]any); ok {
		invariant, _ := keys["invariant"].(map[string]any)
		keys["invariant"] = mergeKeys(fuzz, invariant)
	}
	return keys
}

// normalKeys returns keys in their first spelling. As in forge, keys of sections
// have only one.
func normalKeys(keys map[string]any) map[string]any {
	normal := map[string]any{}
	for key, value := range keys {
		normal[foundryKey(key)] = value
	}
	return normal
}

// mergeKeys returns the keys of both, b's if both have one; tables are merged. It
// changes neither.
func mergeKeys(a, b map[string]any) map[string]any {
	merged := map[string]any{}
	maps.Copy(merged, a)
	for key, value := range b {
		below, isTable := value.(map[string]any)
		above, wasTable := merged[key].(map[string]any)
		if isTable && wasTable {
			value = mergeKeys(above, below)
		}
		merged[key] = value
	}
	return merged
}

// wordStart is a boundary between the words of a key: "viaIR", "evmVersion".
var wordStart = regexp.MustCompile(`([a-z0-9])([A-Z])`)

// foundryKey normalises a key: Foundry accepts several spellings.
func foundryKey(key string) string {
	key = strings.ToLower(wordStart.ReplaceAllString(strings.ReplaceAll(key, "-", "_"), "${1}_${2}"))
	if key == "solc_version" {
		return "solc"
	}
	return key
}

// base returns the keys of the file that f extends. It prepends inherited lists
// to f's own ones unless the strategy is replace-arrays. The file extends no
// other.
func (f foundryFile) base(p *configParser, profile string) (map[string]any, error) {
	name, replace := f.extends()
	if name == "" {
		return nil, nil
	}
	at := absolute(p.Root, name)
	text, err := p.readConfig(at)
	if refused := (*solc.Failure)(nil); errors.As(err, &refused) {
		return nil, &solc.Failure{Kind: refused.Kind, File: p.Config, Sentence: fmt.Sprintf("it extends %s, outside the project, which is not trusted", name), Remedy: refused.Remedy}
	}
	if err != nil {
		return nil, &solc.Failure{Kind: solc.BadConfig, File: p.Config, Sentence: fmt.Sprintf("it extends %s, which cannot be read", name), Remedy: "correct extends"}
	}
	inherited, err := foundrySections(text, profile)
	if err != nil {
		return nil, badTOML(at, err)
	}
	p.declared = append(p.declared, inherited.profiles...)
	if !replace {
		for key, value := range f.keys {
			own, isList := value.([]any)
			before, wasList := inherited.keys[key].([]any)
			if isList && wasList {
				f.keys[key] = append(slices.Clone(before), own...)
			}
		}
	}
	return inherited.keys, nil
}

// extends returns the value of extends: a path, or a table with a path and a
// strategy.
func (f foundryFile) extends() (name string, replace bool) {
	switch v := f.keys["extends"].(type) {
	case string:
		return v, false
	case map[string]any:
		name, _ = v["path"].(string)
		return name, v["strategy"] == "replace-arrays"
	}
	return "", false
}
