package srcmap

import (
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"
)

var texts = []string{
	"", "a", "a\n", "a\nb", "a\r\nb\r\n", "a\rb\n\rc", "\n\n", "\r\n", "\xef\xbb\xbfa\nb", "\xef\xbb\xbf",
	"é𝄞x\n𝄞𝄞\r\nüü", "a\xffb\xc3\nc\xe2\x82", "contract A {\r\n  // 𝄞 note\r\n}\r\n", "\r", "\r\r\n\n\r",
}

// slowPlaces computes, for each byte offset at the start of a character, the
// line and the preceding characters in a simple way.
func slowPlaces(text string) map[int]struct {
	line   int
	before string
} {
	places := map[int]struct {
		line   int
		before string
	}{}
	line, before, at := 0, "", 0
	if strings.HasPrefix(text, "\xef\xbb\xbf") {
		at = 3
	}
	for at < len(text) {
		places[at] = struct {
			line   int
			before string
		}{line, before}
		_, size := utf8.DecodeRuneInString(text[at:])
		c := text[at : at+size]
		at += size
		switch {
		case c == "\n", c == "\r" && !strings.HasPrefix(text[at:], "\n"):
			line, before = line+1, ""
		case c != "\r":
			before += c
		}
	}
	places[at] = struct {
		line   int
		before string
	}{line, before}
	return places
}

func checkLines(t *testing.T, text string) {
	l := NewLines([]byte(text))
	for offset, p := range slowPlaces(text) {
		runes := []rune(p.before) // an invalid UTF-8 byte becomes one rune
		if got, want := l.OffsetPosition(offset), (Position{p.line + 1, len(runes) + 1}); got != want {
			t.Errorf("%q: offset %d: got %v, want %v", text, offset, got, want)
		}
		for encoding, units := range map[Encoding]int{UTF8: len(p.before), UTF16: len(utf16.Encode(runes)), UTF32: len(runes)} {
			point := l.OffsetPoint(offset, encoding)
			if want := (Point{p.line, units}); point != want {
				t.Errorf("%q: offset %d in encoding %d: got %v, want %v", text, offset, encoding, point, want)
			}
			back := l.PointOffset(point, encoding)
			betweenCRLF := offset > 0 && offset < len(text) && text[offset-1:offset+1] == "\r\n"
			if back != offset && !(betweenCRLF && back == offset-1) {
				t.Errorf("%q: %v in encoding %d: got offset %d, want %d", text, point, encoding, back, offset)
			}
		}
		if at := l.PositionOffset(l.OffsetPosition(offset)); l.OffsetPosition(at) != l.OffsetPosition(offset) {
			t.Errorf("%q: position of offset %d has offset %d", text, offset, at)
		}
	}
}

func TestLinesEqualSlowPlaces(t *testing.T) {
	for _, text := range texts {
		checkLines(t, text)
	}
}

func TestLinesClamp(t *testing.T) {
	l := NewLines([]byte("é𝄞\r\nab"))
	for _, row := range []struct{ got, want any }{
		{l.OffsetPosition(-5), Position{1, 1}}, {l.OffsetPosition(1), Position{1, 1}}, {l.OffsetPosition(4), Position{1, 2}},
		{l.OffsetPosition(7), Position{1, 3}}, {l.OffsetPosition(99), Position{2, 3}},
		{l.PositionOffset(Position{0, 0}), 0}, {l.PositionOffset(Position{1, 99}), 6}, {l.PositionOffset(Position{9, 1}), 10},
		{l.PositionOffset(Position{2, -1}), 8}, {l.PointOffset(Point{0, 2}, UTF16), 2}, {l.PointOffset(Point{0, 1}, UTF8), 0},
		{l.PointOffset(Point{-1, 7}, UTF8), 0}, {l.Count(), 2}, {string(l.Text(1)), "é𝄞"}, {l.Text(3) == nil, true}, {l.Text(0) == nil, true},
		{l.PointsSpan(Point{0, 1}, Point{1, 1}, UTF16, 4), Span{4, 2, 7}}, {l.PointsSpan(Point{1, 1}, Point{0, 1}, UTF16, 4), Span{4, 9, 0}},
	} {
		if row.got != row.want {
			t.Errorf("got %v, want %v", row.got, row.want)
		}
	}
	start, end := l.SpanPositions(Span{Start: 2, Length: 7})
	if start != (Position{1, 2}) || end != (Position{2, 2}) {
		t.Errorf("got span %v to %v", start, end)
	}
	if from, to := l.SpanPoints(Span{Start: 2, Length: 4}, UTF16); from != (Point{0, 1}) || to != (Point{0, 3}) {
		t.Errorf("got span %v to %v", from, to)
	}
	if start, end := l.LineSpan(2); start != 8 || end != 10 {
		t.Errorf("line 2: got %d to %d", start, end)
	}
}

func FuzzLines(f *testing.F) {
	for _, text := range texts {
		f.Add(text, 3, 1, 2)
	}
	f.Fuzz(func(t *testing.T, text string, offset, line, character int) {
		checkLines(t, text)
		l := NewLines([]byte(text))
		for _, e := range []Encoding{UTF8, UTF16, UTF32} {
			at := l.PointOffset(Point{line, character}, e)
			if at < 0 || at > len(text) || l.PointOffset(l.OffsetPoint(at, e), e) != at {
				t.Errorf("%q: line %d character %d has offset %d", text, line, character, at)
			}
			l.OffsetPoint(offset, e)
		}
		l.OffsetPosition(offset)
	})
}

// TestPlacesEqualScans compares place with a scan of the line, also inside
// characters and in invalid UTF-8.
func TestPlacesEqualScans(t *testing.T) {
	for _, text := range []string{"a\nbc\r\n", "äöü\n€x\n", "𝄞𝄞\n\x80\x80a\xf0\x9d\x84", "\xff\xfe\xe2\x82\n\xe2\x82\xac\xac"} {
		l := NewLines([]byte(text))
		for offset := -1; offset <= len(text)+1; offset++ {
			line, before := l.place(offset)
			start, end := l.bounds(line)
			at := start
			for at < max(start, min(offset, end)) {
				_, size := utf8.DecodeRuneInString(text[at:end])
				if at+size > offset {
					break
				}
				at += size
			}
			if want := text[start:at]; string(before) != want || l.Line(offset) != line+1 {
				t.Errorf("%q at %d: %q, want %q", text, offset, before, want)
			}
		}
	}
}
