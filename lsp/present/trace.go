package present

import (
	"encoding/json"
	"net/url"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/lsp/session"
	"leveret/solc/srcmap"
)

// debugMark ends the lines of a trace at which a debugger can be started by a click.
const debugMark = "▷"

// A TraceText is a trace as a document.
type TraceText struct {
	Text   string
	Stops  map[int]string // of the lines, from 0, at which a debugger can stand: their names
	Marked bool           // they have a debugMark
}

// Trace puts a trace below its head. If its lines may be debugged, and the client runs
// commands of links, they are marked.
func (c Client) Trace(head string, lines []session.TraceLine, debugs bool) TraceText {
	t := TraceText{Stops: map[int]string{}, Marked: debugs && c.CommandLinks}
	var b strings.Builder
	b.WriteString(head)
	for n, l := range lines {
		b.WriteString(l.Text)
		if l.Stop != "" {
			t.Stops[strings.Count(head, "\n")+n] = l.Stop
			if t.Marked && !l.Goes {
				b.WriteString("  " + debugMark)
			}
		}
		b.WriteByte('\n')
	}
	t.Text = b.String()
	return t
}

// DebugLinks returns the links of the marks in a trace with an URI.
func (c Client) DebugLinks(t *TraceText, u uri.URI) []protocol.DocumentLink {
	var list []protocol.DocumentLink
	if !t.Marked {
		return nil
	}
	lines, tooltip := srcmap.NewLines([]byte(t.Text)), "Debug the finding, stopped here"
	for at, n := 0, 0; at < len(t.Text); n++ {
		end := at + strings.IndexByte(t.Text[at:], '\n')
		if t.Stops[n] != "" && strings.HasSuffix(t.Text[at:end], debugMark) {
			target := debugLine(u, n)
			list = append(list, protocol.DocumentLink{
				Range: c.rangeOf(lines, end-len(debugMark), end), Target: &target, Tooltip: &tooltip,
			})
		}
		at = end + 1
	}
	return list
}

// debugLine returns the link that runs CommandDebugLine.
func debugLine(u uri.URI, line int) uri.URI {
	arguments, _ := json.Marshal([]any{string(u), line}) // a string and a number have a JSON form
	return uri.URI("command:" + CommandDebugLine + "?" + url.PathEscape(string(arguments)))
}
