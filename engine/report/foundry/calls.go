package foundry

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/finding"
	"leveret/engine/input"
	"leveret/engine/report/printable"
	"leveret/engine/report/words"
)

// function writes the function of the test.
func (t *test) function() {
	f := &t.finding
	t.printf("\n")
	for _, l := range comment(f.Message) {
		t.printf("    // %s\n", l)
	}
	t.printf("    // %s:%d, finding %s.\n", printable.String(f.Place.File), f.Place.Start.Line, f.ID)
	t.printf("    function %s() public {\n", t.name())
	t.scene()
	t.line("bool ok;")
	t.deploy()
	words := words.Steps(f.Witness)
	last := len(f.Witness.Txs) - 1
	if t.check.data {
		t.line("bytes memory data;")
	}
	for i := range f.Witness.Txs {
		t.tx(i, words[i].Sentence(), i == last)
	}
	t.check.write(t)
	t.printf("    }\n")
}

// comment breaks a sentence into lines for a comment.
func comment(sentence string) []string {
	const most = 90
	sentence = strings.Map(func(c rune) rune {
		if unicode.IsPrint(c) {
			return c
		}
		return ' '
	}, sentence)
	var lines []string
	line := ""
	for _, word := range strings.Fields(sentence) {
		if line != "" && len(line)+1+len(word) > most {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}

// rejected ends a test early.
const rejected = "if (!ok) return; // rejected: the failure is no longer reachable this way"

// tx writes one transaction. If one before the last reverts, the test ends: the
// failure is no longer reachable this way.
func (t *test) tx(i int, words string, last bool) {
	tx := &t.finding.Witness.Txs[i]
	t.printf("\n")
	for _, l := range comment(fmt.Sprintf("%d. %s", i+1, words)) {
		t.line("// %s", l)
	}
	if tx.Delay != (input.Delay{}) {
		t.block = t.block.After(tx.Delay)
		t.time()
	}
	t.chance(finding.BlockReads{})
	if t.scripted || tx.Script != nil {
		t.script(tx.Script)
	}
	result, gas := "(ok, )", 0
	if last {
		if t.check.data && !t.check.follows {
			result = "(ok, data)"
		}
		if t.check.before != nil {
			t.check.before(t)
		}
		gas = t.check.gas
	}
	t.send(tx, result, gas)
	if (!last || t.check.follows) && !tx.Function.Forces() {
		t.line(rejected)
	}
}

// send writes the call itself.
func (t *test) send(tx *input.Tx, result string, gas int) {
	options := []string{}
	if !tx.Value.IsZero() {
		options = append(options, "value: "+weiLiteral(&tx.Value))
	}
	if tx.Script != nil && tx.Script.Mode == input.BurnGas {
		gas = allGas // to bound what the attacker burns
	}
	if gas > 0 {
		options = append(options, "gas: "+strconv.Itoa(gas))
	}
	call := t.address(tx.To) + ".call"
	if len(options) > 0 {
		call += "{" + strings.Join(options, ", ") + "}"
	}
	if tx.Function.Forces() {
		to := t.address(tx.To)
		t.line("vm.deal(%s, %s.balance + %s);", to, to, weiLiteral(&tx.Value))
		t.line("ok = true;")
		return
	}
	t.prank(tx)
	t.line("%s = %s(%s);", result, call, t.calldata(tx))
}

// prank makes the next call the sender's.
func (t *test) prank(tx *input.Tx) {
	from := t.address(tx.From.Address())
	t.line("vm.prank(%s, %s);", from, from)
}

// recognised writes calldata, decoded if the witness calls the same function.
func (t *test) recognised(data []byte) string {
	for i := range t.finding.Witness.Txs {
		f := t.finding.Witness.Txs[i].Function
		if f == nil || f.Raw || len(data) < 4 || f.Selector != [4]byte(data) {
			continue
		}
		if args, err := input.DecodeCalldata(f, data); err == nil {
			if tx := (input.Tx{Function: f, Args: args}); bytes.Equal(tx.Calldata(), data) {
				return t.calldata(&tx)
			}
		}
	}
	return hexText(data)
}

// calldata writes the calldata of tx, as an encoding call if all types have literals.
func (t *test) calldata(tx *input.Tx) string {
	if tx.Function == nil {
		return t.recognised(tx.Data)
	}
	if tx.Function.Raw {
		return hexText(tx.Data)
	}
	list, ok := t.literals(tx.Args)
	switch {
	case !ok:
		return hexText(tx.Calldata())
	case list == "":
		return fmt.Sprintf("abi.encodeWithSignature(%q)", tx.Function.Signature)
	}
	return fmt.Sprintf("abi.encodeWithSignature(%q, %s)", tx.Function.Signature, list)
}

// literals writes the arguments of an encoding call; false if a value has no
// literal. A static struct or array is written as its elements, which have the
// same encoding.
func (t *test) literals(values []input.Value) (string, bool) {
	var parts []string
	for i := range values {
		part, ok := t.literal(&values[i])
		if !ok {
			return "", false
		}
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", "), true
}

func (t *test) literal(v *input.Value) (string, bool) {
	switch v.Type.Kind {
	case input.KindUint:
		if v.Type.Size == 256 && v.Word.Eq(new(uint256.Int).SetAllOne()) {
			return "2 ** 256 - 1", true
		}
		return v.String(), true
	case input.KindInt, input.KindBool:
		return v.String(), true
	case input.KindAddress:
		return t.address(v.Address()), true
	case input.KindFixedBytes:
		return fmt.Sprintf("%s(hex\"%s\")", v.Type, strings.TrimPrefix(v.String(), "0x")), true
	case input.KindString:
		if plainASCII(v.Data) {
			return strconv.Quote(string(v.Data)), true
		}
		return fmt.Sprintf("bytes(hex\"%x\")", v.Data), true
	case input.KindBytes:
		if text, ok := t.encoding(v); ok {
			return text, true
		}
		return fmt.Sprintf("bytes(hex\"%x\")", v.Bytes()), true
	case input.KindTuple, input.KindArray:
		if v.Type.Dynamic() {
			return "", false
		}
		return t.literals(v.Elems)
	}
	return "", false
}

// encoding writes the call that encodes what a bytes value holds; false if it holds
// nothing, or if a value has no literal. Packed values have no type of their own.
func (t *test) encoding(v *input.Value) (string, bool) {
	c := v.Content
	if c == nil || c.Packed {
		return "", false
	}
	list, ok := t.literals(v.Elems)
	switch {
	case !ok:
		return "", false
	case c.Function == nil:
		return "abi.encode(" + list + ")", list != ""
	case list == "":
		return fmt.Sprintf("abi.encodeWithSignature(%q)", c.Signature), true
	}
	return fmt.Sprintf("abi.encodeWithSignature(%q, %s)", c.Signature, list), true
}

// plainASCII reports whether Solidity quotes a text as Go does.
func plainASCII(text []byte) bool {
	for _, c := range text {
		if c < ' ' || c > '~' {
			return false
		}
	}
	return true
}

// address writes an address as an actor, a contract of the test, or a number.
func (t *test) address(a common.Address) string {
	if _, ok := input.ActorOf(a); ok {
		return t.names.Address(a)
	}
	if c := t.finding.Witness.Deployment.Find(a); c != nil && t.locals[c.Name] != "" {
		return t.locals[c.Name]
	}
	if a == (common.Address{}) {
		return "address(0)"
	}
	return fmt.Sprintf("address(%s)", a.Hex())
}

// weiLiteral writes an amount with its unit, as Solidity 0.6 does.
func weiLiteral(amount *uint256.Int) string {
	s := input.FormatWei(amount)
	if whole, ok := strings.CutSuffix(s, "ether"); ok {
		return whole + " ether"
	}
	return amount.Dec()
}
