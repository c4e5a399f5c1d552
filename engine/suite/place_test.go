package suite_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"leveret/engine/search/searchtest"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/compiler"
)

// The way to a failure has the lines that comments of the source name, with and
// without the optimiser, which shares the ends of checks, and via IR, where few
// instructions have a source of their own.
func TestPlaces(t *testing.T) {
	text, err := os.ReadFile("testdata/Places.t.sol")
	if err != nil {
		t.Fatal(err)
	}
	tools := compiler.NewToolchain(searchtest.Env(t))
	t.Cleanup(func() { tools.Close() })
	for _, settings := range []string{"optimizer = false", "optimizer = true", "optimizer = false\nvia_ir = true", "optimizer = true\nvia_ir = true"} {
		root := t.TempDir()
		file := filepath.Join(root, "Places.t.sol")
		for name, text := range map[string]string{"foundry.toml": "[profile.default]\nsrc = \".\"\n" + settings + "\n", "Places.t.sol": string(text)} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b := searchtest.CompileWith(t, tools, file)
		s, err := suite.New(context.Background(), searchtest.Contract(t, b, "PlacesTest"), b.Contracts, suite.Options{Config: solc.DefaultTestConfig(), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
		for _, failing := range s.Tests.Tests {
			var want, got []int
			for i, line := range strings.Split(string(text), "\n") {
				if _, names, ok := strings.Cut(line, "// "); ok && slices.Contains(strings.Fields(names), failing.Name) {
					want = append(want, i+1)
				}
			}
			for _, step := range s.Trace(context.Background(), failing).Trail() {
				if line := step.Place.Start.Line; !slices.Contains(got, line) {
					got = append(got, line)
				}
			}
			if slices.Sort(got); !slices.Equal(got, want) {
				t.Errorf("%q: %s fails at the lines %v, want %v", settings, failing.Name, got, want)
			}
		}
	}
}
