package project

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/solctest"
)

// TestTwoConfigurations compiles a folder that Foundry's configuration fails for
// in part, and Hardhat's does not.
func TestTwoConfigurations(t *testing.T) {
	var parameters []string
	for n := range 17 {
		parameters = append(parameters, fmt.Sprint("uint a", n))
	}
	root := solctest.Write(t,
		"foundry.toml", "[profile.default]\nsrc = 'contracts'\nsolc = '0.8.30'",
		"hardhat.config.js", "module.exports = { solidity: { version: '0.8.30', settings: { viaIR: true, optimizer: { enabled: true, runs: 7 } } } }",
		"contracts/Good.sol", "pragma solidity ^0.8.0; contract Good {}",
		"contracts/Deep.sol", "pragma solidity ^0.8.0; contract Deep { function f("+strings.Join(parameters, ",")+") external pure returns (uint) { return a0 + a16; } }",
		"contracts/Wrong.sol", "pragma solidity ^0.8.0; contract Wrong { uint x = y; }")
	p := open(t, root, realTools(t))
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	builds, failed := p.CompileAll(t.Context(), files, nil)
	if len(failed) != 1 || !strings.HasPrefix(failed[0].Error(), "contracts/Wrong.sol:1") {
		t.Errorf("failures %v, want that of Wrong.sol alone", failed)
	}
	if got := len(uncompiled(files, builds)); got != 1 {
		t.Errorf("%d files are in no build, want Wrong.sol alone", got)
	}
	b, err := p.Compile(t.Context(), files[:1], nil)
	if err != nil || b.Settings.OptimizerRuns != 7 || b.Tests != &p.TestConfig {
		t.Fatalf("Deep.sol: %v with %+v, want Hardhat's settings", err, b.Settings)
	}
	says := func(m solc.Message) bool {
		return strings.HasPrefix(m.Text, "compiled as hardhat.config.js says, since with foundry.toml contracts/Deep.sol:1")
	}
	if !slices.ContainsFunc(b.Messages, says) {
		t.Errorf("messages %v do not say which configuration was used", b.Messages)
	}
	if _, err := p.Compile(t.Context(), files[2:], nil); err == nil || !strings.Contains(err.Error(), "Undeclared identifier") {
		t.Errorf("Wrong.sol: %v, want the compiler's error", err)
	}
}

// TestBrokenConfiguration opens a folder whose first configuration cannot be read.
func TestBrokenConfiguration(t *testing.T) {
	root := solctest.Write(t,
		"foundry.toml", "[profile.default\n",
		"hardhat.config.js", "module.exports = { solidity: '0.8.30' }",
		"contracts/A.sol", "pragma solidity ^0.8.0; contract A {}")
	p := open(t, root, realTools(t))
	if p.Kind != Hardhat || len(p.Notes) == 0 || !strings.HasPrefix(p.Notes[len(p.Notes)-1], "foundry.toml:1: invalid TOML") {
		t.Errorf("kind %s with notes %q, want Hardhat and the mistake in foundry.toml", p.Kind, p.Notes)
	}
}
