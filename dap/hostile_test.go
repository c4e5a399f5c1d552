package dap

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"

	"leveret/dap/daptest"
	"leveret/lsp/rpc"
)

// A frame of another protocol, or of a wrong length, ends the connection with an error.
func TestMalformedFrames(t *testing.T) {
	l := newLedger(t)
	for _, text := range []string{
		"POST / HTTP/1.1\r\n\r\n", "Content-Length: -1\r\n\r\n", "Content-Length: 99999999999999999999\r\n\r\n", "Content-Length: 1073741824\r\n\r\n",
		"\r\n\r\n", "Content-Type: text\r\n\r\n{}", "Content-Length: x\r\n\r\n", strings.Repeat("A: b\r\n", 100), strings.Repeat("A", 10_000),
	} {
		here, there := net.Pipe()
		ended := make(chan error)
		go func() { ended <- Serve(t.Context(), there, l.launch) }()
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			_, _ = io.WriteString(here, text)
			here.Close()
		}()
		if err := <-ended; !errors.Is(err, rpc.ErrFrame) {
			t.Errorf("%.40q: %v", text, err)
		}
		there.Close()
		<-sent
	}
}

// transcript are the frames of a session.
func transcript(l *ledger) []byte {
	var all []byte
	for i, r := range []struct {
		command   string
		arguments any
	}{
		{"initialize", dict{}},
		{"launch", dict{"finding": "ledger"}},
		{"setExceptionBreakpoints", dict{"filters": []string{"finding"}}},
		{"configurationDone", nil},
		{"stackTrace", dict{"threadId": 1}},
		{"setBreakpoints", dict{"source": dict{"path": l.path}, "breakpoints": []dict{{"line": 54, "condition": "total == 3"}}}},
		{"reverseContinue", dict{"threadId": 1}},
		{"scopes", dict{"frameId": 1}},
		{"disconnect", nil},
	} {
		text, _ := json.Marshal(dict{"seq": i + 1, "type": "request", "command": r.command, "arguments": r.arguments})
		all = rpc.AppendFrame(all, text)
	}
	return all
}

// A client may leave after each byte, without reading what comes back: Serve returns
// without an error, and nothing goes on.
func TestClientLeaves(t *testing.T) {
	l := newLedger(t)
	all := transcript(l)
	for n := 0; n <= len(all); n += 13 {
		for _, reads := range []bool{true, false} {
			here, there := net.Pipe()
			ended := make(chan error)
			go func() { ended <- Serve(t.Context(), there, l.launch) }()
			if reads {
				go func() { _, _ = io.Copy(io.Discard, here) }()
			}
			_, _ = here.Write(all[:n])
			here.Close()
			if err := <-ended; err != nil {
				t.Errorf("after %d bytes, reads %v: %v", n, reads, err)
			}
			there.Close()
		}
	}
}

// A client that leaves while the contracts compile ends that.
func TestClientLeavesLaunch(t *testing.T) {
	l := newLedger(t)
	c, left := l.serve(t)
	c.Ask("initialize", dict{})
	c.Write(`{"seq":9,"type":"request","command":"launch","arguments":{"finding":"slow"}}`)
	c.Event("output")
	if err := left(); err != nil {
		t.Error(err)
	}
}

// Serve returns at the end of its context although the client neither reads nor leaves.
func TestClientThatDoesNotRead(t *testing.T) {
	l := newLedger(t)
	for _, arguments := range []string{`{"finding":"slow"}`, `{"finding":"ledger"}`} {
		here, there := net.Pipe()
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error)
		go func() { ended <- Serve(ctx, there, l.launch) }()
		flood := make(chan struct{})
		go func() {
			defer close(flood)
			frames := rpc.AppendFrame(nil, []byte(`{"seq":1,"type":"request","command":"initialize"}`))
			frames = rpc.AppendFrame(frames, []byte(`{"seq":2,"type":"request","command":"launch","arguments":`+arguments+`}`))
			for err := error(nil); err == nil; {
				_, err = here.Write(frames)
				frames = rpc.AppendFrame(nil, []byte(`{"seq":3,"type":"request","command":"threads"}`))
			}
		}()
		_, _ = here.Read(make([]byte, 1))
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		there.Close()
		<-flood
		here.Close()
	}
}

// What a client asks for again and again is not kept.
func TestMemoryIsBounded(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	work := func(n int) {
		frame := c.Stack()[0]["id"]
		for i := range n {
			c.Ask("setBreakpoints", dict{"source": dict{"path": strings.Repeat("/.", i%100) + l.path}, "breakpoints": []dict{{"line": 54}}})
			c.Ask("stackTrace", dict{"threadId": 1})
			c.Ask("setExpression", dict{"expression": "total", "value": fmt.Sprint(i)})
			for _, scope := range daptest.List(c.Ask("scopes", dict{"frameId": frame}), "scopes") {
				c.Ask("variables", dict{"variablesReference": scope["variablesReference"]})
			}
			c.Ask("stepIn", dict{"threadId": 1})
			c.Event("stopped")
			c.Ask("stepBack", dict{"threadId": 1})
			c.Event("stopped")
			c.Output()
			frame = c.Stack()[0]["id"]
		}
	}
	work(20)
	before := heap()
	work(200)
	if after := heap(); after > before+4<<20 {
		t.Errorf("the session keeps %d bytes more after 200 rounds", after-before)
	}
	lines := daptest.List(c.Ask("setBreakpoints", dict{"source": dict{"path": l.path}, "breakpoints": make([]dict, maxBreakpoints)}), "breakpoints")
	if len(lines) != maxBreakpoints {
		t.Errorf("%d breakpoints", len(lines))
	}
	c.Refused("setBreakpoints", dict{"source": dict{"path": l.path}, "breakpoints": make([]dict, maxBreakpoints+1)}, "more than 1000 breakpoints")
	c.Refused("setInstructionBreakpoints", dict{"breakpoints": make([]dict, maxBreakpoints+1)}, "more than 1000 breakpoints")
	c.Refused("disassemble", dict{"memoryReference": c.Stack()[0]["instructionPointerReference"], "instructionCount": maxInstructions + 1}, "instructionCount")
}

// A handler that panics is an error of one request.
func TestPanicIsAnswered(t *testing.T) {
	requests["boom"] = request{connected, func(*session, *message) (any, error) { panic("at once") }}
	defer delete(requests, "boom")
	c, _ := newLedger(t).serve(t)
	c.Refused("boom", nil, "internal error of Leveret: at once")
	if out := c.Event("output"); out["category"] != "stderr" || !strings.Contains(out["output"].(string), "goroutine") {
		t.Errorf("output: %v", out)
	}
	c.Ask("initialize", dict{})
}

// FuzzServe sends any bytes. Serve returns at the end of the input, and writes frames
// alone.
func FuzzServe(f *testing.F) {
	l := newLedger(f)
	f.Add(transcript(l))
	for _, command := range commands {
		f.Add(rpc.AppendFrame(rpc.AppendFrame(nil, []byte(`{"type":"request","command":"initialize"}`)), fmt.Appendf(nil, `{"type":"request","command":%q}`, command)))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		var out bytes.Buffer
		_ = Serve(t.Context(), struct {
			io.Reader
			io.Writer
		}{bytes.NewReader(data), &out}, l.launch)
		if bytes.Contains(out.Bytes(), []byte("internal error")) {
			t.Errorf("%.2000s", out.Bytes())
		}
	})
}
