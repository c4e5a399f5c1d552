package host

import (
	"errors"
	"time"

	"leveret/solc/compiler"
)

// Limits of a program of vm.ffi.
const (
	programTime   = 2 * time.Minute
	programOutput = 16 << 20 // bytes
)

// Execute implements cheat.Host. Three must agree: the workspace is trusted,
// foundry.toml says ffi = true, and the user allows programs.
func (h *Host) Execute(command, variables []string) (code int, output, complaint []byte, err error) {
	switch {
	case !h.Trusted:
		return 0, nil, nil, errPrograms
	case !h.Config.FFI:
		return 0, nil, nil, errors.New("FFI is disabled; set ffi = true in foundry.toml to allow tests to run programs")
	case !h.Programs:
		return 0, nil, nil, errors.New("the project's tests want to run programs; if you know them, allow it with leveret test --ffi, or in editors with the setting leveret.ffi")
	}
	return compiler.RunCommand(h.Folder, command, variables, programTime, programOutput)
}
