package project

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/version"
)

// configureTests sets what the keys of the profile in effect say about tests. A
// wrong value is noted, and forge's default holds.
func (p *configParser) configureTests(profile string, keys map[string]any) {
	config, bad := solc.DefaultTestConfig().With(profile, p.declared, keys)
	for _, b := range bad {
		p.notef("%s: %v; forge's default holds", filepath.Base(p.Config), b)
	}
	rules := strings.ToLower(config.Chain.EVMVersion)
	for _, prefix := range []string{"ethereum:", "eth:"} {
		rules = strings.TrimPrefix(rules, prefix)
	}
	if v := p.compilers[0].version; v != nil && keys["hardfork"] == nil {
		rules = cmp.Or(version.EVM(*v, rules), rules)
	}
	config.Chain.EVMVersion = rules
	for i, l := range config.Libraries {
		if target, ok := remap(p.remappings, "", l.File); ok {
			l.File = target
		}
		config.Libraries[i].File = unitName(p.Root, absolute(p.Root, l.File))
	}
	p.TestConfig = config
}

// testOverrides reads the FOUNDRY_… and DAPP_… variables that override keys about
// tests, FOUNDRY_FUZZ_RUNS for runs in [fuzz]. As in forge, none allows cheatcodes
// to run programs or to use files.
func testOverrides(getenv func(string) string) map[string]any {
	keys := map[string]any{}
	for _, key := range solc.TestKeys() {
		if slices.Contains([]string{"ffi", "fs_permissions", "rpc_endpoints", "labels", "skip"}, key) {
			continue
		}
		for _, prefix := range []string{"DAPP_", "FOUNDRY_"} {
			text := getenv(prefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_")))
			if text == "" {
				continue
			}
			value := any(text)
			switch {
			case key == "libraries":
				value = splitList(text, ",")
			case text == "true" || text == "false":
				value = text == "true"
			}
			section, name, nested := strings.Cut(key, ".")
			if nested {
				keys = mergeKeys(keys, map[string]any{section: map[string]any{name: value}})
			} else {
				keys[key] = value
			}
		}
	}
	return keys
}
