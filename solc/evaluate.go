package solc

import (
	"bytes"
	"encoding/json"
	"path/filepath"
)

// The scripts that have a project's configuration evaluated by those who it is
// written for. They print one line: the mark, and JSON.
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

// An evaluation is what a project's configuration came to.
type evaluation struct {
	stamp  string // of the files that it depends on
	values map[string]any
}

// evaluate runs a project's configuration, once for as long as it stays as it
// is, and returns what the script picks of it. It is nil for a project that is
// not trusted, and if it cannot be done, which is noted.
func (t *Toolchain) evaluate(p *Project, script string) map[string]any {
	node := t.lookPath("node")
	if t.env.Untrusted || node == "" || within(p.Root, node) {
		return nil
	}
	now := stamps(p.Config, filepath.Join(p.Root, "package.json"), filepath.Join(p.Root, "node_modules", ".package-lock.json"))
	t.mu.Lock()
	known, ok := t.evaluated[p.Config]
	t.mu.Unlock()
	if !ok || known.stamp != now {
		known = evaluation{now, p.run(node, script)}
		t.mu.Lock()
		t.evaluated[p.Config] = known
		t.mu.Unlock()
	}
	if known.values == nil {
		p.notef("%s could not be evaluated; what can be read of it counts (npm install may help)", filepath.Base(p.Config))
	}
	return known.values
}

// run runs a script in the project's folder; nil if that fails.
func (p *Project) run(node, script string) map[string]any {
	out, err := runIn(p.Root, node, "--no-warnings", "--input-type=module", "--eval", script, "--", p.Config)
	if err != nil {
		return nil
	}
	_, text, ok := bytes.Cut(out, []byte("\n"+evaluateMark))
	var values map[string]any
	if !ok || json.Unmarshal(bytes.SplitN(text, []byte("\n"), 2)[0], &values) != nil {
		return nil
	}
	return values
}
