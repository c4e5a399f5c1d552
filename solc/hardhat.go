package solc

import (
	"path/filepath"
	"slices"
)

// configureHardhat reads the literal parts of hardhat.config.*; it never runs
// it. Hardhat 2 has the compilers under `solidity`, Hardhat 3 there or below
// profiles.
func (p *Project) configureHardhat() {
	p.sourceDirs = []string{"contracts"}
	p.skipDirs = []string{"test"}
	r, ok := p.readScript()
	if !ok {
		return
	}
	if paths, ok := r.property("paths").(map[string]any); ok {
		if sources, ok := paths["sources"].(string); ok {
			p.sourceDirs = []string{filepath.ToSlash(filepath.Clean(sources))}
		}
	}
	p.readHardhat(r.property("solidity"))
	if len(p.compilers) == 0 {
		p.notef("%s: no compiler version could be read from it; the best one for the pragmas is taken", filepath.Base(p.Config))
	}
}

// readHardhat reads the value of solidity: a version, one compiler, a list of
// them, or profiles of such values.
func (p *Project) readHardhat(value any) {
	switch v := value.(type) {
	case string:
		p.addCompiler(v, Settings{OptimizerRuns: 200})
	case []any:
		for _, item := range v {
			p.readHardhat(item)
		}
	case map[string]any:
		if version, ok := v["version"].(string); ok {
			p.addCompiler(version, scriptSettings(v["settings"]))
		}
		p.readHardhat(v["compilers"])
		if profiles, ok := v["profiles"].(map[string]any); ok {
			p.readHardhat(profiles["default"])
		}
		if overrides, ok := v["overrides"].(map[string]any); ok {
			p.readOverrides(overrides)
		}
	}
}

// readOverrides adds the compilers that single files ask for, in the order of
// their names. Which file asks is not kept: its pragma tells.
func (p *Project) readOverrides(overrides map[string]any) {
	var files []string
	for file := range overrides {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		p.readHardhat(overrides[file])
	}
}

// scriptSettings reads the compiler's settings as Hardhat and Truffle have
// them.
func scriptSettings(value any) Settings {
	s := Settings{OptimizerRuns: 200}
	settings, _ := value.(map[string]any)
	if optimizer, ok := settings["optimizer"].(map[string]any); ok {
		s.Optimizer, _ = optimizer["enabled"].(bool)
		if runs, ok := optimizer["runs"].(float64); ok && runs >= 0 && runs <= 1<<32-1 {
			s.OptimizerRuns = int(runs)
		}
	}
	s.ViaIR, _ = settings["viaIR"].(bool)
	s.EVMVersion, _ = settings["evmVersion"].(string)
	return s
}

func (p *Project) configureTruffle() {
	p.sourceDirs = []string{"contracts"}
	p.skipDirs = []string{"test", "migrations"}
	r, ok := p.readScript()
	if !ok {
		return
	}
	compilers, _ := r.property("compilers").(map[string]any)
	compiler, _ := compilers["solc"].(map[string]any)
	version, _ := compiler["version"].(string)
	p.addCompiler(version, scriptSettings(compiler["settings"]))
}

// readScript reads the project's configuration if it is a script.
func (p *Project) readScript() (*jsReader, bool) {
	text, err := readSource(p.Config, nil)
	if err != nil {
		p.notef("%s: %v", filepath.Base(p.Config), err)
		return nil, false
	}
	return &jsReader{tokens: jsTokens(string(text))}, true
}
