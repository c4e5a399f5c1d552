package server

import (
	"os"
	"strings"
	"testing"

	"go.lsp.dev/protocol"
)

// The editor runs the tests of an open test contract: the result of each is in
// its lens, and a corrected one is clean after a save.
func TestRunsTests(t *testing.T) {
	text, err := os.ReadFile("testdata/marker/Tests.sol")
	if err != nil {
		t.Fatal(err)
	}
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Tests.sol", string(text))
	e.until("the failures", func() bool { return len(e.found("Tests.sol")) == 2 })
	e.until("idle", e.calm)
	titles, _ := e.lenses("Tests.sol")
	for _, want := range []string{"3 tests · 2 failed", "passed", "closed · run"} {
		if !strings.Contains(strings.Join(titles, "\n"), want) {
			t.Errorf("no lens says %q: %q", want, titles)
		}
	}
	example := ""
	for _, d := range e.found("Tests.sol") {
		actions, err := e.server.CodeAction(e.ctx(), &protocol.CodeActionParams{
			TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("Tests.sol")}, Range: d.Range,
		})
		e.must(err)
		for _, a := range actions {
			action := a.(*protocol.CodeAction)
			if strings.Contains(action.Title, "regression") {
				t.Errorf("a failing test offers %q", action.Title)
			}
			if !strings.HasPrefix(action.Title, "Keep as a unit test") {
				continue
			}
			resolved, err := e.server.CodeActionResolve(e.ctx(), action)
			e.must(err)
			for _, edits := range resolved.Edit.Changes {
				example += edits[0].NewText
			}
		}
	}
	if want := "\n\n    function testSum_Example() external { this.testSum(0, 123456789); }"; example != want {
		t.Errorf("the unit test is %q, want %q", example, want)
	}
	fixed := strings.ReplaceAll(string(text), "vm.prank(address(1));", "vm.prank(address(this));")
	e.save("Tests.sol", 2, fixed)
	e.until("the fixed test", func() bool { return len(e.found("Tests.sol")) == 1 && e.calm() })
}
