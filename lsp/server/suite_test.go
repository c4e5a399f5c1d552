package server

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/solc"
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

// Sources of a project with two test contracts.
const (
	orderedBank = `pragma solidity ^0.8.0;
contract Bank {
    mapping(address => uint256) public held;
    function put(uint256 n) external { held[msg.sender] += n; }
    function take(uint256 n) external { held[msg.sender] -= n; }
}
`
	orderedTest = `pragma solidity ^0.8.0;
import "../src/Bank.sol";
contract NAMETest {
    bool public constant IS_TEST = true;
    Bank bank = new Bank();
    function test_NAME() external { bank.put(9); CALL; }
    function testSearch(uint8 n) external { bank.put(n); }
}
`
)

// After a save, unit tests run before campaigns, and first those of contracts whose
// tests executed changed code the last time.
func TestAffectedUnitTestsRunFirst(t *testing.T) {
	var mu sync.Mutex
	var runs []string
	config := realConfig(t)
	config.Session.Engine.Recheck = engine.Recheck
	config.Session.Engine.Fuzz = func(ctx context.Context, c *solc.Contract, project []*solc.Contract, o engine.Options) (*finding.Result, error) {
		mu.Lock()
		runs = append(runs, strings.TrimSpace(c.Name+" "+strings.Join(kindNames(o.Tests.Kinds), " ")))
		mu.Unlock()
		return engine.Run(ctx, c, project, o)
	}
	e := connect(t, config)
	e.settings(`{"idle":false,"budget":"1s"}`)
	e.write("foundry.toml", "[profile.default]\nsolc = '0.8.30'\n")
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	for _, folder := range []string{"src", "test"} {
		e.must(os.Mkdir(filepath.Join(e.dir, folder), 0o755))
	}
	open := func(name, text string) {
		e.write(name, text)
		e.open(name, text)
	}
	open("src/Bank.sol", orderedBank)
	open("test/Puts.t.sol", strings.NewReplacer("NAME", "Puts", "CALL", "bank.put(1)").Replace(orderedTest))
	open("test/Takes.t.sol", strings.NewReplacer("NAME", "Takes", "CALL", "bank.take(1)").Replace(orderedTest))
	e.until("the first verdicts", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return slices.Contains(runs, "PutsTest fuzz invariant") && slices.Contains(runs, "TakesTest fuzz invariant") && e.calm()
	})
	for n, row := range []struct{ old, changed, first, second string }{
		{"held[msg.sender] -= n;", "require(n < 5); held[msg.sender] -= n;", "TakesTest unit table", "PutsTest unit table"},
		{"held[msg.sender] += n;", "require(n > 0 || true); held[msg.sender] += n;", "", ""}, // both
	} {
		mu.Lock()
		runs = nil
		mu.Unlock()
		e.save("src/Bank.sol", int32(2+n), strings.Replace(orderedBank, row.old, row.changed, 1))
		e.until("the verdicts", func() bool {
			mu.Lock()
			defer mu.Unlock()
			return slices.Contains(runs, "PutsTest fuzz invariant") && slices.Contains(runs, "TakesTest fuzz invariant") && e.calm()
		})
		mu.Lock()
		got := slices.Clone(runs)
		mu.Unlock()
		if row.first != "" && (got[0] != row.first || got[1] != row.second) {
			t.Errorf("after a change of %q: %q, want first %q", row.old, got, row.first)
		}
		if slices.Index(got, "Bank") < 2 {
			t.Errorf("a campaign begins before the unit tests: %q", got)
		}
	}
}

func kindNames(kinds []solc.TestKind) (names []string) {
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}
