// Package forge runs Foundry's forge as `make tools` installs it, with compilers
// of npm packages, offline and without settings of the user. It knows nothing
// of what is measured.
package forge

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
)

// Path is where `make tools` installs forge. The folder of the tools is
// solc/testdata/npm of this module.
func Path(tools string) string {
	return absolute(filepath.Join(tools, "node_modules", "@foundry-rs", "forge-"+runtime.GOOS+"-"+runtime.GOARCH, "bin", "forge"))
}

// Environment is the environment of forge with a home of its own.
func Environment(home string) []string {
	return append(os.Environ(), "HOME="+absolute(home), "FOUNDRY_OFFLINE=true", "NO_COLOR=1")
}

// Limited is a command line that ends a program of forge when it has used so many
// seconds of CPU time; 0 means no limit. The compilers of WriteSolc that it starts
// are not limited.
func Limited(seconds int, program string, args ...string) []string {
	limit := "unlimited"
	if seconds > 0 {
		limit = strconv.Itoa(seconds)
	}
	return append([]string{"sh", "-c", `ulimit -c 0; ulimit -S -t "$0"; exec "$@"`, limit, program}, args...)
}

// WriteSolc writes a program with the command line of solc that runs the
// compiler of an npm package below the folder of the tools.
func WriteSolc(name, tools, soljson string) error {
	script := absolute(filepath.Join(tools, "../../../cmd/leveret/testdata/foundry/solc.js"))
	// A limit of CPU time is forge's own, see Limited.
	// The compiler's recursion needs more than the stack that a process gets by default.
	text := fmt.Sprintf("#!/bin/sh\nulimit -S -t \"$(ulimit -H -t)\"\nulimit -s 1000000 2>/dev/null\nexec node --stack-size=900000 '%s' '%s' \"$@\"\n", script, absolute(soljson))
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	return errors.Join(os.WriteFile(name, []byte(text), 0o755), os.Chmod(name, 0o755))
}

// InstallCompilers gives a home the compilers of npm packages, where forge and
// leveret look for those that svm installs; those that are there stay. Further folders with packages
// can be named beside the folder of the tools.
func InstallCompilers(home, tools string, further ...string) error {
	for _, dir := range append([]string{tools}, further...) {
		packages, err := filepath.Glob(filepath.Join(dir, "node_modules", "solc-*", "package.json"))
		if err != nil {
			return err
		}
		for _, name := range packages {
			if err := installCompiler(home, tools, name); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

func installCompiler(home, tools, name string) error {
	text, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	var npm struct{ Version string }
	if err := json.Unmarshal(text, &npm); err != nil {
		return err
	}
	solc := filepath.Join(home, ".svm", npm.Version, "solc-"+npm.Version)
	if _, err := os.Stat(solc); err == nil {
		return nil // kept, since caches of builds know a compiler by the time of its file
	}
	return WriteSolc(solc, tools, filepath.Join(filepath.Dir(name), "soljson.js"))
}

func absolute(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}
