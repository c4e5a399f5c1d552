package dap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"leveret/dap/daptest"
)

// at is where a session stands: the number of the transaction, and the names of the
// functions with their lines, the innermost first.
func at(c *daptest.Client) string {
	thread := daptest.List(c.Ask("threads", nil), "threads")[0]["name"].(string)
	var frames []string
	for _, f := range c.Stack() {
		frames = append(frames, fmt.Sprintf("%v:%v", f["name"], f["line"]))
	}
	return thread[:1] + " " + strings.Join(frames, " < ")
}

// Each move leads where a reader of the source expects, across functions, contracts and
// transactions.
func TestMoves(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	frame := func(i int) any { return c.Stack()[i]["id"] }
	for _, step := range []struct {
		move      string
		arguments dict
		want      string
	}{
		{"next", dict{}, "1 Ledger.pay:43"},
		{"stepIn", dict{}, "1 Fees.feeOf:6 < Ledger.pay:43"},
		{"stepOut", dict{}, "1 Ledger.pay:43"},
		{"next", dict{}, "1 Ledger.pay:44"},
		{"stepIn", dict{}, "1 Token.move:18 < Ledger.pay:44"},
		{"next", dict{"granularity": "line"}, "1 Token.move:19 < Ledger.pay:44"},
		{"stepBack", dict{}, "1 Token.move:18 < Ledger.pay:44"},
		{"stepBack", dict{}, "1 Ledger.pay:44"},
		{"stepBack", dict{}, "1 Ledger.pay:43"}, // over feeOf
		{"stepBack", dict{}, "1 Ledger.pay:38"},
		{"stepBack", dict{}, "1 Ledger.pay:38"}, // the beginning
		{"reverseContinue", dict{}, "1 Ledger.pay:38"},
	} {
		if c.Move(step.move, step.arguments); at(c) != step.want {
			t.Fatalf("%s leads to %s, want %s", step.move, at(c), step.want)
		}
	}
	c.Ask("setFunctionBreakpoints", dict{"breakpoints": []dict{{"name": "move"}}})
	for _, want := range []string{
		"1 Token.move:18 < Ledger.pay:44", "3 Token.move:18 < Ledger.tryPay:48", "4 Token.move:18 < Ledger.pay:44",
	} {
		if stop := c.Move("continue", dict{}); stop["reason"] != "function breakpoint" || at(c) != want {
			t.Fatalf("%v at %s, want %s", stop, at(c), want)
		}
	}
	c.Move("restartFrame", dict{"frameId": frame(1)})
	if at(c) != "4 Ledger.pay:38" {
		t.Errorf("restartFrame leads to %s", at(c))
	}
	// A step over calls stops at breakpoints in them, in both directions.
	c.Move("next", dict{})
	c.Move("next", dict{})
	if stop := c.Move("next", dict{}); stop["reason"] != "function breakpoint" || at(c) != "4 Token.move:18 < Ledger.pay:44" {
		t.Errorf("%v at %s", stop, at(c))
	}
	c.Move("stepOut", dict{})
	if at(c) != "4 Ledger.pay:44" {
		t.Errorf("stepOut leads to %s", at(c))
	}
	c.Move("stepOut", dict{}) // of the transaction
	if at(c) != "5 Ledger.enter:65" {
		t.Errorf("stepOut of the last statement leads to %s", at(c))
	}
	if stop := c.Move("stepBack", dict{}); stop["reason"] != "function breakpoint" || at(c) != "4 Token.move:18 < Ledger.pay:44" {
		t.Errorf("%v at %s", stop, at(c))
	}
	c.Ask("setFunctionBreakpoints", dict{"breakpoints": []dict{}})
	if stop := c.Move("continue", dict{}); stop["description"] != atEnd || at(c) != "6 Ledger.check:70" {
		t.Errorf("%v at %s", stop, at(c))
	}
	for _, move := range []string{"next", "stepIn", "stepOut"} {
		if stop := c.Move(move, dict{}); stop["reason"] != "pause" || stop["description"] != atEnd {
			t.Errorf("%s at the end: %v", move, stop)
		}
	}
	if stop := c.Move("reverseContinue", dict{}); stop["description"] != atBegin || at(c) != "1 Ledger.pay:38" {
		t.Errorf("%v at %s", stop, at(c))
	}
	// The beginning of a transaction.
	targets := daptest.List(c.Ask("gotoTargets", dict{"source": dict{"path": l.path}, "line": 57}), "targets")
	if len(targets) != 5+6 || targets[2]["label"] != "pass 3 of 5, in transaction 2" || !strings.HasPrefix(targets[7]["label"].(string), "beginning of transaction 3: user1 calls Ledger.tryPay(") {
		t.Fatalf("targets: %v", targets)
	}
	for i, want := range map[int]string{2: "2 Ledger.sum:57", 7: "3 Ledger.tryPay:48", 10: "6 Ledger.check:70"} {
		if stop := c.Move("goto", dict{"targetId": targets[i]["id"]}); stop["reason"] != "goto" || at(c) != want {
			t.Errorf("target %d: %v at %s, want %s", i, stop, at(c), want)
		}
	}
}

// A breakpoint on a variable stops where it changes, in both directions, and not where
// another one in the same word does.
func TestDataBreakpoints(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	c.Move("continue", dict{})
	watch := func(names ...string) {
		t.Helper()
		var list []dict
		for _, name := range names {
			info := c.Ask("dataBreakpointInfo", dict{"name": name})
			if info["dataId"] == nil {
				t.Fatalf("%s: %v", name, info)
			}
			list = append(list, dict{"dataId": info["dataId"], "accessType": "write"})
		}
		for _, b := range daptest.List(c.Ask("setDataBreakpoints", dict{"breakpoints": list}), "breakpoints") {
			if b["verified"] != true {
				t.Fatalf("%v", b)
			}
		}
	}
	stops := func(move string, want ...string) {
		t.Helper()
		for _, w := range want {
			stop := c.Move(move, dict{})
			reason, _ := stop["description"].(string)
			if got := at(c) + ", " + reason; got != w {
				t.Fatalf("%s: %s, want %s", move, got, w)
			}
		}
	}
	watch("moved")
	stops("reverseContinue", "4 Ledger.pay:38, moved is about to change", "1 Ledger.pay:38, moved is about to change", "1 Ledger.pay:38, "+atBegin)
	stops("continue", "1 Ledger.pay:38, moved is about to change")
	if before := c.Value("moved"); before != "0" {
		t.Errorf("moved is %v before it changes", before)
	}
	c.Move("stepIn", dict{"granularity": "instruction"})
	if after := c.Value("moved"); after != "1" {
		t.Errorf("moved is %v after it changes", after)
	}
	watch("last")
	stops("continue", "5 Ledger.enter:66, last is about to change")
	watch("open")
	stops("reverseContinue", "5 Ledger.enter:65, open is about to change")
	for name, says := range map[string]string{"nothing": "no value", "msg.sender": "not in one word of storage", "1 +": "not an expression"} {
		if info := c.Ask("dataBreakpointInfo", dict{"name": name}); info["dataId"] != nil || !strings.Contains(info["description"].(string), says) {
			t.Errorf("%s: %v", name, info)
		}
	}
	id := c.Ask("dataBreakpointInfo", dict{"name": "total"})["dataId"]
	for _, wrong := range []struct {
		breakpoint dict
		says       string
	}{
		{dict{"dataId": id, "accessType": "read"}, "only changes stop"},
		{dict{"dataId": "total"}, "not an id of dataBreakpointInfo"},
		{dict{"dataId": id, "hitCondition": "often"}, `hit count "often" is not a number`},
		{dict{"dataId": id, "condition": "total =="}, "not an expression"},
	} {
		b := daptest.List(c.Ask("setDataBreakpoints", dict{"breakpoints": []dict{wrong.breakpoint}}), "breakpoints")[0]
		if message, _ := b["message"].(string); b["verified"] != false || !strings.Contains(message, wrong.says) {
			t.Errorf("%v: %v", wrong.breakpoint, b)
		}
	}
}

// Exceptions stop where they begin, and the finding where it shows.
func TestExceptionBreakpoints(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	for _, filter := range []struct {
		name string
		want []string
	}{
		{"revert", []string{"3 Token.move:18 < Ledger.tryPay:48", "6 Ledger.check:70"}},
		{"panic", []string{"6 Ledger.check:70"}},
		{"halt", nil},
		{"finding", []string{"6 Ledger.check:70"}},
	} {
		c.Ask("setExceptionBreakpoints", dict{"filters": []string{filter.name}})
		var have []string
		for {
			stop := c.Move("continue", dict{})
			if stop["reason"] != "exception" {
				break
			}
			have = append(have, at(c))
			if info := c.Ask("exceptionInfo", dict{"threadId": 1}); info["exceptionId"] == nil || stop["description"] == nil {
				t.Errorf("%v: %v", stop, info)
			}
		}
		if !slices.Equal(have, filter.want) {
			t.Errorf("%s stops at %v, want %v", filter.name, have, filter.want)
		}
		c.Ask("setExceptionBreakpoints", dict{"filters": []string{}})
		c.Move("reverseContinue", dict{})
	}
	c.Refused("exceptionInfo", dict{"threadId": 1}, "nothing fails at this position")
	c.Refused("exceptionInfo", dict{"threadId": 2}, "there is no thread 2")
}

// Breakpoints of lines have conditions, counts and messages, which a step shows too.
func TestLineBreakpoints(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	set := func(list ...dict) []dict {
		return daptest.List(c.Ask("setBreakpoints", dict{"source": dict{"path": l.path}, "breakpoints": list}), "breakpoints")
	}
	set(dict{"line": 57, "condition": "total >= 3", "hitCondition": ">= 2"})
	for _, want := range []string{"6", "10"} {
		if stop := c.Move("continue", dict{}); stop["reason"] != "breakpoint" || c.Value("total") != want {
			t.Errorf("%v: total is %v, want %s", stop, c.Value("total"), want)
		}
	}
	c.Move("reverseContinue", dict{})
	if v := c.Value("total"); v != "6" {
		t.Errorf("total is %v", v)
	}
	c.Move("reverseContinue", dict{})
	c.Output()
	set(dict{"line": 57, "logMessage": "total is {total}, {nothing}, {{"}, dict{"line": 48})
	c.Move("continue", dict{})
	want := []string{"total is 0, {nothing}, {{\n", "total is 1, {nothing}, {{\n", "total is 3, {nothing}, {{\n", "total is 6, {nothing}, {{\n", "total is 10, {nothing}, {{\n"}
	if have := c.Output(); !slices.Equal(have, want) || at(c) != "3 Ledger.tryPay:48" {
		t.Errorf("messages %q at %s", have, at(c))
	}
	if stop := c.Move("stepOut", dict{}); at(c) != "4 Ledger.pay:38" {
		t.Errorf("%v at %s", stop, at(c))
	}
	for i, says := range []string{"hit count", "not an expression", "no statement is at or after", "longer than 1000"} {
		b := set(dict{"line": 57, "hitCondition": "x"}, dict{"line": 57, "condition": "total +"}, dict{"line": 100}, dict{"line": 57, "logMessage": strings.Repeat("x", 1001)})[i]
		if message, _ := b["message"].(string); b["verified"] != false || !strings.Contains(message, says) {
			t.Errorf("%v, want %q", b, says)
		}
	}
	other := daptest.List(c.Ask("setBreakpoints", dict{"source": dict{"path": "/src/Other.sol"}, "breakpoints": []dict{{"line": 1}}}), "breakpoints")[0]
	if other["verified"] != false || other["message"] != "Other.sol has no code of the contracts that are debugged" {
		t.Errorf("%v", other)
	}
	all := daptest.List(c.Ask("breakpointLocations", dict{"source": dict{"path": l.path}, "line": 1, "endLine": 100}), "breakpoints")
	var lines []float64
	for _, b := range all {
		lines = append(lines, b["line"].(float64))
	}
	if want := []float64{6, 14, 18, 19, 20, 21, 33, 34, 38, 39, 43, 44, 48, 49, 51, 56, 57, 65, 66, 70}; !slices.Equal(lines, want) {
		t.Errorf("locations: %v, want %v", lines, want)
	}
}

// Instructions have addresses, which the disassembly shows and breakpoints take.
func TestInstructionBreakpoints(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	reference := c.Stack()[0]["instructionPointerReference"]
	code := daptest.List(c.Ask("disassemble", dict{"memoryReference": reference, "instructionOffset": -3, "instructionCount": 400}), "instructions")
	if len(code) != 400 || code[3]["address"] != reference || code[3]["line"] != 38.0 {
		t.Fatalf("disassembly: %v", code[:5])
	}
	store := slices.IndexFunc(code, func(i dict) bool { return i["instruction"] == "SSTORE" })
	answers := daptest.List(c.Ask("setInstructionBreakpoints", dict{"breakpoints": []dict{
		{"instructionReference": code[store]["address"]},
		{"instructionReference": code[store-1]["address"], "offset": 1, "condition": "moved == 1"},
		{"instructionReference": reference, "offset": 1 << 20},
		{"instructionReference": "0x7"},
		{"instructionReference": reference, "hitCondition": "x"},
	}}), "breakpoints")
	for i, says := range []string{"", "", "no instruction begins", "not an address of the recording", "hit count"} {
		message, _ := answers[i]["message"].(string)
		if answers[i]["verified"] != (says == "") || !strings.Contains(message, says) {
			t.Errorf("breakpoint %d: %v", i, answers[i])
		}
	}
	for _, move := range []string{"continue", "continue", "reverseContinue"} {
		stop := c.Move(move, dict{})
		if stop["reason"] != "instruction breakpoint" || c.Stack()[0]["instructionPointerReference"] != code[store]["address"] {
			t.Errorf("%s: %v at %s", move, stop, at(c))
		}
	}
	if at(c) != "1 Ledger.pay:38" {
		t.Errorf("stopped at %s", at(c))
	}
	c.Move("stepIn", dict{"granularity": "instruction"})
	if now := c.Stack()[0]["instructionPointerReference"]; now != code[store+1]["address"] {
		t.Errorf("an instruction further is %v, want %v", now, code[store+1]["address"])
	}
	c.Move("stepBack", dict{"granularity": "instruction"})
	if now := c.Stack()[0]["instructionPointerReference"]; now != code[store]["address"] {
		t.Errorf("an instruction back is %v, want %v", now, code[store]["address"])
	}
	for _, wrong := range []dict{{"memoryReference": "x", "instructionCount": 1}, {"memoryReference": reference, "instructionCount": -1}, {"memoryReference": reference, "instructionCount": 1, "offset": 1 << 40}} {
		if m := c.Send("disassemble", wrong); m["success"] != false {
			t.Errorf("%v: %v", wrong, m)
		}
	}
	outside := daptest.List(c.Ask("disassemble", dict{"memoryReference": reference, "instructionOffset": -100_000, "instructionCount": 2}), "instructions")
	if len(outside) != 2 || outside[0]["instruction"] != "(no code)" || outside[0]["address"] == outside[1]["address"] {
		t.Errorf("before the code: %v", outside)
	}
}
