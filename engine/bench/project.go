package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// settings of a generated Foundry project.
type settings string

// The compiler is one of the npm packages. Without the optimiser each assertion
// keeps a place of its own in the code.
const (
	plainSettings settings = "solc = \"0.8.30\"\nevm_version = \"cancun\"\noptimizer = false\n"
	viaIR         settings = "solc = \"0.8.30\"\nevm_version = \"cancun\"\noptimizer = true\noptimizer_runs = 200\nvia_ir = true\n"
)

// writeProject writes a Foundry project's configuration.
func writeProject(root string, s settings, more string) error {
	return writeFile(filepath.Join(root, "foundry.toml"), fmt.Sprintf("[profile.default]\noffline = true\ncode_size_limit = 1000000\n%s%s", s, more))
}

// writeFile writes a file and the folders above it.
func writeFile(path, text string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(text), 0o644)
}
