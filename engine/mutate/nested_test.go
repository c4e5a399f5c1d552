package mutate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/ethereum/go-ethereum/common"

	"leveret/engine/input"
)

// A list of calls gets more and fewer of them, and in another order, some of them from
// other Sequences; the addresses beside calls are those of their contracts.
func TestNested(t *testing.T) {
	parse := func(signature string) *input.Function {
		f, err := input.ParseSignature(signature)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	put, batch, run := parse("put(uint8)"), parse("batch(bytes[])"), parse("run(address[],bytes[],uint256[])")
	batch.Inputs[0].Type.Elem.Contents = []*input.Content{input.EncodedCallOf(put)}
	run.Inputs[1].Type.Elem.Calls = true
	vault := common.Address{7}
	other := input.Tx{To: vault, Function: put, Args: put.Zero()}
	other.Args[0].Word.SetUint64(251)
	env := &Env{
		Targets: []Target{{vault, put}}, Tx: -1, MaxTxs: 1,
		Donor: func(*rand.Rand) (input.Sequence, bool) { return input.Sequence{Txs: []input.Tx{other}}, true },
	}
	r := rand.New(rand.NewPCG(3, 1))
	longer, shorter, donated := 0, 0, 0
	for _, f := range []*input.Function{batch, run} {
		s := input.Sequence{Txs: []input.Tx{{From: input.User1, Function: f, Args: f.Zero()}}}
		for range 600 {
			child, diff, ok := Nested(r, env, s)
			if !ok {
				continue
			}
			if diff.Tx != 0 || diff.First != 0 || diff.Single {
				t.Fatalf("%+v", diff)
			}
			was, is := calls(s), calls(child)
			if len(is) > len(was) {
				longer++
			} else if len(is) < len(was) {
				shorter++
			}
			for i := range is {
				if c := is[i].Content; c != nil && is[i].Elems[0].Word.Eq(&other.Args[0].Word) {
					donated++
				}
				if f == run && len(child.Txs[0].Args[0].Elems) != len(is) {
					t.Fatalf("%d addresses for %d calls", len(child.Txs[0].Args[0].Elems), len(is))
				}
				if f == run && is[i].Content != nil && child.Txs[0].Args[0].Elems[i].Address() != vault {
					t.Fatalf("call %d is of %s", i, child.Txs[0].Args[0].Elems[i])
				}
			}
			s = child
		}
	}
	if longer < 200 || shorter < 100 || donated < 100 {
		t.Errorf("%d times longer, %d times shorter, %d calls of other sequences", longer, shorter, donated)
	}
}

func calls(s input.Sequence) []input.Value {
	args := s.Txs[0].Args
	if len(args) == 1 {
		return args[0].Elems
	}
	return args[1].Elems
}

// The holders of a Tx are counted and found at all depths.
func TestHolders(t *testing.T) {
	f, err := input.ParseSignature("f((bytes[],uint8,bytes),bytes,bytes[2],string)")
	if err != nil {
		t.Fatal(err)
	}
	tuple := f.Inputs[0].Type.Fields
	for _, holds := range []*input.Type{tuple[0].Type.Elem, tuple[2].Type, f.Inputs[2].Type.Elem} {
		holds.Calls = true
	}
	args := f.Zero()
	args[0].Elems[0].Elems = []input.Value{input.Zero(tuple[0].Type.Elem), input.Zero(tuple[0].Type.Elem)}
	want := map[bool][][]int{
		true:  {{0, 0}},
		false: {{0, 0, 0}, {0, 0, 1}, {0, 2}, {2, 0}, {2, 1}},
	}
	if lists, others := countHolders(args); lists != len(want[true]) || others != len(want[false]) {
		t.Errorf("%d lists and %d others", lists, others)
	}
	for list, paths := range want {
		for n, path := range append(paths, nil) {
			if at := holder(args, list, &n, 0); !slices.Equal(at, path) {
				t.Errorf("lists %t: a holder is at %v, want %v", list, at, path)
			}
		}
	}
}

// However often a list of calls is changed, it has some six elements, and up to twice as many
// now and then.
func TestListsStayShort(t *testing.T) {
	f, err := input.ParseSignature("run(bytes[])")
	if err != nil {
		t.Fatal(err)
	}
	list := f.Inputs[0].Type
	list.Elem.Calls = true
	env := &Env{Targets: []Target{{common.Address{7}, f}}, Tx: -1, MaxTxs: 1}
	r, v := rand.New(rand.NewPCG(3, 2)), input.Value{Type: list}
	const changes = 4000
	sum, most := 0, 0
	for range changes {
		if next, ok := changeList(r, env, v); ok {
			v = next
		}
		sum, most = sum+len(v.Elems), max(most, len(v.Elems))
	}
	if mean := float64(sum) / changes; mean < 4 || mean > 8 || most < 9 || most > 24 {
		t.Errorf("lists have %.1f elements, and %d at most", mean, most)
	}
}

// However often what calls of itself hold is changed, they do not get deeper.
func TestNestedIsBounded(t *testing.T) {
	f, err := input.ParseSignature("run(address,bytes)")
	if err != nil {
		t.Fatal(err)
	}
	f.Inputs[1].Type.Calls = true
	self := common.Address{7}
	s := input.Sequence{Txs: []input.Tx{{From: input.User1, To: self, Function: f, Args: f.Zero()}}}
	env := &Env{Targets: []Target{{self, f}}, Tx: -1, MaxTxs: 1, Donor: func(*rand.Rand) (input.Sequence, bool) { return s, true }}
	r, most := rand.New(rand.NewPCG(3, 1)), 0
	for range 2000 {
		child, _, ok := Nested(r, env, s)
		if !ok {
			continue
		}
		deep := 0
		for v := &child.Txs[0].Args[1]; v.Content != nil && len(v.Elems) == 2; v = &v.Elems[1] {
			deep++
		}
		if deep > 5 {
			t.Fatalf("%d calls within each other", deep)
		}
		if most = max(most, deep); deep > 0 {
			s = child
		}
	}
	if most < 3 {
		t.Errorf("at most %d calls within each other", most)
	}
}

// Some encodings become plain bytes of the same length that differ in one word.
func TestBrokenEncodings(t *testing.T) {
	f, err := input.ParseSignature("relay(bytes)")
	if err != nil {
		t.Fatal(err)
	}
	split, err := input.ParseSignature("split(uint256[])")
	if err != nil {
		t.Fatal(err)
	}
	f.Inputs[0].Type.Contents = []*input.Content{input.EncodedCallOf(split)}
	args := f.Zero()
	args[0].Content, args[0].Elems = f.Inputs[0].Type.Contents[0], split.Zero()
	s := input.Sequence{Txs: []input.Tx{{From: input.User1, Function: f, Args: args}}}
	encoded, r, broken := args[0].Bytes(), rand.New(rand.NewPCG(3, 1)), 0
	for range 400 {
		child, _, ok := Nested(r, &Env{Tx: -1, MaxTxs: 1}, s)
		v := child.Txs[0].Args[0]
		if !ok || v.Content != nil || len(v.Data) != len(encoded) || string(v.Data[:4]) != string(split.Selector[:]) {
			continue
		}
		differ := 0
		for i := 4; i < len(encoded); i += 32 {
			if string(v.Data[i:i+32]) != string(encoded[i:i+32]) {
				differ++
			}
		}
		if differ > 1 {
			t.Fatalf("%x differs from %x", v.Data, encoded)
		}
		broken += differ
	}
	if broken < 40 {
		t.Errorf("%d of 400 are broken", broken)
	}
	if string(args[0].Bytes()) != string(encoded) {
		t.Error("the parent was changed")
	}
}
