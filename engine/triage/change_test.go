package triage

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/debug"
	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/search/searchtest"
)

// A sample is a value of a parameter as words encode it, and as a user writes it.
type sample struct {
	word uint256.Int
	text string
}

// samples returns random values of the parameters of a function.
func samples(r *rand.Rand, types ...string) (list []sample) {
	for _, t := range types {
		var s sample
		switch t {
		case "bool":
			b := r.IntN(2)
			s.word.SetUint64(uint64(b))
			s.text = fmt.Sprint(b == 1)
		case "address":
			a := input.Actors[r.IntN(len(input.Actors))]
			address := a.Address()
			s.word.SetBytes20(address[:])
			if s.text = a.String(); r.IntN(2) == 0 {
				s.text = address.Hex()
			}
		case "bytes4":
			n := r.Uint32()
			s.word.SetUint64(uint64(n))
			s.word.Lsh(&s.word, 224)
			s.text = fmt.Sprintf("0x%08x", n)
		case "State":
			n := r.IntN(3)
			s.word.SetUint64(uint64(n))
			s.text = []string{"Open", "State.Closed", "2"}[n]
		case "int16", "int64":
			n := int64(r.Uint64() >> 49)
			if r.IntN(2) == 0 {
				n = -n
			}
			s.word.SetFromBig(big.NewInt(n))
			s.text = fmt.Sprint(n)
		case "uint8", "uint16":
			n := r.Uint64N(256)
			s.word.SetUint64(n)
			s.text = fmt.Sprintf("0x%x", n)
		default:
			n := r.Uint64N(1000)
			s.word.Mul(uint256.NewInt(n), uint256.NewInt(1e18))
			s.text = fmt.Sprintf("%d ether", n)
		}
		list = append(list, s)
	}
	return list
}

// with is a transaction that calls a function with values.
func (all *triaging) with(t *testing.T, name string, values []sample) input.Tx {
	t.Helper()
	tx := all.call(t, name).Txs[0]
	if values == nil {
		return tx
	}
	var data []byte
	for i := range values {
		data = append(data, values[i].word.PaddedBytes(32)...)
	}
	var err error
	if tx.Args, err = input.Decode(tx.Function.Inputs, data); err != nil {
		t.Fatal(err)
	}
	return tx
}

// A debugged session has the moves of a test.
type debugged struct {
	*testing.T
	*debug.Session
}

func (all *triaging) debug(t *testing.T, blamed finding.Finding, txs ...input.Tx) debugged {
	t.Helper()
	s := input.Sequence{Deployment: all.Subject.Deployment.Record, Txs: txs}
	d := debugged{t, recorded(t, all.tracer(), s, blamed).NewSession(t.Context())}
	t.Cleanup(d.Close)
	return d
}

func (d debugged) set(path, text string) {
	d.Helper()
	v, err := d.Evaluate(path, 0)
	if err == nil {
		err = d.Set(&v, text, 0)
	}
	if err != nil {
		d.Fatalf("%s = %s: %v", path, text, err)
	}
}

func (d debugged) value(path string) string {
	d.Helper()
	v, err := d.Evaluate(path, 0)
	if err != nil {
		d.Fatalf("%s: %v", path, err)
	}
	return v.Value
}

// atEnd returns the value of an expression at the end.
func (d debugged) atEnd(path string) string {
	d.Helper()
	if err := d.Goto(debug.Position(d.Len() - 1)); err != nil {
		d.Fatal(err)
	}
	return d.value(path)
}

func (d debugged) next(n int) {
	d.Helper()
	for range n {
		if moved, err := d.Next(debug.ByStatement); err != nil || !moved {
			d.Fatal(moved, err)
		}
	}
}

func (d debugged) transaction(n int) {
	d.Helper()
	if err := d.GotoTransaction(n); err != nil {
		d.Fatal(err)
	}
}

// What follows from a value that is set is what follows from calls with that value:
// parameters, state variables, and members of memory structs.
func TestDebugSet(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	r := rand.New(rand.NewPCG(1, 7))
	parameters := []string{"a", "b", "c", "d", "e", "f", "g"}
	variables := []string{"small", "signed", "flag", "owner", "code", "state", "price", "list[1]"}
	for range 10 {
		values := samples(r, "uint256", "int16", "bool", "address", "bytes4", "State", "uint8")
		stored := samples(r, "uint8", "int16", "bool", "address", "bytes4", "State", "int64", "uint16")
		called := all.debug(t, finding.Finding{}, all.with(t, "put", stored), all.with(t, "measure", values))
		want := called.atEnd("sum")
		called.Close() // sessions share the Machine

		d := all.debug(t, finding.Finding{}, all.with(t, "measure", nil))
		if d.atEnd("sum") == want {
			t.Fatal("the values have no effect")
		}
		d.transaction(0)
		for i, name := range parameters {
			d.set(name, values[i].text)
		}
		for i, name := range variables {
			d.set(name, stored[i].text)
		}
		d.set("item.kind", stored[0].text)
		d.set("item.delta", "signed")
		d.set("item.owner", stored[3].text)
		d.set("paid[msg.sender]", "list[1] * 2 - list[1]")
		if d.value("paid[user1]") != d.value("list[1]") || d.value("c") != values[2].text {
			t.Fatalf("not shown: %s, %s", d.value("paid[user1]"), d.value("c"))
		}
		if have := d.atEnd("sum"); have != want {
			t.Fatalf("set %v and %v: the sum is %s, want %s", values, stored, have, want)
		}
		if !d.Changed() {
			t.Error("not changed")
		}
		d.Close()

		// Members that are set after the struct was made are those of a struct made so.
		m := all.debug(t, finding.Finding{}, all.with(t, "measure", nil))
		m.set("g", values[6].text)
		m.next(1)
		m.set("g", "0")
		made := m.atEnd("sum")
		m.Restore()
		m.next(1)
		m.set("m.kind", values[6].text)
		if have := m.atEnd("sum"); have != made {
			t.Fatalf("the sum with m.kind is %s, want %s", have, made)
		}
		m.Close()
	}
}

// mix is that of Changed.sol.
func mix(x, y uint256.Int) (z uint256.Int) {
	z.SetBytes(crypto.Keccak256(append(x.PaddedBytes(32), y.PaddedBytes(32)...)))
	return z
}

// The message, the block and balances can be set.
func TestDebugSetSurroundings(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	d := all.debug(t, finding.Finding{}, all.with(t, "surroundings", nil), all.with(t, "surroundings", nil))
	before := d.atEnd("sum")
	d.transaction(0)
	d.set("msg.value", "3")
	d.set("msg.sender", "attacker")
	d.set("tx.origin", "deployer")
	d.set("address(this).balance", "5 ether")
	d.set("block.number", "0x1 + 7")
	d.set("block.timestamp", "1 days")
	if d.value("block.number") != "8" || d.value("attacker.balance") == "5" {
		t.Error(d.value("block.number"))
	}
	d.set("attacker.balance", "1")
	if d.value("msg.sender.balance") != "1" {
		t.Errorf("the sender has %s", d.value("msg.sender.balance"))
	}
	attacker, deployer := input.Attacker.Address(), input.Deployer.Address()
	number := uint256.NewInt
	var sender, origin uint256.Int
	sender.SetBytes20(attacker[:])
	origin.SetBytes20(deployer[:])
	first := mix(mix(*number(3), sender), mix(origin, *new(uint256.Int).Mul(number(5), number(1e18))))
	first = mix(first, mix(*number(8), *number(86400)))
	d.transaction(1)
	if have := d.value("sum"); have != first.Dec() {
		t.Errorf("the first sum is %s, want %s", have, first.Dec())
	}
	if d.value("msg.sender") != input.User1.Address().Hex()+" (user1)" || d.value("address(this).balance") != "5000000000000000000" {
		t.Errorf("in the next transaction: %s, %s", d.value("msg.sender"), d.value("address(this).balance"))
	}
	if d.atEnd("sum") == before {
		t.Error("the balance has no effect on the next transaction")
	}
}

// A Session with changes walks as any other, returns to the recording when it goes back
// before them, and finds out whether the finding still shows.
func TestDebugChanges(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	s := all.call(t, "check", 13)
	all.Triage.Report(s, all.Check(s), 0, all.replayed)
	if len(all.found) != 1 {
		t.Fatal(all.found)
	}
	d := all.debug(t, all.found[0], all.call(t, "measure").Txs[0], s.Txs[0], all.call(t, "surroundings").Txs[0])
	first := d.Recording
	failed, found := d.Finding()
	if !found || !d.Judged() {
		t.Fatal("the finding does not show")
	}
	if err := d.Goto(failed); err != nil {
		t.Fatal(err)
	}
	if v, err := d.Evaluate("x", 0); err != nil || d.Set(&v, "5", 0) == nil {
		t.Error("set where the call fails")
	}
	d.transaction(1)
	d.set("x", "5")
	if _, found := d.Finding(); found || d.Recording == first {
		t.Error("the finding shows though x is 5")
	}
	bothWays(t, d.Recording)
	d.next(1)
	d.set("twice", "26")
	if _, found := d.Finding(); !found || !d.Judged() {
		t.Error("the finding does not show though twice is 26")
	}
	bothWays(t, d.Recording)
	d.next(1)
	d.set("x", "6") // has no effect any more
	if d.value("sum") != "26" || d.value("x") != "6" {
		t.Errorf("sum %s, x %s", d.value("sum"), d.value("x"))
	}
	stack, err := d.Stack()
	if err != nil {
		t.Fatal(err)
	}
	hits, err := d.Executions([]debug.Instruction{{Code: stack[0].Frame.Code, PC: 0}})
	if err != nil || len(hits[0]) != 3 {
		t.Errorf("the code runs %d times, %v", len(hits[0]), err)
	}
	for range 2 { // back before twice = 26
		if _, err := d.Back(debug.ByStatement); err != nil {
			t.Fatal(err)
		}
	}
	if !d.Rejoin() || d.value("x") != "5" {
		t.Errorf("before the second change x is %s", d.value("x"))
	}
	if d.Rejoin() {
		t.Error("rejoined twice")
	}
	d.transaction(0)
	if !d.Rejoin() || d.Recording != first || d.Changed() {
		t.Error("the recording is not back")
	}
	d.transaction(1)
	d.set("x", "7")
	d.set("x", "8")
	d.atEnd("sum")
	d.Restore()
	if d.Recording != first || d.value("x") != "13" {
		t.Errorf("restored: x is %s", d.value("x"))
	}
}

// Values that do not fit are refused, and change nothing.
func TestDebugSetRefuses(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	d := all.debug(t, finding.Finding{}, all.with(t, "measure", nil))
	first := d.Recording
	for _, wrong := range []struct{ path, text, says string }{
		{"g", "256", "256 is out of range: uint8 is from 0 to 255"},
		{"g", "-1", "out of range"},
		{"b", "32768", "int16 is from -32768 to 32767"},
		{"b", "true", "true is no value of int16, which is a number"},
		{"a", "2 ** 256", "** "},
		{"a", strings.Repeat("9", 80), "out of range"},
		{"a", "1.5", "no value of uint256"},
		{"c", "1", "1 is no value of bool, which is true or false"},
		{"d", "7", "no value of address, which is 0x and 40 hexadecimal digits"},
		{"e", "0x0102", "0x and 8 hexadecimal digits"},
		{"f", "3", "from 0 to 2"},
		{"f", "Ajar", "Ajar has no value here"},
		{"a", "", "not an expression"},
		{"a", "nothing + 1", "nothing has no value here"},
		{"item", "1", "item is not a single value; set its parts"},
		{"paid", "1", "paid cannot be set"},
		{"FEE", "1", "FEE cannot be set"},
		{"msg.data", "0x", "set its parts"},
		{"gasleft", "1", "gasleft cannot be set"},
		{"a + 1", "1", "cannot be set"},
	} {
		v, err := d.Evaluate(wrong.path, 0)
		if err != nil {
			t.Errorf("%s: %v", wrong.path, err)
			continue
		}
		if err := d.Set(&v, wrong.text, 0); err == nil || !strings.Contains(err.Error(), wrong.says) && wrong.says != "** " {
			t.Errorf("%s = %s: %v, want %q", wrong.path, wrong.text, err, wrong.says)
		}
	}
	if d.Recording != first || d.Changed() {
		t.Error("changed")
	}
}

// returned formats what a getter of a type returns.
func returned(kind string, data []byte) string {
	word := new(uint256.Int).SetBytes(data[:32])
	text := data[min(64, len(data)):]
	switch {
	case kind == "string":
		return fmt.Sprintf("%q", text[:data[63]])
	case kind == "bytes":
		return fmt.Sprintf("0x%x", text[:data[63]])
	case strings.HasPrefix(kind, "bytes"):
		var n int
		_, _ = fmt.Sscanf(kind, "bytes%d", &n)
		return fmt.Sprintf("0x%x", data[:n])
	case kind == "bool":
		return fmt.Sprint(!word.IsZero())
	case kind == "address":
		return common.BytesToAddress(data).Hex()
	case strings.HasPrefix(kind, "uint"), strings.HasPrefix(kind, "enum"), word.Sign() >= 0:
		return word.Dec()
	}
	return "-" + word.Neg(word).Dec()
}

// Constants and immutables are what their getters return.
func TestDebugConstants(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	d := all.debug(t, finding.Finding{}, all.with(t, "measure", nil))
	stack, err := d.Stack()
	if err != nil {
		t.Fatal(err)
	}
	shown := 0
	for _, scope := range d.Scopes(&stack[0]) {
		if scope.Name != "Constants" {
			continue
		}
		for _, v := range scope.Variables() {
			shown++
			d.Close() // sessions share the Machine
			getter := all.debug(t, finding.Finding{}, all.with(t, v.Name, nil))
			_, _, outcome := getter.Transaction(0)
			want := returned(v.Type, outcome.Return)
			if v.Name == "LATE" {
				if v.Value != "this.measure.selector" {
					t.Errorf("LATE is %s", v.Value)
				}
				continue
			}
			if have, _, _ := strings.Cut(v.Value, " ("); have != want {
				t.Errorf("%s is shown as %s, and is %s", v.Name, v.Value, want)
			}
			if evaluated := d.value(v.Name); evaluated != v.Value {
				t.Errorf("%s is %s as an expression", v.Name, evaluated)
			}
		}
	}
	if shown != 23 {
		t.Errorf("%d constants and immutables", shown)
	}
	if v := d.value("initial == State.Gone && FEE * 2 == 50"); v != "true" {
		t.Error(v)
	}
}

// Expressions have what the documentation says.
func TestDebugExpressions(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	d := all.debug(t, finding.Finding{}, all.with(t, "measure", nil))
	d.next(2)
	for expression, want := range map[string]string{
		"list.length": "2", "values.length": "2", "list[list.length - 1] + 1": "3", "m.owner == address(0x0000000000000000000000000000000000000000)": "true",
		"1 ether + 0.5 gwei": "1000000000500000000", "2 weeks / 1 days": "14", "1.5 wei == 1": "", "State.Gone": "2 (Gone)", "f == State.Open": "true",
		"Changed.State.Closed": "1 (Closed)", "user1": input.User1.Address().Hex() + " (user1)", "maker == deployer": "true",
		"user1.balance == msg.sender.balance": "true", "address(user1).balance > 0": "true", "LATE": "this.measure.selector", "state == FIRST": "false",
		"nobody": "", "nobody.balance": "", "address(1, 2)": "", "user1.length": "", "State.Ajar": "",
	} {
		v, err := d.Evaluate(expression, 0)
		if (err == nil) != (want != "") || v.Value != want && want != "" {
			t.Errorf("%s is %q, %v; want %q", expression, v.Value, err, want)
		}
	}
	for text, want := range map[string][3]string{
		"a = 1": {"a", "1", "y"}, "paid[user1]=x==y": {"paid[user1]", "x==y", "y"}, "a == 1": {}, "a >= 1": {}, "a != 1": {}, "= 1": {}, "a += 1": {}, "": {},
	} {
		if name, value, ok := debug.SplitAssignment(text); name != want[0] || value != want[1] || ok != (want[2] != "") {
			t.Errorf("%s: %q, %q, %v", text, name, value, ok)
		}
	}
}

// "Changed" has exactly the state variables that differ between two positions, in both
// directions and from any transaction to any other.
func TestDebugChanged(t *testing.T) {
	b := searchtest.Compile(t, "testdata/Changed.sol")
	all := newTriagingOf(t, b, "Changed")
	r := rand.New(rand.NewPCG(3, 9))
	d := all.debug(t, finding.Finding{}, all.with(t, "put", samples(r, "uint8", "int16", "bool", "address", "bytes4", "State", "int64", "uint16")),
		all.with(t, "check", []sample{{word: *uint256.NewInt(13)}}), all.with(t, "surroundings", nil),
		all.with(t, "put", samples(r, "uint8", "int16", "bool", "address", "bytes4", "State", "int64", "uint16")))
	var stack []debug.StackFrame
	scope := func(name string) map[string]string {
		values := map[string]string{}
		for _, scope := range d.Scopes(&stack[0]) {
			if scope.Name != name {
				continue
			}
			for _, v := range scope.Variables() {
				if v.Parts == nil {
					values[v.Name] = v.Value
					continue
				}
				for _, part := range v.Parts() {
					values[part.Name] = part.Value
				}
			}
		}
		return values
	}
	var before map[string]string
	seen := 0
	for range 60 {
		err := d.Goto(debug.Position(r.IntN(d.Len())))
		d.Stop()
		if err == nil {
			stack, err = d.Stack()
		}
		if err != nil {
			t.Fatal(err)
		}
		now := scope("State")
		changed := scope("Changed")
		for name, value := range now {
			old, known := before[name]
			want := old + " → " + value
			if have, listed := changed[name]; known && (listed != (old != value) || listed && have != want) {
				t.Fatalf("%s: was %s, is %s; shown %q", name, old, value, have)
			} else if listed {
				seen++
			}
		}
		before = now
	}
	if seen < 100 {
		t.Errorf("%d changes", seen)
	}
}
