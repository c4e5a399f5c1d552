package locals

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"leveret/engine/debug"
	"leveret/engine/debug/variables"
	"leveret/engine/evm"
	"leveret/engine/input"
	"leveret/solc"
)

// A Tally counts reports of variables by what the debugger shows at them.
type Tally struct {
	Shown     int             `json:"shown"`
	Unknown   int             `json:"unknown"`
	Wrong     int             `json:"wrong"`
	Functions map[string]bool `json:"functions"`        // that have a value which is shown: "file:Vault.withdraw"
	Errors    []string        `json:"errors,omitempty"` // the first ones of Wrong
}

// NewTally returns an empty Tally.
func NewTally() *Tally { return &Tally{Functions: map[string]bool{}} }

// maxErrors bounds Tally.Errors.
const maxErrors = 10

// Add adds the counts of another Tally.
func (t *Tally) Add(o *Tally) {
	t.Shown, t.Unknown, t.Wrong = t.Shown+o.Shown, t.Unknown+o.Unknown, t.Wrong+o.Wrong
	for f := range o.Functions {
		t.Functions[f] = true
	}
	t.Errors = append(t.Errors, o.Errors[:min(len(o.Errors), maxErrors-len(t.Errors))]...)
}

// A comparison compares reports with what a debugger shows where they begin.
type comparison struct {
	reports []report
	events  map[common.Hash]*input.Event
	tally   *Tally
}

func newComparison(b *solc.Build, reports []report) (*comparison, error) {
	c := &comparison{reports: reports, events: map[common.Hash]*input.Event{}, tally: NewTally()}
	for _, contract := range b.Contracts {
		if len(contract.ABI) == 0 {
			continue
		}
		abi, err := input.ParseABI(contract.ABI)
		if err != nil {
			return nil, err
		}
		for _, e := range abi.Events {
			if strings.HasPrefix(e.Name, eventName) {
				c.events[e.ID] = e
			}
		}
	}
	return c, nil
}

// A told is what a report told.
type told struct {
	report int
	value  input.Value
}

// told executes a transaction and returns its reports in order.
func (c *comparison) told(t *debug.Transaction) (list []told) {
	t.Run(&evm.Hooks{Ops: []byte{0x00}, Log: func(_ *evm.Frame, l *evm.Log) {
		if len(l.Topics) != 1 || c.events[l.Topics[0]] == nil {
			return
		}
		values, err := input.Decode(c.events[l.Topics[0]].Inputs, l.Data)
		if err != nil || len(values) != 2 {
			list = append(list, told{report: -1})
			return
		}
		list = append(list, told{int(values[0].Word.Uint64()), values[1]})
	}})
	return list
}

// errOrder says that reports and statements do not correspond.
var errOrder = errors.New("the statements with reports are not in the order of the reports")

// compare walks through a Recording and compares at each report.
func (c *comparison) compare(ctx context.Context, r *debug.Recording) error {
	var all [][]told
	for n := range r.Transactions() {
		t, _, _ := r.Transaction(n)
		all = append(all, c.told(t))
	}
	s := r.NewSession(ctx)
	defer s.Close()
	next := make([]int, len(all))
	for more := true; more; {
		stack, err := s.Stack()
		if err != nil {
			return err
		}
		if number, ok := reportOf(stack); ok {
			tx := r.TransactionAt(s.Position())
			if n := next[tx]; n < len(all[tx]) && all[tx][n].report == number { // else it ran out of gas
				next[tx]++
				c.at(s, &stack[0], all[tx][n])
			}
		}
		if more, err = s.StepIn(debug.ByStatement); err != nil {
			return err
		}
	}
	for tx := range all {
		if next[tx] < len(all[tx]) && !r.Cut {
			return errOrder
		}
	}
	return nil
}

// reportOf returns the number of the report that begins at the top of a stack.
func reportOf(stack []debug.StackFrame) (number int, ok bool) {
	if len(stack) == 0 {
		return 0, false
	}
	text := strings.TrimPrefix(stack[0].Text, "emit ")
	if !strings.HasPrefix(text, eventName) {
		return 0, false
	}
	_, arguments, _ := strings.Cut(text, "(")
	_, err := fmt.Sscanf(arguments, "%d", &number)
	return number, err == nil
}

// at compares one report.
func (c *comparison) at(s *debug.Session, f *debug.StackFrame, t told) {
	name := c.reports[t.report].variable
	shown, found := local(s, f, name)
	switch {
	case !found || shown.Value == variables.Unknown:
		c.tally.Unknown++
		return
	case c.same(s, shown, t.value, c.reports[t.report].stored):
		c.tally.Shown++
		c.tally.Functions[c.reports[t.report].function] = true
		return
	}
	c.tally.Wrong++
	if len(c.tally.Errors) < maxErrors {
		c.tally.Errors = append(c.tally.Errors, fmt.Sprintf("%s in %s at %s: shown %s, reported %s", name, f.Name, f.Text, text(shown), words(t.value)))
	}
}

// local returns the innermost variable with a name.
func local(s *debug.Session, f *debug.StackFrame, name string) (v debug.Variable, found bool) {
	for _, scope := range s.Scopes(f) {
		if scope.Hint != "locals" {
			continue
		}
		for _, x := range scope.Variables() {
			if x.Name == name {
				v, found = x, true
			}
		}
	}
	return v, found
}

// same compares what is shown with a reported value, parts included.
func (c *comparison) same(s *debug.Session, shown debug.Variable, want input.Value, stored bool) bool {
	switch want.Type.Kind {
	case input.KindSlice, input.KindArray, input.KindTuple:
		if stored {
			return c.sameStored(s, shown.Path, want)
		}
		return c.sameParts(s, shown, want)
	}
	return sameLeaf(shown.Value, want)
}

func (c *comparison) sameParts(s *debug.Session, shown debug.Variable, want input.Value) bool {
	var parts []debug.Variable
	if shown.Parts != nil {
		parts = shown.Parts()
	}
	if len(parts) != min(len(want.Elems), 1000) || want.Type.Kind == input.KindSlice && shown.Value != fmt.Sprintf("length %d", len(want.Elems)) {
		return false
	}
	for i, p := range parts {
		if !c.same(s, p, want.Elems[i], false) {
			return false
		}
	}
	return true
}

// sameStored compares storage by the paths of its words.
func (c *comparison) sameStored(s *debug.Session, path string, want input.Value) bool {
	for i, e := range want.Elems {
		inner := fmt.Sprintf("%s[%d]", path, i)
		if want.Type.Kind == input.KindTuple {
			inner = path + "." + want.Type.Fields[i].Name
		}
		switch e.Type.Kind {
		case input.KindSlice, input.KindArray, input.KindTuple:
			if !c.sameStored(s, inner, e) {
				return false
			}
			continue
		}
		v, err := s.Evaluate(inner, 0)
		if err != nil || !sameLeaf(v.Value, e) {
			return false
		}
	}
	if want.Type.Kind == input.KindSlice {
		v, err := s.Evaluate(path+".length", 0)
		return err == nil && v.Value == fmt.Sprint(len(want.Elems))
	}
	return true
}

// sameLeaf compares a value as it is shown with one as it was reported. The debugger
// adds names in brackets.
func sameLeaf(shown string, want input.Value) bool {
	if want.Type.Kind == input.KindString || want.Type.Kind == input.KindBytes {
		return sameBytes(shown, want.Data)
	}
	shown, _, _ = strings.Cut(shown, " (")
	return shown == leaf(want)
}

// sameBytes compares bytes or a string with what is shown of it: all, the beginning and
// the length, or the length alone if it is in several words of storage.
func sameBytes(shown string, want []byte) bool {
	if shown == fmt.Sprintf("(%d bytes)", len(want)) {
		return true
	}
	text, length, shortened := strings.Cut(shown, "… (")
	var have []byte
	var err error
	switch {
	case strings.HasPrefix(text, "0x"):
		have, err = hexutil.Decode(text)
	case strings.HasPrefix(text, "hex"):
		have, err = hexutil.Decode("0x" + strings.Trim(strings.TrimPrefix(text, "hex"), `"`))
	default:
		var plain string
		plain, err = strconv.Unquote(text)
		have = []byte(plain)
	}
	if shortened {
		return err == nil && bytes.HasPrefix(want, have) && length == fmt.Sprintf("%d bytes)", len(want))
	}
	return err == nil && bytes.Equal(have, want)
}

// leaf formats a reported value that has no parts.
func leaf(v input.Value) string {
	switch v.Type.Kind {
	case input.KindUint:
		return v.Word.Dec()
	case input.KindInt:
		if v.Word.Sign() < 0 {
			v.Word.Neg(&v.Word)
			return "-" + v.Word.Dec()
		}
		return v.Word.Dec()
	case input.KindBool:
		return fmt.Sprint(!v.Word.IsZero())
	case input.KindAddress:
		return common.Address(v.Word.Bytes20()).Hex()
	case input.KindFixedBytes:
		word := v.Word.Bytes32()
		return hexutil.Encode(word[:v.Type.Size])
	case input.KindString:
		return quoted(v.Data)
	case input.KindBytes:
		return hexutil.Encode(v.Data)
	case input.KindFunction:
		return common.BytesToAddress(v.Data[:20]).Hex() + "." + hexutil.Encode(v.Data[20:])
	}
	return "?"
}

// quoted formats text.
func quoted(data []byte) string {
	if !utf8.Valid(data) {
		return fmt.Sprintf("hex%q", fmt.Sprintf("%x", data))
	}
	return strconv.Quote(string(data))
}

// text shows a variable with its parts.
func text(v debug.Variable) string {
	if v.Parts == nil {
		return v.Value
	}
	var list []string
	for _, p := range v.Parts() {
		list = append(list, p.Name+": "+text(p))
	}
	return v.Value + " {" + strings.Join(list, ", ") + "}"
}

// words shows a reported value.
func words(v input.Value) string {
	if len(v.Elems) == 0 {
		return leaf(v)
	}
	var list []string
	for _, e := range v.Elems {
		list = append(list, words(e))
	}
	return "{" + strings.Join(list, ", ") + "}"
}
