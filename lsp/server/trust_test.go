package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"leveret/lsp/present"
)

// choices are the ways in which a workspace can choose the compiler. Each
// chooses a program that writes a file when it runs.
var choices = []struct {
	name  string
	files map[string]string // by path; "EVIL" stands for the program's path
	warns bool              // the user gets a warning that the choice is ignored
}{
	{"leveret.toml", map[string]string{"leveret.toml": "[solc]\npath = \"EVIL\"\n"}, true},
	{"leveret.toml that trusts itself", map[string]string{"leveret.toml": "trusted = true\n[solc]\npath = \"EVIL\"\n"}, true},
	{"foundry.toml", map[string]string{"foundry.toml": "[profile.default]\nsrc = \".\"\nsolc = \"EVIL\"\n"}, false},
	{"node_modules", map[string]string{
		"node_modules/solc/package.json": `{"name":"solc","version":"0.8.30","main":"soljson.js"}`,
		"node_modules/solc/soljson.js":   "require('fs').writeFileSync('MARK', '');\n",
		"node_modules/solc/index.js":     "require('fs').writeFileSync('MARK', '');\n",
		"node_modules/solc/wrapper.js":   "require('fs').writeFileSync('MARK', '');\n",
	}, false},
}

// lay writes the files of a choice into a workspace and returns the file that
// the program writes.
func (e *editor) lay(files map[string]string) (mark string) {
	e.t.Helper()
	mark = filepath.Join(e.t.TempDir(), "ran")
	evil := filepath.Join(e.dir, "evil")
	script := "#!/bin/sh\ntouch " + mark + "\necho 'solc, the solidity compiler commandline interface'\necho 'Version: 0.8.30+commit.73712a01.Linux.g++'\n"
	if err := os.WriteFile(evil, []byte(script), 0o700); err != nil {
		e.t.Fatal(err)
	}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(e.dir, name)), 0o700); err != nil {
			e.t.Fatal(err)
		}
		e.write(name, strings.NewReplacer("EVIL", evil, "MARK", mark).Replace(text))
	}
	return mark
}

func ran(mark string) bool {
	_, err := os.Stat(mark)
	return err == nil
}

// An untrusted workspace cannot choose the compiler. It is fuzzed with the
// installed compilers.
func TestUntrustedWorkspaceChoosesNoProgram(t *testing.T) {
	for _, c := range choices {
		t.Run(c.name, func(t *testing.T) {
			e := connect(t, realConfig(t))
			e.settings(`{"idle":false,"budget":"10m"}`)
			mark := e.lay(c.files)
			e.start(allCapabilities, `{"notifications":true,"idle":false}`)
			e.open("Vault.sol", vault(true, 0))
			e.until("a finding", func() bool { return e.asserts("Vault.sol") })
			e.until("idle", e.calm)
			if ran(mark) {
				t.Error("the workspace ran its program")
			}
			if c.warns {
				e.until("a warning", func() bool { return strings.Contains(strings.Join(e.got().Messages, "\n"), "not trusted") })
			}
		})
	}
}

// A trusted workspace can choose the compiler. This proves that the choices in
// TestUntrustedWorkspaceChoosesNoProgram would run.
func TestTrustedWorkspaceChooses(t *testing.T) {
	for _, c := range choices {
		t.Run(c.name, func(t *testing.T) {
			config := realConfig(t)
			config.Session.Compiler.Env.ToolDirs = nil // no other compiler
			e := connect(t, config)
			e.settings(`{"idle":false,"budget":"10m","trusted":true}`)
			mark := e.lay(c.files)
			e.start(allCapabilities, `{"notifications":true,"idle":false,"trusted":true}`)
			e.open("Vault.sol", vault(true, 0))
			e.until("a result", func() bool { return ran(mark) || len(e.found("Vault.sol")) > 0 })
			if !ran(mark) {
				t.Errorf("the program that a trusted workspace chose did not run: %q", messages(e.found("Vault.sol")))
			}
			e.until("idle", e.calm)
		})
	}
}

// Tests and harnesses run a program in an editor only if foundry.toml or medusa.json, the trust
// of the workspace and the user's setting agree; a trace, which runs the test again, follows the same
// rule.
func TestProgramsOfTests(t *testing.T) {
	const test = `pragma solidity ^0.8.0;
interface Vm { function ffi(string[] calldata) external returns (bytes memory); }
contract ProgramTest {
    bool public constant IS_TEST = true;
    Vm constant vm = Vm(address(uint160(uint256(keccak256("hevm cheat code")))));
    function testProgram() external {
        string[] memory command = new string[](2);
        (command[0], command[1]) = ("touch", "MARK");
        vm.ffi(command);
        revert("it ran");
    }
}
`
	harness := strings.Replace(test, "function testProgram() external {", "function property_program() external returns (bool) {", 1)
	for _, row := range []struct{ name, settings, key, file, message string }{
		{"untrusted", `{"ffi":true}`, "true", "", "the workspace is not trusted"},
		{"untrusted, with its own agreement", `{"budget":"3s"}`, "true", "trusted = true\nffi = true\n", "the workspace is not trusted"},
		{"without the user", `{"trusted":true}`, "true", "", "in editors with the setting leveret.ffi"},
		{"the workspace in place of the user", `{"trusted":true}`, "true", "ffi = true\n", "in editors with the setting leveret.ffi"},
		{"without the key", `{"trusted":true,"ffi":true}`, "false", "", "set ffi = true in foundry.toml"},
		{"all agree", `{"trusted":true,"ffi":true}`, "true", "", "it ran"},
		{"untrusted, with a harness", `{"ffi":true}`, "", "", "the workspace is not trusted"},
		{"without the user, with a harness", `{"trusted":true}`, "", "", "in editors with the setting leveret.ffi"},
		{"all agree, with a harness", `{"trusted":true,"ffi":true}`, "", "", "it ran"},
	} {
		t.Run(row.name, func(t *testing.T) {
			test, files := test, map[string]string{"foundry.toml": "[profile.default]\nsolc = '0.8.30'\nffi = " + row.key + "\n", "leveret.toml": row.file}
			if row.key == "" {
				test, files["foundry.toml"] = harness, "[profile.default]\nsolc = '0.8.30'\n"
				files["medusa.json"] = `{"fuzzing":{"targetContracts":["ProgramTest"],"chainConfig":{"cheatCodes":{"enableFFI":true}}}}`
			}
			e := connect(t, realConfig(t))
			e.settings(strings.Replace(row.settings, "{", `{"idle":false,"solc":{"settings":"project"},`, 1))
			mark := e.lay(files)
			e.start(allCapabilities, strings.Replace(row.settings, "{", `{"notifications":true,"idle":false,`, 1))
			e.open("Program.t.sol", strings.Replace(test, "MARK", mark, 1))
			e.until("the failure", func() bool { return len(e.found("Program.t.sol")) == 1 && e.calm() })
			if got := fmt.Sprint(e.found("Program.t.sol")[0].Message); !strings.Contains(got, row.message) {
				t.Errorf("%q, want %q", got, row.message)
			}
			allowed := row.message == "it ran"
			if ran(mark) != allowed {
				t.Errorf("the program ran: %t", ran(mark))
			}
			_ = os.Remove(mark)
			var data present.Data
			e.must(json.Unmarshal(e.found("Program.t.sol")[0].Data, &data))
			if _, err := e.command(present.CommandReplay, data.Finding); err != nil {
				t.Fatal(err)
			}
			if ran(mark) != allowed {
				t.Errorf("the program ran for the trace: %t", ran(mark))
			}
		})
	}
}
