package suite_test

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/search/searchtest"
	"leveret/engine/suite"
	"leveret/solc"
	"leveret/solc/compiler"
)

// The way to a failure has the lines that comments of the source name, with and
// without the optimiser, which shares the ends of checks, and via IR, where few
// instructions have a source of their own.
func TestPlaces(t *testing.T) {
	for settings, s := range suites(t, "Places.t.sol", "PlacesTest") {
		text, err := os.ReadFile("testdata/Places.t.sol")
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

// suites returns the suite of a contract by the settings that its file is compiled with.
func suites(t *testing.T, name, contract string) map[string]*suite.Suite {
	text, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	tools := compiler.NewToolchain(searchtest.Env(t))
	t.Cleanup(func() { tools.Close() })
	all := map[string]*suite.Suite{}
	for _, settings := range []string{"optimizer = false", "optimizer = true", "optimizer = false\nvia_ir = true", "optimizer = true\nvia_ir = true"} {
		root := t.TempDir()
		for name, text := range map[string]string{"foundry.toml": "[profile.default]\nsrc = \".\"\n" + settings + "\n", name: string(text)} {
			if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		b := searchtest.CompileWith(t, tools, filepath.Join(root, name))
		all[settings], err = suite.New(context.Background(), searchtest.Contract(t, b, contract), b.Contracts, suite.Options{Config: solc.DefaultTestConfig(), Now: time.Now})
		if err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// A failure that comes from an account without code says so; what happened before a failure does not.
func TestAbsent(t *testing.T) {
	vault := common.BytesToAddress(crypto.Keccak256([]byte("vault")))
	for settings, s := range suites(t, "Absent.t.sol", "AbsentTest") {
		for _, test := range s.Tests.Tests {
			v := s.Run(context.Background(), test)
			plain := v.Reason
			s.Because(&v, s.Trace(context.Background(), test))
			want := plain
			if strings.Contains(test.Name, "Needs") {
				want += ": " + vault.Hex() + " has no code; contracts of a live chain exist only on a fork"
			}
			if v.Status != suite.Failed || v.Reason != want {
				t.Errorf("%q: %s: %s, %q", settings, test.Name, v.Status, v.Reason)
			}
		}
	}
}

// What a function that only asserts something says in an event is part of the reason, and the
// failure is at its call. Optimized via IR, its code may replace the call: then the failure is in it.
func TestSaid(t *testing.T) {
	text, err := os.ReadFile("testdata/Said.t.sol")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	called := map[string]string{"testPlain": "V-01", "testWrapped": "V-03", "testPair": "V-04", "testOwn": "total == 1", "testCaught": "withdraw(12)", "testLater": "no total"}
	want := map[string]string{
		"testPlain":   "panic: assertion failed (0x01): V-01: the vault owes less than what it has received",
		"testWrapped": "panic: assertion failed (0x01): V-03: more",
		"testPair":    "panic: assertion failed (0x01)",
		"testOwn":     "panic: assertion failed (0x01)",
		"testCaught":  "panic: assertion failed (0x01): the vault is poor",
		"testLater":   "no total",
	}
	for settings, s := range suites(t, "Said.t.sol", "SaidTest") {
		for _, test := range s.Tests.Tests {
			v := s.Run(context.Background(), test)
			trace := s.Trace(context.Background(), test)
			s.Because(&v, trace)
			if v.Reason != want[test.Name] {
				t.Errorf("%q: %s: %q, want %q", settings, test.Name, v.Reason, want[test.Name])
			}
			if at, _ := suite.Where(trace.Trail()); at == nil || !strings.Contains(lines[at.Place.Start.Line-1], called[test.Name]) && !(at.Asserting && strings.Count(settings, "true") == 2) {
				t.Errorf("%q: %s fails at %+v", settings, test.Name, at)
			}
		}
	}
}
