package main

import (
	"os"
	"path/filepath"
	"testing"

	"leveret/solc/compiler"
	"leveret/solc/release"
)

// The user chooses the servers of compilers; files in the current folder do not.
func TestInstallerAddresses(t *testing.T) {
	home, here := t.TempDir(), t.TempDir()
	t.Chdir(here)
	for _, path := range []string{filepath.Join(here, ".npmrc"), filepath.Join(here, "npmrc")} {
		if err := os.WriteFile(path, []byte("registry=http://evil.invalid/\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"LEVERET_SOLC_OFFICIAL", "LEVERET_SOLC_REGISTRY", "npm_config_registry"} {
		t.Setenv(name, "") // to be restored
		os.Unsetenv(name)
	}
	env := compiler.Env{Home: home, CacheDir: filepath.Join(home, "cache")}
	demand := func(official, registry string) {
		t.Helper()
		if i := installer(env); i.Official != official || i.Registry != registry || i.Dir != filepath.Join(home, "cache", "leveret", "compilers") {
			t.Errorf("installer %+v, want %s and %s", i, official, registry)
		}
	}
	demand(release.Official, release.Registry)
	if err := os.WriteFile(filepath.Join(home, ".npmrc"), []byte("; mine\n//registry.example/:token=x\nregistry = \"https://npm.example/\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	demand(release.Official, "https://npm.example/")
	t.Setenv("npm_config_registry", "https://other.example/")
	demand(release.Official, "https://other.example/")
	t.Setenv("LEVERET_SOLC_OFFICIAL", "https://mirror.example")
	t.Setenv("LEVERET_SOLC_REGISTRY", "")
	demand("https://mirror.example", "")
}
