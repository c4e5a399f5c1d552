package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
)

// A subject is a contract to fuzz, compiled with its project.
type subject struct {
	name     string // "Token.sol:Token"
	contract *solc.Contract
	project  []*solc.Contract
}

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

// A toolchain compiles sources one at a time.
type toolchain struct {
	*compiler.Toolchain
}

func newToolchain(tools string) (toolchain, error) {
	tools, err := filepath.Abs(tools)
	if err != nil {
		return toolchain{}, err
	}
	env := compiler.EnvFrom(os.Getenv)
	env.ToolDirs = []string{tools}
	return toolchain{compiler.NewToolchain(env)}, nil
}

// subjects compiles a source.
func (c toolchain) subjects(ctx context.Context, s source) ([]subject, error) {
	file, err := filepath.Abs(s.file)
	if err != nil {
		return nil, err
	}
	p, err := project.Open(c.Toolchain, file)
	if err != nil {
		return nil, err
	}
	build, err := p.Compile(ctx, []string{file}, nil)
	if err != nil {
		return nil, err
	}
	var list []subject
	for _, contract := range build.Contracts {
		if build.Source(contract.File).Path == file && (s.contract == contract.Name || s.contract == "" && len(contract.Creation.Object) > 0) {
			list = append(list, subject{filepath.Base(file) + ":" + contract.Name, contract, build.Contracts})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no contract %s", s.file, s.contract)
	}
	return list, nil
}
