package projects

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"

	"leveret/engine/bench/forge"
)

// A Runner runs programs on work trees, offline, with a home of its own.
type Runner struct {
	Home    string
	Timeout time.Duration // of one run
}

// Run returns what a program prints, and its resource usage. Exit code 1 of a
// program with the argument `test` that prints something means that tests failed.
func (r Runner) Run(ctx context.Context, dir string, env []string, program string, args ...string) ([]byte, *os.ProcessState, error) {
	ctx, cancel := context.WithTimeout(ctx, r.Timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = dir
	cmd.Env = slices.Concat(forge.Environment(r.Home), env)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var exit *exec.ExitError
	if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1 || len(out) == 0 || !slices.Contains(args, "test")) {
		return nil, cmd.ProcessState, fmt.Errorf("%s %v: %w\n%s%s", filepath.Base(program), args, err, tail(out), tail(errs.Bytes()))
	}
	return out, cmd.ProcessState, nil
}

// tail is the end of a long output.
func tail(text []byte) []byte { return text[max(0, len(text)-2000):] }
