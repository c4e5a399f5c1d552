package project

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/solctest"
)

// A spy records what compilers are run on.
type spy struct {
	mu   sync.Mutex
	runs []compiler.Run
}

func (s *spy) watch(r compiler.Run) func(error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.runs = append(s.runs, r)
	return func(error) {}
}

// taken describes the runs since the last call, "2 files, optimiser for 7 runs".
func (s *spy) taken() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var list []string
	for _, r := range s.runs {
		list = append(list, fmt.Sprintf("%d files, %s", r.Files, r.Settings))
	}
	s.runs = nil
	return list
}

// A fastLab compiles a project with real compilers and fast settings.
type fastLab struct {
	*spy
	t     *testing.T
	root  string
	tools *compiler.Toolchain
	fast  Fast
}

func newFastLab(t *testing.T, files ...string) *fastLab {
	l := &fastLab{spy: &spy{}, t: t, root: solctest.Write(t, files...)}
	l.tools = compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, Watch: l.watch})
	t.Cleanup(func() { l.tools.Close() })
	return l
}

// compile compiles a file of the project after replacing text in it.
func (l *fastLab) compile(name string, replace ...string) (*solc.Build, error) {
	l.t.Helper()
	path := filepath.Join(l.root, name)
	text, err := readSource(path, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	p, err := Open(l.tools, path)
	if err != nil {
		l.t.Fatal(err)
	}
	p.Fast = &l.fast
	overlay := map[string][]byte{path: []byte(strings.NewReplacer(replace...).Replace(string(text)))}
	return p.Compile(l.t.Context(), []string{path}, overlay)
}

func (l *fastLab) wantRuns(want ...string) {
	l.t.Helper()
	if got := l.taken(); !slices.Equal(got, want) {
		l.t.Errorf("compiled %q, want %q", got, want)
	}
}

const (
	tuned    = "[profile.default]\nsolc = '0.8.30'\nevm_version = 'paris'\noptimizer_runs = 7\n"
	plainRun = "no optimiser, EVM version paris"
	lightRun = "no optimiser, via IR, EVM version paris"
	tunedRun = "optimiser for 7 runs, EVM version paris"
)

// deep returns a contract that needs the whole optimiser: it compiles via IR only.
func deep(name string) string {
	var parameters, sum []string
	for i := range 17 {
		parameters = append(parameters, fmt.Sprintf("uint256 a%d", i))
		sum = append(sum, fmt.Sprintf("a%d", i))
	}
	return fmt.Sprintf("pragma solidity ^0.8.0;\ncontract %s {\n    function f(%s) external pure returns (uint256) {\n        return %s;\n    }\n}\n",
		name, strings.Join(parameters, ", "), strings.Join(sum, " + "))
}

// deepLocals returns a contract that compiles via IR, also with little of the optimiser:
// local variables can be moved to memory, parameters cannot.
func deepLocals(head string) string {
	var declared, sum []string
	for i := range 17 {
		declared = append(declared, fmt.Sprintf("uint256 a%d = x * %d;", i, i+1))
		sum = append(sum, fmt.Sprintf("a%d", i))
	}
	return fmt.Sprintf("pragma solidity ^0.8.0;\ncontract %s {\n    function f(uint256 x) external pure returns (uint256) {\n        %s\n        return %s;\n    }\n}\n",
		head, strings.Join(declared, " "), strings.Join(sum, " + "))
}

// deepEncoding returns a contract that compiles with the optimiser, without IR, too: it
// encodes 14 words at once.
func deepEncoding(head string) string {
	var members, read []string
	for i := range 14 {
		members = append(members, fmt.Sprintf("uint256 a%d;", i))
		read = append(read, fmt.Sprintf("s.a%d", i))
	}
	return fmt.Sprintf("pragma solidity >=0.7.0; pragma experimental ABIEncoderV2;\ncontract %s {\n    struct S { %s }\n    function f(S memory s) external pure returns (bytes32) { return keccak256(abi.encode(%s)); }\n}\n",
		head, strings.Join(members, " "), strings.Join(read, ", "))
}

// Only the closure of a file is compiled, with fast settings and the project's
// EVM version.
func TestFastClosure(t *testing.T) {
	l := newFastLab(t, "foundry.toml", tuned+"via_ir = true\n",
		"src/A.sol", "pragma solidity ^0.8.0; import './B.sol'; contract A is B {}",
		"src/B.sol", "pragma solidity ^0.8.0; contract B { function f() external {} }",
		"src/Other.sol", "pragma solidity ^0.8.0; contract Other {}", "src/Importer.sol", "import './A.sol';")
	b, err := l.compile("src/A.sol")
	if err != nil {
		t.Fatal(err)
	}
	if !b.Fast || b.Settings.ViaIR || b.Settings.Optimizer || !b.Settings.NoGenerated || b.Settings.EVMVersion != "paris" {
		t.Errorf("compiled with %+v, fast %v", b.Settings, b.Fast)
	}
	l.wantRuns("2 files, " + plainRun)
}

// A project whose settings are the fast ones is not said to be compiled faster.
func TestFastIsConfigured(t *testing.T) {
	for _, config := range []string{
		"[profile.default]\nsolc = '0.8.30'\n",
		"[profile.default]\nsolc = '0.7.6'\nvia_ir = true\n", // which this version does not have
	} {
		l := newFastLab(t, "foundry.toml", config, "src/A.sol", "pragma solidity >=0.7.0; contract A {}")
		if b, err := l.compile("src/A.sol"); err != nil || b.Fast {
			t.Errorf("%q: fast %v, %v", config, b != nil && b.Fast, err)
		}
	}
}

// Code that only the project's settings can compile is compiled with them, and
// later compilations do not try others until that code is gone.
func TestFastFallsBack(t *testing.T) {
	l := newFastLab(t, "foundry.toml", tuned+"via_ir = true\n", "src/A.sol", deep("A")+"// 1\n", "src/C.sol", "pragma solidity ^0.8.0; contract C {}")
	own := tunedRun[:len("optimiser for 7 runs")] + ", via IR, EVM version paris"
	b, err := l.compile("src/A.sol")
	if err != nil || b.Fast || !b.Settings.ViaIR || b.Settings.NoGenerated {
		t.Fatalf("fast %v, %v", b != nil && b.Fast, err)
	}
	if !slices.ContainsFunc(b.Messages, func(m solc.Message) bool {
		return m.Severity == "info" && strings.Contains(m.Text, "stack too deep with fast settings")
	}) {
		t.Errorf("messages %+v", b.Messages)
	}
	l.wantRuns("1 files, "+plainRun, "1 files, "+lightRun, "1 files, "+own)
	if _, err := l.compile("src/A.sol", "// 1", "// 2"); err != nil {
		t.Fatal(err)
	}
	l.wantRuns("1 files, " + own)
	if b, err := l.compile("src/C.sol"); err != nil || !b.Fast {
		t.Errorf("another file: %v", err)
	}
	l.wantRuns("1 files, " + plainRun)
	if b, err := l.compile("src/A.sol", " + a1 ", " + 1 "); err != nil || b == nil {
		t.Error(err)
	}
	if got := l.taken(); got[0] != "1 files, "+plainRun {
		t.Errorf("the refused code is gone, but %q was compiled", got)
	}
	l.fast.Forget()
	if _, err := l.compile("src/A.sol", "// 1", "// 3"); err != nil {
		t.Fatal(err)
	}
	if got := l.taken(); len(got) != 3 {
		t.Errorf("after Forget, compiled %q", got)
	}
}

// Code that is too deep for the stack is compiled via IR with little of the optimiser,
// before the project's own settings. Later compilations begin with that.
func TestFastIsLight(t *testing.T) {
	l := newFastLab(t, "foundry.toml", tuned+"via_ir = true\n",
		"src/A.sol", "import './Base.sol'; import './D.sol';\n"+deepLocals("A is Base, m.Middle")+"// 1\nimport * as m from './Middle.sol';\n",
		"src/Base.sol", "pragma solidity ^0.8.0; contract Base { function g() external pure returns (uint256) { return 1; } }",
		"src/Middle.sol", "pragma solidity ^0.8.0; import './Base.sol'; contract Middle is Base { uint256 x; }",
		"src/D.sol", "pragma solidity ^0.8.0; contract D { uint256 x; } library L { function h() external {} } interface I {}")
	for i, runs := range [][]string{{"4 files, " + plainRun, "4 files, " + lightRun}, {"4 files, " + lightRun}} {
		b, err := l.compile("src/A.sol", "// 1", fmt.Sprint("// ", i))
		if err != nil || !b.Fast || !b.Settings.ViaIR || b.Settings.Optimizer {
			t.Fatalf("fast %v, %v, compiled %q", b != nil && b.Fast, err, l.taken())
		}
		l.wantRuns(runs...)
		var names []string
		for _, c := range b.Contracts {
			names = append(names, c.Name)
			if len(c.Runtime.Object) > 0 != (c.Name != "I") || c.Node == nil {
				t.Errorf("compilation %d: %+v", i, c)
			}
		}
		if slices.Sort(names); !slices.Equal(names, []string{"A", "D", "I", "L"}) {
			t.Errorf("compilation %d has %q", i, names)
		}
	}
	b, err := l.compile("src/Middle.sol")
	if err != nil || len(b.Contract("Middle").Runtime.Object) == 0 || len(b.Contract("Base").Runtime.Object) == 0 {
		t.Errorf("code with plain settings: %v", err)
	}
	l.taken()
	// A contract that another one creates is needed, and a test may ask for any.
	b, err = l.compile("src/A.sol", "// 1", "contract Maker { function make() external { new Base(); } }")
	if err != nil || !b.Fast || len(b.Contract("Base").Runtime.Object) == 0 || b.Contract("Middle") != nil {
		t.Errorf("code of what is created: %v", err)
	}
	l.wantRuns("4 files, " + lightRun)
	b, err = l.compile("src/A.sol", "// 1", "interface Vm { function getCode(string calldata) external; }")
	if err != nil || !b.Fast || len(b.Contract("Base").Runtime.Object) == 0 {
		t.Errorf("code for a test: %v", err)
	}
	l.wantRuns("4 files, " + lightRun)
}

// Without IR, too, little of the optimiser comes before the project's own settings, with
// compilers for which it is enough.
func TestFastIsLightWithoutIR(t *testing.T) {
	const plain = "1 files, no optimiser, EVM version istanbul"
	for version, light := range map[string]bool{"0.7.6": false, "0.8.19": true, "0.8.30": true, "0.8.37": true} {
		l := newFastLab(t, "foundry.toml", "[profile.default]\noptimizer = true\noptimizer_runs = 7\nevm_version = 'istanbul'\nsolc = '"+version+"'\n", "src/A.sol", deepEncoding("A")+"// 1\n")
		for i, before := range [][]string{{plain}, nil} {
			b, err := l.compile("src/A.sol", "// 1", fmt.Sprint("// ", i))
			if err != nil || b.Fast != light || b.Settings.ViaIR || b.Settings.Optimizer == light {
				t.Fatalf("%s: fast %v, %v, compiled %q", version, b != nil && b.Fast, err, l.taken())
			}
			last := "1 files, optimiser for 7 runs, EVM version istanbul"
			if light {
				last = plain
			}
			l.wantRuns(append(before, last)...)
		}
	}
}

// Compilers of all ages that have a code generator via IR know the steps of light settings.
func TestLightStepsAreKnown(t *testing.T) {
	for _, version := range []string{"0.8.19", "0.8.30", "0.8.37"} {
		l := newFastLab(t, "foundry.toml", "[profile.default]\noptimizer = true\nvia_ir = true\nsolc = '"+version+"'\n", "src/A.sol", deepLocals("A"))
		if b, err := l.compile("src/A.sol"); err != nil || !b.Fast || !b.Settings.ViaIR || b.Settings.Optimizer {
			t.Errorf("%s: fast %v, %v, compiled %q", version, b != nil && b.Fast, err, l.taken())
		}
	}
}

// Errors in the source are reported once, without trying other settings.
func TestFastReportsErrors(t *testing.T) {
	for _, text := range []string{
		"contract A { uint256 x = true; }", "contract A { function f() { } }", "contract A {", "contract A { /// @param x\n function f() external {} }",
		"contract A { function f() external { unknown(); } }",
	} {
		l := newFastLab(t, "foundry.toml", tuned, "src/A.sol", "pragma solidity ^0.8.0;\n"+text)
		_, err := l.compile("src/A.sol")
		solctest.DemandFailure(t, err, solc.CompileError)
		l.wantRuns("1 files, " + plainRun)
	}
}

// Sources that depend on the size of code are compiled as the project does.
func TestFastKeepsCodeSize(t *testing.T) {
	for text, want := range map[string]string{
		"require(msg.sender.code.length == 0);":                                           plainRun,
		"require(msg.sender.code.length != 23);":                                          plainRun, // a delegation
		"require(msg.sender.code.length > 0);":                                            plainRun,
		"require(msg.sender.code.length <= 24576);":                                       tunedRun,
		"require(msg.sender.code.length/**/==\n1_000);":                                   tunedRun,
		"assembly { if lt(extcodesize(caller()), 100) { revert(0, 0) } }":                 tunedRun,
		"assembly { if eq(0x7000, codesize()) { revert(0, 0) } }":                         tunedRun,
		"assembly { if iszero(extcodesize(caller())) { revert(0, 0) } }":                  plainRun,
		"assembly { if gt(extcodesize(caller()), 0) { revert(0, 0) } }":                   plainRun,
		"assembly { if gt(add(extcodesize(caller()), 1), 0) { revert(5000, 0) } }":        plainRun,
		"// msg.sender.code.length > 24000\n":                                             plainRun,
		"string memory s = \"x.code.length > 24000\"; s;":                                 plainRun,
		"assembly { let size := extcodesize(caller()) if gt(size, 5000) { stop() } }":     plainRun, // not found
		"require(msg.sender.code.length > 0xffffffffffffffffffffffffffffffffffffffffff);": tunedRun,
	} {
		l := newFastLab(t, "foundry.toml", tuned, "src/A.sol", "pragma solidity ^0.8.0;\ncontract A { function f() external view {"+text+"} }")
		if _, err := l.compile("src/A.sol"); err != nil && !strings.Contains(text, "assembly") {
			t.Errorf("%s: %v", text, err)
		}
		if got := l.taken(); len(got) != 1 || got[0] != "1 files, "+want {
			t.Errorf("%s: compiled %q, want %s", text, got, want)
		}
	}
}

// CompileAll compiles only the files with code that needs them with the
// project's settings.
func TestFastCompilesAll(t *testing.T) {
	l := newFastLab(t, "foundry.toml", tuned+"via_ir = true\n", "src/A.sol", deep("A"), "src/B.sol", "pragma solidity ^0.8.0; contract B {}",
		"src/C.sol", "import './A.sol'; contract C is A {}")
	p, err := Open(l.tools, l.root)
	if err != nil {
		t.Fatal(err)
	}
	p.Fast = &l.fast
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	builds, failed := p.CompileAll(t.Context(), files, nil)
	got := map[string]bool{} // whether a file was compiled fast
	for _, b := range builds {
		for _, c := range b.Contracts {
			got[c.Name] = b.Fast
		}
	}
	if len(failed) > 0 || len(got) != 3 || got["A"] || !got["B"] || got["C"] {
		t.Errorf("fast %v, failures %v", got, failed)
	}
}
