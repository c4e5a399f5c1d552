package project

import (
	"bytes"
	"encoding/json"
	"path/filepath"

	"leveret/solc/trust"
)

// Scripts that evaluate a project's configuration, by Hardhat or as Truffle does.
// They print one line: the mark, then JSON.
const (
	evaluateMark = "leveret:"

	hardhatScript = `
const hre = await import('hardhat').then((m) => m.default);
const { solidity, paths } = hre.config;
console.log('\n` + evaluateMark + `' + JSON.stringify({ solidity, paths: { sources: paths.sources, tests: paths.tests } }));
process.exit(0);`

	truffleScript = `
const config = await import(process.argv[1]).then((m) => m.default);
const { compilers, contracts_directory } = config;
console.log('\n` + evaluateMark + `' + JSON.stringify({ compilers, contracts_directory }));
process.exit(0);`
)

// evaluate runs a project's configuration and returns what the script prints
// of it. It is nil for an untrusted project and if the run fails, which is
// noted.
func (p *configParser) evaluate(script string) map[string]any {
	node := p.tools.Node()
	if p.tools.Env().Untrusted || node == "" || trust.Within(p.Root, node) {
		return nil
	}
	depends := []string{p.Config, filepath.Join(p.Root, "package.json"), filepath.Join(p.Root, "node_modules", ".package-lock.json")}
	out, err := p.tools.RunProgram(p.Root, depends, nil, node, "--no-warnings", "--input-type=module", "--eval", script, "--", p.Config)
	values := evaluated(out)
	if err != nil || values == nil {
		p.notef("%s could not be evaluated; using only its literal values (npm install may help)", filepath.Base(p.Config))
		return nil
	}
	return values
}

// evaluated returns the values that a script printed; nil if it printed none.
func evaluated(out []byte) map[string]any {
	_, text, ok := bytes.Cut(out, []byte("\n"+evaluateMark))
	var values map[string]any
	if !ok || json.Unmarshal(bytes.SplitN(text, []byte("\n"), 2)[0], &values) != nil {
		return nil
	}
	return values
}
