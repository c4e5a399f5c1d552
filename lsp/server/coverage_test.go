package server

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"go.lsp.dev/protocol"

	"leveret/lsp/present"
)

// The server sends coverage by line and shows it in lenses and hovers.
func TestCoverage(t *testing.T) {
	raw, err := os.ReadFile("testdata/coverage/Vault.sol")
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	e := connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open("Vault.sol", text)
	e.until("the campaign", func() bool { return strings.Contains(e.status(), "fuzzing") })
	var got present.Coverage
	covered := func(part string) present.CoveredLine {
		for i, line := range strings.Split(text, "\n") {
			for _, l := range got.Lines {
				if l.Line == i && strings.Contains(line, part) {
					return l
				}
			}
		}
		return present.CoveredLine{}
	}
	e.until("coverage", func() bool {
		return json.Unmarshal(e.mail.Custom(present.MethodCoverage), &got) == nil && covered("held[msg.sender] += x").Hits > 0
	})
	e.until("idle", e.calm)
	if got.URI != e.uri("Vault.sol") || got.Version != 1 || got.Total.Covered == 0 || got.Total.Covered > got.Total.Total {
		t.Errorf("coverage of %s, version %d: %+v", got.URI, got.Version, got.Total)
	}
	if l := covered("opened = true"); l.Total == 0 || l.Hits > 0 {
		t.Errorf("coverage of the unreachable line: %+v", l)
	}
	e.checkFunctionLens(text, "open", "1/2 branches")
	e.checkFunctionLens(text, "put", "2/2 branches")
	e.checkFunctionLens(text, "Vault", "3/4 branches") // the sum of its functions, as the decorations show
	taken := 0
	for _, b := range got.Branches {
		for _, arm := range b.Arms {
			if arm.Taken {
				taken++
			}
		}
	}
	if taken != 3 || len(got.Branches) != 2 {
		t.Errorf("%d arms are taken in %d branches, want 3 in 2", taken, len(got.Branches))
	}
	e.checkHover("Vault.sol", text, "function open", "Branches not covered", "keccak256", "closest distance")
}

// The hover of a contract that was hardly covered names the condition that stops inputs, at
// its line in the current text.
func TestHoverOfBlocker(t *testing.T) {
	e, text := openFuzzed(t, "Closed.sol")
	e.checkHover("Closed.sol", text, "contract Closed", "Closed: few branches were reached: `require( open )` ([Closed.sol:10](file:", "Closed.sol#L10)) had one outcome only, in ")
	moved := "\n" + text
	e.change("Closed.sol", 2, moved)
	e.checkHover("Closed.sol", moved, "contract Closed", "[Closed.sol:11](")
}

// Lenses count the branches of the source: if, require, ?:, && and ||, and loops, two arms
// each. Checks that the compiler adds are none, as in straight.
func TestLensesCountBranchesOfTheSource(t *testing.T) {
	e, text := openFuzzed(t, "Arms.sol")
	for name, want := range map[string]string{
		"decide": "2/2", "demand": "2/2", "choose": "2/2", "both": "3/4", "either": "4/4", "count": "2/2", "never": "1/2",
		"Arms": "16/18", "straight": "",
	} {
		got := ""
		for _, part := range strings.Split(e.functionLens("Arms.sol", text, name), " · ") {
			if arms, ok := strings.CutSuffix(part, " branches"); ok {
				got = arms
			}
		}
		if got != want {
			t.Errorf("%s: %q branches, want %q", name, got, want)
		}
	}
}

// openFuzzed opens a file of testdata/coverage in an editor and waits for the end of its
// campaigns.
func openFuzzed(t *testing.T, name string) (e *editor, text string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/coverage/" + name)
	if err != nil {
		t.Fatal(err)
	}
	e = connect(t, realConfig(t))
	e.settings(`{"idle":false,"budget":"10m"}`)
	e.start(allCapabilities, `{"notifications":true,"idle":false}`)
	e.open(name, string(raw))
	e.untilFuzzed(name)
	return e, string(raw)
}

// untilFuzzed waits for the end of the campaigns on a file. A status that says "fuzzing"
// may be over before it is looked at.
func (e *editor) untilFuzzed(name string) {
	e.t.Helper()
	e.until(name+" is fuzzed", func() bool {
		titles, _ := e.lenses(name)
		return e.calm() && slices.ContainsFunc(titles, func(title string) bool { return strings.HasPrefix(title, "fuzzed ") })
	})
}

// functionLens returns the title of the lens on the line that declares a function or a
// contract: that which says how it was fuzzed.
func (e *editor) functionLens(file, text, name string) string {
	e.t.Helper()
	lenses, err := e.server.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(file)}})
	e.must(err)
	lines := strings.Split(text, "\n")
	for _, l := range lenses {
		line := lines[l.Range.Start.Line]
		if strings.HasPrefix(l.Command.Title, "fuzzed ") && (strings.Contains(line, "function "+name+"(") || strings.Contains(line, "contract "+name+" ")) {
			return l.Command.Title
		}
	}
	e.t.Errorf("no lens says how %s was fuzzed", name)
	return ""
}

// checkFunctionLens checks the lens of a function of Vault.sol.
func (e *editor) checkFunctionLens(text, name, want string) {
	e.t.Helper()
	if title := e.functionLens("Vault.sol", text, name); !strings.Contains(title, want) || !strings.Contains(title, "path") {
		e.t.Errorf("%s: %q, want %q", name, title, want)
	}
}

func (e *editor) checkHover(file, text, part string, wants ...string) {
	e.t.Helper()
	before, _, _ := strings.Cut(text, part)
	line := strings.Count(before, "\n")
	hover, err := e.server.Hover(e.ctx(), &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri(file)},
		Position:     protocol.Position{Line: uint32(line), Character: uint32(len(before) - strings.LastIndex(before, "\n") - 1 + len(part))},
	}})
	e.must(err)
	if hover == nil {
		e.t.Fatalf("no hover on %q", part)
	}
	value := hover.Contents.(*protocol.MarkupContent).Value
	for _, want := range wants {
		if !strings.Contains(value, want) {
			e.t.Errorf("the hover does not contain %q:\n%s", want, value)
		}
	}
}
