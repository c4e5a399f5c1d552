package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// lenses returns the titles and commands of a file's lenses, in order.
func (e *editor) lenses(name string) (titles, commands []string) {
	e.t.Helper()
	list, err := e.server.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}})
	e.must(err)
	for _, l := range list {
		titles, commands = append(titles, l.Command.Title), append(commands, l.Command.Command)
	}
	return titles, commands
}

// A lens shows the state of its contract. Its command stops a running campaign
// or starts one. A setting disables lenses.
func TestLenses(t *testing.T) {
	config := realConfig(t)
	config.Session.Engine.MaxInputs = 0 // campaigns run until they are stopped
	e := connect(t, config)
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Vault.sol", "interface Nobody { function f() external; }\n"+vault(false, 0))
	running := func() bool {
		titles, commands := e.lenses("Vault.sol")
		return len(titles) > 1 && strings.HasPrefix(titles[1], "● fuzzing") && strings.Contains(titles[1], "inputs/s") &&
			strings.HasSuffix(titles[1], "· stop") && commands[1] == present.CommandStop
	}
	e.until("a lens for the campaign", running)
	if titles, commands := e.lenses("Vault.sol"); titles[0] != "not fuzzed: Nobody is an interface and has no code; fuzz a contract that implements it" || commands[0] != "" {
		t.Errorf("the interface: %q, %q", titles[0], commands[0])
	}
	if _, err := e.command(present.CommandStop); err != nil {
		t.Fatal(err)
	}
	e.until("idle", e.calm)
	titles, commands := e.lenses("Vault.sol")
	if !strings.HasPrefix(titles[1], "fuzzed ") || !strings.Contains(titles[1], "branches") || !strings.HasSuffix(titles[1], "· fuzz") || commands[1] != present.CommandFuzz {
		t.Errorf("at rest: %q, %q", titles[1], commands[1])
	}
	if n := len(titles); n < 6 {
		t.Errorf("%d lenses: %q", n, titles)
	}
	e.configure(`{"idle":false,"codeLens":false}`)
	e.until("no lens", func() bool { titles, _ := e.lenses("Vault.sol"); return len(titles) == 0 })
}

// A diagnostic has at most twenty related entries, also for a long sequence,
// and they include those of the oracle.
func TestRelatedEntriesAreBounded(t *testing.T) {
	w := &workshop{calls: 30, related: 2}
	e := found(t, w.config(""), allCapabilities)
	related := e.found("A.sol")[0].RelatedInformation
	if len(related) != 20 {
		t.Fatalf("%d entries", len(related))
	}
	if !strings.HasPrefix(related[17].Message, "18. ") || related[18].Message != "related 0" || related[19].Message != "related 1" {
		t.Errorf("the last entries are %q, %q, %q", related[17].Message, related[18].Message, related[19].Message)
	}
	if m := string(e.found("A.sol")[0].Message.(protocol.String)); !strings.Contains(m, "3. ") || !strings.HasSuffix(m, "… and 27 more") {
		t.Errorf("the message is %q", m)
	}
}

// Progress shows the spent share of the budget, the speed and the number of
// paths, and can be cancelled.
func TestProgressReports(t *testing.T) {
	w := &workshop{hold: make(chan struct{})}
	e := connect(t, w.config(""))
	e.start(allCapabilities, `{}`)
	e.open("A.sol", "contract A\n")
	var begin protocol.WorkDoneProgressBegin
	e.until("the begin report", func() bool {
		return len(e.got().Reports) > 0 && json.Unmarshal(e.got().Reports[0], &begin) == nil && begin.Kind == "begin"
	})
	if begin.Cancellable == nil || !*begin.Cancellable || begin.Percentage == nil || *begin.Percentage != 50 || !strings.Contains(begin.Title, "fuzzing A") {
		t.Errorf("first report %s", e.got().Reports[0])
	}
	if begin.Message == nil || *begin.Message != "10 inputs/s · 2 paths" {
		t.Errorf("message %v", begin.Message)
	}
	close(w.hold)
}

// The server shows the compiler's messages only if a setting enables them.
func TestCompilerMessagesIfEnabled(t *testing.T) {
	const warns = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A { function f() external pure { uint256 unused = 1; } }\n"
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true}`)
	sources := func() (list []string) {
		for _, d := range e.found("A.sol") {
			source, _ := d.Source.Get()
			list = append(list, fmt.Sprint(source, " ", uint32(d.Severity)))
		}
		slices.Sort(list)
		return list
	}
	e.open("A.sol", warns)
	e.until("a campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	e.until("idle", e.calm)
	if s := sources(); len(s) != 0 {
		t.Errorf("shown though disabled: %q", s)
	}
	e.configure(`{"idle":false,"budget":"10m","compilerDiagnostics":true}`)
	e.until("the warning", func() bool { return slices.Equal(sources(), []string{"solc 2"}) })
	e.save("A.sol", 2, strings.Replace(warns, "= 1", "= one", 1))
	e.until("the error, and nothing beside it", func() bool { return slices.Contains(sources(), "solc 1") && !slices.Contains(sources(), "leveret 3") })
	e.configure(`{"idle":false,"budget":"10m"}`)
	e.until("one note", func() bool { return slices.Equal(sources(), []string{"leveret 3"}) })
}

// textDocumentSync is an object: some clients send no didSave if it is a
// number.
func TestSynchronisationOnTheWire(t *testing.T) {
	w := new(workshop)
	e := connect(t, w.config(""))
	var raw jsonrpc2.RawMessage
	_, err := e.conn.Call(e.ctx(), protocol.MethodInitialize, rawParams(`{"processId":null,"rootUri":null,"capabilities":{}}`), &raw)
	if err != nil {
		t.Fatal(err)
	}
	var answer struct {
		Capabilities struct {
			TextDocumentSync struct {
				OpenClose bool
				Change    int
				Save      *struct{ IncludeText bool }
			}
			ExecuteCommandProvider struct{ Commands []string }
		}
	}
	if err := json.Unmarshal(raw, &answer); err != nil {
		t.Fatal(err)
	}
	sync := answer.Capabilities.TextDocumentSync
	if !sync.OpenClose || sync.Change != 2 || sync.Save == nil || sync.Save.IncludeText {
		t.Errorf("%s", raw)
	}
	if !slices.Equal(answer.Capabilities.ExecuteCommandProvider.Commands, present.Commands) {
		t.Errorf("commands %q", answer.Capabilities.ExecuteCommandProvider.Commands)
	}
}

// The server watches files itself if the client cannot: a write by another
// program counts like a save.
func TestServerWatchesFiles(t *testing.T) {
	config := realConfig(t)
	config.Poll = 50 * time.Millisecond
	e := connect(t, config)
	e.settings(`{"idle":false,"budget":"10m"}`)
	const limit = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\nuint256 constant LIMIT = %d;\n"
	e.write("Limit.sol", fmt.Sprintf(limit, 300))
	e.start(strings.Replace(allCapabilities, `"dynamicRegistration":true`, `"dynamicRegistration":false`, 1), `{"notifications":true,"idle":false}`)
	e.open("A.sol", "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\nimport \"./Limit.sol\";\ncontract A { function f(uint8 x) external pure { assert(x < LIMIT); } }\n")
	e.until("a campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	e.until("idle", e.calm)
	e.write("Limit.sol", fmt.Sprintf(limit, 3000)+"// later\n")
	if e.asserts("A.sol") {
		t.Fatal("a finding in a contract that cannot fail")
	}
	e.write("Limit.sol", fmt.Sprintf(limit, 30))
	e.until("a finding", func() bool { return e.asserts("A.sol") })
	if slices.Contains(e.got().Registered, protocol.MethodWorkspaceDidChangeWatchedFiles) {
		t.Error("registered watchers at a client without the capability")
	}
}

// A file that foundry.toml extends configures the project, and is watched: by the
// client or, where it cannot, by the server.
func TestExtendedConfigurationIsWatched(t *testing.T) {
	for _, watches := range []bool{true, false} {
		t.Run(fmt.Sprintf("client watches: %t", watches), func(t *testing.T) {
			config := realConfig(t)
			config.Poll = 10 * time.Millisecond
			e := connect(t, config)
			e.settings(`{"idle":false,"budget":"10m"}`)
			const limit, base = "uint256 constant LIMIT = %d;\n", "[profile.default]\nremappings = ['limits/=%s/']\n"
			for path, text := range map[string]string{
				"foundry.toml": "[profile.default]\nsrc = '.'\nextends = 'base.toml'\n", "base.toml": fmt.Sprintf(base, "wide"),
				"wide/Limit.sol": fmt.Sprintf(limit, 300), "narrow/Limit.sol": fmt.Sprintf(limit, 30),
			} {
				e.must(os.MkdirAll(filepath.Join(e.dir, filepath.Dir(path)), 0o700))
				e.write(path, text)
			}
			can := allCapabilities
			if !watches {
				can = strings.Replace(can, `"dynamicRegistration":true`, `"dynamicRegistration":false`, 1)
			}
			e.start(can, `{"notifications":true,"idle":false}`)
			e.open("A.sol", "pragma solidity ^0.8.0;\nimport 'limits/Limit.sol';\ncontract A { function f(uint8 x) external pure { assert(x < LIMIT); } }\n")
			e.until("a campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
			e.until("idle", e.calm)
			if e.asserts("A.sol") {
				t.Fatal("a finding in a contract that cannot fail")
			}
			e.write("base.toml", fmt.Sprintf(base, "narrow"))
			if watches {
				e.must(e.server.DidChangeWatchedFiles(e.ctx(), &protocol.DidChangeWatchedFilesParams{
					Changes: []protocol.FileEvent{{URI: e.uri("base.toml"), Type: protocol.FileChangeTypeChanged}},
				}))
			}
			e.until("a finding", func() bool { return e.asserts("A.sol") })
		})
	}
}

// Each symbol has a state and passes through all states.
func TestSymbolStates(t *testing.T) {
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	state := func(name string) string {
		var all present.SymbolStatuses
		if json.Unmarshal(e.mail.Custom(present.MethodSymbolStatus), &all) != nil || filepath.Base(all.URI.FsPath()) != "Vault.sol" {
			return ""
		}
		for _, s := range all.Symbols {
			if s.Name == name {
				return string(s.State)
			}
		}
		return ""
	}
	text := "interface Nobody { function f() external; }\n" + vault(true, 0)
	e.open("Vault.sol", text)
	e.until("running", func() bool { return state("Vault") == "running" && state("Nobody") == "skipped" })
	e.until("the findings state", func() bool { return state("Vault") == "findings" })
	if state("Vault.feeOf") != "findings" || state("Vault.move") != "clean" {
		t.Errorf("feeOf is %q, move is %q", state("Vault.feeOf"), state("Vault.move"))
	}
	e.change("Vault.sol", 2, strings.Replace(text, "due < amount", "due  < amount", 1))
	e.until("the stale state", func() bool { return state("Vault.feeOf") == "stale" && state("Vault.move") == "clean" })
}

// The command fuzzes one function for longer than a save does.
func TestFuzzCommandTargetsFunction(t *testing.T) {
	w := new(workshop)
	e := found(t, w.config(""), allCapabilities)
	e.until("idle", func() bool { return w.idle() })
	before := w.started()
	if _, err := e.command(present.CommandFuzz, string(e.uri("A.sol")), "A", protocol.Range{Start: protocol.Position{Line: 1}, End: protocol.Position{Line: 2}}); err != nil {
		t.Fatal(err)
	}
	e.until("another campaign", func() bool { return w.started() > before && w.idle() })
	o := w.options()
	if o.Time != 30*time.Second || len(o.Lines) != 1 || o.Lines[0].Spans[0].Start != len("contract A\n") {
		t.Errorf("fuzzed for %v with targets %+v", o.Time, o.Lines)
	}
}
