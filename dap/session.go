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

// A session is that of one client. All its fields but out belong to the goroutine of
// Serve.
type session struct {
	ctx      context.Context
	launcher Launcher
	out      *outbox

	phase        phase
	launch       *message // that waits for its response
	arguments    LaunchArguments
	ready        chan start
	failed       chan error
	over         chan struct{} // closed at the end: use returns
	launched     bool          // the Launcher runs, and its error is still to be received
	configured   bool
	disconnected bool

	*debug.Session                 // nil before standing
	line           *debug.Position // of the trace, that the session starts at; nil: none
	marks          breakpoints     // that the client has set
	view           view
	invalidates    bool // the client asks again after the event invalidated
	zeroLine       int  // what the client's first line is less than 1
	zeroColumn     int
	after          []func() // what is sent after the response
}

// A request is how a command is handled.
type request struct {
	phase  phase // from which on it is allowed
	handle func(*session, *message) (any, error)
}

// on returns a request with arguments of a type.
func on[A any](from phase, f func(*session, *A) (any, error)) request {
	return request{from, func(s *session, m *message) (any, error) {
		var args A
		if err := json.Unmarshal(orEmpty(m.Arguments), &args); err != nil {
			return nil, fmt.Errorf("arguments of %s: %w", m.Command, err)
		}
		return f(s, &args)
	}}
}

// orEmpty returns arguments, which a request may leave out.
func orEmpty(arguments json.RawMessage) json.RawMessage {
	if len(arguments) == 0 {
		return json.RawMessage("{}")
	}
	return arguments
}

// requests are the commands of the protocol. init would be a cycle: handlers name none.
var requests = map[string]request{
	"initialize":                on(connected, (*session).initialize),
	"launch":                    {initialized, (*session).start},
	"attach":                    on(connected, (*session).attach),
	"configurationDone":         on(standing, (*session).configurationDone),
	"disconnect":                on(connected, (*session).disconnect),
	"terminate":                 on(connected, (*session).terminate),
	"threads":                   on(initialized, (*session).threads),
	"stackTrace":                on(standing, (*session).stackTrace),
	"scopes":                    on(standing, (*session).scopes),
	"variables":                 on(standing, (*session).variables),
	"evaluate":                  on(standing, (*session).evaluate),
	"setVariable":               on(standing, (*session).setVariable),
	"setExpression":             on(standing, (*session).setExpression),
	"setBreakpoints":            on(standing, (*session).setBreakpoints),
	"breakpointLocations":       on(standing, (*session).breakpointLocations),
	"setFunctionBreakpoints":    on(standing, (*session).setFunctionBreakpoints),
	"setExceptionBreakpoints":   on(standing, (*session).setExceptionBreakpoints),
	"dataBreakpointInfo":        on(standing, (*session).dataBreakpointInfo),
	"setDataBreakpoints":        on(standing, (*session).setDataBreakpoints),
	"setInstructionBreakpoints": on(standing, (*session).setInstructionBreakpoints),
	"exceptionInfo":             on(standing, (*session).exceptionInfo),
	"continue":                  on(standing, (*session).continueOn),
	"reverseContinue":           on(standing, (*session).reverseContinue),
	"next":                      on(standing, (*session).next),
	"stepIn":                    on(standing, (*session).stepIn),
	"stepOut":                   on(standing, (*session).stepOut),
	"stepBack":                  on(standing, (*session).stepBack),
	"restartFrame":              on(standing, (*session).restartFrame),
	"gotoTargets":               on(standing, (*session).gotoTargets),
	"goto":                      on(standing, (*session).gotoTarget),
	"pause":                     on(standing, (*session).pause),
	"disassemble":               on(standing, (*session).disassemble),
	"source":                    on(standing, (*session).source),
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
		s.zeroLine = 1
	}
	if c.ColumnsStartAt1 != nil && !*c.ColumnsStartAt1 {
		s.zeroColumn = 1
	}
	s.invalidates = c.Invalidates
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
		s.failed <- s.launcher(s.ctx, &args, consoleWriter{s}, func(r *debug.Recording, at *debug.Position) error {
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
	s.Session, s.phase, s.line = r.NewSession(s.ctx), standing, at.at
	s.respond(&s.launch.Request, nil, nil)
	if r.Cut {
		s.say("important", "The transactions are too long: the recording ends before they do.\n")
	}
	s.notify("initialized", nil)
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
	s.respond(&s.launch.Request, nil, err)
	s.notify("terminated", dap.TerminatedEventBody{})
}

// close ends the session and waits until the Launcher has ended.
func (s *session) close() {
	if s.Session != nil {
		s.Session.Close()
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
	s.after = append(s.after, func() { s.notify("terminated", dap.TerminatedEventBody{}) })
	return nil, nil
}

// configurationDone starts: at the first statement, or at the first breakpoint.
func (s *session) configurationDone(*struct{}) (any, error) {
	if s.configured {
		return nil, errors.New("the configuration is done already")
	}
	s.configured = true
	if s.arguments.StopOnEntry {
		return nil, s.stopped(&dap.StoppedEventBody{Reason: "entry"})
	}
	if s.line != nil {
		return nil, s.atLine()
	}
	if hits := debug.HitsAt(s.marks.all(), s.Position()); len(hits) > 0 {
		return nil, s.stoppedAt(hits)
	}
	return nil, s.goOn()
}

// pause is answered: no request leaves the session running.
func (s *session) pause(*struct{}) (any, error) { return nil, nil }
