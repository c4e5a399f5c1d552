package server

import (
	"encoding/json"
	"os"
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
	e.checkFunctionLens("open", "1/2 branches")
	e.checkFunctionLens("put", "2/2 branches")
	e.checkFunctionLens("Vault", "3/4 branches") // the sum of its functions, as the decorations show
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
	e.checkHover(text, "function open", "Branches not covered", "keccak256", "closest distance")
}

// checkFunctionLens checks the title of a lens on the line that declares a
// function.
func (e *editor) checkFunctionLens(name, want string) {
	e.t.Helper()
	lenses, err := e.server.CodeLens(e.ctx(), &protocol.CodeLensParams{TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("Vault.sol")}})
	e.must(err)
	var titles []string
	for _, l := range lenses {
		titles = append(titles, l.Command.Title)
		if strings.HasPrefix(l.Command.Title, "fuzzed ") && strings.Contains(l.Command.Title, want) && strings.Contains(l.Command.Title, "path") {
			return
		}
	}
	e.t.Errorf("no lens for %s contains %q: %q", name, want, titles)
}

func (e *editor) checkHover(text, part string, wants ...string) {
	e.t.Helper()
	before, _, _ := strings.Cut(text, part)
	line := strings.Count(before, "\n")
	hover, err := e.server.Hover(e.ctx(), &protocol.HoverParams{TextDocumentPositionParams: protocol.TextDocumentPositionParams{
		TextDocument: protocol.TextDocumentIdentifier{URI: e.uri("Vault.sol")},
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
