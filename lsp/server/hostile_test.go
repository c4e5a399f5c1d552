package server

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// hostileTests are tests of an untrusted workspace that use up time and memory or reach
// for the machine, each with a part of its message.
var hostileTests = []struct{ name, body, want string }{
	{"testLoop", "while (true) {}", "OutOfGas"},
	{"testMemory", "for (uint256 i;; i += 1 << 20) assembly { mstore(i, 1) }", "OutOfGas"},
	{"testStorage", "for (uint256 i;; i++) assembly { sstore(i, not(0)) }", "OutOfGas"},
	{"testRecursion", "this.testRecursion();", "Revert"},
	{"testSelector", `call("");`, "without a selector"},
	{"testTruncated", `call(abi.encodeWithSignature("parseJson(string)", type(uint256).max));`, "parseJson"},
	{"testUnknown", `call(abi.encodeWithSignature("nonsense()"));`, "no cheatcode"},
	{"testProgram", `string[] memory words = new string[](2); words[0] = "touch"; words[1] = "MARK"; call(abi.encodeWithSignature("ffi(string[])", words));`, "ffi"},
	{"testReads", `call(abi.encodeWithSignature("readFile(string)", "/etc/passwd"));`, "readFile"},
	{"testWrites", `call(abi.encodeWithSignature("writeFile(string,string)", "MARK", "x"));`, "writeFile"},
	{"testParent", `call(abi.encodeWithSignature("readFile(string)", "../../../../etc/passwd"));`, "readFile"},
	{"testEnvironment", `call(abi.encodeWithSignature("envString(string)", "HOME"));`, "envString"},
	{"testForks", `call(abi.encodeWithSignature("createSelectFork(string)", "http://127.0.0.1:9"));`, "createSelectFork"},
}

// hostileSource returns a contract with the tests, one that prints without end, and one
// that passes.
func hostileSource(mark string) string {
	var b strings.Builder
	b.WriteString(`pragma solidity ^0.8.20;
contract HostileTest {
    bool public constant IS_TEST = true;
    function call(bytes memory data) private {
        (bool ok, bytes memory answer) = 0x7109709ECfa91a80626fF3989D68f67F5b1DD12D.call(data);
        if (!ok) assembly { revert(add(answer, 32), mload(answer)) }
    }
    function testFine() external { assert(address(this).balance >= 0); }
    function testPrints() external {
        bytes memory line = abi.encodeWithSignature("log(string)", string(new bytes(20000)));
        for (uint256 i; i < 2000; i++) 0x000000000000000000636F6e736F6c652e6c6f67.staticcall(line);
        revert("printed");
    }
`)
	for _, t := range hostileTests {
		b.WriteString("    function " + t.name + "() external { " + strings.ReplaceAll(t.body, "MARK", mark) + " }\n")
	}
	return b.String() + "}\n"
}

// The server answers requests while hostile tests run. Each fails with one sentence, none
// reaches the machine, and what the editor gets of them is small.
func TestHostileTests(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "ran")
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"1s","ffi":true,"inlayHints":true}`)
	e.write("foundry.toml", "[profile.default]\nsrc = \".\"\ntest = \".\"\nsolc = \"0.8.30\"\nffi = true\nfs_permissions = [{ access = \"read-write\", path = \"/\" }]\n"+
		"gas_limit = 100000000\n") // a tenth of the usual limit: the race detector makes loops slow
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Hostile.t.sol", hostileSource(mark))
	e.until("the tests run", func() bool { return strings.Contains(e.status(), `"busy":true`) })
	answered := 0
	e.until("all results", func() bool {
		if titles, _ := e.lenses("Hostile.t.sol"); len(titles) > 0 {
			answered++
		}
		return e.failures("Hostile.t.sol") == len(hostileTests)+1 && e.calm()
	})
	if answered < 2 {
		t.Errorf("%d answers while the tests ran", answered)
	}
	all := messages(slices.DeleteFunc(e.found("Hostile.t.sol"), func(d protocol.Diagnostic) bool { return d.Severity != protocol.DiagnosticSeverityError }))
	for _, h := range append(hostileTests, struct{ name, body, want string }{"testPrints", "", "printed"}) {
		var own []string
		for _, m := range all {
			if strings.HasPrefix(m, h.name+" fails") {
				own = append(own, m)
			}
		}
		if len(own) != 1 || !strings.Contains(own[0], h.want) || strings.Contains(own[0], "\n") || len(own[0]) > 400 {
			t.Errorf("%s: %q, want one sentence with %q", h.name, own, h.want)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("a test of an untrusted workspace ran a program or wrote a file")
	}
	if n := len(e.mail.Custom(present.MethodSymbolStatus)); n > 100_000 {
		t.Errorf("%d bytes of states", n)
	}
	for _, h := range e.hints("Hostile.t.sol") {
		if n := len(h.Label.(protocol.String)); n > 500 {
			t.Errorf("a hint of %d characters", n)
		}
	}
	titles, _ := e.lenses("Hostile.t.sol")
	if text := strings.Join(titles, "\n"); !strings.Contains(text, "passed") {
		t.Errorf("no test passed: %q", titles)
	}
}
