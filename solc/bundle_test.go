package solc

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"testing"
)

// A bundle has no absolute path, and lacks nothing else of what code is mapped with.
func TestBundle(t *testing.T) {
	output := `{"sources": {"A.sol": {"id": 0}}, "contracts": {"A.sol": {"A": {"abi": [], "evm": {"deployedBytecode": {"object": "6001", "sourceMap": "0:1:0"}}}}}}`
	b, err := ReadOutput([]byte(output), map[string]*Source{"A.sol": {Name: "A.sol", Path: "/home/me/A.sol", Text: []byte("contract A {}\n"), Library: true}})
	if err != nil {
		t.Fatal(err)
	}
	b.Root, b.Version, b.Settings = "/home/me", "0.8.30", Settings{Optimizer: true, Remappings: []string{"x=lib/x", "y=/home/me/y"}}
	if _, err := NewBundle(b, "/home"); err == nil {
		t.Error("a bundle without output")
	}
	b.Output = []byte(output)
	bundle, err := NewBundle(b, "/home")
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(bundle)
	if err != nil {
		t.Fatal(err)
	}
	var read Bundle
	if err := json.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	again, err := read.Build("")
	if err != nil {
		t.Fatal(err)
	}
	s := again.Source("A.sol")
	if again.Version != b.Version || !again.Settings.Optimizer || !slices.Equal(again.Settings.Remappings, []string{"x=lib/x"}) || again.Root != "" {
		t.Errorf("build %+v", again)
	}
	if s == nil || s.Path != "" || string(s.Text) != "contract A {}\n" || !s.Library || s.Lines.Count() != 2 {
		t.Errorf("source %+v", s)
	}
	for folder, want := range map[string]string{"/home": "me/A.sol", "/home/me": "A.sol", "/home/me/sub": "A.sol", "/elsewhere": "A.sol", "": "A.sol"} {
		bundle, err := NewBundle(b, folder)
		if err != nil {
			t.Fatal(err)
		}
		there := filepath.FromSlash("/there")
		build, err := bundle.Build(there)
		if err != nil {
			t.Fatal(err)
		}
		if got := build.Source("A.sol").Path; got != filepath.Join(there, want) || build.Root != filepath.Dir(got) {
			t.Errorf("from %q: %s in %s, want %s", folder, got, build.Root, want)
		}
	}
	for _, outside := range []string{"../A.sol", "/etc/passwd", "a/../../b"} {
		read.Root, read.Sources[0].Path = outside, outside
		if build, err := read.Build("/there"); err != nil || build.Source("A.sol").Path != "" || build.Root != "" {
			t.Errorf("%s: %v, %+v", outside, err, build)
		}
	}
	if c := again.Contract("A"); c == nil || len(c.Runtime.Object) != 2 || len(c.Runtime.Map) != 1 {
		t.Errorf("contract %+v", c)
	}
	read.Output = json.RawMessage(`{"errors": [{"severity": "error", "message": "no"}]}`)
	if _, err := read.Build(""); err == nil {
		t.Error("a build with errors")
	}
}
