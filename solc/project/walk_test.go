package project

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// An unreadable folder is reported by name, and only its files are missing.
func TestUnreadFolder(t *testing.T) {
	root := solctest.Write(t, "src/A.sol", "")
	for _, dir := range []string{"src/shut", "src/z"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(root, "src/z/Z.sol"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	p := open(t, root, compiler.Env{})
	w := &walk{Location: &p.Location, skipDirs: p.skipDirs, readDir: func(dir string) ([]os.DirEntry, error) {
		if filepath.Base(dir) == "shut" {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}
		}
		return os.ReadDir(dir)
	}}
	if err := w.begin(root); err != nil {
		t.Fatal(err)
	}
	if len(w.files) != 2 || len(w.unread) != 1 {
		t.Fatalf("%q, %v", w.files, w.unread)
	}
	const want = "src/shut: this folder cannot be read and is skipped: permission denied; check its permissions"
	if got := w.unread[0].Error(); got != want {
		t.Errorf("%q", got)
	}
	w.readDir = func(string) ([]os.DirEntry, error) { return nil, fs.ErrPermission }
	var failure *solc.Failure
	if err := w.begin(root); !errors.As(err, &failure) || failure.Kind != solc.Unreadable {
		t.Errorf("%v", err)
	}
}

// Folders named after tests and mocks are left out, others are not.
func TestHelperFolders(t *testing.T) {
	for name, want := range map[string]bool{
		"test": true, "Tests": true, "MOCK": true, "mocks": true, "_mocks": true, "TestContracts": true, "testContracts": true,
		"test-helpers": true, "mock_tokens": true, "contracts-test": true, "VaultMocks": true, "protocolTests": true, "testing": true, "testingHelpers": true,
		"mockup": true, "mockups": true, "Mockups": true, "bridge-mockups": true, "bridgeMockups": true, "mockupTokens": true,
		"testnet": false, "Testnet": false, "latest": false, "contest": false, "mockingbird": false, "attestations": false, "src": false,
	} {
		if got := helperDir.MatchString(name); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// Sources of a configured project may be links to folders of other projects,
// each followed once, but not to arbitrary folders. A folder without
// configuration may link to any folder.
func TestLinkedFolders(t *testing.T) {
	elsewhere := solctest.Write(t, "deep/E.sol", "", "package.json", "{}")
	loose := solctest.Write(t, "L.sol", "")
	for config, want := range map[string]string{"foundry.toml": "src/A.sol src/E/deep/E.sol", "": "src/A.sol"} {
		root := solctest.Write(t, "src/A.sol", "")
		if config != "" {
			if err := os.WriteFile(filepath.Join(root, config), nil, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		for link, to := range map[string]string{
			"src/E": elsewhere, "src/loose": loose, "src/again": filepath.Join(elsewhere, "deep"), "src/up": "..", "src/round": "round", "src/gone": "nowhere",
		} {
			if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
				t.Skip(err)
			}
		}
		files, err := open(t, root, compiler.Env{}).Files()
		if err != nil {
			t.Fatal(err)
		}
		for i := range files {
			files[i], _ = filepath.Rel(root, files[i])
		}
		if slices.Sort(files); strings.Join(files, " ") != want {
			t.Errorf("%q: %q", config, files)
		}
	}
}
