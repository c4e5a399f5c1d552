package server

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// tester is a harness for Medusa. A comment marks each line with a failure.
const tester = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface Hevm {
    function prank(address) external;
}

contract Store {
    address internal owner = address(9);
    uint256 public value;

    function put(uint256 v) external {
        require(msg.sender == owner, "only the owner");
        value = v;
    }
}

contract StoreTester {
    Hevm internal constant hevm = Hevm(0x7109709ECfa91a80626fF3989D68f67F5b1DD12D);
    Store internal store = new Store();

    function store_put(uint256 v) public {
        hevm.prank(address(9));
        store.put(v);
        assert(store.value() != 4242); // assertion
    }

    function invariant_half() public {
        assert(store.value() / 2 < 1000); // handler
    }

    function property_small() public view returns (bool) { // property
        return store.value() < 1000;
    }

    function folder_small() public view returns (bool) {
        return store.value() < 1000;
    }

    function property_holds() public view returns (bool) {
        return store.value() / 2 <= store.value();
    }
}
`

// A contract that medusa.json names is fuzzed as a harness when it is open. What fails is
// shown while the campaign goes on, and what no longer fails goes at once.
func TestHarness(t *testing.T) {
	e := connect(t, realConfig(t))
	e.write("foundry.toml", "")
	e.write("medusa.json", `{"fuzzing": {"targetContracts": ["StoreTester"]}}`)
	e.settings(`{"idle":false,"budget":"1h"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Tester.sol", tester)
	e.until("what fails", func() bool { return e.failures("Tester.sol") == 3 })
	for _, d := range e.found("Tester.sol") {
		message := messages([]protocol.Diagnostic{d})[0]
		line := strings.Split(tester, "\n")[d.Range.Start.Line]
		_, kind, _ := strings.Cut(line, " // ")
		want := map[string]string{
			"assertion": "store_put fails: panic: assertion failed (0x01)\n1. 0x0000000000000000000000000000000000010000 calls StoreTester.store_put(4242)",
			"handler":   "StoreTester.invariant_half()",
			"property":  "property_small fails: returned false\n1. ",
		}[kind]
		if want == "" || !strings.Contains(message, want) {
			t.Errorf("line %q: %s, want %q", line, message, want)
		}
		var data present.Data
		if err := json.Unmarshal(d.Data, &data); err != nil {
			t.Fatal(err)
		}
		if trace := e.traceOf(data.Finding); !strings.Contains(trace, "StoreTester") || strings.Contains(trace, "no longer") {
			t.Errorf("the trace of %q:\n%s", kind, trace)
		}
	}
	fixed := strings.Replace(tester, "assert(store.value() != 4242);", "", 1)
	e.save("Tester.sol", 2, fixed)
	e.until("the fixed assertion", func() bool { return e.failures("Tester.sol") == 2 && len(e.found("Tester.sol")) == 2 })
	e.write("medusa.json", `{"fuzzing": {"targetContracts": ["StoreTester"], "testing": {"assertionTesting": {"enabled": false}}}}`)
	e.must(e.server.DidChangeWatchedFiles(e.ctx(), &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{{URI: e.uri("medusa.json"), Type: protocol.FileChangeTypeChanged}}}))
	e.until("what the configuration leaves", func() bool { return e.failures("Tester.sol") == 1 })

	// One in a folder of tests does as well.
	e.must(os.Remove(filepath.Join(e.dir, "medusa.json")))
	e.must(os.MkdirAll(filepath.Join(e.dir, "test", "fuzz"), 0o700))
	e.write("test/fuzz/medusa.json", `{"fuzzing": {"targetContracts": ["StoreTester"], "testing": {"propertyTesting": {"testPrefixes": ["folder_"]}}}}`)
	e.must(e.server.DidChangeWatchedFiles(e.ctx(), &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{
		{URI: e.uri("medusa.json"), Type: protocol.FileChangeTypeDeleted}, {URI: e.uri("test/fuzz/medusa.json"), Type: protocol.FileChangeTypeCreated},
	}}))
	e.until("what the configuration of the folder checks", func() bool {
		return strings.Contains(strings.Join(messages(e.found("Tester.sol")), "\n"), "folder_small fails: returned false")
	})
}

// traceOf returns the trace of a finding.
func (e *editor) traceOf(id string) string {
	e.t.Helper()
	_, err := e.command(present.CommandReplay, id)
	e.must(err)
	shown := e.got().Shown
	text, err := os.ReadFile(shown[len(shown)-1].URI.FsPath())
	e.must(err)
	return string(text)
}
