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
	solctest.DemandFailure(t, err, solc.Unreadable, "A.sol: this file cannot be read: ")

	os.Remove(path)
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skip(err)
	}
	_, err = p.Compile(t.Context(), []string{path}, nil)
	solctest.DemandFailure(t, err, solc.Unreadable, "A.sol: this is not a regular file")
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
