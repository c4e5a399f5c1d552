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

// A trusted project chooses its compiler by a path; in an untrusted one nothing runs.
func TestCompilerAtPath(t *testing.T) {
	at := func(path, pragma string, env compiler.Env) (*Project, *solc.Build, error) {
		dir := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = \".\"\nsolc = '"+path+"'\n", "Fine.sol", pragma+"contract Fine {}",
			"bin/solc", strings.Replace(fakeSolc, "\n", "\necho ran >> \"${0%/*}/log\"\n", 1), "bin/false", "#!/bin/sh\nexit 3\n", "package/package.json", `{"name": "other"}`)
		for _, name := range []string{"solc", "false"} {
			if err := os.Chmod(filepath.Join(dir, "bin", name), 0o755); err != nil {
				t.Fatal(err)
			}
		}
		p := open(t, dir, env)
		b, err := p.Compile(t.Context(), []string{filepath.Join(dir, "Fine.sol")}, nil)
		return p, b, err
	}
	env := compiler.Env{Path: "/bin:/usr/bin"}
	if _, b, err := at("./bin/solc", "", env); err != nil || b.Version != "0.8.99" {
		t.Errorf("%+v, %v", b, err)
	}
	_, _, err := at("bin/none", "", env)
	solctest.DemandFailure(t, err, solc.NoCompiler, "bin/none: the compiler that was set does not exist; correct the path in foundry.toml, or write a version there")
	_, _, err = at("bin/false", "", env)
	solctest.DemandFailure(t, err, solc.NoCompiler, "bin/false: this compiler does not work: exit status 3; correct the path in foundry.toml")
	_, _, err = at("./package", "", env)
	solctest.DemandFailure(t, err, solc.NoCompiler, "package: this directory is not a solc package; correct the path in foundry.toml")
	_, _, err = at("bin/solc", "pragma solidity ^0.7.0; ", env)
	solctest.DemandFailure(t, err, solc.VersionMismatch, "Fine.sol: foundry.toml sets solc 0.8.99 (as set, ", "which the pragmas do not allow; set another compiler or a version there")

	env.Untrusted = true
	p, _, err := at("./bin/solc", "", env)
	solctest.DemandFailure(t, err, solc.NoCompiler, "no Solidity compiler was found")
	if note := strings.Join(p.Notes, ""); !strings.Contains(note, `solc "./bin/solc" is not used: only a trusted project chooses a program`) {
		t.Errorf("the notes say %q", note)
	}
	if _, err := os.Stat(filepath.Join(p.Root, "bin", "log")); err == nil {
		t.Error("the compiler of an untrusted project ran")
	}
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
