package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStorms runs a short version of `make storm`.
func TestStorms(t *testing.T) {
	tools, err := filepath.Abs("../../solc/testdata/npm")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(tools, "node_modules")); err != nil {
		t.Fatal("the compilers are missing; run `make tools`")
	}
	leveret := filepath.Join(t.TempDir(), "leveret")
	if out, err := exec.Command("go", "build", "-o", leveret, "leveret/cmd/leveret").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	for _, s := range storms {
		t.Run(s.name, func(t *testing.T) {
			result, err := s.runIn(t.Context(), options{leveret: leveret, tools: tools, trials: s.short, seed: 1, log: t.Output()})
			if err != nil {
				t.Error(err)
			}
			for _, f := range result.failures {
				t.Error(f)
			}
			t.Logf("%d %s %s", result.trials, result.unit, result.detail)
		})
	}
}
