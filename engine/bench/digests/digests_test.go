package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestDigests compares a small part of the record with the current engine. After
// a change of behavior, `make record-digests` creates a new record.
func TestDigests(t *testing.T) {
	const root = "../../.."
	tools := filepath.Join(root, "solc/testdata/npm")
	if _, err := os.Stat(filepath.Join(tools, "node_modules")); err != nil {
		t.Fatal("the compilers and contracts are missing; run `make tools`")
	}
	recorded, err := readRecord(filepath.Join(root, "engine/bench/results/digests.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	if len(recorded) < 100 {
		t.Fatalf("the record has %d rows", len(recorded))
	}
	sources := []source{
		{filepath.Join(tools, "contracts/Token.sol"), "Token"},
		{filepath.Join(tools, "contracts/Shares.sol"), "Shares"},
		{filepath.Join(tools, "contracts/Pair.sol"), "Pair"},
		{filepath.Join(tools, "contracts/Safe.sol"), "Safe"},
		{filepath.Join(tools, "contracts/OldestNft.sol"), "OldestNft"},
	}
	rows, err := digestAll(t.Context(), options{tools: tools, inputs: 3000, seeds: 1, jobs: 2}, sources)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(sources)*len(variants) {
		t.Fatalf("%d rows for %d contracts", len(rows), len(sources))
	}
	if err := compare(recorded, rows); err != nil {
		t.Error(err)
	}
}

// TestDigestsDependOnSeed makes sure that a digest depends on the inputs.
func TestDigestsDependOnSeed(t *testing.T) {
	recorded, err := readRecord("../results/digests.tsv")
	if err != nil {
		t.Fatal(err)
	}
	first, second := recorded["Token.sol:Token\t1"], recorded["Token.sol:Token\t2"]
	if first == "" || second == "" || compare(map[string]string{key(first): second}, []string{first}) == nil {
		t.Errorf("equal digests of two seeds: %q, %q", first, second)
	}
}
