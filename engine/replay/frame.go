package replay

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/evm"
	"leveret/engine/input"
)

// enter opens a frame.
func (r *Recorder) enter(ef *evm.Frame) {
	caller := r.top()
	if ef.Code != nil && ef.Kind != evm.FrameSelfDestruct {
		r.codes[ef.To] = ef.Code
	}
	f := &frame{
		Frame: &Frame{Kind: ef.Kind, From: r.name(ef.From), To: r.name(ef.To), Wei: ef.Value},
		code:  ef.Code, self: ef.Self, undo: len(r.ledger.undo), moves: len(r.tx.Moves),
	}
	if f.Began = r.ran; f.code == nil {
		f.Began = r.last()
	}
	if ef.Self != ef.To {
		f.Self = r.name(ef.Self)
	}
	f.codes = layouts(ef, caller)
	r.describe(f, ef)
	if caller != nil && forwards(caller, f, ef) { // a proxy's caller means the function behind it
		caller.function, caller.Function, caller.Args, caller.Data = f.function, f.Function, f.Args, ""
	}
	if caller == nil {
		r.tx.Root = f.Frame
		if r.source.Define != nil && f.function != nil {
			f.Place = r.source.Define(f.code, f.function)
		}
	} else {
		f.Place = placed(caller.place())
		if ef.From != input.Attacker.Address() || ef.To != ef.From { // calls of the attacker contract to itself are internal
			r.add(caller, Item{Kind: ItemCall, Call: f.Frame, Place: f.Place, At: f.Began})
		}
	}
	if !ef.Value.IsZero() && ef.Kind != evm.FrameDelegateCall && ef.Kind != evm.FrameCallCode && len(r.tx.Moves) < maxItems {
		switch {
		case ef.To == input.Forcer: // shown is what it sends on
		case caller != nil && ef.From == input.Forcer:
			r.tx.Moves = append(r.tx.Moves, Move{From: r.tx.Root.From, To: f.To, Amount: wei(&ef.Value)})
		default:
			r.tx.Moves = append(r.tx.Moves, Move{From: f.From, To: f.To, Amount: wei(&ef.Value)})
		}
	}
	r.open = append(r.open, f)
}

// forwards reports whether a frame passes all of its calldata on to other code, which
// has a function for it while its own has none.
func forwards(caller, f *frame, ef *evm.Frame) bool {
	return ef.Kind == evm.FrameDelegateCall && f.function != nil && !f.function.Raw &&
		(caller.function == nil || caller.function.Raw) && ef.Parent != nil && bytes.Equal(ef.Parent.Input, ef.Input)
}

// layouts lists the codes whose storage layout may apply in a frame: the
// running code, and callers whose storage it uses.
func layouts(ef *evm.Frame, caller *frame) []*evm.Code {
	var codes []*evm.Code
	if ef.Code != nil {
		codes = append(codes, ef.Code)
	}
	if caller != nil && caller.self == ef.Self {
		codes = append(codes, caller.codes...)
	}
	return codes
}

// describe decodes what a frame calls.
func (r *Recorder) describe(f *frame, ef *evm.Frame) {
	switch {
	case f.code == nil:
		r.describeAnswered(f, ef)
		return
	case ef.To == input.Forcer: // the transaction's description names the recipient
		return
	}
	creates := ef.Kind == evm.FrameCreate || ef.Kind == evm.FrameCreate2
	if c := r.contract(f.code); c != f.To || creates {
		f.Contract = c
	}
	if r.source.Function == nil {
		f.Data = shortHex(ef.Input)
		return
	}
	var args []byte
	f.Function = "fallback"
	f.function, args = r.source.Function(f.code, ef.Input)
	switch {
	case f.function == nil && creates:
		f.Function = "constructor"
		return
	case f.function == nil && len(ef.Input) >= 4:
		f.Function, f.Data = fmt.Sprintf("0x%x", ef.Input[:4]), shortHex(ef.Input[4:])
		return
	case f.function == nil:
		if f.Contract == "" && f.To != r.contract(f.code) {
			f.Function = "" // its functions are unknown
		}
		if len(ef.Input) > 0 {
			f.Data = shortHex(ef.Input)
		}
		return
	}
	r.describeArguments(f, args)
}

// describeAnswered decodes a call that ran no code.
func (r *Recorder) describeAnswered(f *frame, ef *evm.Frame) {
	f.Contract = precompile(ef.To)
	if r.source.Answered != nil && f.Contract == "" && len(ef.Input) >= 4 {
		if f.function = r.source.Answered(ef.To, ef.Input); f.function != nil {
			r.describeArguments(f, ef.Input[4:])
			return
		}
	}
	if len(ef.Input) > 0 {
		f.Data = shortHex(ef.Input)
	}
}

// describeArguments names the function of a frame and decodes its arguments.
func (r *Recorder) describeArguments(f *frame, args []byte) {
	f.Function = f.function.Name
	if f.function.Raw {
		if len(args) > 0 {
			f.Data = shortHex(args)
		}
		return
	}
	values, err := input.Decode(f.function.Inputs, args)
	if err != nil {
		f.Data = shortHex(args)
		return
	}
	for i := range values {
		values[i] = input.Recognize(values[i])
	}
	f.Args = r.wording(f.code).arguments(f.function.Inputs, values)
}

// contract returns the name of the contract of a code; empty if unknown.
func (r *Recorder) contract(code *evm.Code) string {
	if r.source.Contract == nil {
		return ""
	}
	return r.source.Contract(code)
}

// exit closes a frame.
func (r *Recorder) exit(ef *evm.Frame, status evm.Status, ret []byte, gas uint64, halt error) {
	f := r.top()
	if f == nil {
		return
	}
	r.open = r.open[:len(r.open)-1]
	f.Status, f.Gas, f.Ended = status, gas, r.last()
	created := ef.Kind == evm.FrameCreate || ef.Kind == evm.FrameCreate2
	switch {
	case status == evm.Success && !created:
		f.Returns = r.returns(f, ret)
	case status == evm.Success:
		f.Failed = nil
	case status == evm.Revert:
		f.Passed = len(ret) > 0 && bytes.Equal(ret, f.failure)
		f.Reason = r.reason(f, ret)
	default:
		f.Reason = haltWords(halt)
	}
	if status != evm.Success {
		r.ledger.revert(f.undo)
		r.tx.Moves = slices.Clip(r.tx.Moves[:min(f.moves, len(r.tx.Moves))])
		if caller := r.top(); caller != nil {
			caller.failure = slices.Clone(ret)
		}
	}
}

// returns decodes what a call returned.
func (r *Recorder) returns(f *frame, ret []byte) []Argument {
	if len(ret) == 0 {
		return nil
	}
	if f.function != nil && len(f.function.Outputs) > 0 {
		if values, err := input.Decode(f.function.Outputs, ret); err == nil {
			return r.wording(f.code).arguments(f.function.Outputs, values)
		}
	}
	return []Argument{{Value: shortHex(ret)}}
}

// reason describes revert data. Without revert data it returns the source that
// reverts.
func (r *Recorder) reason(f *frame, ret []byte) string {
	if len(ret) == 0 {
		if l := f.place(); l != nil && f.Failed != nil && !l.Whole {
			return l.Text
		}
		return ""
	}
	return r.wording(f.code).failure(&r.source, f.code, ret)
}

// failure describes revert data that is not empty.
func (w wording) failure(source *Resolver, code *evm.Code, ret []byte) string {
	if text, err := abi.UnpackRevert(ret); err == nil {
		if len(ret) == 36 {
			text = fmt.Sprintf("Panic(0x%02x): %s", ret[35], strings.Replace(text, "assert(false)", "an assertion does not hold", 1))
		}
		return clip(text)
	}
	if source.Error != nil && len(ret) >= 4 {
		if e := source.Error(code, ret); e != nil {
			values, err := input.Decode(e.Inputs, ret[4:])
			if err != nil {
				return e.Name
			}
			return e.Name + inBrackets(w.arguments(e.Inputs, values))
		}
	}
	if source.Explain != nil {
		if text := source.Explain(ret); text != "" {
			return clip(text)
		}
	}
	return shortHex(ret)
}

// clip shortens a text from a contract to one line.
func clip(s string) string {
	const most = 200
	s = strings.Join(strings.FieldsFunc(s, func(c rune) bool { return c < ' ' || c == 0x7f }), " ")
	if r := []rune(s); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return s
}

// decodeLog names an event and its arguments.
func (r *Recorder) decodeLog(code *evm.Code, l *evm.Log) (string, []Argument) {
	if r.source.Event != nil {
		if e := r.source.Event(code, l); e != nil {
			if values, err := input.DecodeLog(e, l.Topics, l.Data); err == nil {
				return e.Name, r.wording(code).arguments(e.Inputs, values)
			}
		}
	}
	var args []Argument
	for _, topic := range l.Topics {
		args = append(args, Argument{Value: topic.Hex()})
	}
	if len(l.Data) > 0 {
		args = append(args, Argument{Name: "data", Value: shortHex(l.Data)})
	}
	return "an event that is not known", args
}

// transfer describes a token transfer: an amount, or a single token.
func (r *Recorder) transfer(l *evm.Log) (Move, bool) {
	t, ok := l.Transfer()
	if !ok {
		return Move{}, false
	}
	m := Move{Token: r.name(l.Address), From: r.name(t.From), To: r.name(t.To), Amount: t.Value.Dec()}
	if t.Single {
		m.Amount = "no. " + m.Amount
	}
	return m, true
}

// name returns the name of an account: from the Resolver, else that of its
// contract.
func (r *Recorder) name(a common.Address) string {
	name := a.Hex()
	if r.source.Name != nil {
		name = r.source.Name(a)
	}
	if name != a.Hex() {
		return name
	}
	if a == (common.Address{}) {
		return "address(0)"
	}
	if code := r.codes[a]; code != nil {
		if contract := r.contract(code); contract != "" {
			return contract + "@" + name[:8]
		}
	}
	return name
}

// named replaces the addresses in a text by names.
func (r *Recorder) named(text string) string {
	return addresses.ReplaceAllStringFunc(text, func(hex string) string { return r.name(common.HexToAddress(hex)) })
}

var addresses = regexp.MustCompile(`\b0x[0-9a-fA-F]{40}\b`)

func (r *Recorder) wording(code *evm.Code) wording { return r.source.wording(r.name, code) }

func (r *Resolver) wording(name func(common.Address) string, code *evm.Code) wording {
	return wording{name, func(internal string, value uint64) string {
		if r.Enum == nil {
			return ""
		}
		return r.Enum(code, internal, value)
	}}
}

// Failure describes how code failed: with revert data, or by an exceptional halt if
// halt is not nil.
func (r *Resolver) Failure(code *evm.Code, ret []byte, halt error) string {
	switch {
	case halt != nil:
		return haltWords(halt)
	case len(ret) == 0:
		return "without a reason"
	}
	return r.wording(r.Name, code).failure(r, code, ret)
}

// Arguments pairs the names of fields with their values, formatted for code.
func (r *Resolver) Arguments(code *evm.Code, fields []input.Field, values []input.Value) []Argument {
	return r.wording(r.Name, code).arguments(fields, values)
}
