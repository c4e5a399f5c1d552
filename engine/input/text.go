package input

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// textHeader is the first line of the file form. One with values inside of bytes
// has textHeader2, so that earlier versions, which cannot read these, say so.
const (
	textHeader  = "leveret input v1"
	textHeader2 = "leveret input v2"
)

// A Lookup finds the function of a contract by signature; nil if the current
// contract has none, so that the input cannot be replayed.
type Lookup func(contract, signature string) *Function

// AppendText appends the readable file form of s, one line per creation or Tx:
//
//	leveret input v1
//	fork chain=1 block=20000000
//	deploy Wallet constructor(uint256)(7) at 0x… file="src/Wallet.sol" tested
//	setup deployer Wallet.initialize(address)(user1)
//	user1 Wallet.SetY(int256)(42) value=1ether +3 blocks +60s agent=refuse
//
// In version 2, what is inside of bytes may be written as values:
//
//	user1 Wallet.run(bytes[])([SetY(int256)(42), 0x12, send(bytes)(abi.encode(uint8,bool)(1, true))])
func AppendText(dst []byte, s Sequence) []byte {
	names := NewNames(nil) // names are added in order, as readers see them
	dst = append(append(dst, s.textHeader()...), '\n')
	if s.Deployment != nil {
		if f := s.Deployment.Fork; f != nil {
			dst = fmt.Appendf(dst, forkLine+"\n", f.Chain, f.Block)
		}
		for i := range s.Deployment.Creations {
			c := &s.Deployment.Creations[i]
			dst = names.appendCreation(dst, c)
			names.add(c)
			for k := range c.Setup {
				dst = append(names.appendTx(append(dst, "setup "...), &c.Setup[k]), '\n')
			}
		}
	}
	for i := range s.Txs {
		dst = names.appendTx(dst, &s.Txs[i])
		dst = append(dst, '\n')
	}
	return dst
}

// textHeader is the first line of the file form of s.
func (s *Sequence) textHeader() string {
	if s.nested() {
		return textHeader2
	}
	return textHeader
}

// nested reports whether an argument has a Content.
func (s *Sequence) nested() bool {
	in := func(txs []Tx) bool { return slices.ContainsFunc(txs, func(tx Tx) bool { return tx.Nested() }) }
	if s.Deployment != nil {
		for i := range s.Deployment.Creations {
			if c := &s.Deployment.Creations[i]; haveContent(c.Args) || in(c.Setup) {
				return true
			}
		}
	}
	return in(s.Txs)
}

func (n *Names) appendCreation(dst []byte, c *Creation) []byte {
	dst = append(dst, "deploy "...)
	dst = append(dst, c.Name...)
	dst = append(dst, " constructor("...)
	for i := range c.Args {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c.Args[i].Type.String()...)
	}
	dst = n.appendList(append(dst, ')'), "()", c.Args)
	dst = append(dst, " at "...)
	dst = append(dst, c.Address.Hex()...)
	if c.File != "" {
		dst = strconv.AppendQuote(append(dst, " file="...), c.File)
	}
	if !c.Value.IsZero() {
		dst = append(append(dst, " value="...), FormatWei(&c.Value)...)
	}
	for _, o := range creationNames {
		if name := *o.of(c); name != "" {
			dst = append(append(append(dst, ' '), o.key...), name...)
		}
	}
	for _, mark := range creationMarks {
		if *mark.of(c) {
			dst = append(append(dst, ' '), mark.word...)
		}
	}
	return append(dst, '\n')
}

// creationMarks are words behind a Creation.
var creationMarks = []struct {
	word string
	of   func(*Creation) *bool
}{
	{"tested", func(c *Creation) *bool { return &c.Tested }},
	{"named", func(c *Creation) *bool { return &c.Named }},
}

// readMark reads a word behind a Creation.
func (p *valueParser) readMark(c *Creation) bool {
	for _, mark := range creationMarks {
		if rest, ok := strings.CutPrefix(p.rest, mark.word); ok && (rest == "" || rest[0] == ' ') {
			p.rest, *mark.of(c) = rest, true
			return true
		}
	}
	return false
}

// creationNames are the options of a Creation that name a contract.
var creationNames = []struct {
	key string
	of  func(*Creation) *string
}{
	{"contract=", func(c *Creation) *string { return &c.Contract }},
	{"by=", func(c *Creation) *string { return &c.By }},
	{"of=", func(c *Creation) *string { return &c.Of }},
}

func (n *Names) appendTx(dst []byte, tx *Tx) []byte {
	dst = n.appendCall(append(append(dst, tx.From.String()...), ' '), tx)
	if tx.Delay.Blocks != 0 {
		dst = fmt.Appendf(dst, " +%d blocks", tx.Delay.Blocks)
	}
	if tx.Delay.Seconds != 0 {
		dst = fmt.Appendf(dst, " +%ds", tx.Delay.Seconds)
	}
	return n.appendScript(dst, tx.Script)
}

// appendCall appends who is called with what.
func (n *Names) appendCall(dst []byte, tx *Tx) []byte {
	dst = append(append(dst, n.Address(tx.To)...), '.')
	switch f := tx.Function; {
	case f == nil:
		dst = appendHex(append(dst, "fallback()("...), tx.Data)
		dst = append(dst, ')')
	case f.Raw:
		dst = append(append(dst, f.Signature...), '(')
		if f.takesData() {
			dst = appendHex(dst, tx.Data)
		}
		dst = append(dst, ')')
	default:
		dst = n.appendList(append(dst, f.Signature...), "()", tx.Args)
	}
	if !tx.Value.IsZero() {
		dst = append(append(dst, " value="...), FormatWei(&tx.Value)...)
	}
	return dst
}

// ReadText reads the file form. With a lookup, functions are those of the
// current contracts, and unknown signatures are errors; without one they are
// parsed from the signatures.
func ReadText(data []byte, lookup Lookup) (Sequence, error) {
	var s Sequence
	header := false
	for number, line := range bytes.Split(data, []byte("\n")) {
		text := strings.TrimSuffix(string(line), "\r")
		if !header {
			if text != textHeader && text != textHeader2 {
				return s, fmt.Errorf("not a file that starts with %q", textHeader)
			}
			header = true
			continue
		}
		if text == "" || text[0] == '#' {
			continue
		}
		if err := s.readLine(text, lookup); err != nil {
			return Sequence{}, fmt.Errorf("line %d: %w", number+1, err)
		}
	}
	return s, nil
}

// forkLine is the line of a Fork.
const forkLine = "fork chain=%d block=%d"

func (s *Sequence) readFork(text string) error {
	f := &Fork{}
	if _, err := fmt.Sscanf(text, forkLine, &f.Chain, &f.Block); err != nil || fmt.Sprintf(forkLine, f.Chain, f.Block) != text {
		return fmt.Errorf("a fork is written as %q", fmt.Sprintf(forkLine, 1, 20000000))
	}
	if s.Deployment != nil || len(s.Txs) > 0 {
		return errors.New("a fork comes before the deployment")
	}
	s.Deployment = &Deployment{Fork: f}
	return nil
}

func (s *Sequence) readLine(text string, lookup Lookup) error {
	if strings.HasPrefix(text, "fork ") {
		return s.readFork(text)
	}
	names := NewNames(s.Deployment)
	if rest, ok := strings.CutPrefix(text, "deploy "); ok {
		if len(s.Txs) > 0 {
			return errors.New("deployment after the first transaction")
		}
		c, err := names.readCreation(rest, lookup)
		if err != nil {
			return err
		}
		if s.Deployment == nil {
			s.Deployment = &Deployment{}
		}
		s.Deployment.Creations = append(s.Deployment.Creations, c)
		return nil
	}
	if rest, ok := strings.CutPrefix(text, "setup "); ok {
		made := s.Deployment.Newest()
		if len(s.Txs) > 0 || made == nil {
			return errors.New("a set-up belongs to the deployment before it")
		}
		tx, err := names.ParseTx(rest, lookup)
		if err == nil {
			made.Setup = append(made.Setup, tx)
		}
		return err
	}
	tx, err := names.ParseTx(text, lookup)
	if err == nil {
		s.Txs = append(s.Txs, tx)
	}
	return err
}

func (n *Names) readCreation(text string, lookup Lookup) (c Creation, err error) {
	name, rest, _ := strings.Cut(text, " ")
	if !identifier(name) {
		return c, fmt.Errorf("contract name %q", clip(name))
	}
	c.Name = name
	f, rest, err := cutSignature(rest)
	if err != nil {
		return c, err
	}
	if !f.Constructor {
		return c, errors.New("want constructor(…)")
	}
	p := valueParser{names: n, rest: rest}
	if c.Args, err = p.arguments(f); err != nil {
		return c, err
	}
	if rest, ok := strings.CutPrefix(p.rest, " at "); ok {
		p.rest = rest
	} else {
		return c, errors.New("want at ADDRESS")
	}
	var ok bool
	if c.Address, ok = (*Names)(nil).Resolve(p.word()); !ok {
		return c, errors.New("want at ADDRESS")
	}
	if err := p.creationOptions(&c); err != nil {
		return c, err
	}
	return c, c.fits(f, lookup)
}

// fits checks the constructor against the current contract, if the deployer
// calls it.
func (c *Creation) fits(constructor *Function, lookup Lookup) error {
	if lookup != nil && c.File != "" && c.By == "" && c.Of == "" && lookup(c.Name, constructor.Signature) == nil {
		return fmt.Errorf("%s has no %s", c.Name, constructor.Signature)
	}
	return nil
}

func (p *valueParser) creationOptions(c *Creation) (err error) {
	for p.space(); p.rest != ""; p.space() {
		if rest, ok := strings.CutPrefix(p.rest, "file="); ok {
			p.rest = rest
			var file Value
			if err := p.quoted(&file); err != nil {
				return err
			}
			c.File = string(file.Data)
		} else if rest, ok := strings.CutPrefix(p.rest, "value="); ok {
			p.rest = rest
			if c.Value, err = ParseWei(p.word()); err != nil {
				return err
			}
		} else if !p.readMark(c) {
			if err := p.creationName(c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *valueParser) creationName(c *Creation) error {
	for _, o := range creationNames {
		if rest, ok := strings.CutPrefix(p.rest, o.key); ok {
			p.rest = rest
			name := p.word()
			if *o.of(c) = name; !identifier(name) {
				return fmt.Errorf("contract name %q", clip(name))
			}
			return nil
		}
	}
	return fmt.Errorf("unknown option %q", clip(p.rest))
}

// cutSignature parses a signature at the start of s.
func cutSignature(s string) (*Function, string, error) {
	depth := 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				f, err := ParseSignature(s[:i+1])
				return f, s[i+1:], err
			}
		}
	}
	return nil, s, fmt.Errorf("no signature in %q", clip(s))
}

// arguments parses "(a, b)" as the arguments of f.
func (p *valueParser) arguments(f *Function) ([]Value, error) {
	v, err := p.value(&Type{Kind: KindTuple, Fields: f.Inputs})
	if err != nil {
		return nil, fmt.Errorf("arguments of %s: %w", f.Signature, err)
	}
	return v.Elems, nil
}
