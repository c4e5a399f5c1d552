package subject

import (
	"os"
	"path/filepath"
	"strings"
)

// A Source is a file to compile and the contract in it.
type Source struct {
	File, Contract string
}

// List returns the sources that a file lists, one in a line: a path relative to
// the list, the contract, and what it is.
func List(file string) ([]Source, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var list []Source
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] != "#" {
			list = append(list, Source{filepath.Join(filepath.Dir(file), fields[0]), fields[1]})
		}
	}
	return list, nil
}
