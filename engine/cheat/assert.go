package cheat

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"leveret/engine/input"
)

// A relation is what a comparison demands of its operands.
type relation uint8

// The relations of vm.assert….
const (
	equalTo relation = iota
	notEqualTo
	lessThan
	atMost
	greaterThan
	atLeast
)

var relationNames = [...]string{"==", "!=", "<", "<=", ">", ">="}

func (r relation) String() string { return relationNames[r] }

// inverse returns what holds where r does not.
func (r relation) inverse() relation {
	return [...]relation{notEqualTo, equalTo, atLeast, greaterThan, atMost, lessThan}[r]
}

// holds compares two words.
func (r relation) holds(left, right *uint256.Int, signed bool) bool {
	less := func(a, b *uint256.Int) bool {
		if signed {
			return a.Slt(b)
		}
		return a.Lt(b)
	}
	switch r {
	case equalTo:
		return left.Eq(right)
	case notEqualTo:
		return !left.Eq(right)
	case lessThan:
		return less(left, right)
	case atMost:
		return !less(right, left)
	case greaterThan:
		return less(right, left)
	}
	return !less(left, right)
}

// FailSlot is the slot of the cheatcode address that is not 0 after a failure of
// an assertion that does not revert.
var FailSlot = common.BytesToHash(common.RightPadBytes([]byte("failed"), 32))

// MarksFailure reports whether a call of the cheatcode address stores to FailSlot, as the
// assertions of ds-test do, which do not revert.
func MarksFailure(data []byte) bool {
	value, marks := bytes.CutPrefix(data, markFailure)
	return marks && len(value) >= 32 && common.BytesToHash(value[:32]) != common.Hash{}
}

// markFailure begins such a call.
var markFailure = slices.Concat(crypto.Keccak256([]byte("store(address,bytes32,bytes32)"))[:4], common.LeftPadBytes(Address.Bytes(), 32), FailSlot.Bytes())

// An assertion compares words at the start of the arguments.
type assertion struct {
	relation relation
	signed   bool
}

// assertRows are the assertions, and wordAssertions those whose first two arguments
// are words that are compared, by signature.
var assertRows, wordAssertions = func() ([]row, map[string]assertion) {
	rows, words := []row(nil), map[string]assertion{}
	// add adds an assertion with and without a text of its own.
	add := func(name, types, docs string, check func(*call) (string, bool)) {
		run := func(c *call) error {
			if text, ok := check(c); !ok {
				return c.fail(text)
			}
			return nil
		}
		rows = append(rows,
			row{name + "(" + types + ")", "", run, docs},
			row{name + "(" + types + ",string)", "", run, docs + ", with a message"})
	}
	compare := func(name, types, docs string, a assertion, show func(*call, *input.Value) string) {
		add(name, types, docs, func(c *call) (string, bool) { return c.compare(a.relation, a.signed, show) })
		if !strings.Contains(types, "[]") && !strings.Contains(types, "bytes,") && !strings.Contains(types, "string") {
			words[name+"("+types+")"], words[name+"("+types+",string)"] = a, a
		}
	}
	plain := func(_ *call, v *input.Value) string { return shown(v) }
	decimal := func(c *call, v *input.Value) string { return units(v, &c.args[2].Word) }

	add("assertTrue", "bool", "fails unless the condition is true", func(c *call) (string, bool) { return "", c.flag(0) })
	add("assertFalse", "bool", "fails unless the condition is false", func(c *call) (string, bool) { return "", !c.flag(0) })
	for _, t := range []string{"bool", "uint256", "int256", "address", "bytes32", "string", "bytes"} {
		for _, list := range []string{"", "[]"} {
			types := t + list + "," + t + list
			compare("assertEq", types, "fails unless two values are equal", assertion{equalTo, false}, plain)
			compare("assertNotEq", types, "fails if two values are equal", assertion{notEqualTo, false}, plain)
		}
	}
	for _, t := range []string{"uint256", "int256"} {
		signed, types := t == "int256", t+","+t
		for _, o := range []struct {
			name     string
			relation relation
			docs     string
		}{
			{"assertLt", lessThan, "fails unless the first value is less than the second"},
			{"assertLe", atMost, "fails unless the first value is at most the second"},
			{"assertGt", greaterThan, "fails unless the first value is greater than the second"},
			{"assertGe", atLeast, "fails unless the first value is at least the second"},
		} {
			compare(o.name, types, o.docs, assertion{o.relation, signed}, plain)
			compare(o.name+"Decimal", types+",uint256", o.docs+"; prints decimals", assertion{o.relation, signed}, decimal)
		}
		compare("assertEqDecimal", types+",uint256", "fails unless two values are equal; prints decimals", assertion{equalTo, signed}, decimal)
		compare("assertNotEqDecimal", types+",uint256", "fails if two values are equal; prints decimals", assertion{notEqualTo, signed}, decimal)
		for _, d := range []struct{ suffix, types, docs string }{{"", "", ""}, {"Decimal", ",uint256", "; prints decimals"}} {
			show := plain
			if d.suffix != "" {
				show = func(c *call, v *input.Value) string { return units(v, &c.args[3].Word) }
			}
			add("assertApproxEqAbs"+d.suffix, types+",uint256"+d.types, "fails if two values differ by more than a limit"+d.docs,
				func(c *call) (string, bool) { return c.near(show) })
			add("assertApproxEqRel"+d.suffix, types+",uint256"+d.types, "fails if two values differ by more than a part of the second, where 1e18 is all of it"+d.docs,
				func(c *call) (string, bool) { return c.nearPart(show) })
		}
	}
	return rows, words
}()

// passes checks an assertion of two words from the encoded arguments. If it does
// not hold, the full handler is to tell why.
func (a *assertion) passes(arguments []byte) bool {
	if len(arguments) < 64 {
		return false
	}
	var left, right uint256.Int
	left.SetBytes32(arguments[:32])
	right.SetBytes32(arguments[32:64])
	return a.relation.holds(&left, &right, a.signed)
}

// fail ends a failed assertion; text says which values made it fail.
func (c *call) fail(text string) error {
	message := "assertion failed"
	if last := &c.args[len(c.args)-1]; c.messageGiven() {
		message = string(last.Data)
	}
	if text != "" {
		message += ": " + text
	}
	if c.Config.AssertionsContinue {
		c.Report.Lines = append(c.Report.Lines, message)
		c.state.Store(Address, FailSlot, common.BigToHash(common.Big1))
		return nil
	}
	return revert(cheatcodeError(message))
}

// messageGiven reports whether the last argument is the text of an assertion.
func (c *call) messageGiven() bool {
	in := c.code.inputs
	if in[len(in)-1].Type.Kind != input.KindString {
		return false
	}
	return len(in)%2 == 1 || in[0].Type.Kind != input.KindString // assertEq(string,string) has none
}

func (c *call) compare(r relation, signed bool, show func(*call, *input.Value) string) (string, bool) {
	left, right := &c.args[0], &c.args[1]
	var holds bool
	switch left.Type.Kind {
	case input.KindBytes, input.KindString, input.KindSlice:
		holds = left.Equal(right) == (r == equalTo) // they have no order
	default:
		holds = r.holds(&left.Word, &right.Word, signed)
	}
	if holds {
		return "", true
	}
	return show(c, left) + " " + r.inverse().String() + " " + show(c, right), false
}

// distance returns |a - b| of two numbers, modulo 2^256.
func distance(a, b *input.Value) (d uint256.Int) {
	less := a.Word.Lt(&b.Word)
	if a.Type.Kind == input.KindInt {
		less = a.Word.Slt(&b.Word)
	}
	if less {
		a, b = b, a
	}
	d.Sub(&a.Word, &b.Word)
	return d
}

// near checks that two numbers differ by at most the third argument.
func (c *call) near(show func(*call, *input.Value) string) (string, bool) {
	delta, limit := wordValue(new(uint256.Int)), wordValue(&c.args[2].Word)
	delta.Word = distance(&c.args[0], &c.args[1])
	if !delta.Word.Gt(&limit.Word) {
		return "", true
	}
	return fmt.Sprintf("%s !~= %s (max delta: %s, real delta: %s)", show(c, &c.args[0]), show(c, &c.args[1]), show(c, &limit), show(c, &delta)), false
}

var ether = uint256.NewInt(1e18)

// nearPart checks that two numbers differ by at most a part of the second.
func (c *call) nearPart(show func(*call, *input.Value) string) (string, bool) {
	left, right, limit := &c.args[0], &c.args[1], &c.args[2].Word
	var part uint256.Int
	real := "undefined"
	if right.Word.IsZero() {
		if left.Word.IsZero() {
			return "", true
		}
	} else {
		delta, whole := distance(left, right), right.Word
		if right.Type.Kind == input.KindInt {
			whole.Abs(&whole)
		}
		if _, overflow := part.MulDivOverflow(&delta, ether, &whole); overflow {
			return "overflow in delta calculation", false
		}
		if !part.Gt(limit) {
			return "", true
		}
		real = percent(&part)
	}
	return fmt.Sprintf("%s !~= %s (max delta: %s, real delta: %s)", show(c, left), show(c, right), percent(limit), real), false
}

// percent formats a part of 1e18.
func percent(part *uint256.Int) string {
	v := wordValue(part)
	return units(&v, uint256.NewInt(16)) + "%"
}

// units formats a number with decimals, as forge does.
func units(v *input.Value, decimals *uint256.Int) string {
	const most = 77
	w, sign := v.Word, ""
	if v.Type.Kind == input.KindInt && w.Sign() < 0 {
		w.Neg(&w)
		sign = "-"
	}
	if !decimals.IsUint64() || decimals.Uint64() > most {
		return sign + w.Dec()
	}
	digits := int(decimals.Uint64())
	var rest, unit uint256.Int
	unit.Exp(uint256.NewInt(10), decimals)
	w.DivMod(&w, &unit, &rest)
	text := rest.Dec()
	return sign + w.Dec() + "." + strings.Repeat("0", max(digits-len(text), 0)) + text
}

// shown formats a value as the text of a failed assertion has it.
func shown(v *input.Value) string {
	switch v.Type.Kind {
	case input.KindBool:
		return fmt.Sprint(!v.Word.IsZero())
	case input.KindInt:
		if v.Word.Sign() < 0 {
			return "-" + new(uint256.Int).Neg(&v.Word).Dec()
		}
	case input.KindAddress:
		return v.Address().Hex()
	case input.KindFixedBytes:
		return common.Hash(v.Word.Bytes32()).Hex()
	case input.KindString:
		return string(v.Data)
	case input.KindBytes:
		return "0x" + hex.EncodeToString(v.Data)
	case input.KindSlice:
		texts := make([]string, len(v.Elems))
		for i := range v.Elems {
			texts[i] = shown(&v.Elems[i])
		}
		return "[" + strings.Join(texts, ", ") + "]"
	}
	return v.Word.Dec()
}
