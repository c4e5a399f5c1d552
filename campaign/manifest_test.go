package campaign

import (
	"bytes"
	"compress/gzip"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/solctest"
)

// plantedSource has a finding that takes two calls, one that takes one, and code that
// takes a search.
const plantedSource = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

contract Steps {
    uint256 level;
    uint256 public total;

    function raise(uint256 by) external {
        require(by > 0 && by < 1000);
        level += by;
        if (level > 2000) total = level;
    }

    function open(uint256 code) external view {
        assert(level == 0 || code != level * 7 + 3);
    }
}

contract Plain {
    function at(uint8 x) external pure returns (uint8) {
        assert(x != 77);
        return x / 2;
    }
}
`

// build compiles plantedSource, or takes it from the cache, with the output kept.
func build(t testing.TB) *solc.Build {
	t.Helper()
	tools := compiler.NewToolchain(searchtest.Env(t))
	defer tools.Close()
	dir := solctest.Write(t, "src/Planted.sol", plantedSource)
	p, err := project.Open(tools, dir)
	if err != nil {
		t.Fatal(err)
	}
	p.KeepOutput = true
	b, err := p.Compile(t.Context(), []string{filepath.Join(dir, "src", "Planted.sol")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// manifest returns the manifest of contracts of plantedSource.
func manifest(t testing.TB, b *solc.Build, names ...string) *Manifest {
	t.Helper()
	m := &Manifest{Settings: Settings{Oracles: []string{"assertion"}}}
	var list []*solc.Contract
	for _, name := range names {
		list = append(list, b.Contract(name))
	}
	if err := m.Add(b, b.Root, list); err != nil {
		t.Fatal(err)
	}
	return m
}

// A contract from a manifest is fuzzed as the one that was compiled: with the same
// inputs and findings, at the same lines, though the manifest has no path.
func TestManifest(t *testing.T) {
	b := build(t)
	text, err := manifest(t, b, "Steps", "Plain").Encode()
	if err != nil {
		t.Fatal(err)
	}
	m, err := DecodeManifest(text)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := m.Targets("")
	if err != nil || len(targets) != 2 {
		t.Fatalf("%d targets, %v", len(targets), err)
	}
	own := Target{b.Contract("Steps"), b.Contracts}
	if code := Code(targets); code != Code([]Target{own, {b.Contract("Plain"), b.Contracts}}) || code == Code(targets[:1]) {
		t.Errorf("code %s", code)
	}
	run := func(target Target) (inputs []string, r *finding.Result) {
		options := m.Options()
		options.Seed, options.MaxInputs = 1, 3000
		options.Executed = func(s input.Sequence) { inputs = append(inputs, s.String()) }
		r, err := engine.Run(t.Context(), target.Contract, target.Project, options)
		if err != nil {
			t.Fatal(err)
		}
		return inputs, r
	}
	wantInputs, want := run(own)
	haveInputs, have := run(targets[0])
	if !slices.Equal(haveInputs, wantInputs) || len(want.Findings) == 0 || len(have.Findings) != len(want.Findings) {
		t.Fatalf("%d inputs, %d findings; want %d, %d", len(haveInputs), len(have.Findings), len(wantInputs), len(want.Findings))
	}
	for i, f := range have.Findings {
		w := want.Findings[i]
		if f.ID != w.ID || f.Place.Start != w.Place.Start || f.Place.File != w.Place.File || f.Message != w.Message || f.Place.Path != "" {
			t.Errorf("finding %+v, want %+v", f, w)
		}
	}
	plain, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if unpacked, err := io.ReadAll(plain); err != nil || bytes.Contains(unpacked, []byte(b.Root)) {
		t.Errorf("the manifest names %s", b.Root)
	}
}

// What is no manifest, or one that lacks something, is an error.
func TestBadManifests(t *testing.T) {
	b := build(t)
	for name, change := range map[string]func(*Manifest){
		"no contract":   func(m *Manifest) { m.Contracts = nil },
		"no bundle":     func(m *Manifest) { m.Bundles = nil },
		"a null bundle": func(m *Manifest) { m.Bundles[0] = nil },
		"no output":     func(m *Manifest) { m.Bundles[0].Output = nil },
		"no source":     func(m *Manifest) { m.Bundles[0].Sources = nil },
		"other names":   func(m *Manifest) { m.Contracts[0].Name = "Nobody" },
		"other indices": func(m *Manifest) { m.Contracts[0].Bundle = -1 },
	} {
		m := manifest(t, b, "Steps")
		change(m)
		if _, err := m.Targets(""); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	text, err := manifest(t, b, "Steps").Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range [][]byte{nil, []byte("{}"), text[:len(text)/2]} {
		if _, err := DecodeManifest(bad); err == nil {
			t.Errorf("%d bytes: no error", len(bad))
		}
	}
	b.Output = nil
	if err := new(Manifest).Add(b, "", b.Contracts); err == nil {
		t.Error("a build without output: no error")
	}
}
