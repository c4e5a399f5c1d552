package input

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// nestedFunction takes bytes for calls, encodings in encodings, and packed values.
func nestedFunction(t testing.TB) *Function {
	t.Helper()
	put := mustSignature(t, "put(uint64,address[],bytes)")
	f := mustSignature(t, "run(bytes[],bytes,(bytes,int16))")
	inner := mustSignature(t, "values(int24,bytes)").Inputs
	inner[1].Type.Contents = []*Content{EncodedCallOf(put)}
	packing, err := PackingOf(mustSignature(t, "values(uint8,int40,bytes5,bool,address,bytes)").Inputs)
	if err != nil {
		t.Fatal(err)
	}
	f.Inputs[0].Type.Elem.Contents = []*Content{EncodedCallOf(put)}
	f.Inputs[1].Type.Contents = []*Content{EncodingOf(inner), packing}
	f.Inputs[2].Type.Fields[0].Type.Contents = []*Content{packing}
	return f
}

// The calldata of values in bytes is that of their encoding; it reads back as the same
// values, and so do the file forms.
func TestContents(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	f, held := nestedFunction(t), 0
	for range 500 {
		tx := RandomTx(r, f, common.Address{1}, nil)
		plain := f.Zero()
		for i := range tx.Args {
			if err := tx.Args[i].Check(); err != nil {
				t.Fatal(err)
			}
		}
		values, err := DecodeCalldata(f, tx.Calldata())
		if err != nil || len(values) != len(plain) {
			t.Fatalf("%v: %s", err, tx.Args)
		}
		for i := range values {
			if values[i] = Recognize(values[i]); tx.Nested() && !values[i].Equal(&tx.Args[i]) && !strings.Contains(tx.Args[i].String(), "0x") {
				t.Fatalf("%s reads back as %s", tx.Args[i], values[i])
			}
		}
		again := tx
		if again.Args = values; !bytes.Equal(again.Calldata(), tx.Calldata()) {
			t.Fatalf("%s and %s differ in calldata", tx.Args, values)
		}
		if tx.Nested() {
			held++
		}
		s := Sequence{Deployment: &Deployment{Creations: []Creation{{Name: "Runner", Address: common.Address{1}}}}, Txs: []Tx{tx}}
		text := AppendText(nil, s)
		if want := map[bool]string{true: textHeader2, false: textHeader}[tx.Nested()]; !strings.HasPrefix(string(text), want+"\n") {
			t.Fatalf("no header %q in\n%s", want, text)
		}
		read, err := ReadText(text, nil)
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
		if !bytes.Equal(read.Txs[0].Calldata(), tx.Calldata()) || string(AppendText(nil, read)) != string(text) || Digest(Sequence{Txs: read.Txs}) != Digest(Sequence{Txs: s.Txs}) {
			t.Fatalf("reads back otherwise:\n%s", text)
		}
	}
	if held < 250 {
		t.Errorf("only %d of 500 arguments hold values", held)
	}
}

// Values that were read without the types of the code get them.
func TestTyped(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 26))
	f := nestedFunction(t)
	s := Sequence{Deployment: &Deployment{Creations: []Creation{{Name: "Runner", Address: common.Address{1}}}}}
	for range 50 {
		s.Txs = append(s.Txs, RandomTx(r, f, common.Address{1}, nil))
	}
	read, err := ReadText(AppendText(nil, s), nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, tx := range read.Txs {
		tx.Function = f
		typed := tx.Typed()
		if list := typed.Args[0]; list.Type != f.Inputs[0].Type || !list.Type.Elem.MayHold() {
			t.Fatalf("the list has another type than the function's")
		}
		for k := range typed.Args[0].Elems {
			if c := typed.Args[0].Elems[k].Content; c != nil && c != f.Inputs[0].Type.Elem.Contents[0] {
				t.Fatalf("a call has a content of its own")
			}
		}
		if !bytes.Equal(typed.Calldata(), s.Txs[i].Calldata()) {
			t.Fatalf("%s has other calldata than %s", typed.Args, s.Txs[i].Args)
		}
	}
}

// Parameters inside of bytes are where Offsets says, and setting one changes nothing
// else.
func TestContentParameters(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 24))
	f := nestedFunction(t)
	packed := 0
	for range 300 {
		tx := RandomTx(r, f, common.Address{1}, nil)
		data, m, params := tx.Calldata(), Offsets(&tx), Parameters(&tx)
		for i := range params {
			p, at := &params[i], m.words[i]
			w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
			if w = p.Word.Wrap(&w); p.Kind != ParamLength {
				next := Set(&tx, p, w)
				if got := Get(&next, p); got != w {
					t.Fatalf("%s: parameter %d is %s, not %s", tx.Args, i, got.Hex(), w.Hex())
				}
				if back := Set(&next, p, Get(&tx, p)); !bytes.Equal(back.Calldata(), data) {
					t.Fatalf("%s: parameter %d does not set back", tx.Args, i)
				}
			}
			if at.Size == 0 {
				continue
			}
			if found, ok := m.At(at.Offset); !ok || found.Index != i {
				t.Fatalf("%s: at %d is not parameter %d", tx.Args, at.Offset, i)
			}
			var got uint256.Int
			if got.SetBytes(data[at.Offset : at.Offset+at.Size]); !at.Right {
				setLeft(&got, data[at.Offset:at.Offset+at.Size])
			}
			if at.Size < 32 {
				packed++
			}
			if want := Get(&tx, p); p.Word.Wrap(&got) != want {
				t.Fatalf("%s: parameter %d is %s, at %d stands %s", tx.Args, i, want.Hex(), at.Offset, got.Hex())
			}
		}
	}
	if packed < 100 {
		t.Errorf("only %d packed parameters", packed)
	}
}

// Text that is no value in bytes is an error, however deep it is nested.
func TestBadContents(t *testing.T) {
	bytesType := &Type{Kind: KindBytes}
	for _, text := range []string{
		"", "f", "f(", "f()", "f(uint8)()", "f(uint8)(256)", "receive()()", "abi.encode", "abi.encode(uint8)(1", "abi.encodePacked(uint8[])([1])",
		strings.Repeat("f(bytes)(", 100000),
	} {
		if v, err := (*Names)(nil).Parse(bytesType, text); err == nil {
			t.Errorf("%.40q is %s", text, v)
		}
	}
	v, err := (*Names)(nil).Parse(bytesType, "f(uint8,bytes)(7, abi.encodePacked(uint16,bytes)(258, 0x03))")
	if err != nil {
		t.Fatal(err)
	}
	f := mustSignature(t, "f(uint8,bytes)")
	plain := Tx{Function: f, Args: f.Zero()}
	plain.Args[0].Word.SetUint64(7)
	plain.Args[1].Data = []byte{1, 2, 3}
	if !bytes.Equal(v.Bytes(), plain.Calldata()) {
		t.Errorf("%x, want %x", v.Bytes(), plain.Calldata())
	}
}

// What one transaction schedules and another executes changes in both.
func TestMirrored(t *testing.T) {
	f := mustSignature(t, "f(address,bytes)")
	g := mustSignature(t, "g(bytes,uint8)")
	a, b := Tx{Function: f, Args: f.Zero()}, Tx{Function: g, Args: g.Zero()}
	a.Args[1].Data, b.Args[0].Data = []byte{1}, []byte{1}
	s := Sequence{Txs: []Tx{a, b}}
	changed := b.Args[0]
	changed.Data = []byte{2}
	child := s.WithTx(1, b.WithArg([]int{0}, changed))
	got, first, ok := Mirrored(s, child, 1)
	if !ok || first != 0 || !bytes.Equal(got.Txs[0].Args[1].Data, []byte{2}) || !bytes.Equal(s.Txs[0].Args[1].Data, []byte{1}) {
		t.Errorf("%v %d: %s", ok, first, got)
	}
	if _, _, ok := Mirrored(s, s, 1); ok {
		t.Error("nothing changed, and something is mirrored")
	}
}
