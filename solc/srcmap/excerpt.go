package srcmap

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// Excerpt shortens a piece of source to one line for a message.
func Excerpt(text []byte) string {
	const most = 72
	var line strings.Builder
	for word := range bytes.FieldsSeq(text) {
		if line.Len() > most*utf8.UTFMax {
			break // the rest is cut off anyway
		}
		if line.Len() > 0 {
			line.WriteByte(' ')
		}
		line.Write(word)
	}
	s := line.String()
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}
