package project

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
)

// configureHardhat reads the literal values of hardhat.config.* without running
// it. If values that matter are not literal and the project is trusted, Hardhat
// evaluates it. Hardhat 2 has the compilers under `solidity`, Hardhat 3 there or
// below profiles.
func (p *configParser) configureHardhat() {
	p.sourceDirs = []string{"contracts"}
	p.skipDirs = []string{"test"}
	r, ok := p.readScript()
	if !ok {
		return
	}
	solidity, paths := r.config("solidity"), r.config("paths")
	if _, absent := paths.(unknown); absent && r.lacks("paths") {
		paths = nil
	}
	if !literal(solidity) || !literal(paths) {
		if told := p.evaluate(hardhatScript); told != nil {
			solidity, paths = told["solidity"], told["paths"]
		}
	}
	p.readPaths(paths)
	p.readHardhat(solidity)
	if !slices.ContainsFunc(p.compilers, func(c compilerSettings) bool { return c.version != nil }) {
		p.notef("%s: no compiler version found; using the best one for the pragmas", filepath.Base(p.Config))
	}
}

// readPaths reads the folders of sources and tests: one each in Hardhat 2, a list
// for each language in Hardhat 3.
func (p *configParser) readPaths(value any) {
	paths, _ := value.(map[string]any)
	if dirs := p.folders(paths["sources"]); len(dirs) > 0 {
		p.sourceDirs = dirs
	}
	if dirs := p.folders(paths["tests"]); len(dirs) > 0 {
		p.skipDirs = dirs
	}
}

// folders returns folders relative to the project.
func (p *configParser) folders(value any) []string {
	if languages, ok := value.(map[string]any); ok {
		value = languages["solidity"]
	}
	list, _ := stringList(value)
	var dirs []string
	for _, dir := range list {
		if dir == "" {
			continue
		}
		if filepath.IsAbs(dir) { // as evaluated by Hardhat
			dir = unitName(p.Root, dir)
		}
		dirs = append(dirs, path.Clean(filepath.ToSlash(dir)))
	}
	return dirs
}

// readHardhat reads the value of solidity: a version, one compiler, a list of
// them, or profiles of such values.
func (p *configParser) readHardhat(value any) {
	switch v := value.(type) {
	case string:
		p.addCompiler(v, solc.Settings{OptimizerRuns: 200})
	case []any:
		for _, item := range v {
			p.readHardhat(item)
		}
	case map[string]any:
		version, ok := v["version"].(string)
		if _, settings := v["settings"].(map[string]any); ok || settings {
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

// readOverrides reads the compilers of single files. Other files use them if no
// other compiler satisfies their pragmas.
func (p *configParser) readOverrides(overrides map[string]any) {
	var files []string
	for file := range overrides {
		files = append(files, file)
	}
	slices.Sort(files)
	for _, file := range files {
		before := len(p.compilers)
		p.readHardhat(overrides[file])
		if len(p.compilers) > before {
			if p.overrides == nil {
				p.overrides = map[string]compilerSettings{}
			}
			p.overrides[path.Clean(file)] = p.compilers[before]
		}
	}
}

// scriptSettings reads compiler settings in the format of Hardhat and Truffle.
func scriptSettings(value any) solc.Settings {
	s := solc.Settings{OptimizerRuns: 200}
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

// configureTruffle reads truffle-config.js in the same way.
func (p *configParser) configureTruffle() {
	p.sourceDirs = []string{"contracts"}
	p.skipDirs = []string{"test", "migrations"}
	r, ok := p.readScript()
	if !ok {
		return
	}
	compilers, dir := r.config("compilers"), r.config("contracts_directory")
	if !literal(compilers) && !r.lacks("compilers") {
		if told := p.evaluate(truffleScript); told != nil {
			compilers, dir = told["compilers"], told["contracts_directory"]
		}
	}
	if dirs := p.folders(dir); len(dirs) > 0 {
		p.sourceDirs = dirs
	}
	languages, _ := compilers.(map[string]any)
	compiler, _ := languages["solc"].(map[string]any)
	version, _ := compiler["version"].(string)
	settings, ok := compiler["settings"]
	if !ok {
		settings = r.config("solc") // as before Truffle 5
	}
	p.addCompiler(version, scriptSettings(settings))
}

// readScript reads the project's configuration if it is a script.
func (p *configParser) readScript() (*jsReader, bool) {
	text, err := p.readConfig(p.Config)
	if err != nil {
		p.notef("%s", p.named(unreadable(p.Config, err)))
		return nil, false
	}
	return &jsReader{tokens: jsTokens(string(text))}, true
}

// lacks reports whether a name does not occur in the script.
func (r *jsReader) lacks(name string) bool {
	return !slices.ContainsFunc(r.tokens, func(t jsToken) bool { return strings.Contains(t.text, name) })
}
