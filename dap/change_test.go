package dap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"leveret/dap/daptest"
)

// scope returns the number of the variables in a scope of the innermost frame.
func scope(c *daptest.Client, name string) any {
	frame := c.Stack()[0]["id"]
	for _, s := range daptest.List(c.Ask("scopes", dict{"frameId": frame}), "scopes") {
		if s["name"] == name {
			return s["variablesReference"]
		}
	}
	return nil
}

// shown returns the values of a group by name.
func shown(c *daptest.Client, group any) map[string]string {
	values := map[string]string{}
	for _, v := range daptest.List(c.Ask("variables", dict{"variablesReference": group}), "variables") {
		values[v["name"].(string)] = v["value"].(string)
	}
	return values
}

// A variable that is set has consequences forwards; what was before remains, and so does
// the recording.
func TestSetVariable(t *testing.T) {
	l := newLedger(t)
	c, _ := l.serve(t)
	c.Ask("initialize", dict{"supportsInvalidatedEvent": true})
	c.Ask("launch", dict{"finding": "ledger", "stopOnEntry": true})
	c.Event("initialized")
	c.Ask("setExceptionBreakpoints", dict{"filters": []string{"finding"}})
	c.Ask("setFunctionBreakpoints", dict{"breakpoints": []dict{{"name": "Fees.feeOf"}}})
	line := daptest.List(c.Ask("setBreakpoints", dict{"source": dict{"path": l.path}, "breakpoints": []dict{{"line": 51}}}), "breakpoints")[0]
	c.Ask("configurationDone", nil)
	c.Event("stopped")
	c.Move("continue", dict{}) // in feeOf
	c.Output()
	locals, state := scope(c, "Locals"), scope(c, "State")
	set := c.Ask("setVariable", dict{"variablesReference": locals, "name": "amount", "value": "amount * 2"})
	if set["value"] != "400" || set["type"] != "uint256" {
		t.Errorf("set: %v", set)
	}
	if areas := c.Event("invalidated")["areas"]; fmt.Sprint(areas) != "[all]" {
		t.Errorf("invalidated: %v", areas)
	}
	if out := c.Event("output")["output"].(string); !strings.HasPrefix(out, "amount is set: ") || !strings.Contains(out, "The recording stays") {
		t.Errorf("said: %s", out)
	}
	if values := shown(c, locals); values["amount"] != "400" || values["fee"] != "0" {
		t.Errorf("locals: %v", values)
	}
	if shown(c, state) == nil || c.Value("amount") != "400" {
		t.Error("the value is not shown")
	}
	c.Move("stepOut", dict{})
	c.Move("next", dict{})
	if c.Value("fee") != "4" || at(c) != "1 Ledger.pay:44" {
		t.Errorf("the fee is %v at %s", c.Value("fee"), at(c))
	}

	// A second value: the call of the token in the third transaction succeeds, and
	// there is nothing to catch.
	for at(c) != "3 Ledger.tryPay:48" {
		c.Move("stepOut", dict{})
	}
	c.Ask("setExpression", dict{"expression": "amount", "value": "0xa", "frameId": c.Stack()[0]["id"]})
	b := c.Event("breakpoint")
	if changed := b["breakpoint"].(dict); b["reason"] != "changed" || changed["id"] != line["id"] || changed["message"] != "is never reached in this recording" {
		t.Errorf("breakpoint: %v", b)
	}
	if stop := c.Move("continue", dict{}); stop["reason"] != "function breakpoint" || at(c) != "4 Fees.feeOf:6 < Ledger.pay:43" {
		t.Errorf("%v at %s", stop, at(c))
	}

	// A third one, in the console: the finding does not show.
	if c.Ask("evaluate", dict{"expression": "moved = 0", "context": "repl"})["result"] != "0" {
		t.Error("not set")
	}
	c.Output()
	if stop := c.Move("continue", dict{}); stop["description"] != atEnd {
		t.Errorf("%v at %s", stop, at(c))
	}
	if stop := c.Move("reverseContinue", dict{}); stop["reason"] != "function breakpoint" || c.Value("moved") != "0" {
		t.Errorf("%v at %s", stop, at(c))
	}
	c.Move("reverseContinue", dict{})
	if said := strings.Join(c.Output(), ""); !strings.Contains(said, "those that were set before are still") {
		t.Errorf("said: %s", said)
	}
	if at(c) != "1 Fees.feeOf:6 < Ledger.pay:43" || c.Value("amount") != "400" {
		t.Errorf("at %s, amount %v", at(c), c.Value("amount"))
	}
	c.Move("stepBack", dict{})
	if said := strings.Join(c.Output(), ""); !strings.Contains(said, "the recording goes on") || c.Value("amount") != "200" {
		t.Errorf("said: %s, amount %v", said, c.Value("amount"))
	}
	for _, want := range []string{"1 Fees.feeOf:6 < Ledger.pay:43", "3 Ledger.tryPay:51", "4 Fees.feeOf:6 < Ledger.pay:43", "6 Ledger.check:70"} {
		if stop := c.Move("continue", dict{}); at(c) != want {
			t.Errorf("%v at %s, want %s", stop, at(c), want)
		}
	}
	c.Refused("evaluate", dict{"expression": "moved = 7", "context": "repl"}, "nothing that is set here has an effect")
}

// The recording is a target of "goto", and at once after a value was set.
func TestRestore(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	c.Move("next", dict{})
	c.Ask("setVariable", dict{"variablesReference": scope(c, "State"), "name": "total", "value": "70"})
	c.Move("continue", dict{})
	if c.Value("total") != "85" {
		t.Errorf("total: %v", c.Value("total"))
	}
	targets := daptest.List(c.Ask("gotoTargets", dict{"source": dict{"path": l.path}, "line": 57}), "targets")
	last := targets[len(targets)-1]
	if !strings.HasPrefix(last["label"].(string), "the recording") {
		t.Fatalf("targets: %v", targets)
	}
	c.Move("goto", dict{"targetId": last["id"]})
	if at(c) != "1 Ledger.pay:43" || c.Value("total") != "0" {
		t.Errorf("at %s, total %v", at(c), c.Value("total"))
	}
	c.Refused("goto", dict{"threadId": 1, "targetId": last["id"]}, "no such target")
	c.Move("continue", dict{})
	if c.Value("total") != "15" {
		t.Errorf("total: %v", c.Value("total"))
	}
}

// Words of the stack and of memory, the message and balances can be set; what cannot says so.
func TestSettable(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	c.Move("next", dict{})
	for name, want := range map[string]map[string]string{
		"Transaction": {"msg.sender": "attacker", "block.number": "7"},
		"Balances":    {"user1": "1 gwei"},
		"Stack":       {"stack[0]": "0xc0ffee"},
		"Memory":      {"0x0000": "5"},
	} {
		for variable, value := range want {
			c.Ask("setVariable", dict{"variablesReference": scope(c, name), "name": variable, "value": value})
			after := shown(c, scope(c, name))[variable]
			shows := map[string]string{"attacker": "(attacker)", "7": "7", "1 gwei": "1000000000", "0xc0ffee": "0xc0ffee", "5": "05"}[value]
			if !strings.HasSuffix(after, shows) {
				t.Errorf("%s %s is %s, want %s", name, variable, after, shows)
			}
		}
	}
	for _, name := range []string{"Constants", "Calldata", "Changed", "Return data"} {
		for _, v := range daptest.List(c.Ask("variables", dict{"variablesReference": scope(c, name)}), "variables") {
			if hint, _ := v["presentationHint"].(dict); hint == nil || fmt.Sprint(hint["attributes"]) != "[readOnly]" {
				t.Errorf("%s: %v", name, v)
			}
			c.Refused("setVariable", dict{"variablesReference": scope(c, name), "name": v["name"], "value": "1"}, "cannot be set")
		}
	}
	state := scope(c, "State")
	for _, wrong := range []struct {
		arguments dict
		says      string
	}{
		{dict{"variablesReference": state, "name": "moved", "value": "-1"}, "-1 is out of range: uint256 is from 0"},
		{dict{"variablesReference": state, "name": "moved", "value": ""}, "not an expression"},
		{dict{"variablesReference": state, "name": "open", "value": "2"}, "2 is no value of bool, which is true or false"},
		{dict{"variablesReference": state, "name": "nothing", "value": "1"}, "there is no variable nothing in this group"},
		{dict{"variablesReference": 1 << 40, "name": "moved", "value": "1"}, "no such group"},
		{dict{"variablesReference": state, "name": 3}, "arguments of setVariable"},
	} {
		c.Refused("setVariable", wrong.arguments, wrong.says)
	}
	c.Refused("setExpression", dict{"expression": "moved + 1", "value": "2"}, "cannot be set")
	c.Refused("setExpression", dict{"expression": "moved", "value": "nothing"}, "nothing has no value here")
	c.Refused("evaluate", dict{"expression": "moved = 3", "context": "watch"}, "not an expression")
	if c.Value("moved == 1") != "true" || c.Value("moved") != "1" {
		t.Error("a comparison or a watch sets")
	}
	c.Move("next", dict{})
	c.Refused("setVariable", dict{"variablesReference": state, "name": "moved", "value": "1"}, "no such group")
}

// Values cannot be set at ever more positions, and each further one is refused.
func TestSetIsBounded(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	places := 0
	for i := range 30 {
		m := c.Send("setExpression", dict{"expression": "moved", "value": fmt.Sprint(i)})
		if m["success"] != true {
			if !strings.Contains(m["message"].(string), "values are set at 8 positions already") {
				t.Errorf("refused: %v", m)
			}
			break
		}
		places++
		c.Move("next", dict{})
	}
	if places != 8 {
		t.Errorf("set at %d positions", places)
	}
	c.Move("reverseContinue", dict{})
	for i := range 150 { // one change replaces the other
		c.Ask("setExpression", dict{"expression": "total", "value": fmt.Sprint(i)})
	}
	if c.Value("total") != "149" {
		t.Errorf("total: %v", c.Value("total"))
	}
}

// The scope Changed has what is other than at the last stop, in both directions.
func TestChanged(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	changed := func() (list []string) {
		for _, v := range daptest.List(c.Ask("variables", dict{"variablesReference": scope(c, "Changed")}), "variables") {
			list = append(list, fmt.Sprintf("%v: %v", v["name"], v["value"]))
		}
		return list
	}
	if list := changed(); list != nil {
		t.Errorf("at the first stop: %v", list)
	}
	for _, step := range []struct {
		move string
		want []string
	}{
		{"next", []string{"moved: 0 → 1"}},
		{"next", []string{"fee: → 2"}},
		{"next", nil}, // see below
		{"stepBack", nil},
		{"stepBack", []string{}},
		{"stepBack", []string{"moved: 1 → 0"}},
	} {
		c.Move(step.move, dict{})
		list := changed()
		if step.want == nil { // the balances of two accounts of the token
			if len(list) != 2 || !strings.HasPrefix(list[0], "Token.balances[") {
				t.Errorf("%s to %s: %q", step.move, at(c), list)
			}
			continue
		}
		if !slices.Equal(list, step.want) {
			t.Errorf("%s to %s: %q, want %q", step.move, at(c), list, step.want)
		}
	}
	c.Move("continue", dict{})
	if list := changed(); !slices.Contains(list, "moved: 0 → 2") || !slices.Contains(list, "open: false → true") {
		t.Errorf("over all transactions: %q", list)
	}
}

// A group of variables has one number at a position, however often a client asks.
func TestGroupsAreReused(t *testing.T) {
	l := newLedger(t)
	c := l.stopped(t)
	c.Move("continue", dict{})
	token := func() any { return c.Ask("evaluate", dict{"expression": "msg.data"})["variablesReference"] }
	state, data := scope(c, "State"), token()
	for range 50 {
		if again, other := scope(c, "State"), token(); again != state || other != data {
			t.Fatalf("groups %v and %v, then %v and %v", state, data, again, other)
		}
	}
	v := newView(nil, nil)
	for i := range 2 * maxGroups {
		if n := v.number(group{name: fmt.Sprint(i), value: true}); (n != 0) != (i < maxGroups) {
			t.Fatalf("group %d has number %d", i, n)
		}
	}
}
