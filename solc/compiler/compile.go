package compiler

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"leveret/solc/version"
)

// A runner runs a compiler on standard JSON and returns its standard JSON
// output.
type runner interface {
	run(ctx context.Context, input []byte) ([]byte, error)
	close()
}

// A native is a compiler binary. Each run is a process of its own.
type native struct {
	path    string
	timeout time.Duration
}

func (n *native) close() {}

func (n *native) run(ctx context.Context, input []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, n.timeout, errTimeout)
	defer cancel()
	c := compilerChild(ctx, n.path, n.path, "--standard-json")
	c.Stdin = bytes.NewReader(input)
	out, complaint, err := c.capture(maxOutput)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if errors.As(err, new(overflowError)) {
		return nil, err
	}
	object := jsonObject(out)
	if object == nil {
		if err == nil {
			err = errors.New("no answer")
		}
		return nil, fmt.Errorf("%w%s", err, lastLine(complaint))
	}
	return object, nil
}

// compilerChild returns a compiler, or node with one, that runs in the
// compiler's own folder and without the variables that make node load modules.
// So it loads no files of the workspace.
func compilerChild(ctx context.Context, compiler, program string, args ...string) *child {
	c := newChild(ctx, program, args...)
	c.Dir = filepath.Dir(compiler)
	c.Env = slices.DeleteFunc(append([]string{hugePages}, c.Environ()...), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return strings.EqualFold(name, "NODE_OPTIONS") || strings.EqualFold(name, "NODE_PATH")
	})
	return c
}

// hugePages has glibc (2.35 and later) ask for huge pages: at its start a compiler fills
// memory that it frees soon, and a third of its time went into page faults. A value that the
// user set holds, as it comes later.
const hugePages = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1"

var errTimeout = errors.New("the compiler took too long")

// jsonObject returns the JSON object in an output with other lines around it:
// the text from the first line that starts with a brace to the last brace.
func jsonObject(out []byte) []byte {
	for start := 0; start < len(out); {
		if out[start] == '{' {
			if end := bytes.LastIndexByte(out, '}'); end > start {
				return out[start : end+1]
			}
			return nil
		}
		next := bytes.IndexByte(out[start:], '\n')
		if next < 0 {
			return nil
		}
		start += next + 1
	}
	return nil
}

// lastLine formats the last line of a process's standard error for an error
// message.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	lines := strings.Split(s, "\n")
	last := lines[len(lines)-1]
	if strings.HasPrefix(last, "Node.js v") { // it ends what it says of an exception with its version
		for _, line := range slices.Backward(lines) {
			if name, _, ok := strings.Cut(line, ": "); ok && strings.HasSuffix(name, "Error") {
				last = line
				break
			}
		}
	}
	return ": " + last[:min(len(last), 300)]
}

// BinaryVersion runs a native compiler and returns its version.
func BinaryVersion(ctx context.Context, path string) (version.Version, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, complaint, err := compilerChild(ctx, path, path, "--version").capture(maxTold)
	if err != nil {
		return version.Version{}, fmt.Errorf("%w%s", err, lastLine(complaint))
	}
	text := string(out)
	if i := strings.Index(text, "Version:"); i >= 0 {
		text = text[i:]
	}
	v, ok := version.Parse(text)
	if !ok {
		return version.Version{}, errors.New("it prints no version")
	}
	return v, nil
}
