package input

import (
	"bytes"
	"errors"
	"strings"

	"github.com/ethereum/go-ethereum/common"
)

// A Content is what a bytes value holds in place of plain bytes: values, and how
// they are encoded. It is immutable.
type Content struct {
	Signature string         // "withdraw(uint256)", "abi.encode(uint256,bytes)"
	Function  *Function      // that an encoded call calls; nil: there is no selector
	Fields    []Field        // of the values; of a call the function's inputs
	Packed    bool           // without padding, as by abi.encodePacked
	To        common.Address // the contract that the call is meant for; zero: any
}

// The names of encodings in text, as in Solidity.
const (
	encodeName = "abi.encode"
	packedName = "abi.encodePacked"
)

// EncodedCallOf returns the Content of calls of f.
func EncodedCallOf(f *Function) *Content {
	return &Content{Signature: f.Signature, Function: f, Fields: f.Inputs}
}

// EncodingOf returns the Content of values that are encoded as by abi.encode.
func EncodingOf(fields []Field) *Content {
	return &Content{Signature: signature(encodeName, fields), Fields: fields}
}

// PackingOf returns the Content of values that are encoded as by
// abi.encodePacked. It fails for types other than words, bytes and strings.
func PackingOf(fields []Field) (*Content, error) {
	for _, f := range fields {
		if !f.Type.Elementary() && f.Type.Kind != KindBytes && f.Type.Kind != KindString {
			return nil, errors.New("packed values are words, bytes and strings")
		}
	}
	return &Content{Signature: signature(packedName, fields), Fields: fields, Packed: true}, nil
}

// Name is the Signature without types.
func (c *Content) Name() string {
	name, _, _ := strings.Cut(c.Signature, "(")
	return name
}

// Holding returns a value of type t, which is bytes, that holds zero or empty
// values.
func (c *Content) Holding(t *Type) Value {
	v := Value{Type: t, Content: c, Elems: make([]Value, len(c.Fields))}
	for i := range v.Elems {
		v.Elems[i] = Zero(c.Fields[i].Type)
	}
	return v
}

// Bytes returns the bytes of a bytes or string value. Callers must not change
// them.
func (v *Value) Bytes() []byte {
	if v.Content == nil {
		return v.Data
	}
	return v.appendBytes(nil)
}

// appendBytes appends what Bytes returns.
func (v *Value) appendBytes(dst []byte) []byte {
	if v.Content == nil {
		return append(dst, v.Data...)
	}
	return v.Content.append(dst, v.Elems)
}

// append appends the encoding of values.
func (c *Content) append(dst []byte, values []Value) []byte {
	switch {
	case c.Packed:
		for i := range values {
			dst = appendPacked(dst, &values[i])
		}
		return dst
	case c.Function != nil:
		dst = append(dst, c.Function.Selector[:]...)
	}
	return AppendValues(dst, values)
}

func appendPacked(dst []byte, v *Value) []byte {
	if !v.Type.Elementary() {
		return v.appendBytes(dst)
	}
	word, w := v.Word.Bytes32(), wordTypeOf(v.Type)
	if w.Left {
		return append(dst, word[:w.bytes()]...)
	}
	return append(dst, word[32-w.bytes():]...)
}

// bytes is the size in a packed encoding.
func (t WordType) bytes() int { return (t.Bits + 7) / 8 }

// decode reads data as values of the Content; false unless they encode to the
// same data.
func (c *Content) decode(data []byte) (values []Value, ok bool) {
	rest := data
	if c.Function != nil {
		if len(data) < 4 || [4]byte(data) != c.Function.Selector {
			return nil, false
		}
		rest = data[4:]
	}
	if c.Packed {
		values, ok = unpack(c.Fields, rest)
	} else {
		var err error
		values, err = Decode(c.Fields, rest)
		ok = err == nil
	}
	return values, ok && bytes.Equal(c.append(nil, values), data)
}

// unpack reads a packed encoding. Bytes and strings take all that is left.
func unpack(fields []Field, data []byte) ([]Value, bool) {
	values := make([]Value, len(fields))
	for i, f := range fields {
		v := &values[i]
		v.Type = f.Type
		if !f.Type.Elementary() {
			v.Data, data = bytes.Clone(data), nil
			continue
		}
		w := wordTypeOf(f.Type)
		n := w.bytes()
		if len(data) < n {
			return nil, false
		}
		if v.Word.SetBytes(data[:n]); w.Left {
			setLeft(&v.Word, data[:n])
		}
		v.Word, data = w.Wrap(&v.Word), data[n:]
	}
	return values, true
}

// maxRecognized bounds the encodings within encodings that Recognize looks for.
const maxRecognized = 8

// Recognize returns v with the contents of its bytes values, where their types
// tell what they may hold and an encoding fits exactly.
func Recognize(v Value) Value { return recognize(v, maxRecognized) }

func recognize(v Value, depth int) Value {
	if v.Type.Kind == KindBytes && v.Content == nil {
		for _, c := range v.Type.Contents {
			values, ok := c.decode(v.Data)
			if !ok || depth == 0 {
				continue
			}
			v.Content, v.Elems, v.Data = c, values, nil
			break
		}
		depth--
	}
	if len(v.Elems) == 0 || depth < 0 {
		return v
	}
	elems := make([]Value, len(v.Elems))
	for i := range elems {
		elems[i] = recognize(v.Elems[i], depth)
	}
	v.Elems = elems
	return v
}

// As returns v with a type of the same name, which may know more of what bytes hold;
// its contents are recognised.
func (v Value) As(t *Type) Value { return Recognize(v.as(t)) }

func (v Value) as(t *Type) Value {
	v.Type = t
	elem := func(i int) *Type { return t.Elem }
	switch t.Kind {
	case KindTuple:
		elem = func(i int) *Type { return t.Fields[i].Type }
	case KindBytes:
		if v.Content == nil {
			return v
		}
		for _, c := range t.Contents {
			if c.Signature == v.Content.Signature {
				v.Content = c
			}
		}
		elem = func(i int) *Type { return v.Content.Fields[i].Type }
	}
	if len(v.Elems) == 0 {
		return v
	}
	elems := make([]Value, len(v.Elems))
	for i := range elems {
		elems[i] = v.Elems[i].as(elem(i))
	}
	v.Elems = elems
	return v
}

// Typed returns tx with arguments of the types of its function.
func (tx Tx) Typed() Tx {
	if !tx.Function.Nests() || len(tx.Args) != len(tx.Function.Inputs) {
		return tx
	}
	args := make([]Value, len(tx.Args))
	for i := range args {
		args[i] = tx.Args[i].As(tx.Function.Inputs[i].Type)
	}
	tx.Args = args
	return tx
}

// Nested reports whether an argument of tx has a Content.
func (tx *Tx) Nested() bool { return haveContent(tx.Args) }

func haveContent(values []Value) bool {
	for i := range values {
		if v := &values[i]; v.Content != nil || haveContent(v.Elems) {
			return true
		}
	}
	return false
}

// appendContent formats the values of a bytes value: "withdraw(uint256)(5)", and
// "withdraw(5)" if n is brief.
func (n *Names) appendContent(dst []byte, v *Value) []byte {
	if n != nil && n.brief {
		dst = append(dst, v.Content.Name()...)
	} else {
		dst = append(dst, v.Content.Signature...)
	}
	return n.appendList(dst, "()", v.Elems)
}

// bytes parses a bytes value: hexadecimal, or a Content with its values.
func (p *valueParser) bytes(v *Value) (err error) {
	if strings.HasPrefix(p.rest, "0x") {
		v.Data, err = parseHex(p.word(), -1)
		return err
	}
	if p.depth++; p.depth > maxTypeDepth {
		return errors.New("nested too deeply")
	}
	if v.Content, err = p.content(); err != nil {
		return err
	}
	values, err := p.value(&Type{Kind: KindTuple, Fields: v.Content.Fields})
	v.Elems = values.Elems
	p.depth--
	return err
}

// content parses the signature of a Content.
func (p *valueParser) content() (*Content, error) {
	text, encoding := p.rest, ""
	for _, name := range [...]string{packedName, encodeName} {
		if rest, ok := strings.CutPrefix(text, name+"("); ok && encoding == "" {
			text, encoding = "values("+rest, name
		}
	}
	f, rest, err := cutSignature(text)
	if err != nil {
		return nil, err
	}
	p.rest = rest
	switch encoding {
	case encodeName:
		return EncodingOf(f.Inputs), nil
	case packedName:
		return PackingOf(f.Inputs)
	}
	if f.Constructor || f.Raw {
		return nil, errValueSyntax
	}
	return EncodedCallOf(f), nil
}
