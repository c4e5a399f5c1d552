package server

import (
	"encoding/json"
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
	actions, err := e.server.CodeAction(e.ctx(), &protocol.CodeActionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("Tests.sol")}, Range: e.found("Tests.sol")[0].Range,
	})
	e.must(err)
	if text, err := json.Marshal(actions); err != nil || len(actions) == 0 || strings.Contains(string(text), "regression") {
		t.Errorf("actions %v", actions)
	}
	fixed := strings.ReplaceAll(string(text), "vm.prank(address(1));", "vm.prank(address(this));")
	e.save("Tests.sol", 2, fixed)
	e.until("the fixed test", func() bool { return len(e.found("Tests.sol")) == 1 && e.calm() })
}
