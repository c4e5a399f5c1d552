package dap

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"leveret/dap/daptest"
)

// commands are all requests of the protocol that a client sends.
var commands = []string{
	"attach", "breakpointLocations", "cancel", "completions", "configurationDone", "continue", "dataBreakpointInfo", "disassemble", "disconnect",
	"evaluate", "exceptionInfo", "goto", "gotoTargets", "initialize", "launch", "loadedSources", "modules", "next", "pause", "readMemory",
	"restart", "restartFrame", "reverseContinue", "scopes", "setBreakpoints", "setDataBreakpoints", "setExceptionBreakpoints", "setExpression",
	"setFunctionBreakpoints", "setInstructionBreakpoints", "setVariable", "source", "stackTrace", "stepBack", "stepIn", "stepInTargets", "stepOut",
	"terminate", "terminateThreads", "threads", "variables", "writeMemory",
}

// arguments returns the type of the arguments of a request; nil if it has none.
func arguments(t *testing.T, command string) reflect.Type {
	t.Helper()
	m, err := dap.DecodeProtocolMessage([]byte(fmt.Sprintf(`{"type":"request","command":%q}`, command)))
	if err != nil {
		t.Fatal(err)
	}
	field, ok := reflect.TypeOf(m).Elem().FieldByName("Arguments")
	if !ok {
		return nil
	}
	if field.Type.Kind() == reflect.Pointer {
		return field.Type.Elem()
	}
	return field.Type
}

// Every request that the adapter handles is one of the protocol.
func TestCommands(t *testing.T) {
	for command := range requests {
		if !slices.Contains(commands, command) {
			t.Errorf("%s is handled, and the protocol does not have it", command)
		}
	}
	for _, command := range commands {
		arguments(t, command)
	}
}

// promised are what the capabilities promise: a request that fails otherwise, or a check
// of a session at the first statement.
var promised = map[string]any{
	"supportsConfigurationDoneRequest": "configurationDone",
	"supportsSetVariable": func(_ *ledger, c *daptest.Client) bool {
		m := c.Send("setVariable", dict{"variablesReference": scope(c, "State"), "name": "total", "value": "7"})
		return m["success"] == true && m["body"].(dict)["value"] == "7" && c.Value("total") == "7"
	},
	"supportsRestartFrame":            "restartFrame",
	"supportsGotoTargetsRequest":      "gotoTargets",
	"supportsStepInTargetsRequest":    "stepInTargets",
	"supportsCompletionsRequest":      "completions",
	"supportsModulesRequest":          "modules",
	"supportsRestartRequest":          "restart",
	"supportsExceptionInfoRequest":    "exceptionInfo",
	"supportsLoadedSourcesRequest":    "loadedSources",
	"supportsTerminateThreadsRequest": "terminateThreads",
	"supportsSetExpression": func(_ *ledger, c *daptest.Client) bool {
		return c.Send("setExpression", dict{"expression": "total", "value": "7"})["success"] == true && c.Value("total") == "7"
	},
	"supportsTerminateRequest":           "terminate",
	"supportsDataBreakpoints":            "setDataBreakpoints",
	"supportsReadMemoryRequest":          "readMemory",
	"supportsWriteMemoryRequest":         "writeMemory",
	"supportsDisassembleRequest":         "disassemble",
	"supportsCancelRequest":              "cancel",
	"supportsBreakpointLocationsRequest": "breakpointLocations",
	"supportsInstructionBreakpoints":     "setInstructionBreakpoints",
	"supportsFunctionBreakpoints":        "setFunctionBreakpoints",
	"supportsStepBack":                   "stepBack",
	"supportsConditionalBreakpoints": func(l *ledger, c *daptest.Client) bool {
		return stopsAt(l, c, dict{"line": 54, "condition": "total == 3"}, "total") == "3"
	},
	"supportsHitConditionalBreakpoints": func(l *ledger, c *daptest.Client) bool {
		return stopsAt(l, c, dict{"line": 54, "hitCondition": "4"}, "total") == "6"
	},
	"supportsLogPoints": func(l *ledger, c *daptest.Client) bool {
		stopsAt(l, c, dict{"line": 54, "logMessage": "total {total}"}, "1")
		return slices.Contains(c.Output(), "total 3\n")
	},
	"supportsEvaluateForHovers": func(_ *ledger, c *daptest.Client) bool {
		return c.Ask("evaluate", dict{"expression": "moved", "context": "hover"})["result"] == "0"
	},
	"supportsDelayedStackTraceLoading": func(_ *ledger, c *daptest.Client) bool {
		some := c.Ask("stackTrace", dict{"threadId": 1, "startFrame": 0, "levels": 1})
		return len(daptest.List(some, "stackFrames")) == 1 && some["totalFrames"] != nil
	},
	"supportsSteppingGranularity": func(_ *ledger, c *daptest.Client) bool {
		before := c.Stack()[0]["instructionPointerReference"]
		c.Move("next", dict{"granularity": "instruction"})
		return c.Stack()[0]["instructionPointerReference"] != before
	},
	"supportsExceptionFilterOptions": func(_ *ledger, c *daptest.Client) bool {
		c.Ask("setExceptionBreakpoints", dict{"filters": []string{}, "filterOptions": []dict{{"filterId": "revert", "condition": "msg.value == 1"}}})
		return c.Move("continue", dict{})["reason"] == "pause"
	},
	// What needs an argument that is not there otherwise.
	"supportsExceptionOptions":              nil,
	"supportsValueFormattingOptions":        nil,
	"supportTerminateDebuggee":              nil,
	"supportSuspendDebuggee":                nil,
	"supportsClipboardContext":              nil,
	"supportsSingleThreadExecutionRequests": nil,
}

// stopsAt continues to a breakpoint of the ledger and returns the value of an expression
// there.
func stopsAt(l *ledger, c *daptest.Client, breakpoint dict, expression string) any {
	c.Ask("setBreakpoints", dict{"source": dict{"path": l.path}, "breakpoints": []dict{breakpoint}})
	c.Move("continue", dict{})
	return c.Value(expression)
}

// Each capability is declared if, and only if, what it promises happens.
func TestCapabilities(t *testing.T) {
	l := newLedger(t)
	c, _ := l.serve(t)
	declared := c.Ask("initialize", dict{})
	capabilities := reflect.TypeFor[dap.Capabilities]()
	for i := range capabilities.NumField() {
		name, _, _ := strings.Cut(capabilities.Field(i).Tag.Get("json"), ",")
		if capabilities.Field(i).Type.Kind() != reflect.Bool {
			continue
		}
		promise, known := promised[name]
		if !known {
			t.Errorf("nothing checks %s", name)
			continue
		}
		kept := false
		switch promise := promise.(type) {
		case string:
			message, _ := l.stopped(t).Send(promise, dict{})["message"].(string)
			kept = !strings.Contains(message, "is not supported")
		case func(*ledger, *daptest.Client) bool:
			kept = promise(l, l.stopped(t))
		}
		if kept != (declared[name] == true) {
			t.Errorf("%s is declared %v, and kept %v", name, declared[name], kept)
		}
	}
	filters := daptest.List(declared, "exceptionBreakpointFilters")
	session := l.stopped(t)
	for _, f := range filters {
		b := daptest.List(session.Ask("setExceptionBreakpoints", dict{"filters": []any{f["filter"]}}), "breakpoints")
		if len(b) != 1 || b[0]["verified"] != true {
			t.Errorf("filter %v: %v", f, b)
		}
	}
	if len(filters) != 4 {
		t.Errorf("filters: %v", filters)
	}
}

// Requests in a wrong order are errors that say what is missing, and end nothing.
func TestOrder(t *testing.T) {
	l := newLedger(t)
	always := []string{"disconnect", "terminate"} // not tried here: they end the session
	for _, phase := range []struct {
		name    string
		prepare func(*daptest.Client)
		allowed []string
		says    string
	}{
		{"before initialize", func(*daptest.Client) {}, []string{"initialize"}, "comes before initialize"},
		{"before launch", func(c *daptest.Client) { c.Ask("initialize", dict{}) }, []string{"launch", "threads"}, "comes before launch"},
	} {
		c, _ := l.serve(t)
		phase.prepare(c)
		for _, command := range commands {
			if _, known := requests[command]; !known {
				c.Refused(command, dict{}, fmt.Sprintf("the request %q is not supported", command))
				continue
			}
			if slices.Contains(always, command) || slices.Contains(phase.allowed, command) || command == "initialize" || command == "attach" {
				continue
			}
			c.Refused(command, dict{}, phase.says)
		}
	}
	c, _ := l.serve(t)
	c.Refused("attach", dict{}, "there is nothing to attach to; launch a finding, a test or a sequence")
	c.Ask("initialize", dict{})
	c.Refused("initialize", dict{}, "the session is initialized already")
	c.Ask("terminate", dict{}) // before launch, too
	c.Event("terminated")
	c.Ask("launch", dict{"finding": "ledger"})
	c.Event("initialized")
	c.Refused("launch", dict{"finding": "ledger"}, "the session is launched already")
	c.Ask("configurationDone", dict{})
	c.Refused("configurationDone", dict{}, "the configuration is done already")
	c.Ask("disconnect", dict{})
}

// A launch that fails says why, and another one may follow.
func TestLaunch(t *testing.T) {
	l := newLedger(t)
	c, _ := l.serve(t)
	c.Ask("initialize", dict{})
	for _, wrong := range []struct {
		arguments any
		says      string
	}{
		{dict{}, "launch needs one of"},
		{[]int{}, "arguments of launch"},
		{"ledger", "arguments of launch"},
		{dict{"finding": 7}, "arguments of launch"},
		{dict{"stopOnEntry": "yes", "finding": "ledger"}, "arguments of launch"},
		{dict{"finding": "ledger", "test": "A.testB"}, "launch needs one of"},
		{dict{"sequence": "a", "test": "A.testB"}, "launch needs one of"},
	} {
		c.Refused("launch", wrong.arguments, wrong.says)
	}
	c.Refused("launch", dict{"finding": "other"}, "there is no finding other")
	c.Event("terminated")
	c.Refused("launch", dict{"finding": "empty"}, "there is nothing to debug")
	c.Event("terminated")
	c.Ask("launch", dict{"finding": "ledger", "stopOnEntry": true})
	if out := c.Event("output"); out["output"] != "recording\n" || out["category"] != "console" {
		t.Errorf("output: %v", out)
	}
	c.Event("initialized")
	c.Ask("configurationDone", dict{})
	if stop := c.Event("stopped"); stop["reason"] != "entry" || stop["threadId"] != 1.0 || stop["allThreadsStopped"] != true {
		t.Errorf("stopped: %v", stop)
	}
}

// wrong are values that no field expects.
var wrong = []any{
	"text", -1, math.MaxInt64, math.MinInt64, 1e300, true, nil, dict{}, []any{}, []any{dict{}}, dict{"path": 3}, strings.Repeat("(", 5000), "\x00\xff", "0x",
}

// Every request with every field missing, of a wrong type or out of range is answered,
// and the session goes on.
func TestWrongArguments(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	check := func(command string, arguments any) {
		t.Helper()
		m := c.Send(command, arguments)
		if message, _ := m["message"].(string); strings.Contains(message, "internal error") {
			t.Errorf("%s %.200v: %s", command, arguments, message)
		}
	}
	for _, command := range commands {
		if command == "disconnect" {
			continue
		}
		for _, a := range wrong {
			check(command, a)
		}
		of := arguments(t, command)
		if of == nil || of.Kind() != reflect.Struct {
			continue
		}
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			for _, value := range wrong {
				// With the others as a client would send them, so that handlers go on to this one.
				check(command, dict{"threadId": 1, "frameId": c.Stack()[0]["id"], "source": dict{"path": l.path}, "line": 1, name: value})
			}
		}
	}
	c.Value("moved") // it still answers
}

// Messages that are no requests are refused or ignored.
func TestWrongMessages(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	for _, text := range []string{"", "[]", "7", `"text"`, "{", strings.Repeat("[", 10_000), `{"seq":"one","type":"request","command":"threads"}`, `{"type":"request","command":7}`} {
		c.Write(text)
		if m := c.Response(0); m["success"] != false || !strings.Contains(m["message"].(string), "not a request") {
			t.Errorf("%.50s: %v", text, m)
		}
	}
	for _, text := range []string{"null", "{}", `{"type":"event"}`, `{"type":"response","request_seq":1}`} {
		c.Write(text)
	}
	c.Write(`{"type":"request","command":"` + strings.Repeat("x", 1000) + `"}`)
	if m := c.Response(0); m["success"] != false || len(m["message"].(string)) > 200 {
		t.Errorf("a long command: %v", m)
	}
	c.Write(`{"seq":-5,"type":"request","command":"threads","arguments":null}`)
	if m := c.Response(-5); m["success"] != true {
		t.Errorf("threads: %v", m)
	}
	c.Value("moved")
}
