// Package subject compiles contracts for programs that measure campaigns. It
// knows nothing of campaigns.
package subject

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
)

// A Subject is a contract to fuzz, compiled with its project.
type Subject struct {
	Name     string // "Token.sol:Token"
	Contract *solc.Contract
	Project  []*solc.Contract
}

// A Toolchain compiles files one at a time. Its owner closes it.
type Toolchain struct {
	*compiler.Toolchain
}

// New returns a toolchain that looks for compilers in a folder, too.
func New(tools string) (Toolchain, error) {
	tools, err := filepath.Abs(tools)
	if err != nil {
		return Toolchain{}, err
	}
	env := compiler.EnvFrom(os.Getenv)
	env.ToolDirs = []string{tools}
	return Toolchain{compiler.NewToolchain(env)}, nil
}

// Compile compiles a file with its project and returns a contract of the file;
// name "" selects all contracts with code. It fails if there are none.
func (c Toolchain) Compile(ctx context.Context, file, name string) ([]Subject, error) {
	path, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	p, err := project.Open(c.Toolchain, path)
	if err != nil {
		return nil, err
	}
	build, err := p.Compile(ctx, []string{path}, nil)
	if err != nil {
		return nil, err
	}
	var list []Subject
	for _, contract := range build.Contracts {
		if build.Source(contract.File).Path == path && (name == contract.Name || name == "" && len(contract.Creation.Object) > 0) {
			list = append(list, Subject{filepath.Base(path) + ":" + contract.Name, contract, build.Contracts})
		}
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s has no contract %s", file, name)
	}
	return list, nil
}
