package server

import (
	"fmt"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// With the real compiler and engine, an edit that is undone restores what was
// shown before.
func TestUndoneEdits(t *testing.T) {
	const text = "// SPDX-License-Identifier: MIT\npragma solidity ^0.8.0;\ncontract A {\n" +
		"    uint256 total;\n" +
		"    function f(uint256 x) external {\n        total = x;\n        assert(x != 7); // é\n    }\n" +
		"    function g(uint8 x) external pure {\n        assert(x < 200);\n    }\n}\n"
	const first = "        assert(x != 7); // é\n"
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m","compilerDiagnostics":true}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("A.sol", text)
	e.until("both findings", func() bool { return len(e.asserted("A.sol")) == 2 })
	e.until("idle", e.calm)
	want := e.asserted("A.sol")
	version := int32(1)
	edit := func(text string) {
		version++
		e.change("A.sol", version, text)
	}
	save := func(text string) {
		version++
		e.save("A.sol", version, text)
	}
	for _, test := range []struct {
		name string
		do   func()
	}{
		{"a letter", func() {
			edit(strings.Replace(text, "!= 7)", "!= 77)", 1))
			edit(text)
			save(text)
		}},
		{"a letter, never saved", func() {
			edit(strings.Replace(text, "!= 7)", "!= 77)", 1))
			edit(text)
		}},
		{"a line cut and pasted", func() {
			edit(strings.Replace(text, first, "", 1))
			edit(text)
			save(text)
		}},
		{"a line cut, saved and pasted", func() {
			save(strings.Replace(text, first, "", 1))
			e.until("one finding", func() bool { return len(e.asserted("A.sol")) == 1 && e.calm() })
			save(text)
		}},
		{"syntax broken and saved", func() {
			save(strings.Replace(text, "!= 7);", "!= 7", 1))
			e.until("the failure", func() bool { return strings.Contains(fmt.Sprint(messages(e.found("A.sol"))), "Expected") })
			save(text)
		}},
		{"everything deleted and saved", func() {
			save("")
			e.until("no findings", func() bool { return len(e.asserted("A.sol")) == 0 })
			save(text)
		}},
		{"a campaign interrupted", func() {
			save(strings.Replace(text, "!= 7)", "!= 8)", 1))
			edit(strings.Replace(text, "!= 7)", "!= 9)", 1))
			save(text)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			e.t = t
			test.do()
			e.until("the earlier findings", func() bool { return fmt.Sprint(e.asserted("A.sol")) == fmt.Sprint(want) && e.calm() })
			e.until("the earlier states", func() bool {
				states := string(e.mail.Custom("leveret/symbolStatus"))
				return strings.Count(states, `"state":"findings"`) == 3 // the contract and both functions
			})
		})
	}
}

// asserted lists the failing assertions of a file with position and severity.
func (e *editor) asserted(name string) (list []string) {
	for _, d := range e.found(name) {
		if d.Code == protocol.String("assertion") {
			list = append(list, fmt.Sprint(d.Range, d.Severity))
		}
	}
	return list
}
