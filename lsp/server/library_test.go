package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// An error in a library is shown at the name of the contract that inherits it, too: the
// library's file is not open. The actions there are those that need no edit of the library.
func TestFindingInLibrary(t *testing.T) {
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	for _, folder := range []string{"lib/base", "src"} {
		if err := os.MkdirAll(filepath.Join(e.dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	e.write("foundry.toml", "")
	e.write("lib/base/Base.sol", "pragma solidity ^0.8.0;\nabstract contract Base {\n    function bump(uint256 x) public pure { assert(x != 7); }\n    function add(uint256 x) public pure returns (uint256) { return x + 1; }\n}\n")
	const text = "pragma solidity ^0.8.0;\nimport \"../lib/base/Base.sol\";\ncontract Heir is Base {}\n"
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("src/Heir.sol", text)
	e.untilFuzzed("src/Heir.sol")
	list := e.found("src/Heir.sol")
	if len(list) != 1 { // the note about the addition is in the library's file alone
		t.Fatalf("%d diagnostics: %+v", len(list), list)
	}
	at := protocol.Range{Start: protocol.Position{Line: 2, Character: 9}, End: protocol.Position{Line: 2, Character: 13}}
	if d := list[0]; d.Severity != protocol.DiagnosticSeverityError || d.Range != at || !strings.Contains(string(d.Message.(protocol.String)), "(in lib/base/Base.sol:3)") {
		t.Errorf("%+v", d)
	}
	if n := len(e.found("lib/base/Base.sol")); n != 2 {
		t.Errorf("%d diagnostics in the library", n)
	}
	e.actionAt("src/Heir.sol", 2, "Replay: assertion")
	for _, action := range e.actions("src/Heir.sol", at) {
		if strings.HasPrefix(action.Title, "Silence") {
			t.Error("the library would be edited from another file")
		}
	}
	fixed := strings.Replace(text, " is Base {}", " { function f() external {} }", 1)
	e.save("src/Heir.sol", 2, fixed)
	e.until("no error", func() bool { return len(e.found("src/Heir.sol")) == 0 && e.calm() })
}
