package server

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/engine"
	"leveret/engine/finding"
	"leveret/lsp/present"
	"leveret/solc"
)

// The editor runs the tests of an open test contract: the result of each is in
// its lens, and a corrected one is clean after a save.
func TestRunsTests(t *testing.T) {
	e := openTests(t, realConfig(t))
	titles, _ := e.lenses("Tests.sol")
	for _, want := range []string{"3 tests · 2 failed", "passed", "closed · run", "trace"} {
		if !strings.Contains(strings.Join(titles, "\n"), want) {
			t.Errorf("no lens says %q: %q", want, titles)
		}
	}
	example := ""
	for _, d := range e.found("Tests.sol") {
		for _, action := range e.actions("Tests.sol", d.Range) {
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
	text, err := os.ReadFile("testdata/marker/Tests.sol")
	e.must(err)
	fixed := strings.ReplaceAll(string(text), "vm.prank(address(1));", "vm.prank(address(this));")
	e.save("Tests.sol", 2, fixed)
	e.until("the fixed test", func() bool { return e.failures("Tests.sol") == 1 && len(e.found("Tests.sol")) == 1 && e.calm() })
}

// failures counts the errors in a file.
func (e *editor) failures(name string) (n int) {
	for _, d := range e.found(name) {
		if d.Severity == protocol.DiagnosticSeverityError {
			n++
		}
	}
	return n
}

// actions requests the actions at a range.
func (e *editor) actions(name string, at protocol.Range) (list []*protocol.CodeAction) {
	e.t.Helper()
	actions, err := e.server.CodeAction(e.ctx(), &protocol.CodeActionParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(name)}, Range: at})
	e.must(err)
	for _, a := range actions {
		list = append(list, a.(*protocol.CodeAction))
	}
	return list
}

// openTests opens the tests of testdata/marker in an editor and waits for their results.
func openTests(t *testing.T, config Config) *editor {
	t.Helper()
	text, err := os.ReadFile("testdata/marker/Tests.sol")
	if err != nil {
		t.Fatal(err)
	}
	e := connect(t, config)
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Tests.sol", string(text))
	e.until("the failures", func() bool { return e.failures("Tests.sol") == 2 })
	e.until("idle", e.calm)
	return e
}

// The lines of tests in testdata/marker/Tests.sol, counted from 0.
const setUpLine, ownerLine, thiefLine, closedLine = 21, 25, 30, 11

// The trace of a test shows the input that it ended with, whether it failed or not. A test
// and the code that fails below it have actions for it.
func TestTracesOfTests(t *testing.T) {
	e := openTests(t, realConfig(t))
	trace := func(line uint32) string {
		at := protocol.Position{Line: line, Character: 20}
		result, err := e.command(present.CommandTraceTest, string(e.uri("Tests.sol")), protocol.Range{Start: at, End: at})
		var u uri.URI
		if err != nil || json.Unmarshal([]byte(result), &u) != nil {
			t.Fatalf("line %d: %q, %v", line, result, err)
		}
		text, err := os.ReadFile(u.FsPath())
		e.must(err)
		return string(text)
	}
	for line, wants := range map[uint32][]string{
		ownerLine: {"testOwnerOpens(): passed", "Printed\n  block 1", "Safe.open()", "Step by step"},
		thiefLine: {"testThief fails: closed", "Safe.open()"},
	} {
		for text := trace(line); len(wants) > 0; wants = wants[1:] {
			if !strings.Contains(text, wants[0]) {
				t.Errorf("no %q in the trace of the test in line %d:\n%s", wants[0], line, text)
			}
		}
	}
	at := protocol.Position{Line: setUpLine}
	if _, err := e.command(present.CommandTraceTest, string(e.uri("Tests.sol")), protocol.Range{Start: at, End: at}); err == nil || !strings.Contains(err.Error(), "no test here") {
		t.Errorf("the trace of setUp: %v", err)
	}
	for title, line := range map[string]uint32{"Run testOwnerOpens()": ownerLine, "Trace of testOwnerOpens()": ownerLine, "Replay: testThief()": closedLine} {
		if a := e.actionAt("Tests.sol", line, title); a.Command.Command == "" {
			t.Errorf("the action %q has no command", title)
		}
	}
	var statuses present.SymbolStatuses
	e.must(json.Unmarshal(e.mail.Custom(present.MethodSymbolStatus), &statuses))
	i := slices.IndexFunc(statuses.Symbols, func(s present.SymbolStatus) bool { return s.Name == "SafeTest.testOwnerOpens" })
	if i < 0 || statuses.Symbols[i].Test == nil || statuses.Symbols[i].Test.Status != "passed" || !slices.Equal(statuses.Symbols[i].Test.Lines, []string{"block 1"}) {
		t.Errorf("the status of a test: %+v", statuses.Symbols)
	}
}

// A test that the user chooses runs alone and leaves the results of the others.
func TestRunsOneTest(t *testing.T) {
	var mu sync.Mutex
	var names [][]string
	config := realConfig(t)
	config.Session.Engine.Fuzz = func(ctx context.Context, c *solc.Contract, project []*solc.Contract, o engine.Options) (*finding.Result, error) {
		mu.Lock()
		names = append(names, o.Tests.Names)
		mu.Unlock()
		return engine.Run(ctx, c, project, o)
	}
	e := openTests(t, config)
	run := e.actionAt("Tests.sol", thiefLine, "Run testThief()").Command
	ran := func() [][]string {
		mu.Lock()
		defer mu.Unlock()
		return slices.Clone(names)
	}
	before := len(ran())
	_, err := e.server.ExecuteCommand(e.ctx(), &protocol.ExecuteCommandParams{Command: run.Command, Arguments: run.Arguments})
	e.must(err)
	e.until("the run", func() bool { return len(ran()) > before && e.calm() })
	if got := ran()[before:]; len(got) != 1 || !slices.Equal(got[0], []string{"testThief()"}) {
		t.Errorf("ran %q", got)
	}
	if n := e.failures("Tests.sol"); n != 2 {
		t.Errorf("%d failures after one of the two ran again", n)
	}
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

// After a save, the tests of files that import the source and are not open have results,
// at their places.
func TestStatusOfClosedTests(t *testing.T) {
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"1s"}`)
	e.write("foundry.toml", "[profile.default]\nsolc = '0.8.30'\n")
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	for _, folder := range []string{"src", "test"} {
		e.must(os.Mkdir(filepath.Join(e.dir, folder), 0o755))
	}
	const test, source = "test/Takes.t.sol", "src/Bank.sol"
	e.write(test, strings.NewReplacer("NAME", "Takes", "CALL", "bank.take(9)").Replace(orderedTest))
	e.write(source, orderedBank)
	e.open(source, orderedBank)
	e.until("idle", e.calm)
	for n, row := range []struct{ text, want string }{
		{orderedBank + "// changed\n", "passed"},
		{strings.Replace(orderedBank, "-= n;", "-= n + 1;", 1), "failed"},
		{orderedBank, "passed"},
	} {
		e.save(source, int32(2+n), row.text)
		e.until("the test "+row.want, func() bool {
			var statuses present.SymbolStatuses
			if json.Unmarshal(e.mail.Custom(present.MethodSymbolStatus), &statuses) != nil || statuses.URI != e.uri(test) || !e.calm() {
				return false
			}
			i := slices.IndexFunc(statuses.Symbols, func(s present.SymbolStatus) bool { return s.Name == "TakesTest.test_Takes" })
			return i >= 0 && statuses.Symbols[i].Range.Start.Line == 5 && statuses.Symbols[i].Test != nil && statuses.Symbols[i].Test.Status == row.want
		})
	}
}

func kindNames(kinds []solc.TestKind) (names []string) {
	for _, k := range kinds {
		names = append(names, string(k))
	}
	return names
}
