package dap

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/google/go-dap"

	"leveret/engine/debug"
)

// A phase is how far a session is.
type phase int

const (
	connected   phase = iota // before initialize
	initialized              // before launch
	launching                // until the recording is ready
	standing                 // at a position
)

// A session is that of one client. All its fields but client.out belong to the goroutine of
// Serve.
type session struct {
	ctx      context.Context
	launcher Launcher
	client   *client

	phase        phase
	launch       *message // that waits for its response
	arguments    LaunchArguments
	ready        chan start
	failed       chan error
	over         chan struct{} // closed at the end: use returns
	launched     bool          // the Launcher runs, and its error is still to be received
	disconnected bool

	// Nil before standing.
	view        *view
	breakpoints *breakpoints
	control     *control
}

// A request is how a command is handled.
type request struct {
	phase  phase // from which on it is allowed
	handle func(*session, *message) (any, error)
}

// on returns a request with arguments of a type, that a part of the session handles.
func on[Part, A any](from phase, part func(*session) Part, f func(Part, *A) (any, error)) request {
	return request{from, func(s *session, m *message) (any, error) {
		var args A
		if err := json.Unmarshal(orEmpty(m.Arguments), &args); err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", m.Command, err)
		}
		return f(part(s), &args)
	}}
}

// The parts that handle requests.
func itself(s *session) *session            { return s }
func viewOf(s *session) *view               { return s.view }
func breakpointsOf(s *session) *breakpoints { return s.breakpoints }
func controlOf(s *session) *control         { return s.control }

// orEmpty returns arguments, which a request may leave out.
func orEmpty(arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return json.RawMessage("{}")
	}
	return arguments
}

// requests are the commands of the protocol. init would be a cycle: handlers name none.
var requests = map[string]request{
	"initialize":                on(connected, itself, (*session).initialize),
	"launch":                    {initialized, (*session).start},
	"attach":                    on(connected, itself, (*session).attach),
	"configurationDone":         on(standing, controlOf, (*control).configurationDone),
	"disconnect":                on(connected, itself, (*session).disconnect),
	"terminate":                 on(connected, itself, (*session).terminate),
	"threads":                   on(initialized, itself, (*session).threads),
	"stackTrace":                on(standing, viewOf, (*view).stackTrace),
	"scopes":                    on(standing, viewOf, (*view).scopes),
	"variables":                 on(standing, viewOf, (*view).variables),
	"evaluate":                  on(standing, controlOf, (*control).evaluate),
	"setVariable":               on(standing, controlOf, (*control).setVariable),
	"setExpression":             on(standing, controlOf, (*control).setExpression),
	"setBreakpoints":            on(standing, breakpointsOf, (*breakpoints).setBreakpoints),
	"breakpointLocations":       on(standing, breakpointsOf, (*breakpoints).breakpointLocations),
	"setFunctionBreakpoints":    on(standing, breakpointsOf, (*breakpoints).setFunctionBreakpoints),
	"setExceptionBreakpoints":   on(standing, breakpointsOf, (*breakpoints).setExceptionBreakpoints),
	"dataBreakpointInfo":        on(standing, viewOf, (*view).dataBreakpointInfo),
	"setDataBreakpoints":        on(standing, breakpointsOf, (*breakpoints).setDataBreakpoints),
	"setInstructionBreakpoints": on(standing, breakpointsOf, (*breakpoints).setInstructionBreakpoints),
	"exceptionInfo":             on(standing, viewOf, (*view).exceptionInfo),
	"continue":                  on(standing, controlOf, (*control).continueOn),
	"reverseContinue":           on(standing, controlOf, (*control).reverseContinue),
	"next":                      on(standing, controlOf, (*control).next),
	"stepIn":                    on(standing, controlOf, (*control).stepIn),
	"stepOut":                   on(standing, controlOf, (*control).stepOut),
	"stepBack":                  on(standing, controlOf, (*control).stepBack),
	"restartFrame":              on(standing, controlOf, (*control).restartFrame),
	"gotoTargets":               on(standing, controlOf, (*control).gotoTargets),
	"goto":                      on(standing, controlOf, (*control).gotoTarget),
	"pause":                     on(standing, controlOf, (*control).pause),
	"disassemble":               on(standing, viewOf, (*view).disassemble),
	"source":                    on(standing, viewOf, (*view).source),
}

// admits reports why a command comes too early or too late.
func (s *session) admits(from phase, command string) error {
	switch {
	case command == "initialize" && s.phase > connected:
		return errors.New("the session is initialized already")
	case command == "launch" && s.phase > initialized:
		return errors.New("the session is launched already")
	case s.phase >= from:
		return nil
	case s.phase == connected:
		return fmt.Errorf("%s comes before initialize", command)
	case s.phase == initialized:
		return fmt.Errorf("%s comes before launch", command)
	}
	return fmt.Errorf("%s comes before the event initialized", command)
}

// A clientInfo is what a client says of itself. Lines and columns start at 1 if it does
// not say.
type clientInfo struct {
	LinesStartAt1   *bool  `json:"linesStartAt1"`
	ColumnsStartAt1 *bool  `json:"columnsStartAt1"`
	PathFormat      string `json:"pathFormat"`
	Invalidates     bool   `json:"supportsInvalidatedEvent"`
}

func (s *session) initialize(c *clientInfo) (any, error) {
	if c.PathFormat != "" && c.PathFormat != "path" {
		return nil, fmt.Errorf("the path format %q is not supported; use path", clip(c.PathFormat))
	}
	if c.LinesStartAt1 != nil && !*c.LinesStartAt1 {
		s.client.zeroLine = 1
	}
	if c.ColumnsStartAt1 != nil && !*c.ColumnsStartAt1 {
		s.client.zeroColumn = 1
	}
	s.client.invalidates = c.Invalidates
	s.phase = initialized
	return dap.Capabilities{
		SupportsConfigurationDoneRequest: true, SupportsFunctionBreakpoints: true, SupportsConditionalBreakpoints: true,
		SupportsHitConditionalBreakpoints: true, SupportsEvaluateForHovers: true, ExceptionBreakpointFilters: exceptionFilters,
		SupportsStepBack: true, SupportsRestartFrame: true, SupportsGotoTargetsRequest: true, SupportsExceptionInfoRequest: true,
		SupportsDelayedStackTraceLoading: true, SupportsLogPoints: true, SupportsTerminateRequest: true, SupportsDataBreakpoints: true,
		SupportsDisassembleRequest: true, SupportsBreakpointLocationsRequest: true, SupportsSteppingGranularity: true,
		SupportsExceptionFilterOptions: true, SupportsInstructionBreakpoints: true, SupportsSetVariable: true, SupportsSetExpression: true,
	}, nil
}

// start lets the Launcher record what is to be debugged. The response waits for that.
func (s *session) start(m *message) (any, error) {
	var args LaunchArguments
	if err := json.Unmarshal(orEmpty(m.Arguments), &args); err != nil {
		return nil, fmt.Errorf("arguments of launch: %w", err)
	}
	if err := args.check(); err != nil {
		return nil, err
	}
	s.phase, s.launch, s.launched, s.arguments = launching, m, true, args
	go func() {
		s.failed <- s.launcher(s.ctx, &args, consoleWriter{s.client}, func(r *debug.Recording, at *debug.Position) error {
			select {
			case s.ready <- start{r, at}:
				<-s.over
			case <-s.ctx.Done():
			}
			return nil
		})
	}()
	return nil, errLater
}

// begin starts the session on a recording.
func (s *session) begin(at start) {
	r := at.recording
	replay := r.NewSession(s.ctx)
	s.view = newView(replay, s.client)
	s.breakpoints = &breakpoints{Session: replay, ctx: s.ctx, client: s.client, lines: map[string][]*breakpoint{}}
	s.control = &control{Session: replay, client: s.client, view: s.view, breakpoints: s.breakpoints, entry: s.arguments.StopOnEntry, line: at.at}
	s.phase = standing
	s.client.respond(&s.launch.Request, nil, nil)
	if r.Cut {
		s.client.say("important", "The transactions are too long: the recording ends before they do.\n")
	}
	s.client.notify("initialized", nil)
}

// launchFailed answers the launch that did not lead to a recording.
func (s *session) launchFailed(err error) {
	s.launched = false
	if s.phase != launching {
		return // the client is told by the requests that fail
	}
	if err == nil {
		err = errors.New("there is nothing to debug")
	}
	s.phase = initialized
	s.client.respond(&s.launch.Request, nil, err)
	s.client.notify("terminated", dap.TerminatedEventBody{})
}

// close ends the session and waits until the Launcher has ended.
func (s *session) close() {
	if s.view != nil {
		s.view.Close()
	}
	close(s.over)
	if s.launched {
		<-s.failed
	}
}

func (s *session) attach(*struct{}) (any, error) {
	return nil, errors.New("there is nothing to attach to; launch a finding, a test or a sequence")
}

func (s *session) disconnect(*struct{}) (any, error) {
	s.disconnected = true
	return nil, nil
}

func (s *session) terminate(*struct{}) (any, error) {
	s.client.then(func() { s.client.notify("terminated", dap.TerminatedEventBody{}) })
	return nil, nil
}

func (s *session) threads(*struct{}) (any, error) {
	name := "transactions"
	if s.view != nil {
		n := s.view.TransactionAt(s.view.Position())
		tx, _, _ := s.view.Transaction(n)
		name = fmt.Sprintf("%d of %d: %s", n+1, s.view.Transactions(), tx.Call+tx.More)
	}
	return dap.ThreadsResponseBody{Threads: []dap.Thread{{Id: theThread, Name: name}}}, nil
}
