package server

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// choices are the ways in which a workspace can choose the compiler. Each
// chooses a program that writes a file when it runs.
var choices = []struct {
	name  string
	files map[string]string // by path; "EVIL" stands for the program's path
	warns bool              // the user gets a warning that the choice is ignored
	never bool              // ignored also in a trusted workspace
}{
	{"leveret.toml", map[string]string{"leveret.toml": "[solc]\npath = \"EVIL\"\n"}, true, false},
	{"leveret.toml that trusts itself", map[string]string{"leveret.toml": "trusted = true\n[solc]\npath = \"EVIL\"\n"}, true, false},
	{"foundry.toml", map[string]string{"foundry.toml": "[profile.default]\nsrc = \".\"\nsolc = \"EVIL\"\n"}, false, true},
	{"node_modules", map[string]string{
		"node_modules/solc/package.json": `{"name":"solc","version":"0.8.30","main":"soljson.js"}`,
		"node_modules/solc/soljson.js":   "require('fs').writeFileSync('MARK', '');\n",
		"node_modules/solc/index.js":     "require('fs').writeFileSync('MARK', '');\n",
		"node_modules/solc/wrapper.js":   "require('fs').writeFileSync('MARK', '');\n",
	}, false, false},
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
			if ran(mark) == c.never {
				t.Errorf("the program that a trusted workspace chose ran: %v; %q", ran(mark), messages(e.found("Vault.sol")))
			}
			e.until("idle", e.calm)
		})
	}
}
