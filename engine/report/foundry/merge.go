package foundry

import (
	"bytes"
	"slices"
)

// insert adds the test to an existing file: as the last function of its contract, or
// with that contract at the end of the file.
func (t *test) insert(old []byte) ([]byte, error) {
	code := codeOnly(old)
	if bytes.Contains(code, []byte("function "+t.name()+"(")) {
		return old, nil
	}
	p := t.pieces()
	edits := p.cheatcodes(code)
	if at := closing(code, "contract "+t.contractName()); at >= 0 {
		edits = append(edits, edit{at, p.helpers(code) + t.body.String()})
		edits = append(edits, edit{len(old), p.companions(code)})
	} else {
		edits = append(edits, edit{len(old), p.companions(code) + t.suite(&p)})
	}
	if missing := t.missingImports(old, code); missing != "" {
		edits = append(edits, edit{behindImports(code), missing})
	}
	return apply(old, edits), nil
}

// An edit inserts text at a byte offset.
type edit struct {
	at   int
	text string
}

// apply applies edits to a text.
func apply(old []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.at - b.at })
	var out bytes.Buffer
	from := 0
	for _, e := range edits {
		out.Write(old[from:e.at])
		out.WriteString(e.text)
		from = e.at
	}
	out.Write(old[from:])
	return out.Bytes()
}

// missingImports returns the import lines that the file lacks.
func (t *test) missingImports(old, code []byte) string {
	missing := ""
	for _, line := range t.imports() {
		at := bytes.Index(old, []byte(line))
		if at < 0 || code[at] == ' ' {
			missing += "\n" + line
		}
	}
	return missing
}

// behindImports is the offset for another import: after the last import, else after
// the last pragma, else the start.
func behindImports(code []byte) int {
	for _, word := range []string{"import", "pragma"} {
		last := -1
		for from := 0; ; {
			at := indexWord(code[from:], word)
			if at < 0 {
				break
			}
			last = from + at
			from = last + len(word)
		}
		if last < 0 {
			continue
		}
		if end := bytes.IndexByte(code[last:], ';'); end >= 0 {
			return last + end + 1
		}
	}
	return 0
}

// closing returns the offset of the closing brace of the definition that starts with
// head, or -1.
func closing(code []byte, head string) int {
	at := indexWord(code, head)
	if at < 0 {
		return -1
	}
	depth := 0
	for i := at; i < len(code); i++ {
		switch code[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return -1
}

// indexWord returns the offset of a whole word, or -1.
func indexWord(code []byte, word string) int {
	for from := 0; ; {
		at := bytes.Index(code[from:], []byte(word))
		if at < 0 {
			return -1
		}
		at += from
		end := at + len(word)
		if (at == 0 || !isNameByte(code[at-1])) && (end == len(code) || !isNameByte(code[end])) {
			return at
		}
		from = end
	}
}

func isNameByte(c byte) bool {
	return c == '_' || c == '$' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

// codeOnly replaces comments and string literals by spaces, and keeps offsets.
func codeOnly(text []byte) []byte {
	code := bytes.Clone(text)
	for i := 0; i < len(code); {
		end := i
		switch {
		case bytes.HasPrefix(text[i:], []byte("//")):
			end = until(text, i, "\n")
		case bytes.HasPrefix(text[i:], []byte("/*")):
			end = until(text, i+2, "*/")
		case text[i] == '"' || text[i] == '\'':
			end = stringEnd(text, i)
		}
		for k := i; k < end; k++ {
			if code[k] != '\n' {
				code[k] = ' '
			}
		}
		i = max(i+1, end)
	}
	return code
}

// until returns the offset after the next mark, or the end of the text.
func until(text []byte, from int, mark string) int {
	from = min(from, len(text))
	if at := bytes.Index(text[from:], []byte(mark)); at >= 0 {
		return from + at + len(mark)
	}
	return len(text)
}

// stringEnd returns the offset after a string literal, which ends with its line.
func stringEnd(text []byte, start int) int {
	for i := start + 1; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case text[start]:
			return i + 1
		case '\n':
			return i
		}
	}
	return len(text)
}
