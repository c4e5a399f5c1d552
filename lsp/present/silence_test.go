package present

import (
	"slices"
	"strings"
	"testing"
	"time"

	"go.lsp.dev/protocol"

	"leveret/lsp/session"
	"leveret/lsp/settings"
)

// All that shows a finding agrees about whether a comment suppresses it.
func TestSilencedIsNotShown(t *testing.T) {
	const text = "contract A {\n    function f() {\n        bug one;\n    }\n}\n"
	const comment = "        // leveret-disable-next-line bug\n"
	d := newDesk(t.TempDir(), settings.Settings{Budget: time.Second, CodeLens: true})
	defer d.Close()
	for name := range originals {
		d.write(name, "")
	}
	d.write("A", text)
	d.open("A")
	c := Client{Encoding: session.UTF16, Literals: true}
	line := protocol.Range{Start: protocol.Position{Line: 2}, End: protocol.Position{Line: 3}} // the finding's, also below the comment
	shows := func() (places []string) {
		if !d.rest() {
			t.Fatal("the session does not become idle")
		}
		s, path := d.Snapshot(), d.path("A")
		for place, shown := range map[string]bool{
			"status":      StatusOf(s).Text != "no findings" || StatusOf(s).Errors > 0,
			"diagnostics": len(c.Diagnostics(s, path)) > 0,
			"actions":     len(c.Actions(s, path, line, nil, Abilities{})) > 0,
			"hover":       c.Hover(s, path, line.Start) != nil || c.Hover(s, path, line.End) != nil,
			"lenses":      slices.ContainsFunc(c.Lenses(s, path), func(l protocol.CodeLens) bool { return strings.Contains(l.Command.Title, "finding") }),
			"symbols":     slices.ContainsFunc(c.Symbols(s, path).Symbols, func(s SymbolStatus) bool { return s.State == session.StateFindings }),
		} {
			if shown {
				places = append(places, place)
			}
		}
		return places
	}
	for _, save := range []bool{false, true} {
		d.setText("A", text)
		if n := len(shows()); n != 6 {
			t.Errorf("%d places show the finding: %q", n, shows())
		}
		d.setText("A", strings.Replace(text, "        bug", comment+"        bug", 1))
		if save {
			d.save("A")
		}
		if places := shows(); len(places) > 0 {
			t.Errorf("saved %t: %q show the silenced finding", save, places)
		}
	}
}
