package present

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"leveret/solc/srcmap"
)

// lineNumber is what stands behind the name of a file.
var lineNumber = regexp.MustCompile(`^:(\d+)`)

// Links returns the places of sources in a text of ours, "name:line", as links
// to them. names has the files by absolute path and by source unit name, each
// with its path. It is never nil.
func (c Client) Links(text string, names map[string]string) []protocol.DocumentLink {
	list := []protocol.DocumentLink{}
	lines := srcmap.NewLines([]byte(text))
	for _, name := range slices.Sorted(maps.Keys(names)) {
		for at := 0; name != ""; {
			i := strings.Index(text[at:], name)
			if i < 0 {
				break
			}
			start := at + i
			at = start + len(name)
			number := lineNumber.FindStringSubmatch(text[at:])
			if number == nil || start > 0 && text[start-1] != ' ' && text[start-1] != '\n' {
				continue
			}
			at += len(number[0])
			target := uri.URI(fmt.Sprintf("%s#L%s", uri.File(names[name]), number[1]))
			list = append(list, protocol.DocumentLink{Range: c.rangeOf(lines, start, at), Target: &target})
		}
	}
	return list
}
