package host_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/host"
	"leveret/solc/project"
	"leveret/solc/solctest"
)

// TestCompiled reads structs and artifacts of a compiled project, whose imports are
// remapped.
func TestCompiled(t *testing.T) {
	root := solctest.Write(t, "foundry.toml", "[profile.default]\nsrc = 'src'\nremappings = ['@box/=src/box/']",
		"src/box/Box.sol", `pragma solidity ^0.8.0;
enum Kind { A, B }
type Price is uint128;
struct Free { Kind kind; Price price; address payable to; }
contract Box {
    struct Inner { uint n; string[2] names; }
    struct Outer { Inner[] list; Box box; bytes4[3] selectors; }
    struct Mapped { mapping(uint => uint) m; }
    function open() external {}
}`,
		"test/A.t.sol", `pragma solidity ^0.8.0; import "@box/Box.sol"; contract ATest { function test() external {} }`)
	tools := compiler.NewToolchain(compiler.Env{Path: os.Getenv("PATH"), ToolDirs: []string{solctest.Tools(t)}, CacheDir: t.TempDir(), Untrusted: true})
	t.Cleanup(func() { tools.Close() })
	p, err := project.Open(tools, root)
	if err != nil {
		t.Fatal(err)
	}
	build, err := p.Compile(t.Context(), []string{filepath.Join(root, "test/A.t.sol")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	h := &host.Host{Folder: p.Root, Builds: solc.Builds{build, build}, Contract: build.Contract("ATest")}
	got := ""
	for _, s := range h.Structs() {
		got += s.Name + ":"
		for _, f := range s.Fields {
			got += fmt.Sprintf(" %s %s", f.Type, f.Name)
		}
		got += "\n"
	}
	want := "Box.Inner: uint256 n string[2] names\n" +
		"Box.Outer: (uint256,string[2])[] list address box bytes4[3] selectors\n" +
		"Free: uint8 kind uint128 price address to\n"
	if got != want {
		t.Errorf("structs are\n%swant\n%s", got, want)
	}
	for _, name := range []string{"Box", "Box.sol:Box", "src/box/Box.sol:Box", "@box/Box.sol:Box"} {
		a, err := h.Artifact(name)
		if err != nil || len(a.Creation) == 0 || len(a.Selectors) != 1 || !strings.HasSuffix(a.Path, "Box.json") {
			t.Errorf("%s: %+v, %v", name, a, err)
		}
	}
}
