// Package rpc carries LSP messages: framing, dispatch, the life of a
// connection.
//
// It knows no Solidity, no documents and no settings: it decodes messages,
// hands them to the rows of a Server's table, and keeps the connection alive
// when a handler fails or a client misbehaves.
package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// MaxFrame bounds the body of one message in bytes: the Content-Length of a
// client cannot be trusted.
const MaxFrame = 64 << 20

// Bounds of a header block. A client sends two short lines.
const (
	maxHeaderLine  = 8 << 10
	maxHeaderLines = 32
)

// ErrFrame is wrapped by every error after which the start of the next message
// is unknown. The connection is unusable then.
var ErrFrame = errors.New("malformed LSP frame")

// ReadFrame reads one message body from r: header lines, a blank line, then
// as many bytes as Content-Length says. It returns io.EOF at a clean end
// between two messages and io.ErrUnexpectedEOF inside one. The caller owns
// the result.
func ReadFrame(r *bufio.Reader, limit int) ([]byte, error) {
	length := -1
	for n := 0; ; n++ {
		line, err := readHeaderLine(r)
		if err != nil {
			if err == io.EOF && n > 0 {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if line == "" {
			break
		}
		if n == maxHeaderLines {
			return nil, fmt.Errorf("%w: more than %d header lines", ErrFrame, maxHeaderLines)
		}
		name, value, ok := strings.Cut(line, ":")
		if !ok {
			return nil, fmt.Errorf("%w: header line %.40q has no colon", ErrFrame, line)
		}
		if !strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			continue // for example Content-Type
		}
		if length, err = parseLength(strings.TrimSpace(value), limit); err != nil {
			return nil, err
		}
	}
	if length < 0 {
		return nil, fmt.Errorf("%w: no Content-Length", ErrFrame)
	}
	return readBody(r, length)
}

// readBody grows its buffer with the received bytes, so that a header alone
// cannot make it allocate the limit.
func readBody(r *bufio.Reader, length int) ([]byte, error) {
	var body bytes.Buffer
	body.Grow(min(length, 64<<10))
	n, err := io.CopyN(&body, r, int64(length))
	if err == io.EOF && n < int64(length) {
		err = io.ErrUnexpectedEOF
	}
	if err != nil {
		return nil, err
	}
	return body.Bytes(), nil
}

func parseLength(value string, limit int) (int, error) {
	n, err := strconv.ParseUint(value, 10, 63)
	if err != nil {
		return 0, fmt.Errorf("%w: Content-Length %.40q is not a number", ErrFrame, value)
	}
	if n > uint64(limit) {
		return 0, fmt.Errorf("%w: Content-Length %d is over the limit of %d bytes", ErrFrame, n, limit)
	}
	return int(n), nil
}

// readHeaderLine reads a line and drops its line feed and carriage return.
func readHeaderLine(r *bufio.Reader) (string, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxHeaderLine {
			return "", fmt.Errorf("%w: header line over %d bytes", ErrFrame, maxHeaderLine)
		}
		switch {
		case err == nil:
			return strings.TrimSuffix(strings.TrimSuffix(string(line), "\n"), "\r"), nil
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(line) > 0:
			return "", io.ErrUnexpectedEOF
		default:
			return "", err
		}
	}
}

// AppendFrame appends body with its header to dst.
func AppendFrame(dst, body []byte) []byte {
	dst = append(dst, "Content-Length: "...)
	dst = strconv.AppendInt(dst, int64(len(body)), 10)
	dst = append(dst, "\r\n\r\n"...)
	return append(dst, body...)
}
