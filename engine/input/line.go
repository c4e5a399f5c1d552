package input

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/holiman/uint256"
)

// ParseTx parses a line of the file form; see ReadText about lookup.
func (n *Names) ParseTx(text string, lookup Lookup) (tx Tx, err error) {
	from, rest, _ := strings.Cut(text, " ")
	var ok bool
	if tx.From, ok = ParseActor(from); !ok {
		return tx, fmt.Errorf("sender %q is neither an actor nor an address", clip(from))
	}
	p := valueParser{names: n, rest: rest}
	if err := p.call(&tx, lookup); err != nil {
		return tx, err
	}
	return tx, p.options(&tx, lookup)
}

// call parses "Wallet.withdraw(uint256)(5)". The attacker contract may send any
// calldata to any contract.
func (p *valueParser) call(tx *Tx, lookup Lookup) error {
	target, rest, _ := strings.Cut(p.rest, ".")
	var ok bool
	if tx.To, ok = p.names.Resolve(target); !ok {
		return fmt.Errorf("contract %q is not part of the deployment", clip(target))
	}
	f, rest, err := cutSignature(rest)
	if err != nil {
		return err
	}
	p.rest = rest
	if tx.Function, err = bind(f, target, lookup); err != nil {
		return err
	}
	if f.Raw {
		return p.rawData(tx)
	}
	tx.Args, err = p.arguments(tx.Function)
	return err
}

// bind replaces a function parsed from a signature by the contract's own.
func bind(f *Function, contract string, lookup Lookup) (*Function, error) {
	if f.Constructor {
		return nil, errors.New("a constructor is not called")
	}
	if lookup == nil {
		return f, nil
	}
	if own := lookup(contract, f.Signature); own != nil {
		return own, nil
	}
	if f.Forces() {
		return Forced, nil
	}
	return nil, fmt.Errorf("%s has no %s", contract, f.Signature)
}

func (p *valueParser) rawData(tx *Tx) (err error) {
	rest, ok := strings.CutPrefix(p.rest, "(")
	if !ok {
		return errValueSyntax
	}
	p.rest = rest
	if w := p.word(); w != "" {
		if tx.Data, err = parseHex(w, -1); err != nil {
			return err
		}
	}
	if p.rest, ok = strings.CutPrefix(p.rest, ")"); !ok {
		return errValueSyntax
	}
	return nil
}

// An option is a key of a Tx's line and its parser.
type option struct {
	key  string
	read func(n *Names, tx *Tx, value string) error
}

var txOptions = []option{
	{"value", func(_ *Names, tx *Tx, v string) (err error) {
		tx.Value, err = ParseWei(v)
		return err
	}},
	{"agent", func(_ *Names, tx *Tx, v string) error {
		for mode, name := range agentModes {
			if name == v {
				tx.script().Mode = ScriptMode(mode)
				return nil
			}
		}
		return errors.New("no such mode")
	}},
	{"returns", func(_ *Names, tx *Tx, v string) (err error) {
		tx.script().Answers, err = parseAnswers(v)
		return err
	}},

	// The only re-entrant call of a script, as files had it before they named functions.
	{"target", func(n *Names, tx *Tx, v string) error {
		a, ok := n.Resolve(v)
		if !ok {
			return errors.New("no such contract")
		}
		tx.script().only().Tx.To = a
		return nil
	}},
	{"data", func(_ *Names, tx *Tx, v string) (err error) {
		tx.script().only().Tx.Data, err = parseHex(v, -1)
		return err
	}},
	{"wei", func(_ *Names, tx *Tx, v string) (err error) {
		tx.script().only().Tx.Value, err = ParseWei(v)
		return err
	}},
	{"depth", func(_ *Names, tx *Tx, v string) (err error) {
		tx.script().only().Times, err = parseCount(v)
		return err
	}},
}

func (tx *Tx) script() *Script {
	if tx.Script == nil {
		tx.Script = &Script{}
	}
	return tx.Script
}

// only returns the call of a script with one re-entrant call, whose function is not
// known.
func (s *Script) only() *Reentry {
	if len(s.Calls) == 0 {
		s.Calls = []Reentry{{Tx: Tx{From: Attacker, Function: anyCall}}}
	}
	return &s.Calls[0]
}

// anyCall is the function of re-entrant calls with any calldata.
var anyCall = (&Function{Name: "fallback", Mutability: Payable, Raw: true}).finish()

// withAnyCall adds anyCall to the functions of contracts without a fallback function.
func withAnyCall(lookup Lookup) Lookup {
	if lookup == nil {
		return nil
	}
	return func(contract, signature string) *Function {
		if f := lookup(contract, signature); f != nil || signature != anyCall.Signature {
			return f
		}
		return anyCall
	}
}

// parseAnswers parses "[1,2];[3]".
func parseAnswers(text string) (answers [][]uint256.Int, err error) {
	for text := range strings.SplitSeq(text, ";") {
		p := valueParser{rest: text}
		list, err := p.value(&Type{Kind: KindSlice, Elem: &Type{Kind: KindUint, Size: 256}})
		if err == nil && p.rest != "" {
			err = errValueSyntax
		}
		if err != nil {
			return nil, err
		}
		words := make([]uint256.Int, len(list.Elems))
		for i := range words {
			words[i] = list.Elems[i].Word
		}
		answers = append(answers, words)
	}
	return answers, nil
}

// parseCount parses a number of calls.
func parseCount(s string) (int, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	return int(n), err
}

func (p *valueParser) options(tx *Tx, lookup Lookup) error {
	for p.space(); p.rest != ""; p.space() {
		if p.rest[0] == '{' {
			call, err := p.reentry(lookup)
			if err != nil {
				return err
			}
			script := tx.script()
			script.Calls = append(script.Calls, call)
			continue
		}
		w := p.option()
		var err error
		if number, ok := strings.CutPrefix(w, "+"); ok {
			if seconds, ok := strings.CutSuffix(number, "s"); ok {
				tx.Delay.Seconds, err = parseDelay(seconds, MaxSeconds)
			} else if p.space(); p.option() == "blocks" {
				tx.Delay.Blocks, err = parseDelay(number, MaxBlocks)
			} else {
				err = errors.New("want +N blocks or +Ns")
			}
		} else {
			err = p.setOption(tx, w)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", clip(w), err)
		}
	}
	return nil
}

// option takes the text up to the next blank, or to the end of a re-entrant call.
func (p *valueParser) option() string {
	end := strings.IndexAny(p.rest, " }")
	if end < 0 {
		end = len(p.rest)
	}
	w := p.rest[:end]
	if w == "" && p.rest != "" {
		w = p.rest[:1]
	}
	p.rest = p.rest[len(w):]
	return w
}

// reentry parses "{Wallet.withdraw(uint256)(5) value=1wei first=2 times=3}".
func (p *valueParser) reentry(lookup Lookup) (r Reentry, err error) {
	p.rest = p.rest[1:]
	r.Tx.From = Attacker
	if err := p.call(&r.Tx, withAnyCall(lookup)); err != nil {
		return r, err
	}
	for p.space(); p.rest != "" && p.rest[0] != '}'; p.space() {
		w := p.option()
		key, value, _ := strings.Cut(w, "=")
		switch key {
		case "value":
			r.Tx.Value, err = ParseWei(value)
		case "first":
			r.First, err = parseCount(value)
		case "times":
			r.Times, err = parseCount(value)
		default:
			err = errors.New("unknown option")
		}
		if err != nil {
			return r, fmt.Errorf("%q: %w", clip(w), err)
		}
	}
	if p.rest == "" {
		return r, errors.New("a re-entrant call ends with }")
	}
	p.rest = p.rest[1:]
	return r, nil
}

func (p *valueParser) setOption(tx *Tx, w string) error {
	key, value, _ := strings.Cut(w, "=")
	for _, o := range txOptions {
		if o.key == key {
			return o.read(p.names, tx, value)
		}
	}
	return errors.New("unknown option")
}

func parseDelay(s string, limit uint64) (uint64, error) {
	n, err := strconv.ParseUint(s, 10, 64)
	if err == nil && n > limit {
		err = errors.New("too long a delay")
	}
	return n, err
}

var agentModes = [...]string{Accept: "accept", Refuse: "refuse", BurnGas: "burn", Reenter: "reenter"}

// String returns the mode's name.
func (m ScriptMode) String() string {
	if int(m) >= len(agentModes) {
		return "unknown"
	}
	return agentModes[m]
}

// FormatScript formats a script as in the file form, "agent=refuse".
func (n *Names) FormatScript(s *Script) string {
	return strings.TrimPrefix(string(n.appendScript(nil, s)), " ")
}

// ParseScript is the inverse of FormatScript; empty text gives nil. See ReadText
// about lookup.
func (n *Names) ParseScript(text string, lookup Lookup) (*Script, error) {
	var tx Tx
	p := valueParser{names: n, rest: text}
	if err := p.options(&tx, lookup); err != nil {
		return nil, err
	}
	if !tx.Value.IsZero() || tx.Delay != (Delay{}) {
		return nil, errors.New("value and delay are not the script's")
	}
	return tx.Script, nil
}

func (n *Names) appendScript(dst []byte, s *Script) []byte {
	if s == nil {
		return dst
	}
	dst = append(append(dst, " agent="...), s.Mode.String()...)
	for i := range s.Calls {
		c := &s.Calls[i]
		dst = n.appendCall(append(dst, " {"...), &c.Tx)
		if c.First > 1 {
			dst = fmt.Appendf(dst, " first=%d", c.First)
		}
		if c.Times > 1 {
			dst = fmt.Appendf(dst, " times=%d", c.Times)
		}
		dst = append(dst, '}')
	}
	for i, words := range s.Answers {
		dst = append(dst, [...]string{" returns=[", ";["}[min(i, 1)]...)
		for k := range words {
			if k > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, words[k].Dec()...)
		}
		dst = append(dst, ']')
	}
	return dst
}
