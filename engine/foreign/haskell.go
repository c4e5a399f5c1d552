package foreign

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// asciiNames are the escapes of control characters in Haskell's string literals, by
// code; see the Haskell 2010 report, section 2.6.
var asciiNames = strings.Fields("NUL SOH STX ETX EOT ENQ ACK a b t n v f r SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US SP")

// haskellBytes reads a ByteString as Haskell shows it, in a JSON string.
func haskellBytes(raw json.RawMessage) (out []byte, err error) {
	var text string
	if err := json.Unmarshal(raw, &text); err != nil {
		return nil, err
	}
	if len(text) < 2 || text[0] != '"' || text[len(text)-1] != '"' {
		return nil, errors.New("bytes without quotes")
	}
	for rest := text[1 : len(text)-1]; rest != ""; {
		c, keep, size := rest[0], true, 0
		if c >= 0x80 {
			return nil, errors.New("a character that is no byte")
		}
		if c == '\\' {
			if c, keep, size, err = haskellEscape(rest[1:]); err != nil {
				return nil, err
			}
		}
		if keep {
			out = append(out, c)
		}
		rest = rest[1+size:]
	}
	return out, nil
}

// haskellEscape reads what follows a backslash: the byte, whether there is one, and
// its length.
func haskellEscape(s string) (c byte, keep bool, size int, err error) {
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits > 0 {
		n, err := strconv.ParseUint(s[:digits], 10, 8)
		return byte(n), true, digits, err
	}
	switch {
	case s == "":
		return 0, false, 0, errors.New("bytes end in a backslash")
	case s[0] == '&': // separates an escape from a digit
		return 0, false, 1, nil
	case s[0] == '\\', s[0] == '"', s[0] == '\'':
		return s[0], true, 1, nil
	case strings.HasPrefix(s, "DEL"):
		return 0x7f, true, 3, nil
	}
	code, longest := 0, ""
	for i, name := range asciiNames { // SOH before SO
		if strings.HasPrefix(s, name) && len(name) > len(longest) {
			code, longest = i, name
		}
	}
	if longest == "" {
		return 0, false, 0, fmt.Errorf("unknown escape %.5q", s)
	}
	return byte(code), true, len(longest), nil
}
