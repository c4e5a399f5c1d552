//go:build unix

package project

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
	"leveret/solc/solctest/privileges"
)

func TestUnreadable(t *testing.T) {
	root := solctest.Write(t, "B.sol", "")
	path := filepath.Join(root, "A.sol")
	p := open(t, root, compiler.Env{})
	if err := os.Symlink("A.sol", path); err != nil {
		t.Skip(err)
	}
	_, err := p.Compile(t.Context(), []string{path}, nil)
	solctest.DemandFailure(t, err, solc.Unreadable, "A.sol: this file cannot be read: too many levels of symbolic links; remove the link that leads back to itself")

	os.Remove(path)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	_, err = p.Compile(t.Context(), []string{path}, nil)
	solctest.DemandFailure(t, err, solc.Unreadable, "A.sol: this is not a regular file; replace it by one")
}

// A configuration that is no file is not ignored.
func TestConfigurationIsNoFile(t *testing.T) {
	for name, create := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		t.Run(name, func(t *testing.T) {
			root := solctest.Write(t, "A.sol", "contract A {}")
			if err := create(filepath.Join(root, "foundry.toml")); err != nil {
				t.Fatal(err)
			}
			_, err := tryOpen(t, root, compiler.Env{})
			solctest.DemandFailure(t, err, solc.Unreadable, "foundry.toml: this is not a regular file; replace it by one")
		})
	}
}

func TestForbidden(t *testing.T) {
	root := solctest.Write(t, "B.sol", "")
	path := filepath.Join(root, "A.sol")
	p := open(t, root, compiler.Env{})
	if err := os.WriteFile(path, nil, 0); err != nil {
		t.Fatal(err)
	}
	privileges.Drop(t, root)
	_, err := p.Compile(t.Context(), []string{path}, nil)
	solctest.DemandFailure(t, err, solc.Unreadable, "A.sol: this file cannot be read: permission denied; check its permissions")
}
