package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A source is a file to compile and the contract to fuzz; "" selects all
// contracts with code.
type source struct {
	file, contract string
}

// listSources returns the real contracts of the list, then the cases.
func listSources(o options) ([]source, error) {
	text, err := os.ReadFile(o.list)
	if err != nil {
		return nil, err
	}
	var list []source
	for line := range strings.Lines(string(text)) {
		if fields := strings.Fields(line); len(fields) >= 2 && fields[0] != "#" {
			list = append(list, source{filepath.Join(filepath.Dir(o.list), fields[0]), fields[1]})
		}
	}
	cases, err := filepath.Glob(filepath.Join(o.cases, "*.sol"))
	if err != nil {
		return nil, err
	}
	if len(cases) == 0 && o.record {
		return nil, fmt.Errorf("%s has no contracts; name the folder of the cases with -cases", o.cases)
	}
	if len(cases) == 0 {
		fmt.Printf("%s has no contracts, so only the real contracts are compared; -cases names another folder\n", o.cases)
	}
	for _, file := range cases {
		list = append(list, source{file, ""})
	}
	return list, nil
}
