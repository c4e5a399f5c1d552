package project

import (
	"encoding/json"
	"errors"
	"path/filepath"

	"leveret/solc/compiler"
	"leveret/solc/trust"
)

// A forgeConfig is a project's configuration as forge prints it.
type forgeConfig struct {
	keys       map[string]any // forge config --json
	remappings []string       // forge remappings; nil if that failed
}

// askForge returns a project's configuration from forge; nil if there is no
// forge that may be run. It runs only a forge that the user installed, never
// one in the project, and none at all for an untrusted project.
func (p *configParser) askForge() (*forgeConfig, error) {
	if p.tools.Env().Untrusted {
		return nil, nil
	}
	forge := findForge(p.tools.Env(), p.Root)
	if forge == "" {
		return nil, nil
	}
	depends := []string{forge, p.Config, filepath.Join(p.Root, "remappings.txt"), filepath.Join(p.Root, ".env"), filepath.Join(p.Root, "lib")}
	var profile []string
	if name := p.tools.Env().Profile; name != "" {
		profile = []string{"FOUNDRY_PROFILE=" + name}
	}
	text, err := p.tools.RunProgram(p.Root, depends, profile, forge, "config", "--json")
	if err != nil {
		return nil, err
	}
	var config forgeConfig
	if err := json.Unmarshal(text, &config.keys); err != nil {
		return nil, errors.New("forge config --json gave no JSON")
	}
	if text, err := p.tools.RunProgram(p.Root, depends, profile, forge, "remappings"); err == nil {
		config.remappings = []string{}
		for _, r := range parseRemappings(string(text)) {
			config.remappings = append(config.remappings, r.String())
		}
	}
	return &config, nil
}

// findForge returns the user's forge; empty if there is none, or if it lies in
// the project.
func findForge(env compiler.Env, root string) string {
	forge := compiler.LookPath(env.Path, "forge")
	if forge == "" && env.Home != "" {
		forge = compiler.LookPath(filepath.Join(env.Home, ".foundry", "bin"), "forge")
	}
	if forge == "" || trust.Within(root, forge) {
		return ""
	}
	if real, err := filepath.EvalSymlinks(forge); err != nil || trust.Within(root, real) {
		return ""
	}
	return forge
}
