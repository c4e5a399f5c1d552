// Package printable escapes what a terminal or a browser would obey: control
// characters, marks of the writing direction, and bytes that are not UTF-8.
package printable

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// String makes foreign text, such as a file name or a compiler's message, safe
// to show. It escapes as Go strings do, tabs and line breaks included.
func String(s string) string { return escape(s, "") }

// A Writer escapes text as String does, but keeps tabs and line breaks.
type Writer struct{ W io.Writer }

func (p *Writer) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.W, escape(string(b), "\t\n")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Rune reports whether a character is safe to show.
func Rune(r rune) bool { return strconv.IsPrint(r) || unicode.Is(unicode.Zs, r) }

// escape escapes unsafe characters that are not in allowed.
func escape(s, allowed string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == utf8.RuneError || !Rune(r) && !strings.ContainsRune(allowed, r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case Rune(r), strings.ContainsRune(allowed, r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		i += size
	}
	return b.String()
}

// A JSONWriter escapes the characters that are valid in JSON strings and that a
// terminal would obey, as \u sequences.
type JSONWriter struct{ W io.Writer }

func (p *JSONWriter) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for _, r := range string(b) {
		switch {
		case Rune(r) || r == '\n':
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	if _, err := out.WriteTo(p.W); err != nil {
		return 0, err
	}
	return len(b), nil
}
