package solc

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// A runner turns standard JSON in into standard JSON out.
type runner interface {
	run(ctx context.Context, input []byte) ([]byte, error)
	close()
}

// A native is a compiler binary; each run is a process.
type native struct {
	path    string
	timeout time.Duration
}

func (n *native) close() {}

func (n *native) run(ctx context.Context, input []byte) ([]byte, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, n.timeout, errTimeout)
	defer cancel()
	c := newChild(ctx, n.path, "--standard-json")
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

var errTimeout = errors.New("the compiler took too long")

// jsonObject cuts noise before and after a JSON object: the text between the
// first line that starts with a brace and the last brace.
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

// lastLine returns the last words of a process for an error message.
func lastLine(s string) string {
	s = strings.TrimSpace(s)
	if s == "" {
		return ""
	}
	s = s[strings.LastIndexByte(s, '\n')+1:]
	return ": " + s[:min(len(s), 300)]
}

// BinaryVersion asks a native compiler for its version.
func BinaryVersion(ctx context.Context, path string) (Version, error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, complaint, err := newChild(ctx, path, "--version").capture(maxTold)
	if err != nil {
		return Version{}, fmt.Errorf("%w%s", err, lastLine(complaint))
	}
	text := string(out)
	if i := strings.Index(text, "Version:"); i >= 0 {
		text = text[i:]
	}
	v, ok := ParseVersion(text)
	if !ok {
		return Version{}, errors.New("it does not tell its version")
	}
	return v, nil
}
