package project

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/version"
)

// A configParser reads a project's configuration.
type configParser struct {
	*Location
	*configuration
	tools *compiler.Toolchain
}

// configure reads the configuration of a project of any kind.
func (p *configParser) configure(env compiler.Env) error {
	p.libs = []string{"lib"}
	p.testDirs, p.scriptDirs = []string{"test", "tests"}, []string{"script", "scripts"}
	p.TestConfig = solc.DefaultTestConfig()
	p.remappings = readRemappingsFile(p.Location, p.Root)
	switch p.Kind {
	case Foundry:
		if err := p.configureFoundry(env); err != nil {
			return err
		}
	case Hardhat:
		p.configureHardhat()
	case Truffle:
		p.configureTruffle()
	case Brownie:
		if err := p.configureBrownie(env); err != nil {
			return err
		}
	}
	p.admitConfigured()
	p.checkEVMVersions()
	for i := range p.compilers {
		p.compilers[i].Remappings = p.Remappings()
	}
	for file, c := range p.overrides {
		c.Remappings = p.Remappings()
		p.overrides[file] = c
	}
	return nil
}

// admitConfigured allows reading from the configured folders.
func (p *configParser) admitConfigured() {
	for _, dir := range slices.Concat(p.sourceDirs, p.testDirs, p.scriptDirs, p.libs, p.include, p.allow) {
		p.limits.AdmitConfigured(absolute(p.Root, dir))
	}
}

// checkEVMVersions notes EVM versions that no compiler knows, unless the reader of what
// tests are configured with has.
func (p *configParser) checkEVMVersions() {
	var said []string
	ofTests := func(name string) bool {
		return slices.ContainsFunc(p.Notes, func(n string) bool { return strings.Contains(n, fmt.Sprintf("evm_version: %q", name)) })
	}
	for _, c := range append(slices.Collect(maps.Values(p.overrides)), p.compilers...) {
		if c.EVMVersion != "" && !slices.Contains(version.EVMNames(), c.EVMVersion) && !slices.Contains(said, c.EVMVersion) && !ofTests(c.EVMVersion) {
			said = append(said, c.EVMVersion)
			p.notef("%s: unknown EVM version %q; using the compiler's default", filepath.Base(p.Config), c.EVMVersion)
		}
	}
}

// readRemappingsFile reads the remappings.txt in a folder, if there is one.
func readRemappingsFile(at *Location, dir string) []remapping {
	text, err := at.readConfig(filepath.Join(dir, "remappings.txt"))
	if err != nil {
		return nil
	}
	return parseRemappings(string(text))
}
