package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-dap"

	"leveret/solc/solctest"
)

// A debugClient drives leveret dap as an editor does.
type debugClient struct {
	t      *testing.T
	to     io.Writer
	from   *bufio.Reader
	seq    int
	events []map[string]any // that were not awaited yet
}

// A dict is the body of a message.
type dict = map[string]any

// debugHome is a folder with the example Auction, a saved run and the environment of
// the command.
type debugHome struct {
	folder string
	env    []string
	id     string // of the finding
}

func newDebugHome(t *testing.T) *debugHome {
	t.Helper()
	needCompilers(t)
	tools, err := filepath.Abs(compilers)
	if err != nil {
		t.Fatal(err)
	}
	h := &debugHome{folder: t.TempDir()}
	cache := t.TempDir()
	if err := solctest.ShareCache(cache); err != nil {
		t.Fatal(err)
	}
	h.env = append(os.Environ(), "LEVERET_TOOLS="+tools, "XDG_CACHE_HOME="+cache)
	for _, name := range []string{"Auction.sol", "Auction.t.sol"} {
		text, err := os.ReadFile(root + "docs/examples/" + name)
		if err != nil {
			t.Fatal(err)
		}
		solctest.WriteIn(t, h.folder, name, string(text))
	}
	out, err := h.command("fuzz", "--max-inputs", "50000", "--workers", "1", "--seed", "1", "--stop-on-first", "--format", "json", "--output", "report.json", "Auction.sol").CombinedOutput()
	if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != exitFound {
		t.Fatalf("%v\n%s", err, out)
	}
	var report struct {
		Contracts []struct{ Findings []struct{ ID string } }
	}
	text, err := os.ReadFile(filepath.Join(h.folder, "report.json"))
	if err == nil {
		err = json.Unmarshal(text, &report)
	}
	if err != nil {
		t.Fatal(err)
	}
	h.id = report.Contracts[0].Findings[0].ID
	return h
}

// command returns the command in the folder.
func (h *debugHome) command(args ...string) *exec.Cmd {
	cmd := exec.Command("leveret", args...)
	cmd.Dir, cmd.Env = h.folder, h.env
	return cmd
}

// start starts the adapter; ended waits for its end and returns its exit code.
func (h *debugHome) start(t *testing.T, args ...string) (c *debugClient, closeIn func() error, ended func() int) {
	t.Helper()
	cmd := h.command(append([]string{"dap"}, args...)...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return &debugClient{t: t, to: in, from: bufio.NewReader(out)}, in.Close, func() int {
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode()
	}
}

// read returns the next message.
func (c *debugClient) read() (m dict) {
	c.t.Helper()
	text, err := dap.ReadBaseMessage(c.from)
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		c.t.Fatal(err)
	}
	if _, err := dap.DecodeProtocolMessage(text); err != nil {
		c.t.Errorf("not a message of the protocol: %v\n%s", err, text)
	}
	return m
}

// send sends a request and returns its response.
func (c *debugClient) send(command string, arguments any) (m dict) {
	c.t.Helper()
	c.seq++
	text, err := json.Marshal(dict{"seq": c.seq, "type": "request", "command": command, "arguments": arguments})
	if err != nil {
		c.t.Fatal(err)
	}
	c.write(string(text))
	return c.response(c.seq)
}

func (c *debugClient) write(text string) {
	if _, err := fmt.Fprintf(c.to, "Content-Length: %d\r\n\r\n%s", len(text), text); err != nil {
		c.t.Fatal(err)
	}
}

func (c *debugClient) response(seq int) dict {
	c.t.Helper()
	for {
		m := c.read()
		if m["type"] == "event" {
			c.events = append(c.events, m)
			continue
		}
		if m["request_seq"] != float64(seq) {
			c.t.Fatalf("response to %v, want to %d: %v", m["request_seq"], seq, m)
		}
		return m
	}
}

// ask is send of a request that must succeed. It returns the body.
func (c *debugClient) ask(command string, arguments any) dict {
	c.t.Helper()
	m := c.send(command, arguments)
	if m["success"] != true {
		c.t.Fatalf("%s fails: %v", command, m["message"])
	}
	body, _ := m["body"].(dict)
	return body
}

// refused checks that a request fails with a message that contains a text.
func (c *debugClient) refused(command string, arguments any, text string) {
	c.t.Helper()
	if m := c.send(command, arguments); m["success"] != false || !strings.Contains(fmt.Sprint(m["message"]), text) {
		c.t.Errorf("%s %v: %v, want a refusal with %q", command, arguments, m, text)
	}
}

// event returns the body of the next event with a name.
func (c *debugClient) event(name string) dict {
	c.t.Helper()
	for {
		for i, e := range c.events {
			if e["event"] == name {
				c.events = append(c.events[:i:i], c.events[i+1:]...)
				body, _ := e["body"].(dict)
				return body
			}
		}
		c.events = append(c.events, c.read())
	}
}

// launch starts a session and returns the first stop.
func (c *debugClient) launch(arguments dict, configure ...func()) dict {
	c.t.Helper()
	c.ask("initialize", dict{"adapterID": "leveret", "linesStartAt1": true, "columnsStartAt1": true, "pathFormat": "path"})
	c.ask("launch", arguments)
	c.event("initialized")
	for _, f := range configure {
		f()
	}
	c.ask("configurationDone", dict{})
	return c.event("stopped")
}

// stack returns the frames.
func (c *debugClient) stack() (list []dict) {
	c.t.Helper()
	for _, f := range c.ask("stackTrace", dict{"threadId": 1})["stackFrames"].([]any) {
		list = append(list, f.(dict))
	}
	return list
}

// at checks the lines of the stack after a stop.
func (c *debugClient) at(when string, lines ...float64) []dict {
	c.t.Helper()
	list := c.stack()
	var have []float64
	for _, f := range list {
		have = append(have, f["line"].(float64))
	}
	if !reflect.DeepEqual(have, lines) {
		c.t.Fatalf("%s: stopped at lines %v, want %v", when, have, lines)
	}
	return list
}

// move makes a move and waits for the stop.
func (c *debugClient) move(command string, arguments dict) dict {
	c.t.Helper()
	arguments["threadId"] = 1
	c.ask(command, arguments)
	return c.event("stopped")
}

// value returns the result of an expression.
func (c *debugClient) value(expression string) any {
	c.t.Helper()
	return c.ask("evaluate", dict{"expression": expression, "context": "watch"})["result"]
}

// A session through every request: to the finding, backwards, and along breakpoints of
// every kind.
func TestDebugFinding(t *testing.T) {
	h := newDebugHome(t)
	c, _, ended := h.start(t)
	path := filepath.Join(h.folder, "Auction.sol")
	stop := c.launch(dict{"finding": h.id}, func() {
		b := c.ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}})["breakpoints"].([]any)[0].(dict)
		if b["verified"] != true {
			t.Errorf("the finding: %v", b)
		}
	})
	if stop["reason"] != "exception" || stop["description"] == nil || stop["text"] != "Panic(0x01): an assertion does not hold" {
		t.Errorf("stopped: %v", stop)
	}
	frames := c.at("the finding", 49)
	info := c.ask("exceptionInfo", dict{"threadId": 1})
	if info["exceptionId"] != "panic" || info["breakMode"] != "always" {
		t.Errorf("exceptionInfo: %v", info)
	}
	threads := c.ask("threads", nil)["threads"].([]any)
	if name := threads[0].(dict)["name"].(string); len(threads) != 1 || !strings.HasPrefix(name, "3 of 3: deployer calls Auction.close()") {
		t.Errorf("threads: %v", threads)
	}
	if v := c.value("closed && address(this).balance < owed"); v != "true" {
		t.Errorf("the assertion is not shown to fail: %v", v)
	}

	scopes := c.ask("scopes", dict{"frameId": frames[0]["id"]})["scopes"].([]any)
	names := map[string]int{}
	for _, s := range scopes {
		names[s.(dict)["name"].(string)] = int(s.(dict)["variablesReference"].(float64))
	}
	variables := func(group int) map[string]dict {
		t.Helper()
		list := map[string]dict{}
		for _, v := range c.ask("variables", dict{"variablesReference": group})["variables"].([]any) {
			list[v.(dict)["name"].(string)] = v.(dict)
		}
		return list
	}
	state := variables(names["State"])
	if state["closed"]["value"] != "true" || state["owed"] == nil || state["refunds"]["variablesReference"] == 0.0 {
		t.Errorf("state: %v", state)
	}
	refunds := variables(int(state["refunds"]["variablesReference"].(float64)))
	if len(refunds) != 1 {
		t.Errorf("refunds: %v", refunds)
	}
	if tx := variables(names["Transaction"]); !strings.HasSuffix(tx["msg.sender"]["value"].(string), "(deployer)") || tx["msg.value"]["value"] != "0" {
		t.Errorf("transaction: %v", tx)
	}
	for _, name := range []string{"Stack", "Memory", "Calldata"} {
		if len(variables(names[name])) == 0 {
			t.Errorf("%s is empty", name)
		}
	}

	// Backwards.
	c.move("stepBack", dict{})
	c.at("before the assertion", 49)
	c.move("stepBack", dict{})
	c.at("before the transfer", 48)
	if v := c.value("closed"); v != "true" {
		t.Errorf("closed is %v", v)
	}
	c.move("stepBack", dict{"granularity": "line"})
	c.at("before closed = true", 47)
	if v := c.value("closed"); v != "false" {
		t.Errorf("closed is %v", v)
	}

	// A data breakpoint, backwards: who changed owed?
	data := c.ask("dataBreakpointInfo", dict{"name": "owed"})
	if data["dataId"] == nil {
		t.Fatalf("dataBreakpointInfo: %v", data)
	}
	set := c.ask("setDataBreakpoints", dict{"breakpoints": []dict{{"dataId": data["dataId"], "accessType": "write"}}})["breakpoints"].([]any)[0].(dict)
	if set["verified"] != true {
		t.Errorf("setDataBreakpoints: %v", set)
	}
	if stop := c.move("reverseContinue", dict{}); stop["reason"] != "data breakpoint" || stop["hitBreakpointIds"].([]any)[0] != set["id"] {
		t.Errorf("stopped: %v", stop)
	}
	frames = c.at("owed changes in a function of cancel", 55, 34)
	if frames[0]["name"] != "Auction._refundLeader" || frames[1]["name"] != "Auction.cancel" {
		t.Errorf("frames: %v", frames)
	}
	if v := c.value("owed"); v != "0" {
		t.Errorf("owed is %v", v)
	}
	c.move("stepOut", dict{})
	c.at("in cancel", 34)
	c.move("next", dict{})
	c.at("behind the call", 35)
	frames = c.stack()
	c.move("restartFrame", dict{"frameId": frames[0]["id"]})
	c.at("the modifier of cancel", 20)
	c.ask("setDataBreakpoints", dict{"breakpoints": []dict{}})

	// Breakpoints of other kinds.
	lines := c.ask("setBreakpoints", dict{"source": dict{"path": path}, "breakpoints": []dict{
		{"line": 24}, {"line": 26, "condition": "msg.value > 0", "logMessage": "bid of {msg.value}"}, {"line": 27, "hitCondition": "2"},
		{"line": 28, "condition": "1 +"}, {"line": 4000},
	}})["breakpoints"].([]any)
	for i, want := range []struct {
		verified bool
		line     any
		message  string
	}{{true, 25.0, ""}, {true, 26.0, ""}, {true, 27.0, "never with this condition"}, {false, 28.0, "not an expression"}, {false, nil, "no statement"}} {
		b := lines[i].(dict)
		if message, _ := b["message"].(string); b["verified"] != want.verified || b["line"] != want.line || !strings.Contains(message, want.message) {
			t.Errorf("breakpoint %d: %v", i, b)
		}
	}
	if stop := c.move("reverseContinue", dict{}); stop["reason"] != "breakpoint" {
		t.Errorf("stopped: %v", stop)
	}
	c.at("the bid", 25)
	locations := c.ask("breakpointLocations", dict{"source": dict{"path": path}, "line": 23, "endLine": 28})["breakpoints"].([]any)
	if len(locations) != 4 {
		t.Errorf("breakpointLocations: %v", locations)
	}
	c.ask("setFunctionBreakpoints", dict{"breakpoints": []dict{{"name": "Auction.close"}, {"name": "nothing"}}})
	if stop := c.move("continue", dict{}); stop["reason"] != "function breakpoint" {
		t.Errorf("stopped: %v", stop)
	}
	c.at("the modifier of close", 20)
	if out := c.event("output"); !strings.HasPrefix(out["output"].(string), "SWC-110") {
		t.Errorf("first output: %v", out)
	}
	for out := ""; !strings.HasPrefix(out, "bid of "); {
		out = c.event("output")["output"].(string)
	}

	// Instructions.
	frames = c.stack()
	reference := frames[0]["instructionPointerReference"]
	code := c.ask("disassemble", dict{"memoryReference": reference, "instructionOffset": -5, "instructionCount": 10})["instructions"].([]any)
	if len(code) != 10 || code[5].(dict)["address"] != reference || code[5].(dict)["line"] != 20.0 {
		t.Errorf("disassemble: %v", code)
	}
	for _, move := range []string{"stepIn", "next"} {
		c.move(move, dict{"granularity": "instruction"})
		if now := c.stack()[0]["instructionPointerReference"]; now == reference {
			t.Errorf("%s by an instruction does not move", move)
		}
		c.move("stepBack", dict{"granularity": "instruction"})
		if now := c.stack()[0]["instructionPointerReference"]; now != reference {
			t.Errorf("back from %s at %v, want %v", move, now, reference)
		}
	}

	// Places in other transactions.
	targets := c.ask("gotoTargets", dict{"source": dict{"path": path}, "line": 27})["targets"].([]any)
	if len(targets) != 4 {
		t.Fatalf("gotoTargets: %v", targets)
	}
	c.ask("goto", dict{"threadId": 1, "targetId": targets[2].(dict)["id"]})
	if stop := c.event("stopped"); stop["reason"] != "goto" {
		t.Errorf("stopped: %v", stop)
	}
	c.at("the beginning of the second transaction", 20)
	c.ask("pause", dict{"threadId": 1})
	if text := c.ask("source", dict{"source": dict{"path": path}, "sourceReference": 0})["content"].(string); !strings.Contains(text, "contract Auction") {
		t.Errorf("source: %.100s", text)
	}
	c.ask("setFunctionBreakpoints", dict{"breakpoints": []dict{}})
	c.ask("setExceptionBreakpoints", dict{"filters": []string{}, "filterOptions": []dict{{"filterId": "panic", "condition": "closed"}}})
	c.move("continue", dict{})
	c.at("the panic", 49)
	if stop := c.move("continue", dict{}); stop["description"] != "End of the recording" {
		t.Errorf("stopped: %v", stop)
	}
	c.ask("terminate", dict{})
	c.event("terminated")
	c.ask("disconnect", dict{})
	if code := ended(); code != exitClean {
		t.Errorf("exit code %d", code)
	}
}

// A test is debugged from its setUp on; lines may start at 0.
func TestDebugSolidityTest(t *testing.T) {
	h := newDebugHome(t)
	c, closeIn, ended := h.start(t)
	c.ask("initialize", dict{"adapterID": "leveret", "linesStartAt1": false, "columnsStartAt1": false})
	c.refused("launch", dict{"test": "AuctionTest.testNothing"}, "has no test AuctionTest.testNothing")
	c.event("terminated")
	c.ask("launch", dict{"test": "AuctionTest.testHighestBidLeads", "stopOnEntry": true})
	c.event("initialized")
	c.ask("configurationDone", nil)
	if stop := c.event("stopped"); stop["reason"] != "entry" {
		t.Errorf("stopped: %v", stop)
	}
	c.at("setUp", 40)
	c.move("next", dict{})
	c.at("over the constructor", 41)
	c.ask("setFunctionBreakpoints", dict{"breakpoints": []dict{{"name": "Auction.bid", "hitCondition": "2"}}})
	c.move("continue", dict{})
	if frames := c.at("the second bid", 19, 26, 48); frames[2]["name"] != "AuctionTest.testHighestBidLeads" {
		t.Errorf("frames: %v", frames)
	}
	if v := c.value("highest"); v != "10" {
		t.Errorf("highest is %v", v)
	}
	closeIn() // the client leaves
	if code := ended(); code != exitClean {
		t.Errorf("exit code %d", code)
	}
}

// Wrong order, wrong types and huge numbers are answered with errors, and the session
// goes on.
func TestDebugHostile(t *testing.T) {
	h := newDebugHome(t)
	c, _, ended := h.start(t)
	c.refused("launch", dict{"finding": h.id}, "launch comes before initialize")
	c.refused("threads", dict{}, "threads comes before initialize")
	c.refused("initialize", dict{"pathFormat": "uri"}, "path format")
	c.refused("initialize", dict{"linesStartAt1": "yes"}, "arguments of initialize")
	c.ask("initialize", dict{})
	c.refused("initialize", dict{}, "already")
	c.refused("continue", dict{"threadId": 1}, "continue comes before launch")
	c.refused("attach", dict{}, "launch")
	c.refused("nonsense", dict{}, `the request "nonsense" is not supported`)
	c.refused("launch", []int{1}, "arguments of launch")
	c.refused("launch", dict{}, "launch needs either")
	c.refused("launch", dict{"finding": 7}, "arguments of launch")
	c.refused("launch", dict{"finding": "a", "test": "b"}, "launch needs either")
	c.refused("launch", dict{"test": "noDot"}, "is no test")
	c.refused("launch", dict{"finding": "SWC-110:Auction:ffff"}, "SWC-110:Auction:ffff")
	c.refused("launch", dict{"report": "missing.json"}, "cannot read missing.json")
	c.refused("launch", dict{"report": "Auction.sol"}, "not a Leveret JSON report")
	for _, text := range []string{"[]", "7", "null", `{"type":"event"}`, `{"type":"response","request_seq":1}`} {
		c.write(text) // no requests
		if text[0] == '[' || text[0] == '7' {
			if m := c.response(0); m["success"] != false {
				t.Errorf("%s: %v", text, m)
			}
		}
	}
	c.ask("launch", dict{"report": "report.json", "stopOnEntry": true})
	c.refused("launch", dict{"report": "report.json"}, "launched already")
	c.ask("configurationDone", nil)
	c.event("stopped")
	c.refused("configurationDone", nil, "already")
	huge := 1 << 62
	c.refused("stackTrace", dict{"threadId": 2}, "no thread 2")
	c.refused("scopes", dict{"frameId": huge}, "no such frame")
	c.refused("variables", dict{"variablesReference": -1}, "no such group")
	c.refused("restartFrame", dict{"frameId": 0}, "no such frame")
	c.refused("goto", dict{"threadId": 1, "targetId": huge}, "no such target")
	c.refused("source", dict{"sourceReference": huge}, "no such source")
	c.refused("source", dict{"source": dict{"path": "/etc/passwd"}}, "no such source")
	c.refused("disassemble", dict{"memoryReference": "0x", "instructionCount": 1}, "not an address")
	c.refused("disassemble", dict{"memoryReference": "0x100000000", "instructionCount": huge}, "instructionCount")
	c.refused("disassemble", dict{"memoryReference": "0x100000000", "instructionCount": 1, "instructionOffset": huge}, "too large")
	c.refused("next", dict{"threadId": 1, "granularity": "year"}, "granularity")
	c.refused("next", dict{"threadId": "one"}, "arguments of next")
	c.refused("exceptionInfo", dict{"threadId": 1}, "nothing fails")
	c.refused("setBreakpoints", dict{"breakpoints": []dict{{"line": 1}}}, "path")
	c.refused("setBreakpoints", dict{"source": dict{"path": "/x.sol"}, "breakpoints": make([]dict, 2000)}, "more than 1000")
	c.refused("evaluate", dict{"expression": strings.Repeat("(", 100000)}, "longer than")
	c.refused("evaluate", dict{"expression": "owed[", "frameId": 0}, "not an expression")
	c.refused("evaluate", dict{"expression": "owed", "frameId": huge}, "no such frame")
	c.refused("evaluate", dict{"expression": `"a" - 1`}, "not defined")
	c.ask("stackTrace", dict{"threadId": 1, "startFrame": -5, "levels": huge})
	c.ask("setBreakpoints", dict{"source": dict{"path": "/etc/passwd"}, "breakpoints": []dict{{"line": -huge}, {"line": huge}}})
	c.ask("breakpointLocations", dict{"source": dict{"path": filepath.Join(h.folder, "Auction.sol")}, "line": -huge, "endLine": huge})
	c.ask("gotoTargets", dict{"source": dict{"path": ""}, "line": huge})
	answers := c.ask("setDataBreakpoints", dict{"breakpoints": []dict{{"dataId": "storage:00:00"}, {"dataId": strings.Repeat(":", 1000)}}})["breakpoints"].([]any)
	for _, b := range answers {
		if b.(dict)["verified"] != false {
			t.Errorf("breakpoint of a wrong id: %v", b)
		}
	}
	answers = c.ask("setExceptionBreakpoints", dict{"filters": []string{"weather"}})["breakpoints"].([]any)
	if answers[0].(dict)["verified"] != false {
		t.Errorf("a filter that does not exist: %v", answers)
	}
	stale := c.stack()[0]["id"]
	c.move("next", dict{})
	c.refused("scopes", dict{"frameId": stale}, "no such frame")
	c.write("not JSON")
	if m := c.response(0); m["success"] != false {
		t.Errorf("not JSON: %v", m)
	}
	c.value("owed") // it still answers
	fmt.Fprint(c.to, "POST / HTTP/1.1\r\n\r\n")
	if code := ended(); code != exitFailed {
		t.Errorf("after a frame of another protocol the exit code is %d", code)
	}
}

// With --listen, clients come one after another; other addresses than loopback are
// refused.
func TestDebugListen(t *testing.T) {
	h := newDebugHome(t)
	if out, err := h.command("dap", "--listen", "0.0.0.0:0").CombinedOutput(); err == nil || !strings.Contains(string(out), "not a loopback address") {
		t.Errorf("0.0.0.0: %v %s", err, out)
	}
	cmd := h.command("dap", "--listen", "127.0.0.1:0")
	pipe, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	line, err := bufio.NewReader(pipe).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address := strings.TrimSpace(strings.TrimPrefix(line, "Listening at "))
	for range 2 {
		conn, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		c := &debugClient{t: t, to: conn, from: bufio.NewReader(conn)}
		c.launch(dict{"finding": h.id, "stopOnEntry": true})
		conn.Close() // the next client is served nevertheless
	}
}
