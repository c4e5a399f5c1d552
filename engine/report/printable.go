package report

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

// Printable makes a text of somebody else, such as the name of a file or the
// message of a compiler, safe to show: what a terminal or a browser might obey,
// control characters and marks of the writing direction among it, is escaped
// as in Go strings. Tabs and line breaks are escaped, too.
func Printable(s string) string { return escape(s, "") }

// A Printer escapes what is written to it as Printable does, but for tabs and
// line breaks.
type Printer struct{ W io.Writer }

func (p *Printer) Write(b []byte) (int, error) {
	if _, err := io.WriteString(p.W, escape(string(b), "\t\n")); err != nil {
		return 0, err
	}
	return len(b), nil
}

// shown reports whether a character is safe to show.
func shown(r rune) bool { return strconv.IsPrint(r) || unicode.Is(unicode.Zs, r) }

// escape escapes what is not shown, but for the characters in allowed.
func escape(s, allowed string) string {
	if strings.IndexFunc(s, func(r rune) bool { return r == utf8.RuneError || !shown(r) && !strings.ContainsRune(allowed, r) }) < 0 {
		return s
	}
	var b strings.Builder
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case shown(r), strings.ContainsRune(allowed, r):
			b.WriteRune(r)
		default:
			b.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		i += size
	}
	return b.String()
}

// A jsonPrinter escapes what JSON may have as it is and a terminal obeys.
type jsonPrinter struct{ w io.Writer }

func (p *jsonPrinter) Write(b []byte) (int, error) {
	var out bytes.Buffer
	for _, r := range string(b) {
		switch {
		case shown(r) || r == '\n':
			out.WriteRune(r)
		case r > 0xffff:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&out, `\u%04x\u%04x`, high, low)
		default:
			fmt.Fprintf(&out, `\u%04x`, r)
		}
	}
	if _, err := out.WriteTo(p.w); err != nil {
		return 0, err
	}
	return len(b), nil
}
