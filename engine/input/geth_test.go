package input

import (
	"bytes"
	"fmt"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
)

// randomType makes a type that go-ethereum knows too.
func randomType(r *rand.Rand, depth int) *Type {
	n := 10
	if depth <= 0 {
		n = 7
	}
	switch r.IntN(n) {
	case 0:
		return &Type{Kind: KindUint, Size: 8 * (1 + r.IntN(32))}
	case 1:
		return &Type{Kind: KindInt, Size: 8 * (1 + r.IntN(32))}
	case 2:
		return &Type{Kind: KindFixedBytes, Size: 1 + r.IntN(32)}
	case 3:
		return &Type{Kind: KindAddress}
	case 4:
		return &Type{Kind: KindBool}
	case 5:
		return &Type{Kind: KindBytes}
	case 6:
		if r.IntN(4) == 0 {
			return &Type{Kind: KindFunction}
		}
		return &Type{Kind: KindString}
	case 7:
		return &Type{Kind: KindArray, Size: 1 + r.IntN(3), Elem: randomType(r, depth-1)}
	case 8:
		return &Type{Kind: KindSlice, Elem: randomType(r, depth-1)}
	}
	t := &Type{Kind: KindTuple}
	for i := 1 + r.IntN(3); i > 0; i-- {
		t.Fields = append(t.Fields, Field{Name: fmt.Sprintf("f%d", i), Type: randomType(r, depth-1)})
	}
	return t
}

// randomValue is uniform, unlike the package's own Random.
func randomValue(r *rand.Rand, t *Type) Value {
	v := Value{Type: t}
	fill := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		return b
	}
	switch t.Kind {
	case KindArray:
		for i := 0; i < t.Size; i++ {
			v.Elems = append(v.Elems, randomValue(r, t.Elem))
		}
	case KindSlice:
		for i := r.IntN(4); i > 0; i-- {
			v.Elems = append(v.Elems, randomValue(r, t.Elem))
		}
	case KindTuple:
		for i := range t.Fields {
			v.Elems = append(v.Elems, randomValue(r, t.Fields[i].Type))
		}
	case KindBytes, KindString:
		v.Data = fill(r.IntN(70))
	case KindFunction:
		v.Data = fill(24)
	default:
		v.Word.SetBytes(fill(32))
		v.Word = Canonical(t, &v.Word)
	}
	return v
}

// gethType gives go-ethereum's type.
func gethType(t *testing.T, typ *Type) abi.Type {
	t.Helper()
	name, components := gethNames(typ)
	g, err := abi.NewType(name, "", components)
	if err != nil {
		t.Fatalf("%s: %v", typ, err)
	}
	return g
}

func gethNames(t *Type) (string, []abi.ArgumentMarshaling) {
	switch t.Kind {
	case KindArray:
		name, c := gethNames(t.Elem)
		return fmt.Sprintf("%s[%d]", name, t.Size), c
	case KindSlice:
		name, c := gethNames(t.Elem)
		return name + "[]", c
	case KindTuple:
		var c []abi.ArgumentMarshaling
		for i, f := range t.Fields {
			name, sub := gethNames(f.Type)
			c = append(c, abi.ArgumentMarshaling{Name: fmt.Sprintf("F%d", i), Type: name, Components: sub})
		}
		return "tuple", c
	}
	return t.String(), nil
}

// gethValue fills a value of go-ethereum's Go type.
func gethValue(v *Value, typ reflect.Type) reflect.Value {
	out := reflect.New(typ).Elem()
	switch v.Type.Kind {
	case KindUint, KindInt:
		n := wordTypeOf(v.Type).Integer(&v.Word)
		switch out.Kind() {
		case reflect.Pointer:
			out.Set(reflect.ValueOf(n))
		case reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			out.SetInt(n.Int64())
		default:
			out.SetUint(n.Uint64())
		}
	case KindAddress:
		out.Set(reflect.ValueOf(v.Address()))
	case KindBool:
		out.SetBool(!v.Word.IsZero())
	case KindFixedBytes:
		b := v.Word.Bytes32()
		reflect.Copy(out, reflect.ValueOf(b[:v.Type.Size]))
	case KindFunction:
		reflect.Copy(out, reflect.ValueOf(v.Data))
	case KindBytes:
		out.SetBytes(v.Data)
	case KindString:
		out.SetString(string(v.Data))
	case KindSlice:
		out.Set(reflect.MakeSlice(typ, len(v.Elems), len(v.Elems)))
		fallthrough
	case KindArray:
		for i := range v.Elems {
			out.Index(i).Set(gethValue(&v.Elems[i], typ.Elem()))
		}
	case KindTuple:
		for i := range v.Elems {
			out.Field(i).Set(gethValue(&v.Elems[i], typ.Field(i).Type))
		}
	}
	return out
}

func sameAsGeth(v *Value, g reflect.Value) bool {
	return reflect.DeepEqual(normal(gethValue(v, g.Type()).Interface()), normal(g.Interface()))
}

// normal prints a value so that big.Int's inner form and nil slices do not
// matter.
func normal(x any) string {
	if n, ok := x.(*big.Int); ok {
		return n.String()
	}
	return fmt.Sprintf("%v", x)
}

func TestCodecAgreesWithGoEthereum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := 0; n < 1500; n++ {
		fields := make([]Field, 1+r.IntN(3))
		values := make([]Value, len(fields))
		var args abi.Arguments
		var native []any
		for i := range fields {
			fields[i] = Field{Type: randomType(r, 3)}
			values[i] = randomValue(r, fields[i].Type)
			g := gethType(t, fields[i].Type)
			args = append(args, abi.Argument{Name: fmt.Sprintf("a%d", i), Type: g})
			native = append(native, gethValue(&values[i], g.GetType()).Interface())
		}
		want, err := args.Pack(native...)
		if err != nil {
			t.Fatal(err)
		}
		got := AppendValues(nil, values)
		if !bytes.Equal(got, want) {
			t.Fatalf("%s\nours %x\ngeth %x", signature("f", fields), got, want)
		}
		back, err := Decode(fields, want)
		if err != nil {
			t.Fatalf("%s: %v", signature("f", fields), err)
		}
		for i := range back {
			if !back[i].Equal(&values[i]) {
				t.Fatalf("%s: argument %d: decoded other than encoded", signature("f", fields), i)
			}
			if err := back[i].Check(); err != nil {
				t.Fatal(err)
			}
		}
		againstDamage(t, r, fields, args, want)
	}
}

// Types are the same if their names are.
func TestSameTypes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	same := 0
	for range 20_000 {
		a, b := randomType(r, 2), randomType(r, 2)
		if a.Same(b) != (a.String() == b.String()) {
			t.Fatalf("%s and %s are the same: %t", a, b, a.Same(b))
		}
		if a.Same(b) {
			same++
		}
		again, err := ParseSignature(signature("f", []Field{{Type: a}}))
		if err != nil {
			t.Fatal(err)
		}
		if !a.Same(again.Inputs[0].Type) {
			t.Fatalf("%s is not the same as itself", a)
		}
	}
	if same < 50 {
		t.Errorf("%d pairs of the same types", same)
	}
}

// againstDamage decodes altered data: what we accept go-ethereum must accept
// with the same values.
func againstDamage(t *testing.T, r *rand.Rand, fields []Field, args abi.Arguments, data []byte) {
	t.Helper()
	for n := 0; n < 20; n++ {
		bad := bytes.Clone(data)
		for k := r.IntN(3); k >= 0; k-- {
			bad[r.IntN(len(bad)/32)*32+31-r.IntN(2)*r.IntN(32)] = byte(r.IntN(256) >> r.IntN(8))
		}
		if r.IntN(4) == 0 {
			bad = bad[:r.IntN(len(bad))]
		}
		ours, err := Decode(fields, bad)
		if err != nil {
			continue
		}
		theirs, err := args.Unpack(bad)
		if err != nil {
			t.Fatalf("%s: accepted %x, go-ethereum says %v", signature("f", fields), bad, err)
		}
		for i := range ours {
			if !sameAsGeth(&ours[i], reflect.ValueOf(theirs[i])) {
				t.Fatalf("%s: argument %d of %x differs", signature("f", fields), i, bad)
			}
		}
	}
}

const sampleABI = `[
 {"type":"constructor","inputs":[{"name":"o","type":"address","internalType":"contract IERC20"}],"stateMutability":"payable"},
 {"type":"function","name":"a","inputs":[{"name":"x","type":"tuple[2][]","internalType":"struct S[2][]","components":[{"name":"u","type":"uint8","internalType":"enum E"},{"name":"b","type":"bytes"}]},{"name":"f","type":"function"}],"outputs":[{"name":"","type":"int24"}],"stateMutability":"view"},
 {"type":"function","name":"old","constant":true,"inputs":[],"outputs":[],"payable":false},
 {"name":"oldpay","inputs":[{"name":"x","type":"uint256[3]"}],"outputs":[],"payable":true},
 {"type":"event","name":"Transfer","inputs":[{"name":"from","type":"address","indexed":true},{"name":"s","type":"string","indexed":true},{"name":"v","type":"uint256"}],"anonymous":false},
 {"type":"error","name":"Denied","inputs":[{"name":"who","type":"address"}]},
 {"type":"receive","stateMutability":"payable"},
 {"type":"fallback","stateMutability":"nonpayable"},
 {"type":"function","name":"lib","inputs":[{"name":"s","type":"Lib.Data storage"}],"outputs":[]},
 {"type":"function","name":"huge","inputs":[{"name":"s","type":"uint8[99999][99999]"}],"outputs":[]}
]`

func TestABIAgreesWithGoEthereum(t *testing.T) {
	ours, err := ParseABI([]byte(sampleABI))
	if err != nil {
		t.Fatal(err)
	}
	var skipped []string
	for _, s := range ours.Skipped {
		skipped = append(skipped, s.Name)
	}
	if want := []string{"lib", "huge"}; !reflect.DeepEqual(skipped, want) {
		t.Errorf("skipped %v, want %v", ours.Skipped, want)
	}
	short := sampleABI[:strings.Index(sampleABI, ",\n {\"type\":\"function\",\"name\":\"lib\"")] + "]"
	short = strings.Replace(short, `{"name":"oldpay"`, `{"type":"function","name":"oldpay"`, 1)
	theirs, err := abi.JSON(strings.NewReader(short))
	if err != nil {
		t.Fatal(err)
	}
	if len(ours.Functions) != len(theirs.Methods) {
		t.Fatalf("%d functions, go-ethereum %d", len(ours.Functions), len(theirs.Methods))
	}
	for _, f := range ours.Functions {
		m := theirs.Methods[f.Name]
		if f.Signature != m.Sig || !bytes.Equal(f.Selector[:], m.ID) {
			t.Errorf("%s %x, go-ethereum %s %x", f.Signature, f.Selector, m.Sig, m.ID)
		}
		if f.Constant() != m.IsConstant() || (f.Mutability == Payable) != m.IsPayable() {
			t.Errorf("%s: mutability %d", f.Name, f.Mutability)
		}
		if ours.Method(f.Signature) != f || ours.Select(append(f.Selector[:], 0)) != f {
			t.Errorf("%s is not found again", f.Signature)
		}
	}
	if e := ours.Events[0]; e.ID != theirs.Events["Transfer"].ID || e.Signature != theirs.Events["Transfer"].Sig {
		t.Errorf("event %s %s", e.Signature, e.ID)
	}
	denied := theirs.Errors["Denied"]
	if e := ours.Errors[0]; !bytes.Equal(e.Selector[:], denied.ID[:4]) {
		t.Errorf("error %s %x", e.Signature, e.Selector)
	}
	if c := ours.Constructor; c.Mutability != Payable || c.Inputs[0].InternalType != "contract IERC20" || c.Signature != "constructor(address)" {
		t.Errorf("constructor %+v", c)
	}
	if ours.Select(nil) != ours.Receive || ours.Select([]byte{1}) != ours.Fallback || !ours.Fallback.Raw {
		t.Error("receive and fallback are not selected")
	}
}

func TestLogAgreesWithGoEthereum(t *testing.T) {
	ours, err := ParseABI([]byte(sampleABI))
	if err != nil {
		t.Fatal(err)
	}
	e := ours.Events[0]
	topics := []common.Hash{e.ID, common.BytesToHash(User1.Address().Bytes()), {7}}
	values, err := DecodeLog(e, topics, common.LeftPadBytes([]byte{42}, 32))
	if err != nil {
		t.Fatal(err)
	}
	if values[0].Address() != User1.Address() || values[1].Type.String() != "bytes32" || values[2].Word.Uint64() != 42 {
		t.Errorf("values %v", values)
	}
	for _, bad := range [][]common.Hash{nil, {{1}}, topics[:2]} {
		if _, err := DecodeLog(e, bad, nil); err == nil {
			t.Errorf("accepted topics %v", bad)
		}
	}
}

func FuzzDecode(f *testing.F) {
	r := rand.New(rand.NewPCG(3, 4))
	for i := 0; i < 20; i++ {
		t := randomType(r, 3)
		f.Add(t.String(), AppendValues(nil, []Value{randomValue(r, t)}))
	}
	f.Fuzz(func(t *testing.T, typ string, data []byte) {
		parsed, err := ParseType(typ)
		if err != nil {
			return
		}
		if again, err := ParseType(parsed.String()); err != nil || again.String() != parsed.String() {
			t.Fatalf("%q does not read back: %v", parsed, err)
		}
		fields := []Field{{Type: parsed}}
		values, err := Decode(fields, data)
		if err != nil {
			return
		}
		encoded := AppendValues(nil, values)
		back, err := Decode(fields, encoded)
		if err != nil || !back[0].Equal(&values[0]) {
			t.Fatalf("%s: %x reads back differently: %v", parsed, encoded, err)
		}
	})
}

func FuzzParseABI(f *testing.F) {
	f.Add([]byte(sampleABI))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ParseABI(data)
		if err != nil {
			return
		}
		for _, fn := range a.Functions {
			tx := Tx{Function: fn, Args: fn.Zero()}
			if len(tx.Calldata()) < 4 {
				t.Fatalf("%s: calldata without selector", fn.Signature)
			}
			Parameters(&tx)
		}
	})
}
