package main

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"leveret/engine/fork/forktest"
	"leveret/solc/solctest"
)

// meter has a finding with locals around it.
const meter = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Meter {
    struct Reading { uint64 at; uint256[] values; }
    uint256 public total;

    function add(uint256 amount, string calldata label) external {
        uint256 next = total + amount % 7;
        Reading memory r;
        r.values = new uint256[](2);
        r.values[1] = next * 2;
        check(next, r, label);
        total = next;
    }

    function check(uint256 next, Reading memory r, string calldata label) private view {
        uint8 limit = 12;
        bool high = next > limit;
        if (high && bytes(label).length > 0) r.at = uint64(block.timestamp);
        assert(!high);
        //SIZE
    }
}
`

const meterSettings = "[profile.default]\nsrc = \"src\"\noptimizer = true\noptimizer_runs = 200\noffline = true\n"

// meterHome is a project that compiles with the optimiser, after a run that found its
// failing assertion.
func meterHome(t *testing.T, source string) *debugHome {
	t.Helper()
	needCompilers(t)
	tools, err := filepath.Abs(compilers)
	if err != nil {
		t.Fatal(err)
	}
	h := &debugHome{folder: t.TempDir()}
	h.env = append(os.Environ(), "LEVERET_TOOLS="+tools, "XDG_CACHE_HOME="+t.TempDir())
	solctest.WriteIn(t, h.folder, "foundry.toml", meterSettings, "src/Meter.sol", source)
	_, _ = h.command("fuzz", "--max-inputs", "5000", "--workers", "1", "--seed", "1", "--stop-on-first", "--format", "json", "--output", "report.json", "src/Meter.sol").CombinedOutput()
	return h
}

// A finding of optimised code is debugged on a build without the optimiser, which has
// locals.
func TestDebugOptimised(t *testing.T) {
	h := meterHome(t, meter)
	c, _, _ := h.start(t)
	c.Launch(dict{"report": "report.json"}, func() { c.Ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}}) })
	if said := strings.Join(c.Output(), ""); !strings.Contains(said, "compiled without the optimizer; the finding shows there as well") {
		t.Errorf("said: %s", said)
	}
	frames := c.At("the assertion", 21, 13)
	for expression, want := range map[string]any{"high": "true", "limit": "12", "next > limit && next == r.values[1] / 2": "true", "r.values": "length 2"} {
		if v := c.Value(expression); v != want {
			t.Errorf("%s is %v, want %v", expression, v, want)
		}
	}
	for i, want := range []string{"next r label limit high", "amount label next r"} {
		var names []string
		for _, s := range c.Ask("scopes", dict{"frameId": frames[i]["id"]})["scopes"].([]any) {
			if s := s.(dict); s["presentationHint"] == "locals" {
				for _, v := range c.Ask("variables", dict{"variablesReference": s["variablesReference"]})["variables"].([]any) {
					names = append(names, v.(dict)["name"].(string))
				}
			}
		}
		if strings.Join(names, " ") != want {
			t.Errorf("frame %d has %v, want %s", i, names, want)
		}
	}
}

// Code that depends on its size is debugged as the project compiles it, and says of its
// locals that they are not there.
func TestDebugOptimisedOnly(t *testing.T) {
	h := meterHome(t, strings.Replace(meter, "//SIZE", "require(address(this).code.length < 24000);", 1))
	c, _, _ := h.start(t)
	c.Launch(dict{"report": "report.json"}, func() { c.Ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}}) })
	if said := strings.Join(c.Output(), ""); !strings.Contains(said, "cannot be compiled without the optimizer") {
		t.Errorf("said: %s", said)
	}
	c.Refused("evaluate", dict{"expression": "next", "context": "hover"}, "next is optimised out")
}

// Tests and files with transactions of optimised code are debugged on a build without the
// optimiser, too, if they end alike there.
func TestDebugOptimisedTest(t *testing.T) {
	h := meterHome(t, meter)
	report, err := os.ReadFile(filepath.Join(h.folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`"address": "(0x[0-9a-fA-F]{40})"`).FindStringSubmatch(string(report))[1]
	solctest.WriteIn(t, h.folder, "test/Meter.t.sol", `pragma solidity ^0.8.20;
import {Meter} from "../src/Meter.sol";
contract MeterTest {
    Meter meter = new Meter();
    function testAdd() public {
        uint256 before = meter.total();
        meter.add(3, "x");
        assert(meter.total() == before);
    }
    function testSize() public {
        uint256 size = address(meter).code.length;
        assert(size > 900);
    }
}
`, "add.txt", "leveret input v1\ndeploy Meter constructor()() at "+address+" file=\"src/Meter.sol\"\nuser1 Meter.add(uint256,string)(5, \"x\")\n")
	for _, one := range []struct {
		launch     dict
		says, name string
		value      any
	}{
		{dict{"test": "MeterTest.testAdd"}, "compiled without the optimizer; the test ends alike there", "before", "0"},
		{dict{"test": "MeterTest.testSize"}, "the test ends in another way on a build without the optimizer", "", nil},
		{dict{"sequence": "add.txt", "path": "src/Meter.sol", "stopOnEntry": true}, "compiled without the optimizer; the transactions end alike there", "amount", "5"},
	} {
		c, closeIn, ended := h.start(t)
		c.Launch(one.launch, func() {
			c.Ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}})
		})
		if said := strings.Join(c.Output(), ""); !strings.Contains(said, one.says) {
			t.Errorf("%v: said: %s", one.launch, said)
		}
		if one.name != "" && c.Value(one.name) != one.value {
			t.Errorf("%v: %s is %v, want %v", one.launch, one.name, c.Value(one.name), one.value)
		}
		closeIn()
		ended()
	}
}

// A finding on a fork is debugged with the endpoint that the launch request names, unless
// the workspace is not trusted.
func TestDebugFork(t *testing.T) {
	needCompilers(t)
	archive, err := txtar.ParseFile("testdata/script/fuzz_fork.txtar")
	if err != nil {
		t.Fatal(err)
	}
	h := &debugHome{folder: t.TempDir()}
	proxy := ""
	for _, file := range archive.Files {
		switch file.Name {
		case "src/Vault.sol":
			solctest.WriteIn(t, h.folder, file.Name, string(file.Data))
		case "chain.json":
			c, err := forktest.Read(file.Data)
			if err != nil {
				t.Fatal(err)
			}
			server := httptest.NewServer(forktest.New(c))
			t.Cleanup(server.Close)
			proxy = server.URL
		}
	}
	tools, err := filepath.Abs(compilers)
	if err != nil {
		t.Fatal(err)
	}
	h.env = append(os.Environ(), "LEVERET_TOOLS="+tools, "XDG_CACHE_HOME="+t.TempDir(), "HTTP_PROXY="+proxy)
	const url = "http://user:s3cret@rpc.test/v2"
	_, _ = h.command("fuzz", "--fork-url", url, "--fork-block", "300", "--max-inputs", "3000", "--workers", "1", "--seed", "1", "--format", "json", "--output", "report.json", "src").CombinedOutput()
	c, closeIn, ended := h.start(t)
	c.Ask("initialize", dict{})
	c.Refused("launch", dict{"report": "report.json"}, "was found on a fork of chain 10 at block 300; name an endpoint of that chain with \"forkUrl\" in the launch request")
	c.Refused("launch", dict{"report": "report.json", "forkUrl": "ftp://rpc.test"}, "http or https URL")
	c.Ask("launch", dict{"report": "report.json", "forkUrl": url, "stopOnEntry": true})
	c.Event("initialized")
	c.Ask("configurationDone", nil)
	c.Event("stopped")
	if v := c.Value("x"); v != "42007" {
		t.Errorf("x is %v", v)
	}
	c.Ask("evaluate", dict{"expression": "x = 5", "context": "repl"}) // the chain is read again
	c.Move("continue", dict{})
	if said := strings.Join(c.Output(), ""); strings.Contains(said, "s3cret") {
		t.Errorf("said: %s", said)
	}
	closeIn()
	ended()
	c, _, _ = h.start(t, "--untrusted")
	c.Ask("initialize", dict{})
	c.Refused("launch", dict{"report": "report.json", "forkUrl": url}, "the workspace is not trusted")
}
