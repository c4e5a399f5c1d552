// Package dap serves the Debug Adapter Protocol [1] for recordings of engine/debug: it
// knows the protocol, and nothing of how recordings are made.
//
// A client may be broken or hostile: what it sends in a wrong order, with wrong types
// or of any size is answered with an error.
//
// [1] https://microsoft.github.io/debug-adapter-protocol
package dap

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"github.com/google/go-dap"

	"leveret/lsp/rpc"
)

// Limits of what a client sends: the bytes of a message, and the messages that wait.
const (
	maxMessage = 1 << 20
	maxWaiting = 32
)

// LaunchArguments say what is debugged: a finding, a test or a sequence.
type LaunchArguments struct {
	Finding     string `json:"finding"`     // id
	Report      string `json:"report"`      // path of the JSON report, or single finding, that has it; empty: that of the last run
	Test        string `json:"test"`        // "Contract.testName"
	Sequence    string `json:"sequence"`    // path of a file with transactions: an input or a corpus of Leveret, or an input of Echidna, Medusa or forge
	Input       string `json:"input"`       // id or number of an input in a corpus; empty: the only one
	Contract    string `json:"contract"`    // "Vault" or "src/Vault.sol:Vault", that runs the sequence; empty: the one that it deploys, or the only one
	Path        string `json:"path"`        // file or folder with the test or the contract; empty: the current folder
	ForkURL     string `json:"forkUrl"`     // of the chain of a finding on a fork; empty: none
	StopOnEntry bool   `json:"stopOnEntry"` // at the first statement
	Step        string `json:"step"`        // line of the finding's trace to stop at; see replay.Stop
}

// check reports whether the arguments name nothing, or several things.
func (a *LaunchArguments) check() error {
	named := 0
	for _, given := range []bool{a.Finding != "" || a.Report != "", a.Test != "", a.Sequence != ""} {
		if given {
			named++
		}
	}
	if named != 1 {
		return errors.New(`launch needs one of "finding", the id of a finding, "report", the file of one, "test", Contract.testName, or "sequence", a file with transactions`)
	}
	return a.checkStep()
}

// A Launcher records what arguments name, tells the user how it goes on, and passes the
// recording to use, which returns at the end of the session. It ends with ctx.
type Launcher func(ctx context.Context, args *LaunchArguments, console io.Writer, use Use) error

// Serve serves one client until it disconnects or leaves, or ctx ends. The error is that
// of the connection. A Read or Write of conn may still block then: the caller closes it.
func Serve(ctx context.Context, conn io.ReadWriter, launch Launcher) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &session{
		ctx: ctx, launcher: launch, client: &client{out: newOutbox(ctx, conn)},
		ready: make(chan start), failed: make(chan error, 1), over: make(chan struct{}),
	}
	messages, broken := make(chan message, maxWaiting), make(chan error, 1)
	go func() {
		defer close(messages)
		broken <- receive(ctx, bufio.NewReader(conn), messages)
		cancel()
	}()
	s.run(messages)
	cancel()
	s.close()
	unwritten := s.client.out.close()
	select {
	case err := <-broken:
		if s.disconnected || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, context.Canceled) {
			return nil // the client left
		}
		return err
	default:
		return unwritten
	}
}

// A message is a request.
type message struct {
	dap.Request
	Arguments json.RawMessage `json:"arguments"`
	wrong     error           // why it cannot be handled
}

// receive passes the messages of a client on. It returns why it ended.
func receive(ctx context.Context, from *bufio.Reader, to chan<- message) error {
	for {
		frame, err := rpc.ReadFrame(from, maxMessage)
		if err != nil {
			return err
		}
		var m message
		if err := json.Unmarshal(frame, &m); err != nil {
			m.wrong = fmt.Errorf("not a request: %w", err)
		} else if m.Type != "request" {
			continue // there are no requests that a client could respond to
		}
		select {
		case to <- m:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// run handles messages one after another.
func (s *session) run(messages <-chan message) {
	for !s.disconnected {
		select {
		case m, more := <-messages:
			if !more {
				return
			}
			s.handle(&m)
		case r := <-s.ready:
			s.begin(r)
		case err := <-s.failed:
			s.launchFailed(err)
		case <-s.ctx.Done():
			return
		}
	}
}

// handle answers a request, then sends what follows from it.
func (s *session) handle(m *message) {
	body, err := s.answer(m)
	if errors.Is(err, errLater) {
		return
	}
	s.client.respond(&m.Request, body, err)
	s.client.settle()
}

// errLater says that a request is answered later.
var errLater = errors.New("later")

// answer calls the handler of a request. A panic is one of Leveret, and ends nothing.
func (s *session) answer(m *message) (body any, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("internal error of Leveret: %v", p)
			s.client.say("stderr", fmt.Sprintf("%v\n%s", p, debug.Stack()))
		}
	}()
	if m.wrong != nil {
		return nil, m.wrong
	}
	r, known := requests[m.Command]
	if !known {
		return nil, fmt.Errorf("the request %q is not supported", clip(m.Command))
	}
	if err := s.admits(r.phase, m.Command); err != nil {
		return nil, err
	}
	return r.handle(s, m)
}

// clip shortens a text of a client.
func clip(text string) string {
	if len(text) > 100 {
		return text[:100] + "…"
	}
	return text
}
