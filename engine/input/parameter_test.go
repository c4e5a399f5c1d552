package input

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/holiman/uint256"
)

func mustSignature(t testing.TB, s string) *Function {
	t.Helper()
	f, err := ParseSignature(s)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func randomTx(r *rand.Rand, f *Function) Tx {
	tx := Tx{Function: f, From: Actors[r.IntN(len(Actors))]}
	for i := range f.Inputs {
		tx.Args = append(tx.Args, randomValue(r, f.Inputs[i].Type))
	}
	return tx
}

func TestWordsAgreeWithBigIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for n := 0; n < 2000; n++ {
		wt := WordType{Bits: 8 * (1 + r.IntN(32)), Signed: r.IntN(2) == 0}
		if !wt.Signed {
			wt.Left = r.IntN(2) == 0
		}
		w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
		w = wt.Wrap(&w)
		integer := wt.Integer(&w)
		if back := wt.FromInteger(integer); back != w {
			t.Fatalf("%+v: %s is %s, comes back as %s", wt, w.Hex(), integer, back.Hex())
		}
		if !wt.Left { // an independent reading
			want := w.ToBig()
			if wt.Signed && w.Sign() < 0 {
				want.Sub(want, new(big.Int).Lsh(big.NewInt(1), 256))
			}
			if want.Cmp(integer) != 0 {
				t.Fatalf("%+v: %s is %s, want %s", wt, w.Hex(), integer, want)
			}
		}
		o := wt.Ordinal(&w)
		if back := wt.Word(&o); back != w {
			t.Fatalf("%+v: ordinal %s of %s comes back as %s", wt, &o, w.Hex(), back.Hex())
		}
		huge := new(big.Int).Lsh(big.NewInt(1), 300)
		top, bottom := wt.FromInteger(huge), wt.FromInteger(huge.Neg(huge))
		first, last := wt.Ordinal(&bottom), wt.Ordinal(&top)
		if max := wt.MaxOrdinal(); !first.IsZero() || last != max {
			t.Fatalf("%+v: clamped to ordinals %s and %s", wt, &first, &last)
		}
	}
}

func TestParametersOfAFunction(t *testing.T) {
	f := mustSignature(t, "f(uint8,(bytes4,int16[2]),string,address[],bytes)")
	tx := Tx{Function: f, Args: f.Zero()}
	tx.Args[2].Data = []byte("hello")
	tx.Args[3].Elems = []Value{NewAddress(User1.Address())}
	tx.Args[4].Data = make([]byte, 68)
	kinds := []ParameterKind{
		ParamArg, ParamArg, ParamArg, ParamArg, ParamLength, ParamChunk, ParamLength, ParamArg,
		ParamLength, ParamChunk, ParamChunk, ParamChunk, ParamWei, ParamBlocks, ParamSeconds, ParamActor,
	}
	params := Parameters(&tx)
	if len(params) != len(kinds) {
		t.Fatalf("%d parameters, want %d", len(params), len(kinds))
	}
	for i := range params {
		if params[i].Kind != kinds[i] || params[i].Index != i {
			t.Errorf("parameter %d: kind %d index %d, want kind %d", i, params[i].Kind, params[i].Index, kinds[i])
		}
	}
	if bits := []int{params[5].Word.Bits, params[9].Word.Bits, params[10].Word.Bits}; bits[0] != 40 || bits[1] != 32 || bits[2] != 256 {
		t.Errorf("chunk widths %v", bits)
	}
}

func TestSetChangesNothingElse(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for n := 0; n < 600; n++ {
		f := mustSignature(t, "f("+randomType(r, 3).String()+","+randomType(r, 2).String()+")")
		tx := randomTx(r, f)
		before := bytes.Clone(tx.Calldata())
		params := Parameters(&tx)
		for i := range params {
			p := &params[i]
			w := uint256.Int{r.Uint64(), r.Uint64(), r.Uint64(), r.Uint64()}
			if p.Kind == ParamLength {
				w.SetUint64(uint64(r.IntN(20)))
			}
			out := Set(&tx, p, w)
			if !bytes.Equal(tx.Calldata(), before) {
				t.Fatalf("%s: setting parameter %d changed the original", f.Signature, i)
			}
			w = p.Word.Wrap(&w)
			if got := Get(&out, p); got != w {
				t.Fatalf("%s: parameter %d kind %d: set %s, got %s", f.Signature, i, p.Kind, w.Hex(), got.Hex())
			}
			for k := range out.Args {
				if err := out.Args[k].Check(); err != nil {
					t.Fatalf("%s: %v", f.Signature, err)
				}
			}
			if p.Kind == ParamLength {
				continue
			}
			for j := range params {
				if j != i && Get(&out, &params[j]) != Get(&tx, &params[j]) {
					t.Fatalf("%s: setting %d changed %d", f.Signature, i, j)
				}
			}
			if back := Set(&out, p, Get(&tx, p)); !bytes.Equal(back.Calldata(), before) {
				t.Fatalf("%s: parameter %d does not set back", f.Signature, i)
			}
		}
	}
}

func TestLengthsAreBounded(t *testing.T) {
	f := mustSignature(t, "f(uint256[8][8][],bytes)")
	tx := Tx{Function: f, Args: f.Zero()}
	for _, p := range Parameters(&tx) {
		if p.Kind != ParamLength {
			continue
		}
		out := Set(&tx, &p, p.Word.MaxOrdinal())
		if n := len(out.Calldata()); n > 32*maxTypeLeaves+1000 {
			t.Errorf("largest length gives %d bytes", n)
		}
		if out2 := Set(&out, &p, uint256.Int{}); !bytes.Equal(out2.Calldata(), tx.Calldata()) {
			t.Error("length does not shrink back to zero")
		}
	}
}

func TestRawParameters(t *testing.T) {
	a, err := ParseABI([]byte(`[{"type":"fallback","stateMutability":"payable"},{"type":"receive","stateMutability":"payable"}]`))
	if err != nil {
		t.Fatal(err)
	}
	tx := Tx{Function: a.Fallback, Data: bytes.Repeat([]byte{7}, 36)}
	params := Parameters(&tx)
	if params[1].Kind != ParamRawLength || params[2].Word.Bits != 32 || params[3].Word.Bits != 256 {
		t.Fatalf("parameters of fallback: %+v", params)
	}
	out := Set(&tx, &params[3], *uint256.NewInt(1))
	if out.Data[35] != 1 || out.Data[3] != 7 || tx.Data[35] != 7 {
		t.Errorf("data %x", out.Data)
	}
	if n := len(Parameters(&Tx{Function: a.Receive})); n != 4 {
		t.Errorf("receive has %d parameters, want wei, delays, actor", n)
	}
}

func BenchmarkParameters(b *testing.B) {
	for _, s := range []string{"f(uint256,address,bool)", "f(uint256[],string)"} {
		f := mustSignature(b, s)
		tx := randomTx(rand.New(rand.NewPCG(1, 1)), f)
		b.Run(s, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parameters(&tx)
			}
		})
		b.Run(s+"/set", func(b *testing.B) {
			b.ReportAllocs()
			p := &Parameters(&tx)[0]
			for b.Loop() {
				Set(&tx, p, uint256.Int{3})
			}
		})
		b.Run(s+"/calldata", func(b *testing.B) {
			b.ReportAllocs()
			var buf []byte
			for b.Loop() {
				buf = tx.AppendCalldata(buf[:0])
			}
		})
	}
}

// A Tx agrees with another as far as types and their order allow.
func TestAgreeing(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, row := range []struct {
		tx, with string
		from     []int // for each argument of tx, the other's that it becomes; -1: its own
	}{
		{"schedule(address,uint256,bytes,bytes32,uint256)", "execute(address,uint256,bytes,bytes32)", []int{0, 1, 2, 3, -1}},
		{"f(uint256,address)", "g(address,uint256)", []int{1, -1}},
		{"f(uint8)", "g(uint256)", []int{-1}},
		{"f(uint256[],bool)", "g(bool,uint256[],bool)", []int{1, 2}},
		{"f()", "g(bool)", nil},
	} {
		tx, with := randomTx(r, mustSignature(t, row.tx)), randomTx(r, mustSignature(t, row.with))
		got, _ := tx.Agreeing(&with)
		for i, from := range row.from {
			want := tx.Args[i]
			if from >= 0 {
				want = with.Args[from]
			}
			if !got.Args[i].Equal(&want) {
				t.Errorf("%s by %s: argument %d is %v, want %v", row.tx, row.with, i, got.Args[i], want)
			}
		}
		if _, again := got.Agreeing(&with); again {
			t.Errorf("%s by %s: changed again", row.tx, row.with)
		}
	}
}

// The arguments and the wei of re-entrant calls and the words of answers are
// Parameters of the transaction, behind its own; to set one copies the script.
func TestScriptParameters(t *testing.T) {
	f, g := mustSignature(t, "f(uint256)"), mustSignature(t, "g(uint8[],bytes)")
	script := &Script{
		Mode:    Reenter,
		Calls:   []Reentry{{Tx: Tx{Function: g, Args: g.Zero()}}, {Tx: Tx{Function: f, Args: f.Zero()}}},
		Answers: [][]uint256.Int{{{1}, {2}}, nil},
	}
	tx := Tx{Function: f, Args: f.Zero(), Script: script}
	own := Parameters(&Tx{Function: f, Args: f.Zero()})
	all := Parameters(&tx)
	var kinds []ParameterKind
	for i, p := range all {
		if p.Index != i {
			t.Errorf("Parameter %d has index %d", i, p.Index)
		}
		if i < len(own) {
			continue
		}
		kinds = append(kinds, p.Kind)
		next := Set(&tx, &p, *uint256.NewInt(7))
		if got := Get(&next, &p); got.Uint64() != 7 {
			t.Errorf("Parameter %d of call %d is %v", i, p.Call, &got)
		}
		if again := Get(&tx, &p); again.Uint64() == 7 || next.Script == script {
			t.Errorf("Parameter %d of call %d changed its transaction", i, p.Call)
		}
	}
	want := []ParameterKind{ParamLength, ParamLength, ParamWei, ParamArg, ParamWei, ParamAnswerLength, ParamAnswer, ParamAnswer, ParamAnswerLength}
	if !slices.Equal(kinds, want) {
		t.Errorf("%v, not %v", kinds, want)
	}
	if tx.Script.Mode = Accept; len(Parameters(&tx)) != len(own)+4 {
		t.Error("re-entrant calls have Parameters though none is made")
	}
}

// A Lister lists the same Parameters, transaction after transaction; what it listed before
// and was kept does not change.
func TestLister(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	functions := []*Function{mustSignature(t, "f(uint256)"), mustSignature(t, "g(uint8[],bytes)"), mustSignature(t, "h((uint8[2],string)[],address)"), nestedFunction(t)}
	var l Lister
	var kept, want []Parameter
	for range 500 {
		tx := randomTx(r, functions[r.IntN(len(functions))])
		if other := randomTx(r, functions[r.IntN(len(functions))]); r.IntN(2) == 0 {
			tx.Script = &Script{Mode: Reenter, Calls: []Reentry{{Tx: other}}, Answers: [][]uint256.Int{{{1}, {2}}, nil}}
		}
		all := Parameters(&tx)
		if list := l.Of(&tx); !reflect.DeepEqual(list, all) && len(list)+len(all) > 0 {
			t.Fatalf("%v, not %v", list, all)
		} else if len(list) > 0 {
			i := r.IntN(len(list))
			kept, want = append(kept, list[i].Keep()), append(want, all[i])
		}
	}
	if !reflect.DeepEqual(kept, want) || len(kept) < 400 {
		t.Errorf("%d Parameters were kept, and some changed", len(kept))
	}
}

// After a length becomes 0, a transaction has the Parameters that it lists, and no
// element of the list.
func TestHas(t *testing.T) {
	f := mustSignature(t, "f(uint8[],(bytes,address[2][])[],uint256)")
	script := &Script{
		Mode:    Reenter,
		Calls:   []Reentry{{Tx: Tx{Function: f, Args: f.Zero()}}},
		Answers: [][]uint256.Int{{{1}, {2}}},
	}
	grown := Tx{Function: f, Args: f.Zero(), Script: script}
	for range 3 { // lists of lists
		for _, p := range Parameters(&grown) {
			if p.Kind == ParamLength && p.Of.Kind == KindSlice {
				grown = Set(&grown, &p, *uint256.NewInt(2))
			}
		}
	}
	same := func(a, b *Parameter) bool {
		return a.Kind == b.Kind && a.Call == b.Call && a.Chunk == b.Chunk && slices.Equal(a.Path, b.Path)
	}
	all := Parameters(&grown)
	for _, length := range all {
		if length.Kind != ParamLength && length.Kind != ParamAnswerLength {
			continue
		}
		shrunk := Set(&grown, &length, uint256.Int{})
		left := Parameters(&shrunk)
		for _, p := range all {
			listed := slices.ContainsFunc(left, func(q Parameter) bool { return same(&p, &q) })
			if p.Kind != ParamChunk && shrunk.Has(&p) != listed || !grown.Has(&p) {
				t.Errorf("kind %d at %v of call %d, without the elements at %v of call %d: %t", p.Kind, p.Path, p.Call, length.Path, length.Call, !listed)
			}
		}
	}
	plain := Tx{Function: f, Args: grown.Args}
	for _, p := range all {
		if plain.Has(&p) != (p.Call == 0) {
			t.Errorf("without a script, call %d has Parameters: %t", p.Call, plain.Has(&p))
		}
	}
}
