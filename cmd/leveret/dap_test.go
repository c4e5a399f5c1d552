package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"leveret/dap/daptest"
	"leveret/solc/solctest"
)

// A dict is an object of the protocol.
type dict = daptest.Dict

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
func (h *debugHome) start(t *testing.T, args ...string) (c *daptest.Client, closeIn func() error, ended func() int) {
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
	return daptest.New(t, in, out), in.Close, func() int {
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		return cmd.ProcessState.ExitCode()
	}
}

// A session through every request: to the finding, backwards, and along breakpoints of
// every kind.
func TestDebugFinding(t *testing.T) {
	h := newDebugHome(t)
	c, _, ended := h.start(t)
	path := filepath.Join(h.folder, "Auction.sol")
	stop := c.Launch(dict{"finding": h.id}, func() {
		b := c.Ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}})["breakpoints"].([]any)[0].(dict)
		if b["verified"] != true {
			t.Errorf("the finding: %v", b)
		}
	})
	if stop["reason"] != "exception" || stop["description"] == nil || stop["text"] != "Panic(0x01): an assertion does not hold" {
		t.Errorf("stopped: %v", stop)
	}
	frames := c.At("the finding", 49)
	info := c.Ask("exceptionInfo", dict{"threadId": 1})
	if info["exceptionId"] != "panic" || info["breakMode"] != "always" {
		t.Errorf("exceptionInfo: %v", info)
	}
	threads := c.Ask("threads", nil)["threads"].([]any)
	if name := threads[0].(dict)["name"].(string); len(threads) != 1 || !strings.HasPrefix(name, "3 of 3: deployer calls Auction.close()") {
		t.Errorf("threads: %v", threads)
	}
	if v := c.Value("closed && address(this).balance < owed"); v != "true" {
		t.Errorf("the assertion is not shown to fail: %v", v)
	}

	scopes := c.Ask("scopes", dict{"frameId": frames[0]["id"]})["scopes"].([]any)
	names := map[string]int{}
	for _, s := range scopes {
		names[s.(dict)["name"].(string)] = int(s.(dict)["variablesReference"].(float64))
	}
	variables := func(group int) map[string]dict {
		t.Helper()
		list := map[string]dict{}
		for _, v := range c.Ask("variables", dict{"variablesReference": group})["variables"].([]any) {
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
	c.Move("stepBack", dict{})
	c.At("before the assertion", 49)
	c.Move("stepBack", dict{})
	c.At("before the transfer", 48)
	if v := c.Value("closed"); v != "true" {
		t.Errorf("closed is %v", v)
	}
	c.Move("stepBack", dict{"granularity": "line"})
	c.At("before closed = true", 47)
	if v := c.Value("closed"); v != "false" {
		t.Errorf("closed is %v", v)
	}

	// A data breakpoint, backwards: who changed owed?
	data := c.Ask("dataBreakpointInfo", dict{"name": "owed"})
	if data["dataId"] == nil {
		t.Fatalf("dataBreakpointInfo: %v", data)
	}
	set := c.Ask("setDataBreakpoints", dict{"breakpoints": []dict{{"dataId": data["dataId"], "accessType": "write"}}})["breakpoints"].([]any)[0].(dict)
	if set["verified"] != true {
		t.Errorf("setDataBreakpoints: %v", set)
	}
	if stop := c.Move("reverseContinue", dict{}); stop["reason"] != "data breakpoint" || stop["hitBreakpointIds"].([]any)[0] != set["id"] {
		t.Errorf("stopped: %v", stop)
	}
	frames = c.At("owed changes in a function of cancel", 55, 34)
	if frames[0]["name"] != "Auction._refundLeader" || frames[1]["name"] != "Auction.cancel" {
		t.Errorf("frames: %v", frames)
	}
	if v := c.Value("owed"); v != "0" {
		t.Errorf("owed is %v", v)
	}
	c.Move("stepOut", dict{})
	c.At("in cancel", 34)
	c.Move("next", dict{})
	c.At("behind the call", 35)
	frames = c.Stack()
	c.Move("restartFrame", dict{"frameId": frames[0]["id"]})
	c.At("the modifier of cancel", 20)
	c.Ask("setDataBreakpoints", dict{"breakpoints": []dict{}})

	// Breakpoints of other kinds.
	lines := c.Ask("setBreakpoints", dict{"source": dict{"path": path}, "breakpoints": []dict{
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
	if stop := c.Move("reverseContinue", dict{}); stop["reason"] != "breakpoint" {
		t.Errorf("stopped: %v", stop)
	}
	c.At("the bid", 25)
	locations := c.Ask("breakpointLocations", dict{"source": dict{"path": path}, "line": 23, "endLine": 28})["breakpoints"].([]any)
	if len(locations) != 4 {
		t.Errorf("breakpointLocations: %v", locations)
	}
	c.Ask("setFunctionBreakpoints", dict{"breakpoints": []dict{{"name": "Auction.close"}, {"name": "nothing"}}})
	if stop := c.Move("continue", dict{}); stop["reason"] != "function breakpoint" {
		t.Errorf("stopped: %v", stop)
	}
	c.At("the modifier of close", 20)
	if out := c.Event("output"); !strings.HasPrefix(out["output"].(string), "SWC-110") {
		t.Errorf("first output: %v", out)
	}
	for out := ""; !strings.HasPrefix(out, "bid of "); {
		out = c.Event("output")["output"].(string)
	}

	// Instructions.
	frames = c.Stack()
	reference := frames[0]["instructionPointerReference"]
	code := c.Ask("disassemble", dict{"memoryReference": reference, "instructionOffset": -5, "instructionCount": 10})["instructions"].([]any)
	if len(code) != 10 || code[5].(dict)["address"] != reference || code[5].(dict)["line"] != 20.0 {
		t.Errorf("disassemble: %v", code)
	}
	for _, move := range []string{"stepIn", "next"} {
		c.Move(move, dict{"granularity": "instruction"})
		if now := c.Stack()[0]["instructionPointerReference"]; now == reference {
			t.Errorf("%s by an instruction does not move", move)
		}
		c.Move("stepBack", dict{"granularity": "instruction"})
		if now := c.Stack()[0]["instructionPointerReference"]; now != reference {
			t.Errorf("back from %s at %v, want %v", move, now, reference)
		}
	}

	// Places in other transactions.
	targets := c.Ask("gotoTargets", dict{"source": dict{"path": path}, "line": 27})["targets"].([]any)
	if len(targets) != 4 {
		t.Fatalf("gotoTargets: %v", targets)
	}
	c.Ask("goto", dict{"threadId": 1, "targetId": targets[2].(dict)["id"]})
	if stop := c.Event("stopped"); stop["reason"] != "goto" {
		t.Errorf("stopped: %v", stop)
	}
	c.At("the beginning of the second transaction", 20)
	c.Ask("pause", dict{"threadId": 1})
	if text := c.Ask("source", dict{"source": dict{"path": path}, "sourceReference": 0})["content"].(string); !strings.Contains(text, "contract Auction") {
		t.Errorf("source: %.100s", text)
	}
	c.Ask("setFunctionBreakpoints", dict{"breakpoints": []dict{}})
	c.Ask("setExceptionBreakpoints", dict{"filters": []string{}, "filterOptions": []dict{{"filterId": "panic", "condition": "closed"}}})
	c.Move("continue", dict{})
	c.At("the panic", 49)
	if stop := c.Move("continue", dict{}); stop["description"] != "End of the recording" {
		t.Errorf("stopped: %v", stop)
	}
	c.Ask("terminate", dict{})
	c.Event("terminated")
	c.Ask("disconnect", dict{})
	if code := ended(); code != exitClean {
		t.Errorf("exit code %d", code)
	}
}

// A test is debugged from its setUp on; lines may start at 0.
func TestDebugSolidityTest(t *testing.T) {
	h := newDebugHome(t)
	c, closeIn, ended := h.start(t)
	c.Ask("initialize", dict{"adapterID": "leveret", "linesStartAt1": false, "columnsStartAt1": false})
	c.Refused("launch", dict{"test": "AuctionTest.testNothing"}, "has no test AuctionTest.testNothing")
	c.Event("terminated")
	c.Ask("launch", dict{"test": "AuctionTest.testHighestBidLeads", "stopOnEntry": true})
	c.Event("initialized")
	c.Ask("configurationDone", nil)
	if stop := c.Event("stopped"); stop["reason"] != "entry" {
		t.Errorf("stopped: %v", stop)
	}
	c.At("setUp", 40)
	c.Move("next", dict{})
	c.At("over the constructor", 41)
	c.Ask("setFunctionBreakpoints", dict{"breakpoints": []dict{{"name": "Auction.bid", "hitCondition": "2"}}})
	c.Move("continue", dict{})
	if frames := c.At("the second bid", 19, 26, 48); frames[2]["name"] != "AuctionTest.testHighestBidLeads" {
		t.Errorf("frames: %v", frames)
	}
	if v := c.Value("highest"); v != "10" {
		t.Errorf("highest is %v", v)
	}
	closeIn() // the client leaves
	if code := ended(); code != exitClean {
		t.Errorf("exit code %d", code)
	}
}

// A file with transactions is debugged on the contract that it deploys, or that is named.
func TestDebugSequence(t *testing.T) {
	h := newDebugHome(t)
	text, err := os.ReadFile(filepath.Join(h.folder, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	address := regexp.MustCompile(`"address": "(0x[0-9a-fA-F]{40})"`).FindStringSubmatch(string(text))[1]
	deploy := "deploy Auction constructor()() at " + address + ` file="Auction.sol"` + "\n"
	calls := "deployer Auction.bid()() value=1\ndeployer Auction.cancel()()\ndeployer Auction.close()()\n"
	for name, content := range map[string]string{
		"own.txt":    "leveret input v1\n" + deploy + calls,
		"bare.txt":   "leveret input v1\n" + calls,
		"empty.txt":  "leveret input v1\n",
		"gone.txt":   "leveret input v1\n" + deploy + "deployer Auction.gone()()\n",
		"two.corpus": "leveret corpus v1\n---\nleveret input v1\n" + deploy + calls + "---\nleveret input v1\n" + deploy + "user1 Auction.bid()() value=7\n",
		"medusa.json": `[{"call": {"from": "0x0000000000000000000000000000000000030000", "to": "0x00000000000000000000000000000000000000aa", "value": "0x1",
			"data": "0x1998aeef"}, "blockNumberDelay": 0, "blockTimestampDelay": 0}]`,
		"other.json": `{"a": 1}`,
		"Two.sol":    "pragma solidity ^0.8.0; contract A { function f() public {} } contract B { function f() public {} }",
	} {
		solctest.WriteIn(t, h.folder, name, content)
	}
	c, _, ended := h.start(t)
	c.Ask("initialize", dict{})
	for _, wrong := range []struct {
		arguments dict
		says      string
	}{
		{dict{"sequence": "missing.txt"}, "cannot read missing.txt: no such file or directory"},
		{dict{"sequence": "empty.txt"}, "empty.txt has no transactions"},
		{dict{"sequence": "bare.txt"}, "bare.txt: line 2"},
		{dict{"sequence": "gone.txt", "path": "Auction.sol"}, "no longer has"},
		{dict{"sequence": "other.json"}, "other.json: not an input of Leveret, and neither a sequence of Echidna or Medusa"},
		{dict{"sequence": "own.txt", "input": "3"}, "own.txt has one sequence"},
		{dict{"sequence": "two.corpus"}, `two.corpus has 2 inputs; choose one with "input"`},
		{dict{"sequence": "two.corpus", "input": "3"}, `two.corpus has no input "3"`},
		{dict{"sequence": "own.txt", "path": "nowhere"}, "nowhere"},
		{dict{"sequence": "own.txt", "path": "Auction.sol", "contract": "Other"}, "Other: no such contract; the contracts are Auction"},
		{dict{"sequence": "medusa.json", "path": "Two.sol"}, `Two.sol has several contracts that can run medusa.json, such as A and B; name one with "contract"`},
		{dict{"sequence": "medusa.json", "path": "Two.sol", "contract": "B"}, "medusa.json does not fit B"},
	} {
		c.Refused("launch", wrong.arguments, wrong.says)
	}
	c.Ask("launch", dict{"sequence": "own.txt", "path": "Auction.sol"})
	c.Event("initialized")
	c.Ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}})
	c.Ask("configurationDone", nil)
	c.Event("stopped")
	c.At("the assertion", 49)
	c.Ask("disconnect", nil)
	if code := ended(); code != exitClean {
		t.Errorf("exit code %d", code)
	}
	for _, one := range []struct {
		arguments dict
		lines     []float64
	}{
		{dict{"sequence": "two.corpus", "input": "2", "path": "Auction.sol", "stopOnEntry": true}, []float64{20}},
		{dict{"sequence": "medusa.json", "path": "Auction.sol", "stopOnEntry": true}, []float64{20}},
	} {
		c, closeIn, ended := h.start(t)
		c.Launch(one.arguments)
		c.At("the beginning", one.lines...)
		if v := c.Value("msg.value"); v != "7" && v != "1" {
			t.Errorf("msg.value is %v", v)
		}
		closeIn()
		ended()
	}
}

// Wrong order, wrong types and huge numbers are answered with errors, and the session
// goes on.
func TestDebugHostile(t *testing.T) {
	h := newDebugHome(t)
	c, _, ended := h.start(t)
	c.Refused("launch", dict{"finding": h.id}, "launch comes before initialize")
	c.Refused("threads", dict{}, "threads comes before initialize")
	c.Refused("initialize", dict{"pathFormat": "uri"}, "path format")
	c.Refused("initialize", dict{"linesStartAt1": "yes"}, "arguments of initialize")
	c.Ask("initialize", dict{})
	c.Refused("initialize", dict{}, "already")
	c.Refused("continue", dict{"threadId": 1}, "continue comes before launch")
	c.Refused("attach", dict{}, "launch")
	c.Refused("nonsense", dict{}, `the request "nonsense" is not supported`)
	c.Refused("launch", []int{1}, "arguments of launch")
	c.Refused("launch", dict{}, "launch needs one of")
	c.Refused("launch", dict{"finding": 7}, "arguments of launch")
	c.Refused("launch", dict{"finding": "a", "test": "b"}, "launch needs one of")
	c.Refused("launch", dict{"test": "noDot"}, "is no test")
	c.Refused("launch", dict{"finding": "SWC-110:Auction:ffff"}, "SWC-110:Auction:ffff")
	c.Refused("launch", dict{"report": "missing.json"}, "cannot read missing.json")
	c.Refused("launch", dict{"report": "Auction.sol"}, "not a Leveret JSON report")
	for _, text := range []string{"[]", "7", "null", `{"type":"event"}`, `{"type":"response","request_seq":1}`} {
		c.Write(text) // no requests
		if text[0] == '[' || text[0] == '7' {
			if m := c.Response(0); m["success"] != false {
				t.Errorf("%s: %v", text, m)
			}
		}
	}
	c.Ask("launch", dict{"report": "report.json", "stopOnEntry": true})
	c.Refused("launch", dict{"report": "report.json"}, "launched already")
	c.Ask("configurationDone", nil)
	c.Event("stopped")
	c.Refused("configurationDone", nil, "already")
	huge := 1 << 62
	c.Refused("stackTrace", dict{"threadId": 2}, "no thread 2")
	c.Refused("scopes", dict{"frameId": huge}, "no such frame")
	c.Refused("variables", dict{"variablesReference": -1}, "no such group")
	c.Refused("restartFrame", dict{"frameId": 0}, "no such frame")
	c.Refused("goto", dict{"threadId": 1, "targetId": huge}, "no such target")
	c.Refused("source", dict{"sourceReference": huge}, "no such source")
	c.Refused("source", dict{"source": dict{"path": "/etc/passwd"}}, "no such source")
	c.Refused("disassemble", dict{"memoryReference": "0x", "instructionCount": 1}, "not an address")
	c.Refused("disassemble", dict{"memoryReference": "0x100000000", "instructionCount": huge}, "instructionCount")
	c.Refused("disassemble", dict{"memoryReference": "0x100000000", "instructionCount": 1, "instructionOffset": huge}, "too large")
	c.Refused("next", dict{"threadId": 1, "granularity": "year"}, "granularity")
	c.Refused("next", dict{"threadId": "one"}, "arguments of next")
	c.Refused("exceptionInfo", dict{"threadId": 1}, "nothing fails")
	c.Refused("setBreakpoints", dict{"breakpoints": []dict{{"line": 1}}}, "path")
	c.Refused("setBreakpoints", dict{"source": dict{"path": "/x.sol"}, "breakpoints": make([]dict, 2000)}, "more than 1000")
	c.Refused("evaluate", dict{"expression": strings.Repeat("(", 100000)}, "longer than")
	c.Refused("evaluate", dict{"expression": "owed[", "frameId": 0}, "not an expression")
	c.Refused("evaluate", dict{"expression": "owed", "frameId": huge}, "no such frame")
	c.Refused("evaluate", dict{"expression": `"a" - 1`}, "not defined")
	c.Refused("setVariable", dict{"variablesReference": huge, "name": "owed", "value": "1"}, "no such group")
	c.Refused("setExpression", dict{"expression": "owed", "value": strings.Repeat("9", 900)}, "is no value of uint256")
	c.Refused("setExpression", dict{"expression": "owed", "value": "1", "frameId": huge}, "no such frame")
	c.Refused("setExpression", dict{"expression": "msg.data", "value": "1"}, "cannot be set")
	c.Ask("stackTrace", dict{"threadId": 1, "startFrame": -5, "levels": huge})
	c.Ask("setBreakpoints", dict{"source": dict{"path": "/etc/passwd"}, "breakpoints": []dict{{"line": -huge}, {"line": huge}}})
	c.Ask("breakpointLocations", dict{"source": dict{"path": filepath.Join(h.folder, "Auction.sol")}, "line": -huge, "endLine": huge})
	c.Ask("gotoTargets", dict{"source": dict{"path": ""}, "line": huge})
	answers := c.Ask("setDataBreakpoints", dict{"breakpoints": []dict{{"dataId": "storage:00:00"}, {"dataId": strings.Repeat(":", 1000)}}})["breakpoints"].([]any)
	for _, b := range answers {
		if b.(dict)["verified"] != false {
			t.Errorf("breakpoint of a wrong id: %v", b)
		}
	}
	answers = c.Ask("setExceptionBreakpoints", dict{"filters": []string{"weather"}})["breakpoints"].([]any)
	if answers[0].(dict)["verified"] != false {
		t.Errorf("a filter that does not exist: %v", answers)
	}
	stale := c.Stack()[0]["id"]
	c.Move("next", dict{})
	c.Refused("scopes", dict{"frameId": stale}, "no such frame")
	c.Write("not JSON")
	if m := c.Response(0); m["success"] != false {
		t.Errorf("not JSON: %v", m)
	}
	c.Value("owed") // it still answers
	c.WriteRaw("POST / HTTP/1.1\r\n\r\n")
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
		c := daptest.New(t, conn, conn)
		c.Launch(dict{"finding": h.id, "stopOnEntry": true})
		conn.Close() // the next client is served nevertheless
	}
}
