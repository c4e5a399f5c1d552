//go:build unix

package project

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// fakeSolc is a binary that prints noise before and after its answer.
const fakeSolc = `#!/bin/sh
if test "$1" = --version; then
	echo "solc, the solidity compiler commandline interface"
	echo "Version: 0.8.99+commit.00000000.Linux.g++"
	exit 0
fi
input=$(cat)
case $input in
*Hang*) sleep 1000 & echo $! > "${0%/*}/child"; wait;;
*Break*|*Crowd*Crowd*Crowd*Crowd*Crowd*) echo "segmentation fault" >&2; exit 139;;
esac
echo "Warning: noise"
sources=
for name in $(printf %s "$input" | grep -o '"[A-Za-z0-9]*\.sol":' | sort -u); do
	sources="$sources${sources:+,}$name{\"id\":$(printf %s "$sources" | grep -o id | wc -l)}"
done
case $input in *Silent*) sources=;; esac
echo "{\"contracts\":{},\"sources\":{$sources}}"
echo "more noise"
`

func fakeNative(t *testing.T) (p *Project, dir string) {
	t.Helper()
	dir = solctest.Write(t, "Hang.sol", "contract Hang {}", "Break.sol", "contract Break {}", "Fine.sol", "contract Fine {}", "Silent.sol", "contract Silent {}", "bin/solc", fakeSolc)
	if err := os.Chmod(filepath.Join(dir, "bin", "solc"), 0o755); err != nil {
		t.Fatal(err)
	}
	return open(t, dir, compiler.Env{Path: filepath.Join(dir, "bin") + ":/bin:/usr/bin", Timeout: 2 * time.Second}), dir
}

func TestNativeCompiler(t *testing.T) {
	p, dir := fakeNative(t)
	b, err := p.Compile(t.Context(), []string{filepath.Join(dir, "Fine.sol")}, nil)
	if err != nil || b.Version != "0.8.99" {
		t.Errorf("Fine: %+v, %v", b, err)
	}
	_, err = p.Compile(t.Context(), []string{filepath.Join(dir, "Silent.sol")}, nil)
	solctest.DemandFailure(t, err, solc.CompilerFailed, "solc 0.8.99 (PATH, ", `neither an error nor the source "Silent.sol"; try another version`)
	_, err = p.Compile(t.Context(), []string{filepath.Join(dir, "Break.sol")}, nil)
	solctest.DemandFailure(t, err, solc.CompilerFailed, "solc 0.8.99 (PATH, ", "failed: exit status 139: segmentation fault; try another version")
	_, err = p.Compile(t.Context(), []string{filepath.Join(dir, "Hang.sol")}, nil)
	solctest.DemandFailure(t, err, solc.CompilerTimeout, "did not finish within 2s; compile less at once")
	text, err := os.ReadFile(filepath.Join(dir, "bin", "child"))
	if err != nil {
		t.Fatal(err)
	}
	child, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	solctest.Await(func() bool { return solctest.Gone(child) })
}

// An input that is too large is compiled in parts. A single file that is too
// large fails alone.
func TestInputTooLarge(t *testing.T) {
	p, dir := fakeNative(t)
	files := []string{filepath.Join(dir, "Break.sol")}
	for _, name := range []string{"1", "2", "3", "4"} {
		file := filepath.Join(dir, "Crowd"+name+".sol") // the input contains the name twice
		if err := os.WriteFile(file, []byte("contract Crowd"+name+" {}"), 0o600); err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
	}
	builds, failed := p.CompileAll(t.Context(), files, nil)
	if len(builds) != 3 || len(failed) != 1 { // 1; 2; 3 and 4
		t.Fatalf("%d builds, failed: %v", len(builds), failed)
	}
	solctest.DemandFailure(t, failed[0], solc.CompilerFailed, "Break.sol: solc 0.8.99", "segmentation fault")
}
