package rpc

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"sync"

	"go.lsp.dev/jsonrpc2"
)

// A stream is the jsonrpc2.Stream of a connection. It answers malformed
// messages with errors and continues, as long as it knows where the next
// message starts; jsonrpc2's own stream closes the connection and accepts
// lengths of a gigabyte. Each message has its own memory, because decoded
// strings may point into it.
//
// A separate goroutine reads, because a blocked read of standard input cannot
// be interrupted and Close must not wait for it.
type stream struct {
	rwc    io.ReadWriteCloser
	frames chan frame
	closed chan struct{}
	once   sync.Once
	err    error // of closing rwc
	out    *outbox
}

type frame struct {
	body []byte
	err  error
}

func newStream(rwc io.ReadWriteCloser, limit int) *stream {
	s := &stream{rwc: rwc, frames: make(chan frame), closed: make(chan struct{}), out: newOutbox(rwc)}
	go s.readFrames(limit)
	return s
}

func (s *stream) readFrames(limit int) {
	r := bufio.NewReader(s.rwc)
	for {
		body, err := ReadFrame(r, limit)
		select {
		case s.frames <- frame{body, err}:
		case <-s.closed:
			return
		}
		if err != nil {
			return
		}
	}
}

// Read returns the next message. It skips malformed ones and answers them with
// an error without id (JSON-RPC 2.0, section 5.1).
func (s *stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	for {
		select {
		case <-ctx.Done():
			return nil, 0, ctx.Err()
		case <-s.closed:
			return nil, 0, io.EOF
		case f := <-s.frames:
			if f.err != nil {
				return nil, 0, s.end(ctx, f.err)
			}
			message, err := decode(f.body)
			if err == nil {
				return message, int64(len(f.body)), nil
			}
			if err := s.refuse(ctx, err); err != nil {
				return nil, 0, err
			}
		}
	}
}

func decode(body []byte) (jsonrpc2.Message, error) {
	if start := bytes.TrimLeft(body, " \t\r\n"); len(start) > 0 && start[0] == '[' {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "batches are not part of LSP")
	}
	return jsonrpc2.DecodeMessage(body)
}

// end sends the client an error if its malformed frame ends the connection.
func (s *stream) end(ctx context.Context, err error) error {
	if errors.Is(err, ErrFrame) {
		_ = s.refuse(ctx, jsonrpc2.Errorf(jsonrpc2.ParseError, "%v", err))
	}
	return err
}

func (s *stream) refuse(ctx context.Context, err error) error {
	_, werr := s.Write(ctx, jsonrpc2.NewResponse(jsonrpc2.ID{}, nil, err))
	return werr
}

// Write queues one message. It waits while the client has too much unread
// output.
func (s *stream) Write(ctx context.Context, message jsonrpc2.Message) (int64, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	body, err := jsonrpc2.EncodeMessage(message)
	if err != nil {
		return 0, err
	}
	if err := s.out.wait(ctx); err != nil {
		return 0, err
	}
	frame := AppendFrame(make([]byte, 0, len(body)+maxPrefix), body)
	s.out.add(frame)
	return int64(len(frame)), nil
}

// maxPrefix is more than the header that AppendFrame writes.
const maxPrefix = 48

// Close closes the transport. It does not wait for blocked reads and writes.
func (s *stream) Close() error {
	s.once.Do(func() {
		close(s.closed)
		s.out.close()
		s.err = s.rwc.Close()
	})
	return s.err
}
