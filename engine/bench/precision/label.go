package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A Label is an oracle at a line of a file.
type Label struct {
	File   string
	Line   int
	Oracle string
}

// Labels are the annotations of a folder of contracts. Expected findings must be
// reported. Allowed findings are true but count neither way.
type Labels struct {
	Files             []string
	Expected, Allowed map[Label]bool
}

var comment = regexp.MustCompile(`// (expect|allow): ([a-z, -]+)`)

// ReadLabels reads the Solidity files below a folder.
func ReadLabels(folder string) (Labels, error) {
	l := Labels{Expected: map[Label]bool{}, Allowed: map[Label]bool{}}
	err := filepath.WalkDir(folder, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(path) != ".sol" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		l.Files = append(l.Files, path)
		l.read(path, text)
		return nil
	})
	slices.Sort(l.Files)
	return l, err
}

func (l *Labels) read(path string, text []byte) {
	for i, line := range bytes.Split(text, []byte("\n")) {
		for _, m := range comment.FindAllSubmatch(line, -1) {
			for name := range strings.SplitSeq(string(m[2]), ",") {
				label := Label{path, i + 1, strings.TrimSpace(name)}
				if string(m[1]) == "expect" {
					l.Expected[label] = true
				} else {
					l.Allowed[label] = true
				}
			}
		}
	}
}
