package compiler

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// runTime is the time limit of a program that prints a configuration.
const runTime = 30 * time.Second

// A printed is the output of a program, or its error.
type printed struct {
	stamp string // of the files that it depends on
	text  []byte
	err   error
}

// RunProgram runs a program in a folder, with further environment variables,
// "NAME=value", and returns its standard output. Output and error are cached until
// one of the files in depends changes.
func (t *Toolchain) RunProgram(dir string, depends, variables []string, program string, args ...string) ([]byte, error) {
	key := strings.Join(slices.Concat([]string{dir, program}, variables, args), "\x00")
	now := stamps(depends)
	t.known.Lock()
	known, ok := t.printed[key]
	t.known.Unlock()
	if ok && known.stamp == now {
		return known.text, known.err
	}
	text, err := runIn(dir, variables, program, args...)
	t.known.Lock()
	defer t.known.Unlock()
	t.printed[key] = printed{now, text, err}
	return text, err
}

// stamps returns a text that changes when the size or time of a file does.
func stamps(paths []string) string {
	var b strings.Builder
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			fmt.Fprintf(&b, "%s %d %d\n", path, info.Size(), info.ModTime().UnixNano())
		}
	}
	return b.String()
}

// runIn runs a program in a folder and returns its standard output.
func runIn(dir string, variables []string, program string, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), runTime)
	defer cancel()
	c := newChild(ctx, program, args...)
	c.Dir = dir
	c.Env = append(c.Environ(), variables...)
	out, complaint, err := c.capture(maxTold)
	switch {
	case ctx.Err() != nil:
		return nil, fmt.Errorf("%s did not finish within %v", filepath.Base(program), runTime)
	case errors.As(err, new(*exec.ExitError)):
		return nil, fmt.Errorf("%s %s failed%s", filepath.Base(program), args[0], lastLine(complaint))
	case errors.As(err, new(overflowError)):
		return nil, fmt.Errorf("%s %s failed: %w", filepath.Base(program), args[0], err)
	}
	return out, err
}

// RunCommand runs a program with its arguments in a folder, with further variables,
// NAME=VALUE, and returns its exit code and what it printed, of its standard error at
// most the end. A program that fails is no error; one that does not start, takes longer
// than a limit or prints more bytes than another one is.
func RunCommand(dir string, command, variables []string, limit time.Duration, most int64) (code int, out, complaint []byte, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := newChild(ctx, command[0], command[1:]...)
	c.Dir = dir
	c.Env = append(c.Environ(), variables...)
	out, text, err := c.capture(most)
	failed := new(exec.ExitError)
	switch {
	case ctx.Err() != nil:
		return 0, nil, nil, fmt.Errorf("%s did not finish within %v", command[0], limit)
	case errors.As(err, &failed):
		return failed.ExitCode(), out, []byte(text), nil
	case err != nil:
		return 0, nil, nil, fmt.Errorf("failed to execute %s: %w", command[0], err)
	}
	return 0, out, []byte(text), nil
}
