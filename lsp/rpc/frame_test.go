package rpc

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
)

var frameTests = []struct {
	name, in string
	want     string
	err      error
}{
	{"plain", "Content-Length: 2\r\n\r\n{}", "{}", nil},
	{"bare line feeds", "Content-Length: 2\n\n{}", "{}", nil},
	{"case and space", "content-LENGTH:  2 \r\n\r\n{}", "{}", nil},
	{"content type", "Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n{}", "{}", nil},
	{"empty body", "Content-Length: 0\r\n\r\n", "", nil},
	{"clean end", "", "", io.EOF},
	{"end in header", "Content-Length: 2\r\n", "", io.ErrUnexpectedEOF},
	{"end in header line", "Content-Len", "", io.ErrUnexpectedEOF},
	{"end in body", "Content-Length: 20\r\n\r\n{}", "", io.ErrUnexpectedEOF},
	{"no colon", "hello\r\n\r\n{}", "", ErrFrame},
	{"no length", "Content-Type: x\r\n\r\n{}", "", ErrFrame},
	{"negative", "Content-Length: -1\r\n\r\n{}", "", ErrFrame},
	{"not a number", "Content-Length: two\r\n\r\n{}", "", ErrFrame},
	{"huge", "Content-Length: 99999999999999999999999\r\n\r\n{}", "", ErrFrame},
	{"over the limit", "Content-Length: 1025\r\n\r\n{}", "", ErrFrame},
	{"endless header line", strings.Repeat("x", 1<<16), "", ErrFrame},
	{"endless header", strings.Repeat("a: b\r\n", 100), "", ErrFrame},
}

func TestReadFrame(t *testing.T) {
	for _, test := range frameTests {
		t.Run(test.name, func(t *testing.T) {
			got, err := ReadFrame(bufio.NewReader(strings.NewReader(test.in)), 1024)
			if !errors.Is(err, test.err) {
				t.Fatalf("error %v, want %v", err, test.err)
			}
			if string(got) != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}

// The reader allocates for the bytes that arrive, not for the announced length.
func TestReadFrameAllocatesWhatArrives(t *testing.T) {
	in := "Content-Length: 67108864\r\n\r\n{"
	if _, err := ReadFrame(bufio.NewReader(strings.NewReader(in)), MaxFrame); err != io.ErrUnexpectedEOF {
		t.Fatal(err)
	}
	r := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for range b.N {
			_, _ = ReadFrame(bufio.NewReader(strings.NewReader(in)), MaxFrame)
		}
	})
	if r.AllocedBytesPerOp() > 1<<20 {
		t.Errorf("%d bytes for a frame of one byte", r.AllocedBytesPerOp())
	}
}

func FuzzReadFrame(f *testing.F) {
	for _, test := range frameTests {
		f.Add([]byte(test.in))
	}
	const limit = 1 << 16
	f.Fuzz(func(t *testing.T, in []byte) {
		r := bufio.NewReader(bytes.NewReader(in))
		for {
			body, err := ReadFrame(r, limit)
			if err != nil {
				return
			}
			if len(body) > limit {
				t.Fatalf("body of %d bytes over the limit", len(body))
			}
			again, err := ReadFrame(bufio.NewReader(bytes.NewReader(AppendFrame(nil, body))), limit)
			if err != nil || !bytes.Equal(again, body) {
				t.Fatalf("%q came back as %q, %v", body, again, err)
			}
			_, _ = decode(body)
		}
	})
}

func FuzzDecodeInitialize(f *testing.F) {
	for _, test := range tolerantTests {
		f.Add([]byte(test.in))
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		params, _, err := decodeInitialize(in)
		if err == nil && params == nil {
			t.Fatal("neither parameters nor an error")
		}
	})
}
