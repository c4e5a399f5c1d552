package replay

import (
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// Limits of values in a Trace, which is for people; the witness has the whole
// calldata.
const (
	longText  = 68 // bytes of strings shown in full
	longBytes = 36 // of other bytes
	longList  = 16 // elements of arrays
)

// A wording formats values for one piece of code.
type wording struct {
	name func(common.Address) string
	enum func(internalType string, value uint64) string
}

// arguments pairs the names of fields with their formatted values.
func (w wording) arguments(fields []input.Field, values []input.Value) []Argument {
	list := make([]Argument, 0, len(values))
	for i := range values {
		list = append(list, Argument{fields[i].Name, w.value(&values[i], fields[i].InternalType)})
	}
	return list
}

// value formats a value as in Solidity.
func (w wording) value(v *input.Value, internal string) string {
	switch v.Type.Kind {
	case input.KindAddress:
		return w.name(v.Address())
	case input.KindUint:
		if strings.HasPrefix(internal, "enum ") && v.Word.IsUint64() {
			if member := w.enum(internal, v.Word.Uint64()); member != "" {
				return member
			}
		}
		return number(v)
	case input.KindInt:
		return number(v)
	case input.KindString:
		if len(v.Data) > longText {
			return fmt.Sprintf("%s… (%d bytes)", strconv.Quote(string(v.Data[:longText])), len(v.Data))
		}
	case input.KindBytes:
		if v.Content != nil {
			return v.Content.Name() + w.fields(v.Content.Fields, v.Elems)
		}
		return shortHex(v.Data)
	case input.KindArray, input.KindSlice:
		return w.list(v, strings.TrimSuffix(internal, "[]"))
	case input.KindTuple:
		return w.tuple(v)
	}
	return v.String()
}

func (w wording) list(v *input.Value, internal string) string {
	var parts []string
	for i := range v.Elems {
		if i == longList {
			parts = append(parts, fmt.Sprintf("… (%d elements)", len(v.Elems)))
			break
		}
		parts = append(parts, w.value(&v.Elems[i], internal))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (w wording) tuple(v *input.Value) string { return w.fields(v.Type.Fields, v.Elems) }

// fields formats values in brackets, with the names of their fields.
func (w wording) fields(fields []input.Field, values []input.Value) string {
	var parts []string
	for i := range values {
		f := &fields[i]
		part := w.value(&values[i], f.InternalType)
		if f.Name != "" {
			part = f.Name + ": " + part
		}
		parts = append(parts, part)
	}
	return "(" + strings.Join(parts, ", ") + ")"
}

// most is the largest word, which its digits do not reveal.
var most = new(uint256.Int).SetAllOne().Dec()

// plainNumber reformats a value like number.
func plainNumber(value string) string {
	if value == most {
		return "type(uint256).max"
	}
	return value
}

// number formats an integer; extreme values of wide types by name, because
// their digits are hard to recognise.
func number(v *input.Value) string {
	if v.Type.Size >= 64 {
		t := v.Type.WordType()
		ordinal, most := t.Ordinal(&v.Word), t.MaxOrdinal()
		switch {
		case ordinal == most:
			return "type(" + v.Type.String() + ").max"
		case t.Signed && ordinal.IsZero():
			return "type(" + v.Type.String() + ").min"
		}
	}
	return v.String()
}

func shortHex(data []byte) string {
	if len(data) <= longBytes {
		return "0x" + hex.EncodeToString(data)
	}
	return fmt.Sprintf("0x%x… (%d bytes)", data[:32], len(data))
}

// wei formats an amount: "1.5 ether", "7 wei".
func wei(amount *uint256.Int) string {
	s := input.FormatWei(amount)
	if unit := strings.IndexFunc(s, func(c rune) bool { return c >= 'a' }); unit > 0 {
		return s[:unit] + " " + s[unit:]
	}
	return s + " wei"
}

// halts describes exceptional halts by the start of go-ethereum's messages.
var halts = []struct{ begins, words string }{
	{"out of gas", "out of gas"},
	{"invalid opcode: INVALID", "a check of the compiler fails (INVALID): all gas is lost"},
	{"invalid opcode", "an instruction that does not exist"},
	{"write protection", "it tries to change the state in a static call"},
	{"max call depth", "calls are nested too deeply"},
	{"insufficient balance", "the sender does not have that much wei"},
	{"contract address collision", "there is a contract at the address already"},
	{"max code size", "the code is larger than the chain allows"},
	{"max initcode size", "the creation code is larger than the chain allows"},
	{"return data out of bounds", "it reads behind the end of what was returned"},
}

func haltWords(err error) string {
	switch {
	case err == nil:
		return "halts"
	case errors.Is(err, evm.ErrSlow):
		return "it runs longer than the instruction cap"
	case errors.Is(err, evm.ErrHeld):
		return "it keeps more data, or needs more memory at once, than a call may"
	case errors.Is(err, evm.ErrMemory):
		return "it needs more memory than the limit"
	}
	for _, h := range halts {
		if strings.HasPrefix(err.Error(), h.begins) {
			return h.words
		}
	}
	return err.Error()
}

// precompiles are the names of the precompiled contracts.
var precompiles = [...]string{1: "ecrecover", "sha256", "ripemd160", "identity", "modexp", "ecadd", "ecmul", "ecpairing", "blake2f", "pointEvaluation"}

func precompile(a common.Address) string {
	var n uint256.Int
	if n.SetBytes20(a[:]); n.IsUint64() && n.Uint64() < uint64(len(precompiles)) {
		return precompiles[n.Uint64()]
	}
	return ""
}
