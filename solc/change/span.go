package change

import (
	"bytes"
	"slices"

	"leveret/solc"
	"leveret/solc/srcmap"
)

// A File is a source that changed, with its older text.
type File struct {
	Path string // absolute
	Old  []byte
	New  bool // there was none
}

// Lines returns the changed spans of a source: new lines, the line after each
// deletion, and the code elsewhere that depends on them.
func (f File) Lines(source *solc.Source) []srcmap.Span {
	if f.New {
		return []srcmap.Span{{Source: source.ID, Length: len(source.Text)}}
	}
	var spans []srcmap.Span
	for _, h := range Hunks(lineEndsOf(f.Old, source.Text), source.Text) {
		lines := srcmap.Span{Source: source.ID, Start: h.At, Length: h.Size}
		changed := lines
		if h.Size == 0 {
			if h.At == len(source.Text) {
				continue
			}
			lines.Length = lineLength(source.Text[h.At:])
		}
		lines.Length -= lineEnd(source.Text[lines.Start:lines.End()])
		spans = append(spans, lines)
		for _, span := range code(source, changed) {
			if !lines.Contains(span) {
				spans = append(spans, span)
			}
		}
	}
	return spans
}

// Code returns the code of a source that differs from its older text: the
// statements on changed lines, whole functions where their heads changed, the
// functions that use a changed state variable. A deletion counts as a change of
// the code after it and of the ends of its function.
func Code(old []byte, source *solc.Source) (spans []srcmap.Span) {
	for _, h := range Hunks(lineEndsOf(old, source.Text), source.Text) {
		changed := srcmap.Span{Source: source.ID, Start: h.At, Length: h.Size}
		if source.Unit == nil {
			spans = append(spans, changed)
			continue
		}
		for _, span := range code(source, changed) {
			if !slices.Contains(spans, span) {
				spans = append(spans, span)
			}
		}
	}
	return spans
}

// code returns the nodes that a change in a span affects.
func code(source *solc.Source, changed srcmap.Span) (spans []srcmap.Span) {
	if source.Unit == nil {
		return nil
	}
	for _, n := range source.Unit.Changed(changed) {
		spans = append(spans, n.Span)
	}
	return spans
}

// lineEndsOf returns old with the line ends of text: git stores \n, and a
// checkout on Windows may have \r\n.
func lineEndsOf(old, text []byte) []byte {
	if bytes.Contains(text, carriageReturn) && !bytes.Contains(old, carriageReturn) {
		return bytes.ReplaceAll(old, newline, carriageReturn)
	}
	return old
}

var carriageReturn = []byte("\r\n")

// lineEnd returns the length of the line end that a text ends with.
func lineEnd(text []byte) int {
	return len(text) - len(bytes.TrimSuffix(bytes.TrimSuffix(text, newline), []byte("\r")))
}
