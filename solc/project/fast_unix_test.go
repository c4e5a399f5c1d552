//go:build unix

package project

import (
	"path/filepath"
	"testing"

	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// Fast settings that make the compiler fail in any form do not hide what the
// project's own settings give.
func TestFastFailsOddly(t *testing.T) {
	const good = `{"sources":{"src/A.sol":{"id":0,"ast":null}},"contracts":{"src/A.sol":{"A":{"abi":[],"evm":{"bytecode":{"object":"00"},"deployedBytecode":{"object":"00"}}}}}}`
	for name, fast := range map[string]string{
		"a crash":                  `exit 139`,
		"no JSON":                  `echo oops`,
		"other JSON":               `echo '[]'`,
		"no sources":               `echo '{}'`,
		"an unknown source":        `echo '{"sources":{"src/A.sol":{"id":0},"B.sol":{"id":1}}}'`,
		"wrong code":               `echo '{"sources":{"src/A.sol":{"id":0}},"contracts":{"src/A.sol":{"A":{"evm":{"bytecode":{"object":"zz"}}}}}}'`,
		"a generator's error":      `echo '{"errors":[{"severity":"error","type":"UnimplementedFeatureError","message":"only via IR"}]}'`,
		"an unknown error":         `echo '{"errors":[{"severity":"error","message":"?"}]}'`,
		"an error in no file":      `echo '{"errors":[{"severity":"error","type":"YulException","sourceLocation":{"file":"X.sol","start":5,"end":2}}]}'`,
		"an error beyond the file": `echo '{"errors":[{"severity":"error","type":"CompilerError","sourceLocation":{"file":"src/A.sol","start":5,"end":999999}}]}'`,
		"an error before the file": `echo '{"errors":[{"severity":"error","type":"CompilerError","sourceLocation":{"file":"src/A.sol","start":-7,"end":-9}}]}'`,
	} {
		root := solctest.Write(t, "foundry.toml", "[profile.default]\nsolc = '0.8.30'\noptimizer_runs = 7\n", "src/A.sol", "contract A {}")
		program := filepath.Join(t.TempDir(), "solc")
		solctest.Program(t, program, `case "$1" in --version) echo Version: 0.8.30; exit;; esac
input=$(cat)
case "$input" in *'"enabled":true'*) echo '`+good+`';; *) `+fast+`;; esac
`)
		var s spy
		tools := compiler.NewToolchain(compiler.Env{Solc: program, Watch: s.watch})
		var f Fast
		for run, runs := range []int{3, 1} {
			p, err := Open(tools, root)
			if err != nil {
				t.Fatal(err)
			}
			p.Fast = &f
			b, err := p.Compile(t.Context(), []string{filepath.Join(root, "src", "A.sol")}, nil)
			if err != nil || b.Fast || b.Contract("A") == nil {
				t.Errorf("%s, compilation %d: %v", name, run+1, err)
			}
			if got := s.taken(); len(got) != runs {
				t.Errorf("%s, compilation %d: compiled %q", name, run+1, got)
			}
		}
		tools.Close()
	}
}
