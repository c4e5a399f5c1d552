package printable

import (
	"bytes"
	"testing"
)

func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"src/Größe 漢字.sol": "src/Größe 漢字.sol",
		"a\x1b[2J\x07":     `a\x1b[2J\a`,
		"\u202e\u009b\xff": `\u202e\u009b\xff`,
		"a\tb\nc\r\x7f":    `a\tb\nc\r\x7f`,
		"'\"\\":            `'"\`,
		"\ufffd":           "\ufffd",
		"a\u00a0b\u3000c":  "a\u00a0b\u3000c",
	} {
		if got := String(text); got != want {
			t.Errorf("%q is printed as %q, want %q", text, got, want)
		}
	}
	var b bytes.Buffer
	if n, err := (&Writer{&b}).Write([]byte("a\tb\n\x1b")); n != 5 || err != nil || b.String() != "a\tb\n\\x1b" {
		t.Errorf("%d, %v, %q", n, err, b.String())
	}
}
