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

// lineNumber matches the line number after a file name.
var lineNumber = regexp.MustCompile(`^:(\d+)`)

// Links returns links for each "name:line" in a text. names maps the absolute
// paths and source unit names of files to their paths. The result is never nil.
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
