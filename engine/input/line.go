package input

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// ParseTx parses a line of the file form; see ReadText about lookup.
func (n *Names) ParseTx(text string, lookup Lookup) (tx Tx, err error) {
	from, rest, _ := strings.Cut(text, " ")
	var ok bool
	if tx.From, ok = ParseActor(from); !ok {
		return tx, fmt.Errorf("sender %q is neither an actor nor an address", clip(from))
	}
	target, rest, _ := strings.Cut(rest, ".")
	if tx.To, ok = n.Resolve(target); !ok {
		return tx, fmt.Errorf("contract %q is not part of the deployment", clip(target))
	}
	f, rest, err := cutSignature(rest)
	if err != nil {
		return tx, err
	}
	if tx.Function, err = bind(f, target, lookup); err != nil {
		return tx, err
	}
	p := valueParser{names: n, rest: rest}
	if f.Raw {
		err = p.rawData(&tx)
	} else {
		tx.Args, err = p.arguments(tx.Function)
	}
	if err != nil {
		return tx, err
	}
	return tx, p.options(&tx)
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
	{"target", func(n *Names, tx *Tx, v string) error {
		a, ok := n.Resolve(v)
		if !ok {
			return errors.New("no such contract")
		}
		tx.script().Target = a
		return nil
	}},
	{"data", func(_ *Names, tx *Tx, v string) (err error) {
		tx.script().Data, err = parseHex(v, -1)
		return err
	}},
	{"wei", func(_ *Names, tx *Tx, v string) (err error) {
		tx.script().Value, err = ParseWei(v)
		return err
	}},
	{"depth", func(_ *Names, tx *Tx, v string) error {
		depth, err := strconv.ParseUint(v, 10, 16)
		tx.script().Depth = int(depth)
		return err
	}},
	{"returns", func(_ *Names, tx *Tx, v string) error {
		p := valueParser{rest: v}
		words, err := p.value(&Type{Kind: KindSlice, Elem: &Type{Kind: KindUint, Size: 256}})
		if err == nil && p.rest != "" {
			err = errValueSyntax
		}
		script := tx.script()
		script.Returns = nil
		for i := range words.Elems {
			script.Returns = append(script.Returns, words.Elems[i].Word)
		}
		return err
	}},
}

func (tx *Tx) script() *Script {
	if tx.Script == nil {
		tx.Script = &Script{}
	}
	return tx.Script
}

func (p *valueParser) options(tx *Tx) error {
	words := strings.Fields(p.rest)
	for i := 0; i < len(words); i++ {
		w := words[i]
		var err error
		if number, ok := strings.CutPrefix(w, "+"); ok {
			if seconds, ok := strings.CutSuffix(number, "s"); ok {
				tx.Delay.Seconds, err = parseDelay(seconds, MaxSeconds)
			} else if i++; i < len(words) && words[i] == "blocks" {
				tx.Delay.Blocks, err = parseDelay(number, MaxBlocks)
			} else {
				err = errors.New("want +N blocks or +Ns")
			}
		} else {
			err = p.option(tx, w)
		}
		if err != nil {
			return fmt.Errorf("%q: %w", clip(w), err)
		}
	}
	return nil
}

func (p *valueParser) option(tx *Tx, w string) error {
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

// ParseScript is the inverse of FormatScript; empty text gives nil.
func (n *Names) ParseScript(text string) (*Script, error) {
	var tx Tx
	p := valueParser{names: n}
	for _, w := range strings.Fields(text) {
		if strings.HasPrefix(w, "value=") {
			return nil, errors.New("value is not the script's")
		}
		if err := p.option(&tx, w); err != nil {
			return nil, fmt.Errorf("%q: %w", clip(w), err)
		}
	}
	return tx.Script, nil
}

func (n *Names) appendScript(dst []byte, s *Script) []byte {
	if s == nil {
		return dst
	}
	dst = append(append(dst, " agent="...), s.Mode.String()...)
	if s.Target != ([20]byte{}) {
		dst = append(append(dst, " target="...), n.Address(s.Target)...)
	}
	if len(s.Data) > 0 {
		dst = appendHex(append(dst, " data="...), s.Data)
	}
	if !s.Value.IsZero() {
		dst = append(append(dst, " wei="...), FormatWei(&s.Value)...)
	}
	if s.Depth != 0 {
		dst = strconv.AppendInt(append(dst, " depth="...), int64(s.Depth), 10)
	}
	if len(s.Returns) > 0 {
		dst = append(dst, " returns=["...)
		for i := range s.Returns {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, s.Returns[i].Dec()...)
		}
		dst = append(dst, ']')
	}
	return dst
}
