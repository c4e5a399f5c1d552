package cheat

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// encoded returns a call of a function, with a selector that may be of another
// signature.
func encoded(t *testing.T, signature, selector, args string) []byte {
	t.Helper()
	f, err := input.ParseSignature(signature)
	if err != nil {
		t.Fatal(err)
	}
	values, err := coerce(args, &input.Type{Kind: input.KindTuple, Fields: f.Inputs})
	if err != nil {
		t.Fatalf("%s: %v", signature, err)
	}
	return input.AppendValues(crypto.Keccak256([]byte(selector))[:4], values.Elems)
}

func TestConsoleFormats(t *testing.T) {
	const addr = "0xdEADBEeF00000000000000000000000000000000"
	for _, c := range []struct{ signature, args, want string }{
		{"log(string,string)", "('%s', foo)", "foo"},
		{"log(string,string)", "('%d', foo)", "NaN"},
		{"log(string,string)", "('%x', foo)", "NaN"},
		{"log(string,string)", "('%o', foo)", "'foo'"},
		{"log(string,string)", "('%%s', foo)", "%s foo"},
		{"log(string,string)", "('%', foo)", "% foo"},
		{"log(string,string)", "('%%', foo)", "% foo"},
		{"log(string,bool)", "('%d', true)", "1"},
		{"log(string,bool)", "('%i', true)", "NaN"},
		{"log(string,bool)", "('%o', true)", "'true'"},
		{"log(string,address)", "('%s', " + addr + ")", addr},
		{"log(string,address)", "('%d', " + addr + ")", "NaN"},
		{"log(string,address)", "('%x', " + addr + ")", addr},
		{"log(string,address)", "('%o', " + addr + ")", "'" + addr + "'"},
		{"log(string,uint256)", "('%i', 100)", "100"},
		{"log(string,uint256)", "('%e', 1002300)", "1.0023e6"},
		{"log(string,uint256)", "('%e', 100)", "1e2"},
		{"log(string,uint256)", "('%e', 0)", "0e0"},
		{"log(string,uint256)", "('%x', 100)", "0x64"},
		{"log(string,uint256)", "('%x', 0)", "0x"},
		{"log(string,uint256)", "('%o', 100)", "100"},
		{"log(string,int256)", "('%e', -1002300)", "-1.0023e6"},
		{"log(string,int256)", "('%2e', -100)", "-1"},
		{"log(string,int256)", "('%0e', 123000)", "123000"},
		{"log(string,int256)", "('%7e', -123000)", "-0.0123"},
		{"log(string,int256)", "('%x', -100)", "0xffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff9c"},
		{"log(string,int256)", "('%s', -100)", "-100"},
		{"log(string)", "('%333d%3e%5F')", "%333d%3e%5F"},
		{"log(string,uint256)", "('%5d%3e%2f%3f%e1', 123456789)", "%5d123456.789%2f%3f%e1"},
		{"log(string,uint256)", "('foo %3e bar', 123456789)", "foo 123456.789 bar"},
		{"log(string,bool,uint256)", "('%e and %12e', false, 123456789)", "NaN and 0.000123456789"},
		{"log(string,uint256)", "('%999999999999999999999e', 10)", "1e1"},
		{"log(string,uint256)", "('%99999e', 10)", "NaN"},
		{"log(string,address,bool,uint256)", "('foo %s %%s %s and %d foo %%', " + addr + ", true, 21)", "foo " + addr + " %s true and 21 foo %"},
		{"log(uint256,string,bool,address)", "(1, x, false, " + addr + ")", "1 x false " + addr},
		{"log(uint256)", "(7)", "7"},
		{"log(int256)", "(-7)", "-7"},
		{"log(bytes)", "(0x0102)", "0x0102"},
		{"log(bytes3)", "(0x010203)", "0x010203"},
		{"log()", "()", ""},
		{"log(string)", "('100%')", "100%"},
		{"table(uint256[])", "([100, 200])", "┌─────────┬────────┐\n│ (index) │ Values │\n├─────────┼────────┤\n│ 0       │ 100    │\n│ 1       │ 200    │\n└─────────┴────────┘\n"},
		{"table(string[],uint256[])", "([alice, bob], [20000000000])", "┌─────────┬─────────────┐\n│ (index) │ Values      │\n├─────────┼─────────────┤\n│ alice   │ 20000000000 │\n│ bob     │             │\n└─────────┴─────────────┘\n"},
		{"table(string[],bool[])", "([], [true])", "┌─────────┬────────┐\n│ (index) │ Values │\n├─────────┼────────┤\n│         │ true   │\n└─────────┴────────┘\n"},
	} {
		selectors := []string{c.signature}
		if strings.Contains(c.signature, "int256") {
			selectors = append(selectors, strings.ReplaceAll(c.signature, "int256", "int"))
		}
		for _, selector := range selectors {
			if got, err := consoleText(encoded(t, c.signature, selector, c.args)); got != c.want || err != "" {
				t.Errorf("%s%s prints %q (%s), want %q", selector, c.args, got, err, c.want)
			}
		}
	}
}

// TestConsoleFunctions counts the functions of forge's console.sol.
func TestConsoleFunctions(t *testing.T) {
	forms := map[*consoleFunction]bool{}
	for _, f := range consoleFunctions() {
		forms[f] = true
	}
	if len(forms) != 388 {
		t.Errorf("%d functions, forge has 388", len(forms))
	}
}

// prints makes the caller send data to the console and returns the lines.
func (v *vmTest) prints(data []byte) ([]string, evm.Outcome) {
	v.world.SetCode(caller, relay(Console))
	out := v.send(data)
	return v.Report.Lines, out
}

func TestConsoleLines(t *testing.T) {
	v := newVM(t)
	if lines, _ := v.prints(encoded(t, "log(string)", "log(string)", "('a\nb\r\n\nc')")); !slices.Equal(lines, []string{"a", "b", "", "c"}) {
		t.Errorf("%q", lines)
	}
	if lines, _ := v.prints(encoded(t, "log(string)", "log(string)", "('')")); len(lines) != 0 {
		t.Errorf("%q", lines)
	}
	for _, data := range [][]byte{{1, 2}, {1, 2, 3, 4}, encoded(t, "log(string)", "log(string)", "('')")[:36]} {
		if lines, out := v.prints(data); len(lines) != 0 || out.Status != evm.Revert {
			t.Errorf("%x prints %q, %v", data, lines, out.Status)
		}
	}
}

func TestConsoleLimit(t *testing.T) {
	v := newVM(t)
	for name, text := range map[string]string{"short lines": strings.Repeat("0123456789\n", maxOutput/5), "one line": strings.Repeat("x", 2*maxOutput)} {
		lines, _ := v.prints(input.AppendValues(logSelector, []input.Value{textValue(text)}))
		size := 0
		for _, line := range lines {
			size += len(line) + 1
		}
		if last := lines[len(lines)-1]; last != outputCut || size > maxOutput+len(outputCut)+1 {
			t.Errorf("%s: %d bytes, the last line is %q", name, size, clip(last))
		}
	}
}

var logSelector = crypto.Keccak256([]byte("log(string)"))[:4]

// TestEvents emits DSTest's events.
func TestEvents(t *testing.T) {
	v := newVM(t)
	word := func(text string) string { return "0x" + common.Bytes2Hex(common.RightPadBytes([]byte(text), 32)) }
	for _, c := range []struct{ signature, args, want string }{
		{"log(string)", "(hello)", "hello"},
		{"log(string)", "('')", ""},
		{"logs(bytes)", "(0x0102)", "0x0102"},
		{"log_address(address)", "(" + anvil0 + ")", anvil0},
		{"log_bytes32(bytes32)", "(" + word("a") + ")", word("a")},
		{"log_int(int256)", "(-3)", "-3"},
		{"log_uint(uint256)", "(3)", "3"},
		{"log_bytes(bytes)", "(0x)", "0x"},
		{"log_string(string)", "(s)", "s"},
		{"log_array(uint256[])", "([1, 2])", "[1, 2]"},
		{"log_array(int256[])", "([-1])", "[-1]"},
		{"log_array(address[])", "([" + anvil0 + "])", "[" + anvil0 + "]"},
		{"log_named_address(string,address)", "(k, " + anvil0 + ")", "k: " + anvil0},
		{"log_named_bytes32(string,bytes32)", "(k, " + word("b") + ")", "k: " + word("b")},
		{"log_named_decimal_int(string,int256,uint256)", "(k, -15, 1)", "k: -1.5"},
		{"log_named_decimal_uint(string,uint256,uint256)", "(k, 1500000000000000000, 18)", "k: 1.500000000000000000"},
		{"log_named_decimal_uint(string,uint256,uint256)", "(k, 5, 0)", "k: 5.0"},
		{"log_named_decimal_uint(string,uint256,uint256)", "(k, 5, 3)", "k: 0.005"},
		{"log_named_decimal_uint(string,uint256,uint256)", "(k, 5, 1000)", "k: 5"},
		{"log_named_int(string,int256)", "(k, -3)", "k: -3"},
		{"log_named_uint(string,uint256)", "(k, 3)", "k: 3"},
		{"log_named_bytes(string,bytes)", "(k, 0x01)", "k: 0x01"},
		{"log_named_string(string,string)", "(k, v)", "k: v"},
		{"log_named_array(string,uint256[])", "(k, [1])", "k: [1]"},
		{"log_named_array(string,int256[])", "(k, [-1])", "k: [-1]"},
		{"log_named_array(string,address[])", "(k, [])", "k: []"},
	} {
		topic := crypto.Keccak256([]byte(c.signature))
		// calldatacopy of everything, then log1 with the topic
		code := append(common.FromHex("365f5f377f"), topic...)
		v.world.SetCode(caller, append(code, common.FromHex("365fa100")...))
		if out := v.send(encoded(t, c.signature, "", c.args)[4:]); out.Status != evm.Success {
			t.Fatal(out.Status, out.Halt)
		}
		if !slices.Equal(v.Report.Lines, []string{c.want}) {
			t.Errorf("%s%s prints %q, want %q", c.signature, c.args, v.Report.Lines, c.want)
		}
		if v.send([]byte{1}); len(v.Report.Lines) != 0 {
			t.Errorf("%s with short data prints %q", c.signature, v.Report.Lines)
		}
	}
	if len(printEvents()) != 22 {
		t.Errorf("%d events, forge knows 22", len(printEvents()))
	}
}

func FuzzConsole(f *testing.F) {
	for selector := range consoleFunctions() {
		f.Add(append(selector[:], bytes.Repeat([]byte{0}, 128)...))
	}
	f.Fuzz(func(_ *testing.T, data []byte) { consoleText(data) })
}
