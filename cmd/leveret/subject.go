package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"leveret/engine"
	"leveret/engine/input"
	"leveret/engine/report"
	"leveret/solc"
	"leveret/solc/compiler"
	"leveret/solc/project"
	"leveret/solc/selection"
)

// A subject is a finding on the current sources.
type subject struct {
	unit     selection.Unit
	contract *solc.Contract
	sequence input.Sequence
	outside  engine.Outside // with the fork that the finding names
}

// subjectOf compiles the sources of a finding and binds its sequence to them. fast
// is that of their project.
func subjectOf(ctx context.Context, tools *compiler.Toolchain, f *report.FindingDocument, fast *project.Fast) (*subject, error) {
	root, files, err := sourcesOf(f)
	if err != nil {
		return nil, err
	}
	p, err := project.Open(tools, root)
	if err != nil {
		return nil, err
	}
	p.Fast = fast
	build, err := p.Compile(ctx, files, nil)
	if err != nil {
		return nil, err
	}
	s := &subject{unit: selection.Unit{Project: p, Build: build, Files: files}}
	if s.contract = contractIn(build, files[0], f.Contract); s.contract == nil {
		return nil, fmt.Errorf("%s no longer defines contract %s", f.Source, f.Contract)
	}
	abis := map[string]*input.ABI{}
	abi := func(contract string) *input.ABI {
		if abis[contract] == nil {
			abis[contract] = abiOf(build, classOf(f, contract))
		}
		return abis[contract]
	}
	s.sequence, err = f.Witness(func(contract, signature string) *input.Function {
		if builtIn(f, contract) {
			function, _ := input.ParseSignature(signature)
			return function
		}
		if own := abi(contract).Method(signature); own != nil || abi(contract).Fallback == nil {
			return own
		}
		for _, c := range f.Deployment { // a proxy has the functions of another contract
			if function := abi(c.Name).Method(signature); function != nil && !builtIn(f, c.Name) {
				return function
			}
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s cannot be replayed on the current sources: %w", f.ID, err)
	}
	return s, nil
}

// classOf returns file and contract, "A.sol:A", of an instance in a deployment.
func classOf(f *report.FindingDocument, name string) string {
	for _, c := range f.Deployment {
		switch {
		case c.Name != name:
		case c.Contract != "":
			return c.File + ":" + c.Contract
		default:
			return c.File + ":" + c.Name
		}
	}
	return name
}

// builtIn reports whether an instance in a deployment is a contract of the engine.
func builtIn(f *report.FindingDocument, name string) bool {
	return slices.ContainsFunc(f.Deployment, func(c input.JSONCreation) bool { return c.Name == name && c.File == "" })
}

// sourcesOf finds the source files of a finding's deployment, that of the contract
// under test first, and the folder that their names are relative to.
func sourcesOf(f *report.FindingDocument) (root string, files []string, err error) {
	if f.Source == "" {
		return "", nil, fmt.Errorf("finding %s does not name its source; use a report of leveret fuzz --format json", f.ID)
	}
	names := []string{f.Source}
	for _, c := range f.Deployment {
		if c.File != "" && !slices.Contains(names, c.File) {
			names = append(names, c.File)
		}
	}
	root = f.Root
	for _, name := range names {
		path := name
		if !filepath.IsAbs(path) {
			path = filepath.Join(f.Root, filepath.FromSlash(name))
		}
		if _, err := os.Stat(path); err != nil { // the project may have moved here
			here, _ := filepath.Abs(filepath.FromSlash(name))
			if _, err := os.Stat(here); err != nil {
				return "", nil, fmt.Errorf("%s: source not found, nor below the current folder; run leveret from the root of the project", path)
			}
			root, path = ".", here
		}
		files = append(files, path)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		root = files[0]
	}
	return root, files, nil
}

// contractIn finds a contract by file and name; nil if there is none.
func contractIn(build *solc.Build, path, name string) *solc.Contract {
	source := build.PathSource(path)
	for _, c := range build.Contracts {
		if source != nil && c.File == source.Name && c.Name == name {
			return c
		}
	}
	return nil
}

// abiOf parses the ABI of a contract; it is empty if there is none.
func abiOf(build *solc.Build, name string) *input.ABI {
	if c := build.Contract(name); c != nil {
		if abi, err := input.ParseABI(c.ABI); err == nil {
			return abi
		}
	}
	return &input.ABI{}
}
